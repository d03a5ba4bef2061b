package server

import (
	"container/list"
	"math"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// rates limit the requests of each address. The addresses that asked last are
// remembered; one that was forgotten begins anew.
type rates struct {
	limit rate.Limit
	burst int
	most  int

	mu     sync.Mutex
	by     map[netip.Prefix]*list.Element
	recent list.List // of *asker, the latest first
}

type asker struct {
	from    netip.Prefix
	limiter *rate.Limiter
}

// newRates returns nil when nothing is limited.
func newRates(l *Limits) *rates {
	if l.Rate <= 0 {
		return nil
	}
	return &rates{limit: rate.Limit(l.Rate), burst: l.Burst, most: l.MaxAddresses, by: map[netip.Prefix]*list.Element{}}
}

// allow reports whether a request from an address may be answered now.
func (r *rates) allow(from netip.Addr, now time.Time) bool {
	if r == nil {
		return true
	}
	return r.limiter(network(from)).AllowN(now, 1)
}

func (r *rates) limiter(from netip.Prefix) *rate.Limiter {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.by[from]; ok {
		r.recent.MoveToFront(e)
		return e.Value.(*asker).limiter
	}
	if len(r.by) >= r.most {
		last := r.recent.Back()
		delete(r.by, last.Value.(*asker).from)
		r.recent.Remove(last)
	}
	a := &asker{from, rate.NewLimiter(r.limit, r.burst)}
	r.by[from] = r.recent.PushFront(a)
	return a.limiter
}

// remembered returns how many addresses are.
func (r *rates) remembered() int {
	if r == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.by)
}

// retryAfter returns in how many seconds there may be room for a request.
func (r *rates) retryAfter() int { return int(min(max(math.Ceil(1/float64(r.limit)), 1), 3600)) }

// network returns what counts as one asker: an IPv4 address, or the network of an
// IPv6 address, in which whoever has one has all.
func network(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := 64
	if a.Is4() {
		bits = 32
	}
	p, _ := a.Prefix(bits) // the zero Prefix of the zero Addr
	return p
}
