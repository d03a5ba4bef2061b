package rpctest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// A Fault spoils one answer. The reply is what the node would say.
type Fault func(s *Server, w http.ResponseWriter, r *http.Request, id json.RawMessage, reply []byte)

// Status answers with a status, a page of text, and pairs of header names and
// values.
func Status(code int, header ...string) Fault {
	return func(_ *Server, w http.ResponseWriter, _ *http.Request, _ json.RawMessage, _ []byte) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		http.Error(w, http.StatusText(code), code)
	}
}

// Error answers with a JSON-RPC error.
func Error(code int, message string) Fault { return ErrorStatus(http.StatusOK, code, message) }

// ErrorStatus is Error with another HTTP status, as gateways have it.
func ErrorStatus(status, code int, message string) Fault {
	return func(_ *Server, w http.ResponseWriter, _ *http.Request, id json.RawMessage, _ []byte) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		w.Write(envelope(id, nil, &rpcError{code, message}))
	}
}

// Result answers with another result, as JSON text.
func Result(text string) Fault {
	return func(_ *Server, w http.ResponseWriter, _ *http.Request, id json.RawMessage, _ []byte) {
		write(w, fmt.Appendf(nil, `{"jsonrpc":"2.0","result":%s,"id":%s}`, text, id))
	}
}

// Body answers with any text instead of a reply.
func Body(contentType, text string) Fault {
	return func(_ *Server, w http.ResponseWriter, _ *http.Request, _ json.RawMessage, _ []byte) {
		w.Header().Set("Content-Type", contentType)
		fmt.Fprint(w, text)
	}
}

// Page answers with a page of HTML.
func Page() Fault { return Body("text/html", "<!DOCTYPE html>\n<html><body>Hello</body></html>\n") }

// WrongID answers a request that nobody sent.
func WrongID() Fault {
	return func(_ *Server, w http.ResponseWriter, _ *http.Request, id json.RawMessage, reply []byte) {
		write(w, []byte(strings.Replace(string(reply), `"id":`+string(id), `"id":"other"`, 1)))
	}
}

// Truncated breaks the connection off in the middle of the reply.
func Truncated() Fault {
	return func(_ *Server, w http.ResponseWriter, _ *http.Request, _ json.RawMessage, reply []byte) {
		w.Header().Set("Content-Length", fmt.Sprint(len(reply)))
		w.Write(reply[:len(reply)/2])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

// Dropped breaks the connection off without an answer.
func Dropped() Fault {
	return func(*Server, http.ResponseWriter, *http.Request, json.RawMessage, []byte) {
		panic(http.ErrAbortHandler)
	}
}

// Silent never answers.
func Silent() Fault {
	return func(_ *Server, _ http.ResponseWriter, r *http.Request, _ json.RawMessage, _ []byte) {
		<-r.Context().Done()
	}
}

// Stalled answers with half of the reply and then waits for ever.
func Stalled() Fault {
	return func(_ *Server, w http.ResponseWriter, r *http.Request, _ json.RawMessage, reply []byte) {
		w.Write(reply[:len(reply)/2])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}

// Endless answers with a reply that has no end.
func Endless() Fault {
	return func(_ *Server, w http.ResponseWriter, r *http.Request, id json.RawMessage, _ []byte) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":[`, id)
		chunk := []byte(strings.Repeat("1,", 1<<13))
		for r.Context().Err() == nil {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
}

// Redirect answers that another address is the right one.
func Redirect(code int, to string) Fault { return Status(code, "Location", to) }

// Then changes the cluster after an answer that is good.
func Then(change func(*Cluster)) Fault {
	return func(s *Server, w http.ResponseWriter, _ *http.Request, _ json.RawMessage, reply []byte) {
		s.Change(change)
		write(w, reply)
	}
}
