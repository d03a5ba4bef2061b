package feed

import (
	"log/slog"
	"sync"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/list"
)

// A Registry is where lists go: an [*epochs.Registry].
type Registry interface {
	Put(*list.List) (store.Put, error)
	Summary(epoch uint64) (epochs.Summary, bool)
	Epoch(n uint64) (*epochs.Epoch, error)
	EpochSchedule() schedule.EpochSchedule // zero when not known
	Cluster() string
	GenesisHash() *schedule.Pubkey
}

// Options of New. Only Registry must be there.
type Options struct {
	Registry Registry
	RPC      noderpc.Options  // how a node among the sources of Load is asked
	Log      *slog.Logger     // nil: none
	Now      func() time.Time // time.Now

	// OnIngest is called after each attempt to take a source, OnUpstream after each
	// comparison with a node; both from several goroutines.
	OnIngest   func(Ingested)
	OnUpstream func(Upstream)
}

// A Feed takes sources of stakes. It may be used from many goroutines.
type Feed struct {
	o    Options
	log  *slog.Logger
	puts sync.Mutex // held from looking at what is held of an epoch to replacing it
}

// New returns a feed into a registry.
func New(o Options) *Feed {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Feed{o: o, log: o.Log}
}

// Put puts a list into the registry that somebody else has read. No list of a node
// comes between what it is held against and it.
func (f *Feed) Put(l *list.List) (store.Put, error) {
	f.puts.Lock()
	defer f.puts.Unlock()
	return f.o.Registry.Put(l)
}
