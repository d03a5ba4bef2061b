package server

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/feed"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/slotclock"
)

// Everything is answered over HTTP, with the headers that everything has.
func TestAnswers(t *testing.T) {
	s := smallService(t)
	ids := map[string]bool{}
	for _, c := range []struct {
		method, path, body string
		status             int
		contentType, says  string
	}{
		{"GET", "/", "", 200, "text/html", "<!doctype html>"},
		{"HEAD", "/", "", 200, "text/html", ""},
		{"POST", "/", `{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"commitment":"processed"}]}`, 200, "application/json", `"result":1050,`},
		{"POST", "/", `[{"jsonrpc":"2.0","id":1,"method":"getHealth"},{"jsonrpc":"2.0","id":2,"method":"nothing"}]`, 200, "application/json", `"result":"ok"`},
		{"PUT", "/", "", 405, "text/plain", "POST"},
		{"GET", "/health", "", 200, "text/plain", "ok"},
		{"GET", "/healthz", "", 200, "text/plain", "ok"},
		{"GET", "/readyz", "", 200, "text/plain", "ready"},
		{"HEAD", "/readyz", "", 200, "text/plain", ""},
		{"POST", "/readyz", "", 405, "text/plain", "GET"},
		{"DELETE", "/metrics", "", 405, "text/plain", "GET"},
		{"GET", "/metrics", "", 200, "text/plain", "schedgen_ready 1"},
		{"GET", "/v1/status", "", 200, "application/json", `"held":[4,5,6],"ready":true`},
		{"GET", "/v1/epochs/current", "", 200, "application/json", digestOf(derived(t, *made(5, 0, 20), 5, mustSchedule(t, 200, false)))},
		{"GET", "/v1/openapi.json", "", 200, "application/json", `"openapi":`},
		{"GET", "/v1/nothing", "", 404, "application/problem+json", "route-unknown"},
		{"GET", "/v1", "", 404, "application/problem+json", "route-unknown"},
		{"GET", "/assets/nothing", "", 404, "text/plain", "no such file"},
		{"GET", "/../etc/passwd", "", 404, "text/plain", "nothing is here"},
		{"GET", "/v1x", "", 404, "text/plain", "nothing is here"},
		{"OPTIONS", "/", "", 405, "text/plain", "POST"},
	} {
		r := s.do(c.method, c.path, c.body, "Content-Type", "application/json")
		if r.status != c.status || !strings.HasPrefix(r.header.Get("Content-Type"), c.contentType) || !strings.Contains(strings.ToLower(r.body), strings.ToLower(c.says)) {
			t.Errorf("%s %s: %d %s %.300q", c.method, c.path, r.status, r.header.Get("Content-Type"), r.body)
		}
		id := r.header.Get("X-Request-Id")
		rpc := c.path == "/" && c.method != "GET" && c.method != "HEAD" // answers in JSON, for no browser to show
		if id == "" || ids[id] || r.header.Get("X-Content-Type-Options") != "nosniff" || r.header.Get("Referrer-Policy") != "no-referrer" && !rpc ||
			!strings.Contains(r.header.Get("Content-Security-Policy"), "default-src 'none'") && !rpc || strings.Contains(r.header.Get("Content-Security-Policy"), "unsafe") {
			t.Errorf("%s %s: headers %v", c.method, c.path, r.header)
		}
		ids[id] = true
		if r.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s %s: pages of other origins may ask", c.method, c.path)
		}
	}
}

// The same service answers at the second address.
func TestSecondAddress(t *testing.T) {
	c := small(t)
	c.WebSocketListen = "127.0.0.1:0"
	s := started(t, c)
	addresses := s.Addresses()
	if len(addresses) != 2 || addresses[0].String() == addresses[1].String() {
		t.Fatalf("got %v", addresses)
	}
	s.url = "http://" + addresses[1].String()
	if r := s.get("/healthz"); r.status != 200 {
		t.Errorf("got %+v", r)
	}
}

