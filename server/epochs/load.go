package epochs

import (
	"errors"
	"fmt"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

// errReplaced says that the list of a head is not the one that is kept any more.
var errReplaced = errors.New("replaced")

// Epoch returns what is held of an epoch, derived now if need be; those who ask at
// the same time share one derivation. What is not held, or not exact where
// Terms.Exact asks for that, is a *schedule.UnknownEpochError. Any other error is
// about a list that is held and cannot be read.
func (r *Registry) Epoch(n uint64) (*Epoch, error) {
	for {
		s := r.state.Load()
		h := s.find(n)
		if h == nil {
			return nil, &schedule.UnknownEpochError{Epoch: n}
		}
		if h.Err != nil {
			return nil, h.Err
		}
		key := cacheKey{epoch: n, version: h.version}
		if e, ok := r.cache.get(key); ok {
			return e.(*Epoch), nil
		}
		e, err := r.loading.do(key, func() (*Epoch, error) { return r.load(key, h, s.cluster) })
		switch {
		case errors.Is(err, errReplaced):
			r.settle(h)
		case errors.Is(err, electorate.ErrNotExact):
			return nil, &schedule.UnknownEpochError{Epoch: n}
		default:
			return e, err
		}
	}
}

// settle waits for a Put that has stored its list to publish it. Where there is none
// the store told an error and kept the list all the same: that one is held then, as
// it would be after a restart.
func (r *Registry) settle(h *head) {
	r.puts.Lock()
	defer r.puts.Unlock()
	s := r.state.Load()
	if s.find(h.Epoch) != h {
		return
	}
	_, meta, err := r.keep.Get(h.Epoch)
	if err != nil {
		meta = store.Meta{Epoch: h.Epoch, Err: err}
	}
	r.log.Warn("the store has another stake list than it said", "epoch", h.Epoch, "error", err)
	r.state.Store(s.with(&head{Meta: meta, version: r.versions.Add(1)}, s.cluster))
}

// load reads the list of a head and derives its schedule.
func (r *Registry) load(key cacheKey, h *head, c store.Cluster) (*Epoch, error) {
	if e, ok := r.cache.get(key); ok { // made between the look and the call
		return e.(*Epoch), nil
	}
	l, meta, err := r.keep.Get(h.Epoch)
	if err != nil {
		r.log.Error("a stake list cannot be read", "epoch", h.Epoch, "error", err)
		return nil, err
	}
	if meta.Content != h.Content || !meta.StoredAt.Equal(h.StoredAt) {
		return nil, errReplaced
	}
	e, err := r.derive(l, h, c)
	if err != nil {
		return nil, err
	}
	r.keepItem(key, e, e.bytes())
	return e, nil
}

// keepItem puts into the cache what is not replaced.
func (r *Registry) keepItem(key cacheKey, value any, bytes int64) {
	replaced := func() bool { return r.state.Load().find(key.epoch).version > key.version }
	if replaced() {
		return
	}
	r.cache.add(key, value, bytes)
	if replaced() { // by a Put that dropped what there was just before
		r.cache.remove(key)
	}
}

// derive makes the epoch of a head and its list.
func (r *Registry) derive(l *list.List, h *head, c store.Cluster) (*Epoch, error) {
	if c.EpochSchedule == nil {
		return nil, fmt.Errorf("epoch %d: %w", h.Epoch, ErrNoEpochSchedule)
	}
	r.work <- struct{}{}
	defer func() { <-r.work }()
	start := time.Now()
	terms := r.options.Terms
	if terms.Cluster == "" {
		terms.Cluster = c.Name
	}
	drawn, err := electorate.New(&list.Set{Lists: []list.List{*l}}, terms).For(h.Epoch)
	if err != nil {
		return nil, err
	}
	es := *c.EpochSchedule
	s, err := schedule.Derive(drawn.Stakes, schedule.Params{
		Epoch: h.Epoch, FirstSlot: es.FirstSlot(h.Epoch), Slots: es.SlotsIn(h.Epoch),
	})
	if err != nil {
		return nil, err
	}
	r.derivations.Add(1)
	if r.options.OnDerive != nil {
		r.options.OnDerive(h.Epoch, time.Since(start))
	}
	return &Epoch{registry: r, head: h, list: l, electorate: drawn, schedule: s}, nil
}
