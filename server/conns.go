package server

import (
	"container/list"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
)

// conns are the connections that are open, over all listeners. When there are as
// many as there may be, the one that has waited for a request for longest is closed
// for the new one; where all are in use, the new one is closed.
type conns struct {
	most int

	mu      sync.Mutex
	open    int
	waiting list.List // of *conn that wait for a request, longest first

	evicted, refused uint64
}

// A conn is a connection that is counted.
type conn struct {
	net.Conn
	of     *conns
	waits  *list.Element // in waiting; nil when it is not
	closed bool
}

// A listener counts its connections.
type listener struct {
	net.Listener
	conns *conns
}

func (l listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.conns.add(accepted); c != nil {
			return c, nil
		}
		accepted.Close()
	}
}

// add counts a connection; nil when there is no room for it.
func (s *conns) add(accepted net.Conn) *conn {
	c := &conn{Conn: accepted, of: s}
	s.mu.Lock()
	var gone *conn
	if s.open >= s.most {
		if first := s.waiting.Front(); first != nil {
			gone = first.Value.(*conn)
			s.evicted++
			s.forget(gone)
		} else {
			s.refused++
			s.mu.Unlock()
			return nil
		}
	}
	s.open++
	c.waits = s.waiting.PushBack(c)
	s.mu.Unlock()
	if gone != nil {
		gone.Conn.Close()
	}
	return c
}

// forget takes a connection out of the count.
func (s *conns) forget(c *conn) {
	if !c.closed {
		c.closed = true
		s.open--
		s.rest(c)
	}
}

func (s *conns) rest(c *conn) {
	if c.waits != nil {
		s.waiting.Remove(c.waits)
		c.waits = nil
	}
}

func (c *conn) Close() error {
	c.of.mu.Lock()
	c.of.forget(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// state is the hook of an http.Server.
func (s *conns) state(of net.Conn, state http.ConnState) {
	if secure, ok := of.(*tls.Conn); ok {
		of = secure.NetConn()
	}
	c, ok := of.(*conn)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateIdle:
		if !c.closed && c.waits == nil {
			c.waits = s.waiting.PushBack(c)
		}
	case http.StateActive, http.StateHijacked:
		s.rest(c)
	}
}

// counts returns how many connections are open, were closed for others, and were
// not taken.
func (s *conns) counts() (open int, evicted, refused uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open, s.evicted, s.refused
}
