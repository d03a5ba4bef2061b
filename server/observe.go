package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"
)

// requestIDs name requests: a part that differs between runs, and a number.
type requestIDs struct {
	prefix string
	last   atomic.Uint64
}

func newRequestIDs() *requestIDs {
	var b [5]byte
	rand.Read(b[:]) // never fails
	return &requestIDs{prefix: hex.EncodeToString(b[:]) + "-"}
}

func (ids *requestIDs) next() string {
	var b [40]byte
	return string(strconv.AppendUint(append(b[:0], ids.prefix...), ids.last.Add(1), 36))
}

// observed gives a request its id, measures and logs it, and keeps a panic from
// ending more than the one request.
func (s *Server) observed(next handler) handler {
	return func(x *exchange) {
		start := time.Now()
		id := s.ids.next()
		x.Header()["X-Request-Id"] = []string{id}
		done := false
		defer func() {
			whole := done
			if !done {
				whole = s.recovered(x, id, recover())
			}
			if x.status == 0 {
				x.status = http.StatusOK
			}
			took := time.Since(start)
			s.metrics.answered(x, took)
			s.logRequest(x, id, took)
			if !whole {
				panic(http.ErrAbortHandler) // net/http ends the connection
			}
		}()
		next(x)
		done = true
	}
}

// recovered answers in the place of a handler that panicked. It reports false when a
// part of an answer is sent already: the client is to see that it is only a part.
func (s *Server) recovered(x *exchange, id string, why any) bool {
	if why == http.ErrAbortHandler { // its way to break the answer off
		return false
	}
	s.metrics.panics.Inc()
	s.log.Error("a request failed", "id", id, "route", x.route(), "panic", why, "stack", string(debug.Stack()))
	if x.status != 0 {
		return false
	}
	x.refuse(http.StatusInternalServerError, "the service failed; its log says why", 0)
	return true
}

// logRequest logs by how it went: what worked is for those who look for it, what the
// client did wrong for those who look, what the service did wrong for everybody. The
// query is left out, and so is a path that leads nowhere: people put secrets there.
func (s *Server) logRequest(x *exchange, id string, took time.Duration) {
	level := slog.LevelDebug
	switch {
	case x.turned: // there may be very many; it was logged that there are
	case x.status == http.StatusServiceUnavailable && x.mount.ops: // asked again and again; logged when it changes
	case x.status == http.StatusServiceUnavailable:
		level = slog.LevelWarn
	case x.status >= 500:
		level = slog.LevelError
	case x.status >= 400:
		level = slog.LevelInfo
	}
	if !s.log.Enabled(context.Background(), level) {
		return
	}
	path := shorten(x.r.URL.EscapedPath())
	if x.mount == mountNone {
		path = "(unknown)"
	}
	s.log.LogAttrs(context.Background(), level, "request",
		slog.String("id", id), slog.Any("client", clientOf(x.r, s.c.TrustedProxies)), slog.String("method", shorten(x.r.Method)),
		slog.String("route", x.route()), slog.String("path", path),
		slog.Int("status", x.status), slog.Int64("bytes", x.bytes), slog.Duration("took", took))
}
