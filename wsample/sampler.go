package wsample

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
)

// What a draw gives instead of an index.
const (
	// Empty: no weight is left. No word was used.
	Empty uint32 = 0xFFFFFFFF
	// Indeterminate: the draw fell on the poisoned weight, or one that removes
	// fell on it earlier.
	Indeterminate uint32 = 0xFFFFFFFE
)

const maxSamplerLen = math.MaxUint32 - 1 // indices stay below Indeterminate

// Sampler draws indices, each with the probability of its weight, from a list
// whose members can be removed one by one.
//
// A draw, with S the sum of the weights left and P the poisoned weight, is
//
//  1. Empty when S is 0, also when P is not, without using a word;
//  2. Indeterminate when the sampler is poisoned, without using a word;
//  3. Indeterminate when a roll of the zone of S+P gives S or more. A draw that
//     removes leaves the sampler poisoned, until RestoreAll: what a complete
//     list would have removed is not known;
//  4. otherwise the first index at which the weights left, added up, pass the
//     roll.
//
// A list of one weight still uses words. Methods that do not remove or restore
// only read: any number of goroutines may call them at once, each with its own
// RNG, as long as nobody removes or restores.
//
// This is the contract of Firedancer's fd_wsample; the shift zone without
// poison gives Agave's WeightedShuffle for weights above zero.
type Sampler struct {
	tree      tree      // for backends without a wide tree
	wide      *wideTree // for those with one; else nil
	n         int
	left      int
	poison    uint64
	poisoned  bool
	rejection chacha20rng.Rejection
	backend   cpu.Backend
	restore   bool // the tree was saved for RestoreAll
}

// NewSampler returns the sampler of a list of weights, each above zero. It
// copies them. An empty list is allowed: every draw is Empty. The errors are
// ErrZeroWeight, ErrOverflow when the weights and the poisoned weight add up to
// more than 2^64-1, ErrTooMany for more than 2^32-2 weights, and that of a
// backend that cannot be had.
func NewSampler(weights []uint64, opts ...Option) (*Sampler, error) {
	var o options
	for _, set := range opts {
		if set != nil {
			set(&o)
		}
	}
	backend, err := cpu.Resolve(o.backend)
	if err != nil {
		return nil, fmt.Errorf("wsample: %w", err)
	}
	total, err := checkedSum(weights, o.poison)
	if err != nil {
		return nil, err
	}
	s := &Sampler{
		n:         len(weights),
		left:      len(weights),
		poison:    o.poison,
		rejection: o.rejection,
		backend:   backend,
		restore:   o.restore,
	}
	if s.wide = newWideTree(backend, weights, total); s.wide == nil {
		s.tree = newTree(weights, total)
	}
	if o.restore {
		s.save()
	}
	return s, nil
}

// checkedSum returns the sum of the weights, or the first reason why they and
// the poisoned weight cannot make a sampler.
func checkedSum(weights []uint64, poison uint64) (uint64, error) {
	if err := checkLen(uint64(len(weights)), maxSamplerLen); err != nil {
		return 0, err
	}
	var total, carry uint64
	for i, w := range weights {
		if w == 0 {
			return 0, fmt.Errorf("%w: at index %d; leave it out", ErrZeroWeight, i)
		}
		if total, carry = bits.Add64(total, w, 0); carry != 0 {
			return 0, fmt.Errorf("%w: it passes at index %d, weight %d", ErrOverflow, i, w)
		}
	}
	if _, carry = bits.Add64(total, poison, 0); carry != 0 {
		return 0, fmt.Errorf("%w: the weights make %d, the poisoned weight is %d", ErrOverflow, total, poison)
	}
	return total, nil
}

// Len returns the number of weights in the list, removed ones included.
func (s *Sampler) Len() int { return s.n }

// Left returns the number of weights that are not removed.
func (s *Sampler) Left() int { return s.left }

// Total returns the sum of the weights that are not removed, without the
// poisoned weight.
func (s *Sampler) Total() uint64 {
	if s.wide != nil {
		return s.wide.total
	}
	return s.tree.total
}

// Poisoned reports whether a draw that removes fell on the poisoned weight, so
// that all draws are Indeterminate until RestoreAll.
func (s *Sampler) Poisoned() bool { return s.poisoned }

// Map returns the first index at which the weights left, added up, pass x: the
// index that a roll of x gives. It returns Len() when x is Total() or more.
func (s *Sampler) Map(x uint64) int {
	if x >= s.Total() {
		return s.n
	}
	return s.find(x)
}

// Weight returns the weight of index i, 0 when it is removed. It returns
// ErrIndex when i is not in [0, Len()).
func (s *Sampler) Weight(i int) (uint64, error) {
	if err := s.checkIndex(i); err != nil {
		return 0, err
	}
	return s.weight(i), nil
}

// Remove removes index i. It does nothing when i is removed already, and returns
// ErrIndex when i is not in [0, Len()).
func (s *Sampler) Remove(i int) error {
	if err := s.checkIndex(i); err != nil {
		return err
	}
	if w := s.weight(i); w != 0 {
		s.remove(i, w)
		s.left--
	}
	return nil
}

func (s *Sampler) checkIndex(i int) error {
	if i < 0 || i >= s.n {
		return fmt.Errorf("%w: %d, the sampler has %d weights", ErrIndex, i, s.n)
	}
	return nil
}

// RestoreAll brings back all that was removed and ends the poisoned state. It
// returns ErrNoRestore, and does nothing, without WithRestore.
func (s *Sampler) RestoreAll() error {
	if !s.restore {
		return ErrNoRestore
	}
	s.restoreTree()
	s.left = s.n
	s.poisoned = false
	return nil
}
