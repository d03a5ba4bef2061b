package server

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/slotfeed"
	"github.com/schedgen/schedgen/server/store"
)

// A fakeClock is set by the test.
type fakeClock struct {
	mu    sync.Mutex
	now   slotfeed.Now
	known bool
	noClock
}

func (c *fakeClock) Now() (slotfeed.Now, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now, c.known
}

func (c *fakeClock) set(slot schedule.Slot, known, stale bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = slotfeed.Now{Slot: slot, Confirmed: slot, Finalized: slot, At: noon, Clock: *anchored(slot), Source: "a test", Stale: stale}
	c.known = known
}

// wantReady checks what /readyz, /v1/status and the metrics say; "" is ready.
func (s *service) wantReady(why string) {
	s.t.Helper()
	r := s.get("/readyz")
	if why == "" {
		if r.status != 200 || r.body != "ready\n" {
			s.t.Errorf("got %d %q, want it ready", r.status, r.body)
		}
	} else if r.status != http.StatusServiceUnavailable || !strings.Contains(r.body, why) {
		s.t.Errorf("got %d %q, want %q", r.status, r.body, why)
	}
	ready, gauge := `"ready":true`, "schedgen_ready 1\n"
	if why != "" {
		ready, gauge = `"ready":false`, "schedgen_ready 0\n"
	}
	if body := s.get("/v1/status").body; !strings.Contains(body, ready) {
		s.t.Errorf("status: %s, want %s", body, ready)
	}
	if body := s.get("/metrics").body; !strings.Contains(body, gauge) {
		s.t.Errorf("metrics: want %s", gauge)
	}
	if r := s.get("/healthz"); r.status != 200 {
		s.t.Errorf("got %+v", r)
	}
}

// Readiness goes with what answers rest on, and each change is logged.
func TestReadiness(t *testing.T) {
	clock := new(fakeClock)
	c := small(t)
	c.Anchor, c.Clock, c.EpochSchedule = nil, clock, schedule.EpochSchedule{}
	s := started(t, c)
	s.wantReady("it is not known which slot it is")
	clock.set(1050, true, false)
	s.wantReady("it is not known how long epochs are")
	l := made(5, 0, 20)
	es := mustSchedule(t, 200, false)
	l.Provenance.EpochSchedule = &es
	if r := s.post(l); r.status != http.StatusCreated {
		t.Fatalf("got %+v", r)
	}
	s.wantReady("")
	eventually(t, "it is logged", func() bool { return strings.Contains(s.log.String(), "msg=ready\n") })
	if got := s.call("getHealth", "[]"); got != `"ok"` {
		t.Errorf("got %s", got)
	}
	clock.set(1050, true, true)
	s.wantReady("slot 1050 has not risen since 2026-10-08T12:00:00Z")
	clock.set(1199, true, false)
	s.wantReady("")
	clock.set(1200, true, false)
	s.wantReady("epoch 6, the current one, is not held")
	if got := s.call("getHealth", "[]"); !strings.Contains(got, "-32005") {
		t.Errorf("got %s", got)
	}
	if r := s.get("/health"); r.body != "unknown" {
		t.Errorf("got %+v", r)
	}
	if r := s.post(made(6, 0, 20)); r.status != http.StatusCreated {
		t.Fatalf("got %+v", r)
	}
	s.wantReady("")
	clock.set(0, false, false)
	s.wantReady("it is not known which slot it is")
	clock.set(1200, true, false)
	for range 2 { // each change that lasts is logged once
		before := strings.Count(s.log.String(), `msg="not ready" reason="slot 1200 has not risen`)
		clock.set(1200, true, true)
		eventually(t, "it is logged", func() bool {
			return strings.Count(s.log.String(), `msg="not ready" reason="slot 1200 has not risen`) == before+1
		})
		before = strings.Count(s.log.String(), "msg=ready\n")
		clock.set(1200, true, false)
		eventually(t, "it is logged", func() bool { return strings.Count(s.log.String(), "msg=ready\n") == before+1 })
	}
}

// While stakes that were named at the start are read, the service answers and is not
// ready.
func TestNotReadyWhileLoading(t *testing.T) {
	s := opened(t, small(t), func(s *Server) { s.loaded.Store(false) })
	go http.Serve(s.listeners[0], s) // as Run does, without what it runs beside
	s.t.Cleanup(func() { s.Close() })
	s.wantReady("still read")
	s.loaded.Store(true)
	s.wantReady("epoch 5, the current one, is not held")
}

// When the wall clock jumps, answers are about the slot that it tells, and where that
// epoch is not held the service says so instead of guessing.
func TestClockJumps(t *testing.T) {
	hands := newWall()
	s := smallService(t, func(c *Config) { c.Now = hands.now })
	leaders := func() string { return s.call("getSlotLeader", `[{"commitment":"processed"}]`) }
	es := mustSchedule(t, 200, false)
	want := func(slot schedule.Slot) string {
		epoch, _ := es.EpochOf(slot)
		leader, _ := derived(t, *made(epoch, 0, 20), epoch, es).LeaderAt(slot)
		return `"` + leader.String() + `"`
	}
	for _, c := range []struct {
		jump time.Duration
		slot schedule.Slot
		why  string
	}{
		{0, 1050, ""},
		{200 * perSlot, 1250, ""},
		{1000 * perSlot, 2250, "epoch 11, the current one, is not held"},
		{1_000_000 * time.Hour, 0, "is not held"},
		{-1_000_000*time.Hour - 1200*perSlot, 1050, ""},
		{-200 * perSlot, 850, ""},
		{-100 * perSlot, 750, "epoch 3, the current one, is not held"},
		{-100 * time.Hour, 0, "epoch 0, the current one, is not held"},
		{100*time.Hour + 300*perSlot, 1050, ""},
	} {
		hands.add(c.jump)
		s.wantReady(c.why)
		got := leaders()
		if c.why == "" && got != want(c.slot) {
			t.Errorf("slot %d: got %s, want %s", c.slot, got, want(c.slot))
		}
		if c.why != "" && !strings.HasPrefix(got, "error ") {
			t.Errorf("after %v: got %s", c.jump, got)
		}
	}
}

