package server

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// Bodies that are too long are refused, in the form that the mount's clients expect,
// and others go on to be answered.
func TestLargeBodies(t *testing.T) {
	s := smallService(t, func(c *Config) { c.Limits.MaxBody, c.Limits.MaxStakes = 1000, 5000 })
	long := strings.Repeat("\n", 6000)
	for _, c := range []struct {
		method, path  string
		status        int
		is            string
		authorization string
	}{
		{"POST", "/", 413, `"jsonrpc"`, ""},
		{"GET", "/v1/status", 413, `"status":413`, ""},
		{"GET", "/readyz", 413, "too large", ""},
		{"POST", "/nothing", 413, "too large", ""},
		{"POST", "/v1/stakes", 413, "too-large", "Bearer " + token},
		{"POST", "/v1/stakes", 401, "unauthorized", "Bearer nobody's"},
	} {
		for _, chunked := range []bool{false, true} {
			r, err := http.NewRequest(c.method, s.url+c.path, io.MultiReader(strings.NewReader(long)))
			if err != nil {
				t.Fatal(err)
			}
			if !chunked {
				r.ContentLength = int64(len(long))
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", c.authorization)
			answer, err := s.client.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if chunked && c.method == "GET" || chunked && c.path == "/nothing" {
				continue // nobody reads it, and net/http ends the connection
			}
			if answer.StatusCode != c.status || !strings.Contains(string(body), c.is) {
				t.Errorf("%s %s, chunked %t: %d %s", c.method, c.path, chunked, answer.StatusCode, body)
			}
		}
	}
	if r := s.post(made(7, 0, 10)); r.status != http.StatusCreated {
		t.Errorf("got %+v", r)
	}
}

func TestLongBatch(t *testing.T) {
	s := smallService(t, func(c *Config) { c.Limits.MaxBatch = 3 })
	one := `{"jsonrpc":"2.0","id":1,"method":"getHealth"}`
	for n, want := range map[int]string{3: `"result":"ok"`, 4: `"error"`} {
		batch := "[" + strings.Repeat(one+",", n-1) + one + "]"
		r := s.do("POST", "/", batch, "Content-Type", "application/json")
		if !strings.Contains(r.body, want) || strings.Contains(r.body, `"result"`) && n > 3 {
			t.Errorf("%d requests: %d %s", n, r.status, r.body)
		}
	}
}

// raw sends text over a connection of its own and returns what comes back until it is
// closed.
func raw(t *testing.T, s *service, text string) string {
	t.Helper()
	conn, err := net.Dial("tcp", s.address.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go io.WriteString(conn, text)
	answer, _ := io.ReadAll(conn)
	return string(answer)
}

func TestManyHeaders(t *testing.T) {
	s := smallService(t, func(c *Config) { c.Limits.MaxHeader = 8000 })
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "X-%d: %d\r\n", i, i)
	}
	for name, request := range map[string]string{
		"headers": "GET /healthz HTTP/1.1\r\nHost: x\r\n" + b.String() + "\r\n",
		"path":    "GET /" + strings.Repeat("x", 20000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		if got := raw(t, s, request); !strings.HasPrefix(got, "HTTP/1.1 431 ") {
			t.Errorf("%s: got %.100q", name, got)
		}
	}
}

// Clients that send slowly are closed, and keep nobody from being answered.
func TestSlowClients(t *testing.T) {
	s := smallService(t, func(c *Config) {
		c.Limits.HeaderTimeout, c.Limits.ReadTimeout = 100*time.Millisecond, 200*time.Millisecond
		c.Limits.MaxConcurrent = 64
	})
	clients := 60
	if shorter() {
		clients = 10
	}
	head := "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
	var slow sync.WaitGroup
	for i := range clients {
		text := head
		if i%2 == 0 {
			text = head[:40]
		}
		slow.Go(func() {
			conn, err := net.Dial("tcp", s.address.String())
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			go func() { // a byte now and then
				io.WriteString(conn, text)
				for {
					if _, err := io.WriteString(conn, "x"); err != nil {
						return
					}
					time.Sleep(5 * time.Millisecond)
				}
			}()
			io.Copy(io.Discard, conn) // until the service closes it
		})
	}
	for range 20 {
		if got := s.call("getHealth", "[]"); got != `"ok"` {
			t.Errorf("got %s", got)
		}
	}
	slow.Wait()
}

// Whoever may post stakes has longer for it, and who may not has not.
func TestSlowPost(t *testing.T) {
	s := smallService(t, func(c *Config) { c.Limits.ReadTimeout = 150 * time.Millisecond })
	body := posted(t, made(7, 0, 40))
	send := func(authorization string) string {
		conn, err := net.Dial("tcp", s.address.String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /v1/stakes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n", authorization, len(body))
		go func() {
			for part := range 8 {
				io.WriteString(conn, body[part*len(body)/8:(part+1)*len(body)/8])
				time.Sleep(40 * time.Millisecond)
			}
		}()
		answer, _ := io.ReadAll(conn)
		return string(answer)
	}
	if got := send(token); !strings.HasPrefix(got, "HTTP/1.1 201 ") {
		t.Errorf("got %q", got)
	}
	if got := send("nobody's"); !strings.HasPrefix(got, "HTTP/1.1 401 ") {
		t.Errorf("got %q", got)
	}
}

// An address that asks too often is told when to come back, in the form of its mount;
// what tells about the service itself is answered all the same.
func TestRateLimit(t *testing.T) {
	s := started(t, quick(t, Limits{Rate: 0.001, Burst: 4}))
	s.waitReady()
	for i := range 4 {
		if r := s.get("/v1/status"); r.status != 200 {
			t.Fatalf("request %d: %+v", i, r)
		}
	}
	for _, c := range []struct{ method, path, contentType, says string }{
		{"GET", "/v1/status", "application/problem+json", `"type":"about:blank"`},
		{"POST", "/", "application/json; charset=utf-8", `{"error":{"code":429,"message":"too many requests from one address"},"id":null,"jsonrpc":"2.0"}`},
		{"GET", "/", "text/plain; charset=utf-8", "too many"},
		{"GET", "/metrics", "text/plain; charset=utf-8", "too many"},
	} {
		r := s.do(c.method, c.path, "", "Content-Type", "application/json")
		if r.status != http.StatusTooManyRequests || r.header.Get("Content-Type") != c.contentType || !strings.Contains(r.body, c.says) || r.header.Get("Retry-After") != "1000" {
			t.Errorf("%s %s: %+v", c.method, c.path, r)
		}
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if r := s.get(path); r.status != 200 {
			t.Errorf("%s: %+v", path, r)
		}
	}
	if n := strings.Count(s.log.String(), "asks too often"); n != 1 {
		t.Errorf("it was logged %d times", n)
	}
}

// Behind a proxy each client counts for itself, and nobody else can say who asks.
func TestRateLimitBehindProxy(t *testing.T) {
	ask := func(s *service, from string) int {
		return s.get("/v1/status", "X-Forwarded-For", from).status
	}
	c := quick(t, Limits{Rate: 0.001, Burst: 1})
	alone := started(t, c)
	if a, b := ask(alone, "192.0.2.1"), ask(alone, "192.0.2.2"); a != 200 || b != 429 {
		t.Errorf("without a trusted proxy: %d, %d", a, b)
	}
	var loopback prefixes
	loopback.add(t, "127.0.0.0/8")
	c.TrustedProxies = loopback
	s := started(t, c)
	for _, c := range []struct {
		from   string
		status int
	}{
		{"192.0.2.1", 200}, {"192.0.2.1", 429}, {"192.0.2.2", 200}, {"9.9.9.9, 192.0.2.2", 429}, {"192.0.2.3, 127.0.0.9", 200},
		{"192.0.2.3", 429}, {"2001:db8::1", 200}, {"2001:db8::2", 429}, {"2001:db8:0:1::2", 200},
	} {
		if got := ask(s, c.from); got != c.status {
			t.Errorf("%s: got %d, want %d", c.from, got, c.status)
		}
	}
}

// More requests than may be answered at a time wait; more than may wait are turned
// away, while the service still tells about itself.
func TestConcurrencyLimit(t *testing.T) {
	s := opened(t, quick(t, Limits{MaxConcurrent: 2, MaxQueue: 1, QueueWait: time.Hour}))
	block, release := blocker(s)
	s.run()
	s.waitReady()
	answers := make(chan int)
	ask := func() { answers <- s.get("/blocked").status }
	for range 3 {
		go ask()
	}
	<-block
	<-block
	eventually(t, "one waits", func() bool { _, waiting := s.gate.counts(); return waiting == 1 })
	for range 3 {
		r := s.do("POST", "/", `{}`, "Content-Type", "application/json")
		if r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") != "1" || !strings.Contains(r.body, `"code":503`) {
			t.Errorf("got %+v", r)
		}
	}
	if r := s.get("/metrics"); r.status != 200 || !strings.Contains(r.body, `schedgen_http_requests_turned_away_total{reason="busy"} 3`) ||
		!strings.Contains(r.body, "schedgen_http_requests_in_flight 2\n") || !strings.Contains(r.body, "schedgen_http_requests_waiting 1\n") {
		t.Errorf("got %d", r.status)
	}
	if r := s.get("/readyz"); r.status != 200 {
		t.Errorf("got %+v", r)
	}
	close(release)
	for range 3 {
		if status := <-answers; status != 200 {
			t.Errorf("got %d", status)
		}
	}
	if n := strings.Count(s.log.String(), "some are turned away"); n != 1 {
		t.Errorf("it was logged %d times", n)
	}
}

// Who waits for too long is turned away too.
func TestQueueWait(t *testing.T) {
	s := opened(t, quick(t, Limits{MaxConcurrent: 1, QueueWait: time.Millisecond}))
	block, release := blocker(s)
	s.run()
	answer := make(chan int)
	go func() { answer <- s.get("/blocked").status }()
	<-block
	if r := s.get("/v1/status"); r.status != http.StatusServiceUnavailable || !strings.Contains(r.body, `"status":503`) {
		t.Errorf("got %+v", r)
	}
	close(release)
	if status := <-answer; status != 200 {
		t.Errorf("got %d", status)
	}
}

// blocker makes /blocked answer only when release is closed, after it has said on
// block that it is asked.
func blocker(s *service) (block <-chan struct{}, release chan struct{}) {
	entered := make(chan struct{}, 100)
	release = make(chan struct{})
	m := &mount{name: "blocked", serve: func(_ *Server, x *exchange) {
		entered <- struct{}{}
		<-release
		x.text(http.StatusOK, "went on\n")
	}}
	s.extra(map[string]*mount{"/blocked": m})
	return entered, release
}

// extra adds mounts of a test.
func (s *service) extra(mounts map[string]*mount) {
	s.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m := mounts[r.URL.Path]
		if m == nil {
			s.ServeHTTP(w, r)
			return
		}
		s.handle(&exchange{ResponseWriter: w, r: r, mount: m})
	})
}