// The port above is taken where it is free; where it is not, the service begins all
// the same and says so.
func TestNextPort(t *testing.T) {
	c := small(t)
	c.WebSocketListen = NextPort
	for range 20 {
		s := opened(t, c)
		first := s.Addresses()[0].(*net.TCPAddr)
		if len(s.Addresses()) == 2 {
			second := s.Addresses()[1].(*net.TCPAddr)
			if second.Port != first.Port+1 {
				t.Errorf("got %v and %v", first, second)
			}
			other := small(t)
			other.Listen, other.WebSocketListen = (&net.TCPAddr{IP: first.IP, Port: first.Port - 1}).String(), NextPort
			if next, err := New(other); err == nil { // the port below may be somebody's
				if len(next.Addresses()) != 1 {
					t.Errorf("got %v", next.Addresses())
				}
				next.Close()
			}
			s.Close()
			return
		}
		if !strings.Contains(s.log.String(), "no second port for WebSockets") {
			t.Error("nothing is said")
		}
		s.Close()
	}
	t.Skip("no two ports in a row are free")
}

func TestURL(t *testing.T) {
	for listen, want := range map[string]string{"127.0.0.1:0": "http://127.0.0.1:", ":0": "http://localhost:", "0.0.0.0:0": "http://localhost:"} {
		c := small(t)
		c.Listen = listen
		s := opened(t, c)
		if !strings.HasPrefix(s.URL(), want) || !strings.HasSuffix(s.URL(), "/") {
			t.Errorf("%s: got %s", listen, s.URL())
		}
		s.Close()
	}
}

