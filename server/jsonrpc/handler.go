package jsonrpc

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"
)

// A Handler answers JSON-RPC 2.0: POST with one request or a batch, GET with an
// upgrade to a WebSocket, and GET /health. Anything else is status 405.
type Handler struct {
	epochs  Epochs
	feed    Feed
	o       Options
	votes   atomic.Pointer[voteTable]
	sockets sockets
}

// New returns a handler of what epochs and feed know.
func New(epochs Epochs, feed Feed, o Options) *Handler {
	return &Handler{epochs: epochs, feed: feed, o: o.withDefaults()}
}

// Values of headers, which are never changed.
var (
	jsonType = []string{"application/json; charset=utf-8"}
	vary     = []string{"Accept-Encoding"}
)

func (h *Handler) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost:
		h.post(rw, r)
	case r.Method == http.MethodGet && r.URL.Path == "/health":
		h.ServeHealth(rw, r)
	case r.Method == http.MethodGet && isUpgrade(r):
		h.upgrade(rw, r)
	default:
		rw.Header().Set("Allow", http.MethodPost)
		http.Error(rw, "Used HTTP Method is not allowed. POST or OPTIONS is required", http.StatusMethodNotAllowed)
	}
}

func isUpgrade(r *http.Request) bool {
	for _, line := range r.Header["Upgrade"] {
		for token := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(token), "websocket") {
				return true
			}
		}
	}
	return false
}

func (h *Handler) post(rw http.ResponseWriter, r *http.Request) {
	if !isJSON(r.Header.Get("Content-Type")) {
		http.Error(rw, "Supplied content type is not allowed. Content-Type: application/json is required", http.StatusUnsupportedMediaType)
		return
	}
	w := h.newWork(methods)
	defer w.free()
	w.accept = r.Header["Accept-Encoding"]
	status := http.StatusOK
	switch err := w.read(r.Body, r.ContentLength); {
	case err == nil:
		w.answer()
	case errors.Is(err, errTooLarge):
		status = http.StatusRequestEntityTooLarge
		w.refuse(errBodySize)
	default: // the client broke off, or was too slow
		status = http.StatusBadRequest
		w.refuse(errParse)
	}
	w.send(rw, status)
}

func isJSON(contentType string) bool {
	switch contentType {
	case "application/json", "application/json; charset=utf-8": // nearly always
		return true
	}
	kind, _, err := mime.ParseMediaType(contentType)
	return kind == "application/json" && (err == nil || errors.Is(err, mime.ErrInvalidMediaParameter))
}

var errTooLarge = errors.New("body is too large")

// read reads a body of a length, which is negative when it is not known.
func (w *work) read(body io.Reader, length int64) error {
	if length > w.h.o.MaxBody {
		return errTooLarge
	}
	for {
		if len(w.in) == cap(w.in) {
			w.in = append(w.in, 0)[:len(w.in)]
		}
		n, err := body.Read(w.in[len(w.in):cap(w.in)])
		w.in = w.in[:len(w.in)+n]
		switch {
		case int64(len(w.in)) > w.h.o.MaxBody:
			return errTooLarge
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}