// Connections that wait for a request give way to new ones; those in use do not.
func TestConnectionLimit(t *testing.T) {
	s := opened(t, quick(t, Limits{MaxConnections: 8}))
	block, release := blocker(s)
	s.run()
	s.waitReady()
	var used []net.Conn
	ask := func() net.Conn {
		conn, err := net.Dial("tcp", s.address.String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		io.WriteString(conn, "GET /blocked HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		return conn
	}
	for range 6 {
		used = append(used, ask())
		<-block
	}
	for range 50 { // that ask for nothing
		conn, err := net.Dial("tcp", s.address.String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	if r := s.get("/healthz"); r.status != 200 {
		t.Errorf("got %+v", r)
	}
	eventually(t, "idle ones gave way", func() bool {
		open, evicted, refused := s.conns.counts()
		s.conns.mu.Lock()
		waiting := s.conns.waiting.Len() // that of the answer too, a moment after it
		s.conns.mu.Unlock()
		return open == 8 && waiting == 2 && evicted >= 48 && refused == 0
	})
	for range 2 { // now all are in use
		used = append(used, ask())
		<-block
	}
	if got, err := io.ReadAll(ask()); len(got) > 0 {
		t.Errorf("got %q, %v", got, err)
	}
	close(release)
	for i, conn := range used {
		if got, err := io.ReadAll(conn); !bytes.Contains(got, []byte("went on")) {
			t.Errorf("request %d: %q, %v", i, got, err)
		}
	}
	if _, _, refused := s.conns.counts(); refused != 1 {
		t.Errorf("%d were refused", refused)
	}
	eventually(t, "all are closed but the idle", func() bool { open, _, _ := s.conns.counts(); return open <= 1 })
}

// Ten thousand connections that do nothing keep nobody from being answered.
func TestIdleConnections(t *testing.T) {
	const idle = 10_000
	s := started(t, quick(t, Limits{}))
	if shorter() {
		t.Skip("opens many connections: not with -short or emulated")
	}
	if room := openFiles(); room < idle+s.c.Limits.MaxConnections+200 {
		t.Skipf("this process may open %d files, which are too few", room)
	}
	s.waitReady()
	conns := make([]net.Conn, 0, idle)
	defer func() {
		for _, conn := range conns {
			conn.Close()
		}
	}()
	for i := range idle {
		conn, err := net.Dial("tcp", s.address.String())
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
		if i%3 == 0 { // some have asked before
			io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
			if i%300 == 0 {
				if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
					t.Errorf("connection %d: %q, %v", i, line, err)
				}
			}
		}
		if i%500 == 0 {
			s.client.CloseIdleConnections() // for a new connection
			if got := s.call("getSlotLeader", "[]"); !strings.HasPrefix(got, `"`) {
				t.Errorf("with %d connections: %s", i, got)
			}
		}
	}
	s.client.CloseIdleConnections()
	if got := s.call("getHealth", "[]"); got != `"ok"` {
		t.Errorf("got %s", got)
	}
	open, evicted, refused := s.conns.counts()
	t.Logf("%d open, %d gave way, %d refused", open, evicted, refused)
	if open > s.c.Limits.MaxConnections || evicted == 0 || refused > 0 {
		t.Errorf("%d open, %d gave way, %d refused", open, evicted, refused)
	}
}