// When the store has no room, what is held is served as before and the client is told;
// with room it goes on.
func TestFullStore(t *testing.T) {
	c := small(t)
	c.Data, c.MaxStore = t.TempDir(), 128<<10
	s := started(t, c)
	if r := s.post(made(5, 0, 20)); r.status != http.StatusCreated {
		t.Fatalf("got %+v", r)
	}
	s.waitReady()
	before := s.call("getLeaderSchedule", "[1050]")
	held := 1
	for epoch := uint64(6); ; epoch++ {
		r := s.post(made(epoch, 0, 600))
		if r.status == http.StatusCreated && held < 100 {
			held++
			continue
		}
		if r.status != http.StatusInsufficientStorage || !strings.Contains(r.body, "store-full") {
			t.Errorf("got %+v", r)
		}
		break
	}
	if after := s.call("getLeaderSchedule", "[1050]"); after != before {
		t.Errorf("got %.100s", after)
	}
	s.wantReady("")
	if log := s.log.String(); !strings.Contains(log, "posted stakes were not stored") || !strings.Contains(log, "no room") {
		t.Error("it is not logged")
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	c.MaxStore = 0
	again := started(t, c)
	again.waitReady()
	if got := len(again.epochs.Held()); got != held {
		t.Errorf("%d epochs are held, want %d", got, held)
	}
	if after := again.call("getLeaderSchedule", "[1050]"); after != before {
		t.Errorf("got %.100s", after)
	}
	if r := again.post(made(99, 0, 600)); r.status != http.StatusCreated {
		t.Errorf("got %+v", r)
	}
}

// A store that cannot be read any more turns readiness off, and what is not in memory
// is an error and no other answer.
func TestUnreadableStore(t *testing.T) {
	c := small(t)
	c.Data = t.TempDir()
	c.CacheBytes = 1 // so that everything is read
	s := started(t, c, func(s *Server) { s.probe.every = time.Nanosecond })
	if r := s.post(made(5, 0, 20)); r.status != http.StatusCreated {
		t.Fatalf("got %+v", r)
	}
	s.waitReady()
	path := s.store.Path()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()/2); err != nil {
		t.Fatal(err)
	}
	s.wantReady("epoch 5, the current one, cannot be derived")
	if got := s.call("getLeaderSchedule", "[1050]"); !strings.HasPrefix(got, "error ") {
		t.Errorf("got %.100s", got)
	}
	if r := s.get("/v1/epochs/5"); r.status != 500 || !strings.Contains(r.body, "epoch-unreadable") && !strings.Contains(r.body, "internal") || strings.Contains(r.body, filepath.Dir(path)) {
		t.Errorf("got %+v", r)
	}
	if !strings.Contains(s.log.String(), "a stake list cannot be read") {
		t.Error("it is not logged")
	}
}

// The same where the schedule is in memory: nothing wrong is served, and it would not
// come back after a restart.
func TestUnreadableStoreBehindCache(t *testing.T) {
	c := small(t)
	c.Data = t.TempDir()
	s := started(t, c, func(s *Server) { s.probe.every = time.Nanosecond })
	s.post(made(5, 0, 20))
	s.waitReady()
	if err := os.Truncate(s.store.Path(), 8192); err != nil {
		t.Fatal(err)
	}
	s.wantReady("the store cannot be read")
	if got := s.call("getLeaderSchedule", "[1050]"); strings.HasPrefix(got, "error ") {
		t.Errorf("got %.100s", got)
	}
}

// A store that was damaged while nobody ran is opened for what can be read, and the
// service is not ready when that is not the current epoch.
func TestDamagedStore(t *testing.T) {
	c := small(t)
	c.Data = t.TempDir()
	s, err := store.Open(c.Data, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for epoch := uint64(4); epoch < 8; epoch++ {
		if _, err := s.Put(made(epoch, 0, 50)); err != nil {
			t.Fatal(err)
		}
	}
	path := s.Path()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damage := 0
	for at := 4 * 4096; at < len(content); at += 4096 { // all lists, and not what leads to them
		if content[at+8] == 0x02 && len(content)-at >= 4096 { // a page of entries
			for i := at + 2000; i < at+4000; i++ {
				content[i] ^= 0x55
			}
			damage++
		}
	}
	if damage == 0 {
		t.Fatal("nothing was damaged")
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	again := started(t, c)
	if again.get("/readyz").status == 200 {
		// What is left must be right.
		want := derived(t, *made(5, 0, 50), 5, mustSchedule(t, 200, false))
		if body := again.get("/v1/epochs/5").body; !strings.Contains(body, digestOf(want)) {
			t.Errorf("got %s", body)
		}
	}
	if log := again.log.String(); !strings.Contains(log, "level=ERROR") {
		t.Error("it is not logged")
	}
}
