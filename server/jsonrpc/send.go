package jsonrpc

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"

	"github.com/schedgen/schedgen/server/splice"
)

// send writes the answers, with a newline as nodes have it; nothing of a body of
// notifications.
func (w *work) send(rw http.ResponseWriter, status int) {
	header := rw.Header()
	header["Content-Type"] = jsonType
	header["Vary"] = vary
	if len(w.out) > 0 {
		w.out = append(w.out, '\n')
	}
	switch {
	case len(w.kept) > 0:
		w.sendKept(rw)
	case len(w.out) >= w.h.o.CompressAbove && splice.Accepted(strings.Join(w.accept, ","), splice.Gzip) == splice.Gzip:
		sendGzip(rw, status, w.out)
	default:
		header["Content-Length"] = []string{strconv.Itoa(len(w.out))}
		rw.WriteHeader(status)
		rw.Write(w.out)
	}
}

// sendKept writes answers some of which are kept blocks.
func (w *work) sendKept(rw http.ResponseWriter) {
	parts := make([]splice.Part, 0, 2*len(w.kept)+1)
	from := 0
	for _, p := range w.kept {
		parts = append(parts, splice.Literal(w.out[from:p.at]), p.block)
		from = p.at
	}
	parts = append(parts, splice.Literal(w.out[from:]))
	text, err := splice.Join(w.coding(), parts...)
	if err != nil { // the epochs gave a block of another coding
		w.h.o.Log.Error("an answer cannot be put together", "error", err)
		http.Error(rw, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	if coding := w.coding(); coding != splice.Identity {
		rw.Header()["Content-Encoding"] = []string{coding.String()}
	}
	rw.Header()["Content-Length"] = []string{strconv.FormatInt(text.Len(), 10)}
	text.WriteTo(rw)
}

// A zipper is a writer of gzip with what it writes.
type zipper struct {
	out bytes.Buffer
	w   *gzip.Writer
}

var zippers = sync.Pool{New: func() any {
	z := new(zipper)
	z.w, _ = gzip.NewWriterLevel(&z.out, gzip.BestSpeed) // a level that there is
	return z
}}

func sendGzip(rw http.ResponseWriter, status int, text []byte) {
	z := zippers.Get().(*zipper)
	defer func() {
		if z.out.Cap() <= mostKept {
			zippers.Put(z)
		}
	}()
	z.out.Reset()
	z.w.Reset(&z.out)
	z.w.Write(text) // to memory
	z.w.Close()
	rw.Header()["Content-Encoding"] = []string{splice.Gzip.String()}
	rw.Header()["Content-Length"] = []string{strconv.Itoa(z.out.Len())}
	rw.WriteHeader(status)
	rw.Write(z.out.Bytes())
}
