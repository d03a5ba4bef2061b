package epochs

import (
	"fmt"
	"sync"
	"time"

	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/list"
)

// A keeper keeps lists: a *store.Store, or memory.
type keeper interface {
	Put(*list.List) (store.Put, error)
	Get(epoch uint64) (*list.List, store.Meta, error)
	Epochs() ([]store.Meta, error)
	Cluster() (store.Cluster, error)
	SetCluster(store.Cluster) error
}

// memory keeps lists as long as the process runs.
type memory struct {
	mu      sync.RWMutex
	cluster store.Cluster
	held    map[uint64]remembered
}

type remembered struct {
	list *list.List
	meta store.Meta
}

func newMemory() *memory { return &memory{held: map[uint64]remembered{}} }

func (m *memory) Put(l *list.List) (store.Put, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	meta, err := store.Describe(l, time.Now())
	if err != nil {
		return store.Put{}, err
	}
	epoch := meta.Epoch
	old, found := m.held[epoch]
	same := found && old.meta.Content == meta.Content
	m.held[epoch] = remembered{l, meta}
	return store.Put{Epoch: epoch, Replaced: found && !same, Same: same, Meta: meta}, nil
}

func (m *memory) Get(epoch uint64) (*list.List, store.Meta, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	held, ok := m.held[epoch]
	if !ok {
		return nil, store.Meta{}, fmt.Errorf("epoch %d: %w", epoch, store.ErrNone)
	}
	return held.list, held.meta, nil
}

func (m *memory) Epochs() ([]store.Meta, error) { return nil, nil } // asked when it is new

func (m *memory) Cluster() (store.Cluster, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.cluster, nil
}

func (m *memory) SetCluster(c store.Cluster) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cluster = c
	return nil
}
