package jsonrpc

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/schedgen/schedgen/server/splice"
)

// A work is one body being answered, and the memory for it, which is used again.
type work struct {
	h       *Handler
	methods map[string]method
	accept  []string // headers Accept-Encoding
	batch   bool

	in    []byte // the request
	out   []byte // the answers, but for the blocks
	kept  []piece
	bytes int64 // of the blocks, before compression
	texts []string

	chosen   bool
	encoding splice.Encoding
	socket   *socket // over which it came, or nil
}

// A piece is a block that stands before out[at].
type piece struct {
	at    int
	block *splice.Block
}

// A method appends its result to w.out, or returns an error; what it has appended is
// taken back then.
type method func(w *work, params value) *rpcError

var works = sync.Pool{New: func() any { return new(work) }}

func (h *Handler) newWork(methods map[string]method) *work {
	w := works.Get().(*work)
	w.h, w.methods = h, methods
	return w
}

// mostKept is how much memory of a kind is kept for other requests.
const mostKept = 1 << 20

func (w *work) free() {
	clear(w.kept) // what they refer to may be large
	clear(w.texts)
	*w = work{in: w.in[:0], out: w.out[:0], kept: w.kept[:0], texts: w.texts[:0]}
	if cap(w.out) <= mostKept && cap(w.in) <= mostKept {
		works.Put(w)
	}
}

// answer answers w.in in w.out: with nothing when nobody waits for an answer.
func (w *work) answer() {
	v, ok := wellFormed(w.in, w.h.o.MaxDepth)
	switch {
	case !ok:
		w.refuse(errParse)
	case !v.is('['):
		w.one(v)
	default:
		w.all(v)
	}
}

// refuse answers a body as a whole.
func (w *work) refuse(e *rpcError) {
	w.fail(null, e)
	w.h.observe("", e, 0)
}

// all answers a batch.
func (w *work) all(batch value) {
	w.batch = true
	n := 0
	for walk := batch.over(); ; n++ {
		if _, _, ok := walk.next(); !ok {
			break
		}
	}
	if n == 0 {
		w.refuse(errInvalidRequest)
		return
	}
	if n > w.h.o.MaxBatch {
		w.refuse(&rpcError{code: codeInvalidRequest, message: fmt.Sprintf("Batch of %d requests; max %d", n, w.h.o.MaxBatch)})
		return
	}
	w.out = append(w.out, '[')
	some := false
	for walk := batch.over(); ; {
		_, element, ok := walk.next()
		if !ok {
			break
		}
		before := len(w.out)
		if some {
			w.out = append(w.out, ',')
		}
		if w.one(element) {
			some = true
		} else {
			w.out = w.out[:before]
		}
	}
	if !some {
		w.out = w.out[:0]
		return
	}
	w.out = append(w.out, ']')
}

// one answers a request, and reports whether it is one to answer. Notifications
// have no effect that anybody could see.
func (w *work) one(v value) bool {
	begun := w.h.time()
	q := readRequest(v)
	if q.problem != nil {
		w.fail(q.id, q.problem)
		w.h.observe(q.method, q.problem, w.h.since(begun))
		return true
	}
	if q.id == nil {
		return false
	}
	start, kept, bytes := len(w.out), len(w.kept), w.bytes
	e := errMethod
	if m, ok := w.methods[q.method]; ok {
		w.out = append(w.out, `{"jsonrpc":"2.0","result":`...)
		e = m(w, q.params)
	}
	if size := int64(len(w.out)) + w.bytes; e == nil && w.batch && size > w.h.o.MaxReply {
		e = &rpcError{code: codeInternal, message: fmt.Sprintf("Batch reply would be over %d bytes", w.h.o.MaxReply)}
	}
	if e != nil {
		w.out, w.kept, w.bytes = w.out[:start], w.kept[:kept], bytes
		w.fail(q.id, e)
	} else {
		w.end(q.id)
	}
	w.h.observe(q.method, e, w.h.since(begun))
	return true
}

func (w *work) fail(id value, e *rpcError) {
	w.out = append(w.out, `{"jsonrpc":"2.0","error":`...)
	w.out = e.append(w.out)
	w.end(id)
}

func (w *work) end(id value) {
	w.out = append(w.out, `,"id":`...)
	w.out = append(w.out, id...)
	w.out = append(w.out, '}')
}

// keep puts a block where the answers have come to.
func (w *work) keep(b *splice.Block) {
	w.kept = append(w.kept, piece{len(w.out), b})
	w.bytes += b.Plain()
}

// coding returns the content coding of kept answers. Those of a batch are never in
// zstd, in which several of them would be several frames, of which some clients
// read the first alone.
func (w *work) coding() splice.Encoding {
	if !w.chosen {
		w.chosen = true
		header := strings.Join(w.accept, ",")
		if w.batch {
			w.encoding = splice.Accepted(header, splice.Gzip)
		} else {
			w.encoding = splice.Accepted(header, splice.Zstd, splice.Gzip)
		}
	}
	return w.encoding
}

// time and since measure only where somebody wants to know.
func (h *Handler) time() (t time.Time) {
	if h.o.OnRequest != nil {
		t = time.Now()
	}
	return t
}

func (h *Handler) since(t time.Time) (d time.Duration) {
	if h.o.OnRequest != nil {
		d = time.Since(t)
	}
	return d
}

func (h *Handler) observe(name string, e *rpcError, took time.Duration) {
	if h.o.OnRequest == nil {
		return
	}
	if name != "" && methods[name] == nil && socketMethods[name] == nil {
		name = "unknown" // names that clients make up are not to fill anybody's memory
	}
	code := 0
	if e != nil {
		code = e.code
	}
	h.o.OnRequest(name, code, took)
}
