package server

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/schedgen/schedgen/server/slotfeed"
)

// A collector looks up what has a value at every moment.
type collector struct {
	s     *Server
	descs map[string]*prometheus.Desc
}

// gauges and counters are what a collector tells, with its labels. What is not known
// is left out rather than told as 0.
var gauges = []struct {
	name, help string
	labels     []string
}{
	{"ready", "Whether answers can be relied on.", nil},
	{"http_requests_in_flight", "Requests that are answered, without those about the service itself.", nil},
	{"http_requests_waiting", "Requests that wait for others to end.", nil},
	{"http_connections", "Connections that are open.", nil},
	{"http_addresses", "Addresses whose rate is remembered.", nil},
	{"websockets", "WebSockets that are open.", nil},
	{"cache_bytes", "Size of the schedules and bodies that are kept.", nil},
	{"cache_limit_bytes", "What cache_bytes may not pass.", nil},
	{"cache_items", "Schedules and bodies that are kept.", nil},
	{"epochs_held", "Epochs that can be answered about.", nil},
	{"epochs_unreadable", "Epochs that are stored and cannot be read.", nil},
	{"epoch_held", "Whether the current and the next epoch can be answered about.", []string{"epoch"}},
	{"stored_bytes", "Size of the stake lists in the store.", nil},
	{"store_damaged", "Whether the store is damaged and takes nothing.", nil},
	{"slot", "The current slot.", nil},
	{"epoch", "The current epoch.", nil},
	{"slot_clock_known", "Whether it is known which slot it is.", nil},
	{"slot_clock_stale", "Whether the slot has not risen for too long.", nil},
	{"slot_clock_age_seconds", "Time since the slot was heard of.", nil},
	{"slot_clock_behind_slots", "Slots that should have begun since, while it is stale.", nil},
	{"slot_clock_slot_seconds", "Duration of a slot.", nil},
	{"next_leader_slot", "Next slot that a tracked key leads; the current one while it leads.", []string{"key"}},
	{"next_leader_seconds", "Estimated time until that slot begins; 0 while it leads.", []string{"key"}},
	{"leader_slots", "Slots that a tracked key leads in the current epoch.", []string{"key"}},
	{"leader_slots_begun", "Those of them that have begun.", []string{"key"}},
	{"upstream_different_slots", "Slots that have another leader in the node's schedule of the current or the next epoch.", []string{"epoch"}},
	{"upstream_up", "Whether the node is of use.", nil},
	{"watch_files", "Files in the watched folder: ingested, waiting or refused.", []string{"state"}},
}

var counters = []struct{ name, help string }{
	{"http_connections_evicted_total", "Idle connections that were closed for new ones."},
	{"http_connections_refused_total", "Connections that there was no room for."},
	{"cache_hits_total", "Schedules and bodies that were found in the cache."},
	{"cache_misses_total", "Those that were not."},
	{"cache_evictions_total", "Those that were dropped for others."},
	{"bodies_made_total", "Bodies that were printed and compressed."},
}

func newCollector(s *Server) *collector {
	c := &collector{s: s, descs: map[string]*prometheus.Desc{}}
	for _, g := range gauges {
		c.descs[g.name] = prometheus.NewDesc("schedgen_"+g.name, g.help, g.labels, nil)
	}
	for _, m := range counters {
		c.descs[m.name] = prometheus.NewDesc("schedgen_"+m.name, m.help, nil, nil)
	}
	return c
}

func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		to <- d
	}
}

// Collect tells everything, each part from one look.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	t := teller{c, to}
	t.gauge("ready", truth(len(c.s.Ready()) == 0))
	t.traffic()
	t.holdings()
	now, known := c.s.clock.Now()
	t.gauge("slot_clock_known", truth(known))
	if known {
		t.clock(now)
		t.tracked(now)
	}
	t.sources()
}

// A teller sends metrics.
type teller struct {
	c  *collector
	to chan<- prometheus.Metric
}

func (t teller) gauge(name string, value float64, labels ...string) {
	t.to <- prometheus.MustNewConstMetric(t.c.descs[name], prometheus.GaugeValue, value, labels...)
}

func (t teller) counter(name string, value uint64) {
	t.to <- prometheus.MustNewConstMetric(t.c.descs[name], prometheus.CounterValue, float64(value))
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (t teller) traffic() {
	s := t.c.s
	inside, waiting := s.gate.counts()
	t.gauge("http_requests_in_flight", float64(inside))
	t.gauge("http_requests_waiting", float64(waiting))
	open, evicted, refused := s.conns.counts()
	t.gauge("http_connections", float64(open))
	t.counter("http_connections_evicted_total", evicted)
	t.counter("http_connections_refused_total", refused)
	t.gauge("http_addresses", float64(s.rates.remembered()))
	t.gauge("websockets", float64(s.rpc.Sockets()))
}

func (t teller) holdings() {
	s := t.c.s
	stats := s.epochs.Stats()
	t.gauge("cache_bytes", float64(stats.CacheBytes))
	t.gauge("cache_limit_bytes", float64(stats.CacheBound))
	t.gauge("cache_items", float64(stats.CacheItems))
	t.counter("cache_hits_total", stats.Hits)
	t.counter("cache_misses_total", stats.Misses)
	t.counter("cache_evictions_total", stats.Evictions)
	t.counter("bodies_made_total", stats.Makes)
	held, unreadable, bytes := 0, 0, 0
	for _, e := range s.epochs.Held() {
		if e.Err != nil {
			unreadable++
			continue
		}
		held++
		bytes += e.StoredBytes
	}
	t.gauge("epochs_held", float64(held))
	t.gauge("epochs_unreadable", float64(unreadable))
	if s.store != nil {
		t.gauge("stored_bytes", float64(bytes))
		t.gauge("store_damaged", truth(s.store.Damage() != nil))
	}
}

func (t teller) clock(now slotfeed.Now) {
	s := t.c.s
	t.gauge("slot", float64(now.Slot))
	t.gauge("slot_clock_stale", truth(now.Stale))
	t.gauge("slot_clock_behind_slots", float64(now.Behind))
	t.gauge("slot_clock_age_seconds", max(s.c.Now().Sub(now.At).Seconds(), 0))
	t.gauge("slot_clock_slot_seconds", now.Clock.PerSlot.Seconds())
	es := s.epochs.EpochSchedule()
	if es.SlotsPerEpoch == 0 {
		return
	}
	epoch, _ := es.EpochOf(now.Slot)
	t.gauge("epoch", float64(epoch))
	for i, name := range []string{"current", "next"} {
		e, ok := s.epochs.Summary(epoch + uint64(i))
		t.gauge("epoch_held", truth(ok && e.Err == nil), name)
	}
}

func (t teller) sources() {
	s := t.c.s
	if s.watch != nil {
		w := s.watch.Status()
		t.gauge("watch_files", float64(w.Ingested), "ingested")
		t.gauge("watch_files", float64(w.Waiting), "waiting")
		t.gauge("watch_files", float64(w.Refused), "refused")
	}
	if s.node == nil {
		return
	}
	status := s.node.Status()
	t.gauge("upstream_up", truth(status.Known && status.Err == nil))
	for _, u := range s.node.Upstreams() {
		if u.Equal == nil {
			continue
		}
		switch u.Epoch - status.Epoch {
		case 0:
			t.gauge("upstream_different_slots", float64(u.DifferingSlots), "current")
		case 1:
			t.gauge("upstream_different_slots", float64(u.DifferingSlots), "next")
		}
	}
}
