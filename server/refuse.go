package server

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/schedgen/schedgen/server/rest"
)

// refuse answers with an error, in the form that the mount's clients expect.
// retryAfter, in seconds, is told unless it is 0.
func (x *exchange) refuse(status int, detail string, retryAfter int) {
	var contentType string
	var body []byte
	switch x.mount.form {
	case jsonRPC:
		contentType = "application/json; charset=utf-8"
		body = marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": status, "message": detail}})
	case problemJSON:
		contentType = "application/problem+json"
		body = marshal(rest.Problem{
			Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail, Instance: shorten(x.r.URL.EscapedPath()),
		})
	default:
		contentType, body = "text/plain; charset=utf-8", []byte(detail)
	}
	body = append(body, '\n')
	header := x.Header()
	for name, value := range map[string]string{
		"Content-Type": contentType, "Cache-Control": "no-store", "Content-Length": strconv.Itoa(len(body)),
	} {
		header.Set(name, value)
	}
	if retryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(retryAfter))
	}
	x.WriteHeader(status)
	x.Write(body)
}

func marshal(v any) []byte {
	body, _ := json.Marshal(v) // of nothing that could fail
	return body
}

// shorten keeps what a client sent from filling an answer or a log.
func shorten(text string) string {
	const most = 120
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
