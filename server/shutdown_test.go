package server

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// When the service ends, requests in flight are answered whole, new ones are not
// taken, WebSockets are told, and what took part is closed.
func TestShutdown(t *testing.T) {
	c := quick(t, Limits{})
	s := opened(t, c)
	block, release := blocker(s)
	s.run()
	s.waitReady()
	answer := make(chan reply)
	go func() { answer <- s.get("/blocked") }()
	<-block
	socket, _, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(s.url, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer socket.CloseNow()
	if err := socket.Write(t.Context(), websocket.MessageText, []byte(`{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}`)); err != nil {
		t.Fatal(err)
	}
	if _, text, err := socket.Read(t.Context()); err != nil || !strings.Contains(string(text), `"result"`) {
		t.Fatalf("got %s, %v", text, err)
	}
	s.end()
	for err == nil {
		_, _, err = socket.Read(t.Context())
	}
	if websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("the WebSocket ended with %v", err)
	}
	eventually(t, "nothing new is taken", func() bool {
		s.client.CloseIdleConnections()
		_, err := s.try(http.MethodGet, "/healthz", "")
		return err != nil
	})
	if why := s.Ready(); len(why) == 0 || why[0] != "the service ends" {
		t.Errorf("ready: %q", why)
	}
	select {
	case <-s.done:
		t.Fatal("it ended with a request in flight")
	default:
	}
	close(release)
	if r := <-answer; r.status != 200 || r.body != "went on\n" {
		t.Errorf("got %+v", r)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	for _, line := range []string{"msg=ending requests=1 websockets=1", "msg=ended"} {
		if !strings.Contains(s.log.String(), line) {
			t.Errorf("%q is not logged", line)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A request that does not finish is broken off in the end.
func TestShutdownDeadline(t *testing.T) {
	s := opened(t, quick(t, Limits{ShutdownTimeout: 20 * time.Millisecond}))
	block, release := blocker(s)
	s.run()
	failed := make(chan error)
	go func() {
		_, err := s.try(http.MethodGet, "/blocked", "")
		failed <- err
	}()
	<-block
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if err := <-failed; err == nil {
		t.Error("the request was answered")
	}
	close(release)
	if !strings.Contains(s.log.String(), "requests did not finish and were broken off") {
		t.Error("it is not logged")
	}
}

// A panic ends one request: the client is told, or sees that the answer is broken off,
// and the log says where.
func TestPanics(t *testing.T) {
	s := opened(t, quick(t, Limits{}))
	s.extra(map[string]*mount{
		"/early": {name: "early", form: problemJSON, serve: func(*Server, *exchange) { panic("a mistake") }},
		"/late": {name: "late", serve: func(_ *Server, x *exchange) {
			x.Header().Set("Content-Length", "1000000")
			x.Write(bytes.Repeat([]byte("x"), 100_000))
			panic(errors.New("a late mistake"))
		}},
		"/abort": {name: "abort", serve: func(*Server, *exchange) { panic(http.ErrAbortHandler) }},
	})
	s.run()
	s.waitReady()
	if r := s.get("/early"); r.status != 500 || r.header.Get("Content-Type") != "application/problem+json" || strings.Contains(r.body, "mistake") {
		t.Errorf("got %+v", r)
	}
	for _, path := range []string{"/late", "/abort"} {
		if r, err := s.try(http.MethodGet, path, ""); err == nil || errors.Is(err, io.EOF) && path == "/late" {
			t.Errorf("%s: got %d bytes, %v", path, len(r.body), err)
		}
	}
	log := s.log.String()
	for _, line := range []string{`panic="a mistake"`, `panic="a late mistake"`, "shutdown_test.go", "route=early", "level=ERROR"} {
		if !strings.Contains(log, line) {
			t.Errorf("%q is not logged", line)
		}
	}
	if inside, _ := s.gate.counts(); inside != 0 {
		t.Errorf("%d requests are counted as in flight", inside)
	}
	if r := s.get("/metrics"); !strings.Contains(r.body, "schedgen_http_panics_total 2\n") || !strings.Contains(r.body, `schedgen_http_requests_total{code="500",route="early"} 1`) {
		t.Error("it is not counted")
	}
}
