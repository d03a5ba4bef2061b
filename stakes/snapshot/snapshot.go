package snapshot

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/internal/compressed"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/snapshot/manifest"
)

// Read reads a full or incremental snapshot archive: a tar archive, compressed
// with zstd, lz4, gzip or bzip2 or not at all, which its content tells and not its
// name. The name stands for it in errors and as the lists' source; one of the
// network's form is compared with what is inside.
//
// The set has a list for every epoch that the snapshot has stakes of, ascending;
// entries are the vote accounts with stake, in no order. What is odd and does not
// make the stakes wrong is among the notes of each list; a list that the manifest
// itself contradicts, or that accounts with stake were left out of, is approximate.
// An error is an [*Error].
//
// The archive is read to the end of its manifest, or some MB further. Memory:
// some MB, and the window of zstd data, at most MaxWindow. It grows with the vote
// accounts that were read, not with what lengths in the archive claim.
func Read(r io.Reader, name string) (*list.Set, error) {
	s := &source{name: name, isArchive: true, limits: limits{content: MaxContent, members: MaxMembers}}
	if err := s.archive(r); err != nil {
		return nil, err
	}
	return s.set()
}

// ReadManifest reads a manifest alone, the file snapshots/SLOT/SLOT of a snapshot,
// to its end. What it returns is as of [Read].
func ReadManifest(r io.Reader, name string) (*list.Set, error) {
	m, err := manifest.Read(r, -1)
	if err != nil {
		return nil, &Error{Name: name, Err: err}
	}
	s := &source{name: name, manifest: m}
	return s.set()
}

// A source is a snapshot as it was found.
type source struct {
	name        string // as the caller said
	isArchive   bool
	limits      limits
	compression compressed.Format
	version     string // "" when it was not seen
	manifest    *manifest.Manifest
	notes       []string
}

func (s *source) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// set makes the lists.
func (s *source) set() (*list.Set, error) {
	m := s.manifest
	s.about()
	epochs, shadowed := merge(m)
	if len(epochs) == 0 {
		return nil, &Error{Name: s.name, Err: fmt.Errorf("%w in the manifest of slot %d", ErrNoStakes, m.Slot)}
	}
	set := &list.Set{}
	for _, e := range epochs {
		es, slot, epoch := m.EpochSchedule, m.Slot, e.Epoch
		l := list.List{
			Entries: e.Entries, HasVotes: true, Accounts: e.Accounts,
			Provenance: list.Provenance{
				Kind: list.KindSnapshot, Source: s.name,
				Cluster:       list.ClusterCreatedAt(m.GenesisCreationTime),
				EpochSchedule: &es, Epoch: &epoch, Slot: &slot,
				Vintage: list.VintageExact,
				Reason:  fmt.Sprintf("the epoch stakes of the snapshot, recorded in epoch %d", e.RecordedIn),
				Notes:   slices.Clone(s.notes),
			},
		}
		if other := shadowed[e.Epoch]; other != nil && !sameStakes(e, other) {
			l.Provenance.Note("the older part of the manifest has other stakes for this epoch")
		}
		epochNotes(&l.Provenance, e, m.EpochSchedule)
		set.Lists = append(set.Lists, l)
	}
	return set, nil
}

// merge returns the stakes of every epoch, ascending, and those in the older part
// of the manifest where the newer has the same epoch: the newer is what a release
// that writes it reads.
func merge(m *manifest.Manifest) (epochs []*manifest.EpochStakes, shadowed map[uint64]*manifest.EpochStakes) {
	shadowed = map[uint64]*manifest.EpochStakes{}
	for i := range m.New {
		epochs = append(epochs, &m.New[i])
	}
	for i := range m.Old {
		old := &m.Old[i]
		if slices.ContainsFunc(m.New, func(e manifest.EpochStakes) bool { return e.Epoch == old.Epoch }) {
			shadowed[old.Epoch] = old
			continue
		}
		epochs = append(epochs, old)
	}
	slices.SortFunc(epochs, func(a, b *manifest.EpochStakes) int {
		if a.Epoch < b.Epoch {
			return -1
		}
		return 1
	})
	return epochs, shadowed
}

// sameStakes reports whether two lists are the same but for their order.
func sameStakes(a, b *manifest.EpochStakes) bool {
	sorted := func(entries []schedule.Entry) []schedule.Entry {
		entries = slices.Clone(entries)
		slices.SortFunc(entries, func(x, y schedule.Entry) int { return bytes.Compare(x.Key[:], y.Key[:]) })
		return entries
	}
	return slices.Equal(sorted(a.Entries), sorted(b.Entries))
}

// keys shows some keys, the first of count.
func keys(first []schedule.Pubkey, count uint64) string {
	var b strings.Builder
	for i, k := range first {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(k.String())
	}
	if count > uint64(len(first)) {
		b.WriteString(", …")
	}
	return b.String()
}
