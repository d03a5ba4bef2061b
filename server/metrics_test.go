package server

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/schedgen/schedgen/schedule"
)

// scrape returns the metrics as text, by name with labels.
func (s *service) scrape() map[string]string {
	s.t.Helper()
	r := s.get("/metrics")
	if r.status != http.StatusOK {
		s.t.Fatalf("got %+v", r)
	}
	values := map[string]string{}
	for line := range strings.SplitSeq(r.body, "\n") {
		if i := strings.LastIndexByte(line, ' '); i > 0 && line[0] != '#' {
			values[line[:i]] = line[i+1:]
		}
	}
	return values
}

func TestMetrics(t *testing.T) {
	es := mustSchedule(t, 200, false)
	l := made(5, 0, 20)
	s5, s6 := derived(t, *l, 5, es), derived(t, *made(6, 0, 20), 6, es)
	largest := l.Entries[0]
	for _, e := range l.Entries {
		if e.Stake > largest.Stake {
			largest = e
		}
	}
	leader, vote, stranger := largest.Node, largest.Key, schedule.Pubkey{31: 9}
	s := smallService(t, func(c *Config) {
		c.Track, c.Data, c.Version = []schedule.Pubkey{leader, vote, stranger, leader}, t.TempDir(), "v1.2.3"
		c.Limits.Rate, c.Limits.Burst = 1e6, 1e6
	})
	for range 3 {
		s.call("getSlot", "[]")
	}
	s.call("nonsense", "[]")
	s.call("getSlotLeaders", "[1,9999]")
	s.get("/v1/slots/1050")
	s.get("/v1/slots/1051")
	s.get("/v1/slots/x")
	got := s.scrape()

	var slots []string
	begun, next := 0, ""
	for slot := range s5.SlotsOf(leader) {
		slots = append(slots, slotText(slot))
		if slot <= 1050 {
			begun++
		}
		if slot >= 1050 && next == "" {
			next = slotText(slot)
		}
	}
	if next == "" {
		for slot := range s6.SlotsOf(leader) {
			next = slotText(slot)
			break
		}
	}
	for name, want := range map[string]string{
		`schedgen_ready`: "1", `schedgen_slot`: "1050", `schedgen_epoch`: "5", `schedgen_epochs_held`: "3", `schedgen_epochs_unreadable`: "0",
		`schedgen_epoch_held{epoch="current"}`: "1", `schedgen_epoch_held{epoch="next"}`: "1", `schedgen_store_damaged`: "0",
		`schedgen_slot_clock_known`: "1", `schedgen_slot_clock_stale`: "0", `schedgen_slot_clock_behind_slots`: "0", `schedgen_slot_clock_age_seconds`: "0", `schedgen_slot_clock_slot_seconds`: "0.4",
		`schedgen_rpc_requests_total{code="0",method="getSlot"}`: "3", `schedgen_rpc_requests_total{code="-32601",method="unknown"}`: "1", `schedgen_rpc_requests_total{code="-32602",method="getSlotLeaders"}`: "1",
		`schedgen_rpc_request_duration_seconds_count{method="getSlot"}`:              "3",
		`schedgen_http_requests_total{code="200",route="POST /"}`:                    "5",
		`schedgen_http_requests_total{code="200",route="GET /v1/slots/{slot}"}`:      "2",
		`schedgen_http_requests_total{code="400",route="GET /v1/slots/{slot}"}`:      "1",
		`schedgen_http_requests_total{code="201",route="POST /v1/stakes"}`:           "3",
		`schedgen_http_request_duration_seconds_count{route="GET /v1/slots/{slot}"}`: "3",
		`schedgen_http_requests_turned_away_total{reason="busy"}`:                    "0",
		`schedgen_http_requests_turned_away_total{reason="rate"}`:                    "0",
		`schedgen_http_addresses`:                                       "1",
		`schedgen_http_panics_total`:                                    "0",
		`schedgen_derive_duration_seconds_count`:                        "3",
		`schedgen_websockets`:                                           "0",
		`schedgen_cache_limit_bytes`:                                    "2.68435456e+08",
		`schedgen_leader_slots{key="` + leader.String() + `"}`:          number(len(slots)),
		`schedgen_leader_slots{key="` + vote.String() + `"}`:            number(len(slots)),
		`schedgen_leader_slots{key="` + stranger.String() + `"}`:        "0",
		`schedgen_leader_slots_begun{key="` + leader.String() + `"}`:    number(begun),
		`schedgen_leader_slots_begun{key="` + stranger.String() + `"}`:  "0",
		`schedgen_next_leader_slot{key="` + leader.String() + `"}`:      next,
		`schedgen_next_leader_slot{key="` + stranger.String() + `"}`:    "",
		`schedgen_next_leader_seconds{key="` + stranger.String() + `"}`: "",
	} {
		if got[name] != want {
			t.Errorf("%s: got %q, want %q", name, got[name], want)
		}
	}
	for _, name := range []string{
		"schedgen_cache_bytes", "schedgen_cache_items", "schedgen_cache_hits_total", "schedgen_cache_misses_total", "schedgen_cache_evictions_total",
		"schedgen_bodies_made_total", "schedgen_stored_bytes", "schedgen_http_connections", "schedgen_http_requests_in_flight", "schedgen_http_requests_waiting",
		"schedgen_http_connections_evicted_total", "schedgen_http_connections_refused_total", "go_goroutines", "process_start_time_seconds",
		`schedgen_next_leader_seconds{key="` + leader.String() + `"}`,
	} {
		if _, ok := got[name]; !ok && !(strings.HasPrefix(name, "process_") && openFiles() == 0) {
			t.Errorf("%s is missing", name)
		}
	}
	if names := strings.Join(slices.Collect(maps.Keys(got)), "\n"); !regexp.MustCompile(`schedgen_build_info\{.*version="v1.2.3"\}`).MatchString(names) {
		t.Error("schedgen_build_info does not have the version")
	}
	families, err := s.metrics.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	if problems, err := promlint.NewWithMetricFamilies(families).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
}

