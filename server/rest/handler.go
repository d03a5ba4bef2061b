package rest

import (
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/slotfeed"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/list"
)

// Epochs is what can be answered about: an [*epochs.Registry].
type Epochs interface {
	Epoch(n uint64) (*epochs.Epoch, error)
	EpochOfSlot(schedule.Slot) (*epochs.Epoch, schedule.Index, error)
	Held() []epochs.Summary
	Summary(n uint64) (epochs.Summary, bool)
	Book(first, last uint64) (*leaders.Book, error)
	EpochSchedule() schedule.EpochSchedule
	Cluster() string
	GenesisHash() *schedule.Pubkey
	Put(*list.List) (store.Put, error)
}

// Clock says which slot it is: a slotfeed.Feed.
type Clock interface {
	Now() (slotfeed.Now, bool)
}

// DefaultMaxBody is how many bytes a posted source of stakes may have where nothing
// else is said.
const DefaultMaxBody = 64 << 20

// Config says what a Handler answers about. Only Epochs must be there.
type Config struct {
	Epochs  Epochs
	Clock   Clock  // nil: it is not known which slot it is
	Version string // of the program

	// Ready reports whether answers can be relied on; nil: when the schedule of the
	// current epoch is held and the clock is not stale.
	Ready func() bool
	// Upstream tells how the schedule compares with another node's; nil, or nil
	// returned: there is nothing to compare with.
	Upstream func() *Upstream

	// Token lets those who know it post stakes; "" lets nobody. White space around
	// it, such as the end of a file's line, is no part of it.
	Token   string
	MaxBody int64 // of a post, in bytes; 0 means DefaultMaxBody

	// OnRequest is called after each answer. The route is one of Routes, or "other".
	OnRequest func(route string, code int, took time.Duration)
	Log       *slog.Logger     // nil: none
	Now       func() time.Time // nil: time.Now
}

// Handler answers every path under /v1, and others with a problem. It may be used
// from many goroutines.
type Handler struct {
	c      Config
	log    *slog.Logger
	mux    *http.ServeMux
	ingest chan struct{} // held while a posted source is read
	token  [sha256.Size]byte
	gzips  sync.Pool // of *gzip.Writer
}

// ErrNoEpochs: a Config without Epochs.
var ErrNoEpochs = errors.New("no epochs to answer about")

// New returns a handler. The error is ErrNoEpochs.
func New(c Config) (*Handler, error) {
	if c.Epochs == nil {
		return nil, ErrNoEpochs
	}
	if c.MaxBody <= 0 {
		c.MaxBody = DefaultMaxBody
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	h := &Handler{c: c, log: c.Log, mux: http.NewServeMux(), ingest: make(chan struct{}, 1)}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	token := strings.TrimSpace(c.Token)
	h.token = sha256.Sum256([]byte(token))
	h.c.Token = "" // nothing can print what is not there
	h.gzips.New = func() any {
		w, _ := gzip.NewWriterLevel(nil, streamLevel) // fails for other levels only
		return w
	}
	h.register(token != "")
	return h, nil
}

// A route is a path with its method and the query parameters that it takes.
type route struct {
	method, path string
	params       []string
	serve        func(*Handler, *call) error
}

func (rt route) pattern() string { return rt.method + " " + rt.path }

func routes() []route {
	return []route{
		{http.MethodGet, "/v1/status", nil, (*Handler).status},
		{http.MethodGet, "/v1/epochs", nil, (*Handler).epochs},
		{http.MethodGet, "/v1/epochs/{epoch}", nil, (*Handler).epoch},
		{http.MethodGet, "/v1/epochs/{epoch}/schedule",
			[]string{"format", "identity", "from", "to", "columns", "download"}, (*Handler).schedule},
		{http.MethodGet, "/v1/epochs/{epoch}/leaders", []string{"limit"}, (*Handler).standings},
		{http.MethodGet, "/v1/slots/{slot}", nil, (*Handler).slot},
		{http.MethodGet, "/v1/leaders/{key}", []string{"firstEpoch", "lastEpoch"}, (*Handler).presence},
		{http.MethodGet, "/v1/leaders/{key}/next", []string{"n", "from"}, (*Handler).next},
		{http.MethodGet, "/v1/leaders/{key}/windows", []string{"min", "from", "limit"}, (*Handler).windows},
		{http.MethodPost, "/v1/stakes", []string{"epoch"}, (*Handler).postStakes},
		{http.MethodGet, "/v1/openapi.json", nil, (*Handler).openAPI},
	}
}

// Routes returns what OnRequest may be told beside "other".
func Routes() []string {
	var patterns []string
	for _, rt := range routes() {
		patterns = append(patterns, rt.pattern())
	}
	return patterns
}

// register puts the routes into the mux, and for other methods and paths problems
// instead of the texts that the mux has.
func (h *Handler) register(open bool) {
	for _, rt := range routes() {
		serve := rt.serve
		if rt.method == http.MethodPost && !open {
			serve = func(*Handler, *call) error { return closed() }
		}
		h.mux.HandleFunc(rt.pattern(), func(w http.ResponseWriter, r *http.Request) {
			c := &call{w: w, r: r}
			var err error
			if c.query, err = parseQuery(r.URL.RawQuery, rt.params); err == nil {
				err = serve(h, c)
			}
			if err != nil {
				h.fail(c, err)
			}
		})
		allow := "GET, HEAD, OPTIONS"
		if rt.method == http.MethodPost {
			allow = "OPTIONS, POST"
		}
		h.mux.HandleFunc(rt.path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Allow", allow)
			if r.Method == http.MethodOptions {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			h.fail(&call{w: w, r: r}, problemf(methodNotAllowed, "%s is not one of %s", shorten(r.Method), allow))
		})
	}
	h.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		h.fail(&call{w: w, r: r}, problemf(routeUnknown, "there is nothing at %s: see /v1/openapi.json", shorten(r.URL.Path)))
	})
}

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	rec := &recorder{ResponseWriter: w}
	rec.Header().Set("X-Content-Type-Options", "nosniff")
	h.mux.ServeHTTP(rec, r)
	if h.c.OnRequest != nil {
		route := r.Pattern
		if !strings.Contains(route, " ") { // without a method: what answers the rest
			route = "other"
		}
		h.c.OnRequest(route, rec.status(), time.Since(start))
	}
}

// A recorder remembers the status of an answer.
type recorder struct {
	http.ResponseWriter
	code int
}

func (r *recorder) WriteHeader(code int) {
	if r.code == 0 {
		r.code = code
	}
	r.ResponseWriter.WriteHeader(code)
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *recorder) status() int {
	if r.code == 0 {
		return http.StatusOK
	}
	return r.code
}
