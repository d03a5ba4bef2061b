package epochs

import (
	"cmp"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/splice"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

// DefaultCacheBytes is the bound of a cache of which nothing else is said.
const DefaultCacheBytes = 256 << 20

// Options of New.
type Options struct {
	// Store keeps the lists; nil keeps them in memory, outside the cache's bound.
	Store *store.Store

	// What is known of the cluster; what is not follows from the store, from the
	// name of a public cluster, or from the first list that says it.
	Cluster       string
	GenesisHash   *schedule.Pubkey
	EpochSchedule schedule.EpochSchedule // zero: not known

	// Terms say how lists are taken; an empty Terms.Cluster is that of the registry.
	Terms electorate.Terms

	CacheBytes int64        // bound of the cache; 0 means DefaultCacheBytes
	Log        *slog.Logger // nil: none

	// OnDerive is called after a schedule was derived, OnPublish after a list was
	// accepted and can be asked about, one at a time. OnPublish must not call Put.
	OnDerive  func(epoch uint64, took time.Duration)
	OnPublish func(Summary)
}

// A Registry is the epochs that a service can answer about. It may be used from
// many goroutines.
type Registry struct {
	options Options
	log     *slog.Logger
	keep    keeper
	cache   *cache
	work    chan struct{} // held while deriving and printing, so that few do at once

	puts  sync.Mutex // held by Put
	state atomic.Pointer[state]

	loading flight[cacheKey, *Epoch]
	making  flight[cacheKey, *splice.Block]

	versions           atomic.Uint64
	derivations, makes atomic.Uint64
}

// A state is what is held at a moment. It never changes.
type state struct {
	cluster store.Cluster
	heads   []*head // ascending
}

// A head is what is known of a version of an epoch without reading its list.
type head struct {
	store.Meta
	version uint64
	digest  atomic.Pointer[[32]byte] // of its schedule, once that was derived
}

// New returns a registry of what a store holds. Errors: a *store.ClusterError when
// the options are of another cluster than the store, those of reading it, and
// schedule.ErrSlots.
func New(o Options) (*Registry, error) {
	if o.CacheBytes <= 0 {
		o.CacheBytes = DefaultCacheBytes
	}
	r := &Registry{
		options: o, log: o.Log, keep: newMemory(), cache: newCache(o.CacheBytes),
		work: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	if o.Store != nil {
		r.keep = o.Store
	}
	cluster, err := r.joinCluster()
	if err != nil {
		return nil, err
	}
	metas, err := r.keep.Epochs()
	if err != nil {
		return nil, err
	}
	s := &state{cluster: cluster}
	for _, meta := range metas {
		if meta.Err != nil {
			r.log.Error("a stake list cannot be read", "epoch", meta.Epoch, "error", meta.Err)
		}
		s.heads = append(s.heads, &head{Meta: meta, version: r.versions.Add(1)})
	}
	r.state.Store(s)
	return r, nil
}

// joinCluster puts what the options and the store know of the cluster together.
func (r *Registry) joinCluster() (store.Cluster, error) {
	given := store.Cluster{Name: r.options.Cluster, GenesisHash: r.options.GenesisHash}
	if es := r.options.EpochSchedule; es != (schedule.EpochSchedule{}) {
		given.EpochSchedule = &es
	}
	stored, err := r.keep.Cluster()
	if errors.Is(err, store.ErrDamaged) {
		r.log.Error("it is not known of which cluster the stored lists are", "error", err)
		stored, err = store.Cluster{}, nil
	}
	if err != nil {
		return store.Cluster{}, err
	}
	cluster, err := stored.With(given)
	if err != nil {
		return store.Cluster{}, err
	}
	cluster = completed(cluster)
	err = r.keep.SetCluster(cluster)
	if errors.Is(err, store.ErrReadOnly) || errors.Is(err, store.ErrDamaged) {
		r.log.Warn("the store takes no stake lists", "error", err)
		err = nil
	}
	return cluster, err
}

// completed returns c with the epoch schedule and the genesis hash that a public
// cluster has.
func completed(c store.Cluster) store.Cluster {
	if genesis, public := list.GenesisOf(c.Name); public && c.GenesisHash == nil {
		c.GenesisHash = &genesis
	}
	if c.EpochSchedule == nil {
		if es, err := schedule.ClusterSchedule(c.Name); err == nil {
			c.EpochSchedule = &es
		}
	}
	return c
}

// find returns the head of an epoch, or nil.
func (s *state) find(epoch uint64) *head {
	i, ok := s.search(epoch)
	if !ok {
		return nil
	}
	return s.heads[i]
}

func (s *state) search(epoch uint64) (int, bool) {
	return slices.BinarySearchFunc(s.heads, epoch, func(h *head, epoch uint64) int { return cmp.Compare(h.Epoch, epoch) })
}

// with returns the state that has h for its epoch.
func (s *state) with(h *head, c store.Cluster) *state {
	heads := slices.Clone(s.heads)
	i, found := s.search(h.Epoch)
	if found {
		heads[i] = h
	} else {
		heads = slices.Insert(heads, i, h)
	}
	return &state{cluster: c, heads: heads}
}

// epochSchedule returns the epoch schedule, zero when it is not known.
func (s *state) epochSchedule() schedule.EpochSchedule {
	if s.cluster.EpochSchedule == nil {
		return schedule.EpochSchedule{}
	}
	return *s.cluster.EpochSchedule
}

// EpochSchedule returns the epoch schedule of the cluster, the zero value as long as
// it is not known.
func (r *Registry) EpochSchedule() schedule.EpochSchedule { return r.state.Load().epochSchedule() }

// Cluster returns the name of the cluster, or "".
func (r *Registry) Cluster() string { return r.state.Load().cluster.Name }

// GenesisHash returns the genesis hash of the cluster, or nil.
func (r *Registry) GenesisHash() *schedule.Pubkey { return r.state.Load().cluster.GenesisHash }

// A Summary is what is known of an epoch that is held without deriving anything.
type Summary struct {
	Epoch               uint64
	FirstSlot, LastSlot schedule.Slot
	Slots               uint64
	Provenance          list.Provenance
	Entries             int       // of the stake list
	StoredAt            time.Time // when the list came
	StoredBytes         int       // in the store; 0 in memory
	Digest              *[32]byte // of the schedule; nil when it was not derived since the start
	Err                 error     // why the list cannot be read; Provenance and what follows is empty then
}

func (s *state) summary(h *head) Summary {
	es := s.epochSchedule()
	return Summary{
		Epoch: h.Epoch, FirstSlot: es.FirstSlot(h.Epoch), LastSlot: es.LastSlot(h.Epoch), Slots: es.SlotsIn(h.Epoch),
		Provenance: h.Provenance, Entries: h.Entries, StoredAt: h.StoredAt, StoredBytes: h.Bytes,
		Digest: h.digest.Load(), Err: h.Err,
	}
}

// Held returns what is held, ascending by epoch.
func (r *Registry) Held() []Summary {
	s := r.state.Load()
	held := make([]Summary, len(s.heads))
	for i, h := range s.heads {
		held[i] = s.summary(h)
	}
	return held
}

// Summary returns what is held of an epoch, and whether anything is.
func (r *Registry) Summary(epoch uint64) (Summary, bool) {
	s := r.state.Load()
	h := s.find(epoch)
	if h == nil {
		return Summary{}, false
	}
	return s.summary(h), true
}
