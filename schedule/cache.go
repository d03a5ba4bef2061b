package schedule

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Cache holds the schedules of several epochs of one cluster. What it does not
// hold is unknown, which is never mistaken for "no leader slot".
//
// Reads take no lock and see the state before or after a Put, nothing between:
// a Put copies the list of schedules and swaps a pointer. All methods may be
// called from many goroutines.
type Cache struct {
	es       EpochSchedule
	capacity int
	mu       sync.Mutex                  // held by Put
	held     atomic.Pointer[[]*Schedule] // by epoch, ascending; never changed once stored
}

// NewCache returns an empty cache for the epochs of es. It holds at most
// capacity schedules, at least one; when it is full the lowest epoch makes room.
func NewCache(es EpochSchedule, capacity int) *Cache {
	c := &Cache{es: es, capacity: max(capacity, 1)}
	c.held.Store(new([]*Schedule))
	return c
}

var errNilSchedule = errors.New("cannot put a nil schedule into a cache")

// Put adds a schedule, or replaces the one of the same epoch. A schedule whose
// slots are not those of its epoch is refused with a *FitError, one older than
// every epoch of a full cache with ErrTooOld.
func (c *Cache) Put(s *Schedule) error {
	if s == nil {
		return errNilSchedule
	}
	if first, slots := c.es.FirstSlot(s.epoch), c.es.SlotsIn(s.epoch); s.first != first || s.slots != slots {
		return &FitError{Epoch: s.epoch, FirstSlot: s.first, WantFirstSlot: first, Slots: s.slots, WantSlots: slots}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	held := slices.Clone(*c.held.Load())
	i, found := search(held, s.epoch)
	switch {
	case found:
		held[i] = s
	case len(held) < c.capacity:
		held = slices.Insert(held, i, s)
	case i == 0:
		return fmt.Errorf("%w: epoch %d, lowest held %d, capacity %d", ErrTooOld, s.epoch, held[0].epoch, c.capacity)
	default:
		copy(held, held[1:i])
		held[i-1] = s
	}
	c.held.Store(&held)
	return nil
}

func search(held []*Schedule, epoch uint64) (int, bool) {
	return slices.BinarySearchFunc(held, epoch, func(s *Schedule, epoch uint64) int {
		switch {
		case s.epoch < epoch:
			return -1
		case s.epoch > epoch:
			return 1
		}
		return 0
	})
}

// get returns the schedule of an epoch from one state of the cache.
func get(held []*Schedule, epoch uint64) (*Schedule, error) {
	if i, ok := search(held, epoch); ok {
		return held[i], nil
	}
	return nil, &UnknownEpochError{epoch}
}

// Get returns the schedule of an epoch, or an *UnknownEpochError.
func (c *Cache) Get(epoch uint64) (*Schedule, error) { return get(*c.held.Load(), epoch) }

// Epochs returns the epochs held, ascending.
func (c *Cache) Epochs() []uint64 {
	held := *c.held.Load()
	epochs := make([]uint64, len(held))
	for i, s := range held {
		epochs[i] = s.epoch
	}
	return epochs
}

// EpochSchedule returns the epoch schedule of the cluster.
func (c *Cache) EpochSchedule() EpochSchedule { return c.es }

// LeaderAt returns the identity that leads a slot, or an *UnknownEpochError.
func (c *Cache) LeaderAt(slot Slot) (Pubkey, error) {
	epoch, _ := c.es.EpochOf(slot)
	s, err := c.Get(epoch)
	if err != nil {
		return Pubkey{}, err
	}
	leader, ok := s.LeaderAt(slot)
	if !ok { // only where the fields of es contradict each other
		return Pubkey{}, &UnknownEpochError{epoch}
	}
	return leader, nil
}

// NextLeaderSlots returns the first n slots at or after from that an identity
// leads, across epochs. It returns fewer only together with an
// *UnknownEpochError, which names the first epoch that would have to be known,
// or with ErrNoSlot when the 64-bit slot numbers end.
func (c *Cache) NextLeaderSlots(identity Pubkey, from Slot, n int) ([]Slot, error) {
	held := *c.held.Load()
	var slots []Slot
	epoch, _ := c.es.EpochOf(from)
	for ; len(slots) < n; epoch++ {
		s, err := get(held, epoch)
		if err != nil {
			return slots, err
		}
		slots = s.NextLeaderSlots(slots, identity, from, n-len(slots))
		if len(slots) < n && s.last() == math.MaxUint64 {
			return slots, fmt.Errorf("%w of %v after the last epoch, %d", ErrNoSlot, identity, epoch)
		}
	}
	return slots, nil
}

// NextLeaderSlot returns the first slot in [from, until) that an identity
// leads. ErrNoSlot when all of these slots are known and none is; an
// *UnknownEpochError, with the first epoch not held, when the answer is not
// known.
func (c *Cache) NextLeaderSlot(identity Pubkey, from, until Slot) (Slot, error) {
	held := *c.held.Load()
	var buf [1]Slot
	epoch, _ := c.es.EpochOf(from)
	for next := from; next < until; epoch++ {
		s, err := get(held, epoch)
		if err != nil {
			return 0, err
		}
		if found := s.NextLeaderSlots(buf[:0], identity, from, 1); len(found) == 1 {
			if found[0] < until {
				return found[0], nil
			}
			break
		}
		if s.last() == math.MaxUint64 {
			break
		}
		next = s.last() + 1
	}
	return 0, fmt.Errorf("%w of %v in slots %d to %d (exclusive)", ErrNoSlot, identity, from, until)
}

// last returns the last slot of the epoch.
func (s *Schedule) last() Slot { return s.first + Slot(s.slots-1) }