// While a tracked key leads, its next slot is the current one; the time until it counts
// down to 0.
func TestTrackedCountdown(t *testing.T) {
	hands := newWall()
	key := made(5, 0, 20).Entries[3].Node
	es := mustSchedule(t, 200, false)
	s := smallService(t, func(c *Config) { c.Now, c.Track = hands.now, []schedule.Pubkey{key} })
	label := `{key="` + key.String() + `"}`
	s5, s6 := derived(t, *made(5, 0, 20), 5, es), derived(t, *made(6, 0, 20), 6, es)
	for slot := schedule.Slot(1050); slot < 1200; slot += 7 {
		hands.set(anchored(1050).TimeOf(slot).Time)
		next := s5.NextLeaderSlots(nil, key, slot, 1)
		if len(next) == 0 {
			next = s6.NextLeaderSlots(nil, key, slot, 1)
		}
		want, seconds := "", ""
		if len(next) > 0 {
			want = slotText(next[0])
			seconds = number(float64(next[0]-slot) * 400 / 1000)
		}
		got := s.scrape()
		if got["schedgen_next_leader_slot"+label] != want || got["schedgen_next_leader_seconds"+label] != seconds {
			t.Errorf("slot %d: got %q in %q s, want %q in %q s", slot, got["schedgen_next_leader_slot"+label], got["schedgen_next_leader_seconds"+label], want, seconds)
		}
	}
	// Where the epoch is not held nothing is told.
	hands.set(anchored(1050).TimeOf(5000).Time)
	got := s.scrape()
	for _, name := range []string{"next_leader_slot", "next_leader_seconds", "leader_slots", "leader_slots_begun"} {
		if value, ok := got["schedgen_"+name+label]; ok {
			t.Errorf("%s is %s", name, value)
		}
	}
	if got[`schedgen_epoch_held{epoch="current"}`] != "0" || got["schedgen_ready"] != "0" {
		t.Error("the epoch counts as held")
	}
}

// A key that is an identity and a vote account at once is asked about as an identity.
func TestKeyIn(t *testing.T) {
	l := made(5, 0, 5)
	l.Entries[1].Node = l.Entries[0].Key
	s := started(t, small(t))
	s.post(l)
	e, err := s.epochs.Epoch(5)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		key  schedule.Pubkey
		vote bool
	}{{l.Entries[0].Key, false}, {l.Entries[0].Node, false}, {l.Entries[2].Key, true}, {schedule.Pubkey{1}, false}} {
		if got := keyIn(e, c.key); got.Pubkey != c.key || got.Vote != c.vote {
			t.Errorf("%d: got %+v", i, got)
		}
	}
}
