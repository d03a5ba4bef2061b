package store

import (
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// ErrCluster: a list, or a setting, of another cluster. The value is a
// [*ClusterError].
var ErrCluster = errors.New("of another cluster")

// A Cluster is what is known of the cluster that all lists are of. Pointers are
// nil and strings empty where that is not known.
type Cluster struct {
	Name          string                  `json:"name,omitempty"` // of schedule.Clusters
	GenesisHash   *schedule.Pubkey        `json:"genesisHash,omitempty"`
	EpochSchedule *schedule.EpochSchedule `json:"epochSchedule,omitempty"`
}

// A ClusterError says in what two clusters differ.
type ClusterError struct {
	What       string // cluster, genesis hash or epoch schedule
	Have, Want string // of what was refused, and of what it was to join
}

func (e *ClusterError) Error() string {
	return fmt.Sprintf("%v: its %s is %s, want %s", ErrCluster, e.What, e.Have, e.Want)
}

// Is reports whether target is ErrCluster.
func (e *ClusterError) Is(target error) bool { return target == ErrCluster }

// ClusterOf returns what a list says of its cluster.
func ClusterOf(p *list.Provenance) Cluster {
	return Cluster{Name: p.Cluster, GenesisHash: p.GenesisHash, EpochSchedule: p.EpochSchedule}
}

// With returns c and what other knows beyond it. The error is a *ClusterError
// where they contradict each other; a public cluster is recognised by its genesis
// hash.
func (c Cluster) With(other Cluster) (Cluster, error) {
	if c.Name != "" && other.Name != "" && c.Name != other.Name {
		return c, &ClusterError{What: "cluster", Have: other.Name, Want: c.Name}
	}
	if c.GenesisHash != nil && other.GenesisHash != nil && *c.GenesisHash != *other.GenesisHash {
		return c, &ClusterError{What: "genesis hash", Have: other.GenesisHash.String(), Want: c.GenesisHash.String()}
	}
	if c.EpochSchedule != nil && other.EpochSchedule != nil && *c.EpochSchedule != *other.EpochSchedule {
		return c, &ClusterError{
			What: "epoch schedule", Have: describe(*other.EpochSchedule), Want: describe(*c.EpochSchedule),
		}
	}
	if c.Name == "" {
		c.Name = other.Name
	}
	if c.GenesisHash == nil {
		c.GenesisHash = other.GenesisHash
	}
	if c.EpochSchedule == nil {
		c.EpochSchedule = other.EpochSchedule
	}
	if c.GenesisHash == nil {
		return c, nil
	}
	switch name := list.ClusterOf(*c.GenesisHash); {
	case c.Name == "":
		c.Name = name
	case c.Name != name && (name != "" || slices.Contains(schedule.Clusters(), c.Name)):
		return c, &ClusterError{What: "genesis hash", Have: c.GenesisHash.String(), Want: "that of " + c.Name}
	}
	return c, nil
}

// equal reports whether a and b know the same.
func (c Cluster) equal(other Cluster) bool {
	return c.Name == other.Name && samePointed(c.GenesisHash, other.GenesisHash) && samePointed(c.EpochSchedule, other.EpochSchedule)
}

func samePointed[T comparable](a, b *T) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}

func describe(es schedule.EpochSchedule) string {
	warmup := "without warm-up"
	if es.Warmup {
		warmup = "with warm-up"
	}
	return fmt.Sprintf("%d slots an epoch, offset %d, %s, epoch %d from slot %d",
		es.SlotsPerEpoch, es.LeaderScheduleSlotOffset, warmup, es.FirstNormalEpoch, es.FirstNormalSlot)
}

// Cluster returns what is known of the cluster that the lists are of.
func (s *Store) Cluster() (Cluster, error) {
	var c Cluster
	err := s.read(func(r reader) (err error) {
		c, err = readCluster(r)
		return err
	})
	if err != nil {
		return Cluster{}, s.fail(err)
	}
	return c, nil
}

// SetCluster adds to what is known of the cluster. The error is an *Error: an
// ErrCluster where c contradicts it.
func (s *Store) SetCluster(c Cluster) error {
	err := s.update(func(tx *bbolt.Tx) error {
		have, err := readCluster(txReader{tx})
		if err != nil {
			return err
		}
		known, err := have.With(c)
		if err != nil {
			return err
		}
		if have.equal(known) && !s.unsure.Load() {
			return errUnchanged
		}
		return writeCluster(tx, have, known)
	})
	if err != nil && err != errUnchanged {
		return s.fail(err)
	}
	return nil
}

func readCluster(r reader) (Cluster, error) {
	var c Cluster
	v, err := r.own(clusterKey)
	if v == nil || err != nil {
		return c, err
	}
	if _, err := parseValue(v, &c); err != nil {
		return c, fmt.Errorf("%w: what is known of the cluster: %w", ErrDamaged, err)
	}
	return c, nil
}

func writeCluster(tx *bbolt.Tx, have, known Cluster) error {
	if have.equal(known) {
		return nil
	}
	v, err := appendValue(nil, known, nil)
	if err != nil {
		return err
	}
	return tx.Bucket(ownBucket).Put(clusterKey, v)
}