// What cannot be opened is an error of the start, and nothing stays open.
func TestNewFails(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("no certificate\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	held := opened(t, Config{Data: filepath.Join(dir, "held")})
	defer held.Close()
	for name, c := range map[string]struct {
		change func(*Config)
		is     error
		says   string
	}{
		"port":       {func(c *Config) { c.Listen = taken.Addr().String() }, syscall.EADDRINUSE, "cannot listen on " + taken.Addr().String()},
		"second":     {func(c *Config) { c.WebSocketListen = taken.Addr().String() }, syscall.EADDRINUSE, "cannot listen on"},
		"profiles":   {func(c *Config) { c.Pprof = taken.Addr().String() }, syscall.EADDRINUSE, "cannot listen on"},
		"address":    {func(c *Config) { c.Listen = "nowhere" }, nil, "missing port"},
		"store":      {func(c *Config) { c.Data = filepath.Join(dir, "held") }, store.ErrLocked, "in use by another process"},
		"no store":   {func(c *Config) { c.Data = file }, nil, file},
		"folder":     {func(c *Config) { c.Watch = filepath.Join(dir, "none") }, os.ErrNotExist, "none"},
		"node":       {func(c *Config) { c.Anchor, c.Node = nil, "ftp://user:secret@host" }, nil, "node"},
		"TLS":        {func(c *Config) { c.TLSCert, c.TLSKey = file, file }, nil, "TLS"},
		"half TLS":   {func(c *Config) { c.TLSCert = file }, ErrConfig, "key"},
		"two clocks": {func(c *Config) { c.Node = "http://127.0.0.1:1" }, ErrConfig, "anchor"},
		"example":    {func(c *Config) { c.Example, c.Data = true, dir }, ErrConfig, "example"},
		"anchor":     {func(c *Config) { c.Anchor.PerSlot = 0 }, ErrConfig, "anchor"},
		"limit":      {func(c *Config) { c.Limits.MaxBatch = -1 }, ErrConfig, "MaxBatch"},
		"cache":      {func(c *Config) { c.CacheBytes = -1 }, ErrConfig, "cache"},
	} {
		config := small(t)
		config.Listen = "127.0.0.1:0"
		c.change(&config)
		s, err := New(config)
		if err == nil {
			s.Close()
			t.Errorf("%s: no error", name)
			continue
		}
		if c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// Nothing of a failed start holds the store.
	c := small(t)
	c.Data, c.Listen = filepath.Join(dir, "again"), taken.Addr().String()
	if _, err := New(c); err == nil {
		t.Fatal("no error")
	}
	c.Listen = "127.0.0.1:0"
	opened(t, c).Close()
}

// Stakes that are named and cannot be taken end the service with their error; those
// that can are in before it is ready.
func TestStakesAtStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stakes.json")
	if err := os.WriteFile(file, []byte(posted(t, made(5, 0, 20))), 0o600); err != nil {
		t.Fatal(err)
	}
	c := small(t)
	c.Stakes = []feed.File{{Name: file}}
	s := started(t, c)
	s.waitReady()
	if held := s.epochs.Held(); len(held) != 1 || held[0].Epoch != 5 {
		t.Errorf("got %+v", held)
	}
	c.Stakes = append(c.Stakes, feed.File{Name: file + ".none"})
	bad := started(t, c)
	<-bad.done
	if bad.err == nil || !strings.Contains(bad.err.Error(), file+".none") || strings.Contains(bad.err.Error(), "\n") {
		t.Errorf("got %v", bad.err)
	}
}

// A file in the watched folder is taken when it is whole, and the epoch that was held
// is served until then.
func TestWatchedFolder(t *testing.T) {
	folder := t.TempDir()
	s := smallService(t, func(c *Config) {
		c.Watch, c.WatchOptions = folder, feed.WatchOptions{Every: 5 * time.Millisecond, Settle: 20 * time.Millisecond}
		clock := slotclock.Assume(1050, time.Now(), time.Hour)
		c.Anchor, c.Now = &clock, nil // files settle in time that goes on
	})
	es := mustSchedule(t, 200, false)
	whole := posted(t, made(5, 1, 300))
	file := filepath.Join(folder, "stakes.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	digest := func(want *schedule.Schedule) bool {
		return strings.Contains(s.get("/v1/epochs/5").body, digestOf(want))
	}
	write(whole[:len(whole)/2])
	eventually(t, "the half of a file is looked at", func() bool { return strings.Contains(s.log.String(), "file=stakes.json") })
	if !digest(derived(t, *made(5, 0, 20), 5, es)) {
		t.Error("the half of a file changed what is served")
	}
	write(whole)
	eventually(t, "the whole file is taken", func() bool { return digest(derived(t, *made(5, 1, 300), 5, es)) })
	eventually(t, "it is counted", func() bool {
		got := s.scrape()
		return got[`schedgen_watch_files{state="ingested"}`] == "1" && got[`schedgen_stake_lists_total{origin="watch",result="replaced"}`] == "1"
	})
	if !strings.Contains(s.log.String(), "stake list replaced") {
		t.Error("it is not logged")
	}
}

// A service goes on from what another one stored.
func TestRestart(t *testing.T) {
	c := small(t)
	c.Data = t.TempDir()
	s := started(t, c)
	if r := s.post(made(5, 0, 20)); r.status != http.StatusCreated {
		t.Fatalf("got %+v", r)
	}
	s.waitReady()
	before := s.call("getLeaderSchedule", "[1050]")
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	c.EpochSchedule = schedule.EpochSchedule{} // the store knows it
	again := started(t, c)
	again.waitReady()
	if after := again.call("getLeaderSchedule", "[1050]"); after != before || len(after) < 100 {
		t.Errorf("got %.100s, want %.100s", after, before)
	}
}

// The example needs nothing, and its clock goes on from one start to the next.
func TestExample(t *testing.T) {
	s := started(t, Config{Example: true})
	s.waitReady()
	var status struct {
		Clock struct {
			Slot, Epoch uint64
			SlotMillis  float64
			Assumed     bool
			Basis       string
		}
		Held []uint64
	}
	if err := json.Unmarshal([]byte(s.get("/v1/status").body), &status); err != nil {
		t.Fatal(err)
	}
	want := exampleSlot + schedule.Slot(time.Since(exampleBegan)/examplePerSlot)
	if c := status.Clock; c.Slot+100 < uint64(want) || c.Slot > uint64(want) || c.SlotMillis != 400 || !c.Assumed || !strings.Contains(c.Basis, "made up") {
		t.Errorf("got %+v, want slot %d", c, want)
	}
	if e := status.Clock.Epoch; len(status.Held) < 3 || status.Held[0] != e-1 || status.Held[2] != e+1 {
		t.Errorf("got %+v", status)
	}
	if r := s.do("POST", "/v1/stakes", "x"); r.status != http.StatusForbidden {
		t.Errorf("got %+v", r)
	}
}

// Profiles are on their own address alone.
func TestProfiles(t *testing.T) {
	c := small(t)
	c.Pprof = "127.0.0.1:0"
	s := started(t, c)
	if r := s.get("/debug/pprof/"); r.status != http.StatusNotFound {
		t.Errorf("got %+v", r)
	}
	s.url = "http://" + s.profiles.Addr().String()
	if r := s.get("/debug/pprof/"); r.status != 200 || !strings.Contains(r.body, "goroutine") {
		t.Errorf("got %d", r.status)
	}
	for _, path := range []string{"/debug/pprof/cmdline", "/v1/status"} {
		if r := s.get(path); r.status != http.StatusNotFound {
			t.Errorf("%s: got %+v", path, r)
		}
	}
}
