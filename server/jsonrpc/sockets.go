package jsonrpc

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"
)

// sockets are the WebSockets that are open.
type sockets struct {
	mu     sync.Mutex
	open   map[*socket]struct{}
	taken  int // open ones, and those that are being opened
	closed bool
	ended  sync.WaitGroup
	ids    atomic.Uint64 // of subscriptions
}

// take reserves a place; false when there is none.
func (s *sockets) take(most int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.taken >= most {
		return false
	}
	s.taken++
	s.ended.Add(1)
	return true
}

func (s *sockets) leave() {
	s.mu.Lock()
	s.taken--
	s.mu.Unlock()
	s.ended.Done()
}

// add enters a socket; false when the handler has been shut down meanwhile.
func (s *sockets) add(k *socket) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	if s.open == nil {
		s.open = map[*socket]struct{}{}
	}
	s.open[k] = struct{}{}
	return true
}

func (s *sockets) remove(k *socket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, k)
}

// Sockets returns how many WebSockets are open.
func (h *Handler) Sockets() int {
	h.sockets.mu.Lock()
	defer h.sockets.mu.Unlock()
	return h.sockets.taken
}

// Shutdown closes the WebSockets, which an http.Server does not, and waits until
// they are closed or the context ends; then it breaks the connections off and
// returns the context's error. New ones are refused from then on, while requests
// over HTTP go on.
func (h *Handler) Shutdown(ctx context.Context) error {
	s := &h.sockets
	s.mu.Lock()
	s.closed = true
	for k := range s.open {
		go k.conn.Close(websocket.StatusGoingAway, "the service ends")
	}
	s.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		s.ended.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	for k := range s.open {
		k.end()
	}
	s.mu.Unlock()
	return context.Cause(ctx)
}

// upgrade makes a WebSocket of a request and serves it until it closes.
func (h *Handler) upgrade(rw http.ResponseWriter, r *http.Request) {
	if !h.sockets.take(h.o.MaxSockets) {
		rw.Header().Set("Retry-After", "10")
		http.Error(rw, "Too many WebSockets are open.", http.StatusServiceUnavailable)
		return
	}
	defer h.sockets.leave()
	conn, err := websocket.Accept(rw, r, &websocket.AcceptOptions{InsecureSkipVerify: h.o.AnyOrigin})
	if err != nil { // which the client has been told
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(h.o.MaxBody)
	// The request's context is of no meaning any more.
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	k := &socket{h: h, conn: conn, end: cancel, limit: rate.NewLimiter(rate.Limit(h.o.MaxMessages), h.o.MaxMessages)}
	if !h.sockets.add(k) {
		conn.Close(websocket.StatusGoingAway, "the service ends")
		return
	}
	defer h.sockets.remove(k)
	k.serve(ctx)
	cancel()
	k.work.Wait()
}
