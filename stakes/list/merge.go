package list

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

var (
	// ErrCluster: sources of different clusters.
	ErrCluster = errors.New("stake lists of different clusters")
	// ErrEpochUnknown: several lists of which one does not say which epoch it leads.
	ErrEpochUnknown = errors.New("stake list does not say which epoch it leads")
)

// Merge puts what several sources hold into one set, of a list an epoch. Where two
// have one epoch, an exact list goes before another one, and otherwise the list
// of the later source before that of the earlier. Errors: ErrCluster,
// ErrEpochUnknown.
func Merge(sets ...*Set) (*Set, error) {
	merged := &Set{}
	for _, s := range sets {
		for i := range s.Lists {
			if err := merged.add(&s.Lists[i], len(sets) > 1); err != nil {
				return nil, err
			}
		}
	}
	slices.SortStableFunc(merged.Lists, func(a, b List) int {
		if a.Provenance.Epoch == nil || b.Provenance.Epoch == nil {
			return 0
		}
		return cmp.Compare(*a.Provenance.Epoch, *b.Provenance.Epoch)
	})
	return merged, nil
}

func (s *Set) add(l *List, several bool) error {
	p := &l.Provenance
	if p.Epoch == nil && several {
		return fmt.Errorf("%s: %w, which it must beside others: give it the form that `stakes convert --epoch` writes", p.Source, ErrEpochUnknown)
	}
	for i := range s.Lists {
		other := &s.Lists[i].Provenance
		if err := sameCluster(other, p); err != nil {
			return err
		}
		if p.Epoch == nil || other.Epoch == nil || *other.Epoch != *p.Epoch {
			continue
		}
		if other.Vintage != VintageExact || p.Vintage == VintageExact {
			s.Lists[i] = *l
		}
		return nil
	}
	s.Lists = append(s.Lists, *l)
	return nil
}

// sameCluster compares what both sources say of their cluster.
func sameCluster(a, b *Provenance) error {
	different := a.Cluster != "" && b.Cluster != "" && a.Cluster != b.Cluster ||
		a.GenesisHash != nil && b.GenesisHash != nil && *a.GenesisHash != *b.GenesisHash ||
		a.EpochSchedule != nil && b.EpochSchedule != nil && *a.EpochSchedule != *b.EpochSchedule
	if different {
		return fmt.Errorf("%w: %s and %s", ErrCluster, a.Source, b.Source)
	}
	return nil
}
