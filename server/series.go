package server

import (
	"maps"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

// series are the counters by name and code, and the times by name, of one pair of
// vectors. They remember what was asked for, so that a request costs no label.
type series struct {
	count *prometheus.CounterVec
	time  *prometheus.HistogramVec

	mu   sync.Mutex // held by who adds one
	made atomic.Pointer[map[seriesKey]pair]
}

type seriesKey struct {
	name string
	code int
}

type pair struct {
	count prometheus.Counter
	time  prometheus.Observer
}

// get returns the pair of a name and a code. There are few of both.
func (s *series) get(name string, code int) pair {
	key := seriesKey{name, code}
	if made := s.made.Load(); made != nil {
		if p, ok := (*made)[key]; ok {
			return p
		}
	}
	p := pair{s.count.WithLabelValues(name, strconv.Itoa(code)), s.time.WithLabelValues(name)}
	s.mu.Lock()
	defer s.mu.Unlock()
	made := map[seriesKey]pair{key: p}
	if old := s.made.Load(); old != nil {
		maps.Copy(made, *old)
	}
	s.made.Store(&made)
	return p
}
