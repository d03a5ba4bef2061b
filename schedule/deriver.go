package schedule

import (
	"encoding/binary"
	"fmt"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/wsample"
)

// A Deriver derives one epoch after another and keeps the memory that it works
// with. Once it has seen a list as long, it allocates its results and nothing
// else; they are those of [NewStakes] and [Derive] and not tied to it. The zero
// value is ready. It must not be used from several goroutines at once.
//
// Memory: up to 70 bytes an entry of the longest list, and the stake list that
// it derived from last.
type Deriver struct {
	lists   lister
	rng     *chacha20rng.RNG
	backend string        // that rng was set to
	table   wsample.Table // of stakes
	stakes  *Stakes
}

// Stakes is [NewStakes].
func (d *Deriver) Stakes(entries []Entry, k Keying) (*Stakes, error) { return d.lists.list(entries, k) }

// Derive is the function [Derive].
func (d *Deriver) Derive(st *Stakes, p Params) (*Schedule, error) {
	s := new(Schedule)
	if err := d.DeriveInto(s, st, p); err != nil {
		return nil, err
	}
	return s, nil
}

// DeriveEntries takes an unsorted list to a schedule: Stakes, then Derive.
func (d *Deriver) DeriveEntries(entries []Entry, k Keying, p Params) (*Schedule, error) {
	st, err := d.Stakes(entries, k)
	if err != nil {
		return nil, err
	}
	return d.Derive(st, p)
}

// DeriveInto is [Deriver.Derive] into the memory of a schedule that nobody uses
// any more, or of a new(Schedule): afterwards s is the schedule derived. After an
// error s is as it was.
func (d *Deriver) DeriveInto(s *Schedule, st *Stakes, p Params) error {
	if st == nil || st.Len() == 0 {
		return fmt.Errorf("%w: the stake list is empty", ErrNoStake)
	}
	n, repeat, err := p.rotations()
	if err != nil {
		return err
	}
	if err := d.weigh(st, p.Backend); err != nil {
		return fmt.Errorf("epoch %d: %w", p.Epoch, err)
	}
	if err := d.seed(p); err != nil {
		return err
	}
	s.reset(st, p, repeat, n)
	if s.ranks32 != nil {
		d.table.Sample32(d.rng, s.ranks32)
		return nil
	}
	if err := d.table.Sample16(d.rng, s.ranks16); err != nil {
		return fmt.Errorf("epoch %d: %w", p.Epoch, err)
	}
	return nil
}

// weigh makes d.table that of st.
func (d *Deriver) weigh(st *Stakes, backend string) error {
	if d.stakes == st {
		return nil
	}
	if err := d.table.SetBackend(backend); err != nil {
		return err
	}
	if err := d.table.Reset(st.stakes); err != nil {
		return err
	}
	d.stakes = st
	return nil
}

// seed starts the words of an epoch.
func (d *Deriver) seed(p Params) error {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], p.Epoch)
	rng := d.rng
	if rng == nil {
		rng = chacha20rng.New(seed)
	}
	if d.rng == nil || d.backend != p.Backend {
		if err := rng.SetBackend(p.Backend); err != nil {
			return fmt.Errorf("epoch %d: %w", p.Epoch, err)
		}
		d.rng, d.backend = rng, p.Backend
	}
	rng.Reseed(seed)
	return nil
}
