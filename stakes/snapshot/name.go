package snapshot

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/internal/compressed"
)

const (
	fullPrefix        = "snapshot-"
	incrementalPrefix = "incremental-snapshot-"
	nameForm          = "snapshot-SLOT-HASH.tar.zst or incremental-snapshot-FULL-SLOT-HASH.tar.zst"
)

// A fileName is what the name of an archive says of it.
type fileName struct {
	fullSlot    schedule.Slot // that an incremental snapshot goes on from
	incremental bool
	slot        schedule.Slot
	hash        schedule.Pubkey
	compression compressed.Format
}

// parseName reads the name of an archive. One that does not begin as the
// network's do says nothing: nil and no error.
func parseName(path string) (*fileName, error) {
	base := filepath.Base(path)
	var n fileName
	rest, ok := strings.CutPrefix(base, fullPrefix)
	if !ok {
		if rest, ok = strings.CutPrefix(base, incrementalPrefix); !ok {
			return nil, nil
		}
		n.incremental = true
	}
	stem, end, ok := strings.Cut(rest, ".tar")
	if !ok {
		return nil, fmt.Errorf("the name has no .tar, want %s", nameForm)
	}
	if n.compression, ok = byEnd[end]; !ok {
		return nil, fmt.Errorf("the name ends in %s, want %s", quoteMember(".tar"+end), nameForm)
	}
	parts := strings.Split(stem, "-")
	want := 2
	if n.incremental {
		want = 3
	}
	if len(parts) != want {
		return nil, fmt.Errorf("the name has %d parts between its dashes, want %s", len(parts), nameForm)
	}
	var err error
	if n.incremental {
		if n.fullSlot, err = parseSlot(parts[0]); err != nil {
			return nil, fmt.Errorf("the full slot in the name: %w", err)
		}
		parts = parts[1:]
	}
	if n.slot, err = parseSlot(parts[0]); err != nil {
		return nil, fmt.Errorf("the slot in the name: %w", err)
	}
	if n.hash, err = schedule.ParsePubkey(parts[1]); err != nil {
		return nil, fmt.Errorf("the hash in the name: %w", err)
	}
	return &n, nil
}

// parseSlot reads a slot as paths have it: decimal digits.
func parseSlot(text string) (schedule.Slot, error) {
	slot, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%.40q is no slot, want decimal digits", text)
	}
	return schedule.Slot(slot), nil
}

// notes says where an archive's name does not fit what is in it.
func (n *fileName) notes(s *source) (notes []string) {
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if n.slot != s.manifest.Slot {
		note("the name says slot %d, the manifest %d", n.slot, s.manifest.Slot)
	}
	if n.compression != s.compression {
		note("the name says %s, the content is %s", n.compression, s.compression)
	}
	h := &s.manifest.Hashes
	switch {
	case !n.incremental:
	case n.fullSlot >= n.slot:
		note("the name says that slot %d goes on from slot %d", n.slot, n.fullSlot)
	case h.Incremental != nil && h.IncrementalFullSlot != n.fullSlot:
		note("the name says that it goes on from slot %d, the manifest from %d", n.fullSlot, h.IncrementalFullSlot)
	}
	if want := nameHashes(h); len(want) > 0 && !contains(want, n.hash) {
		note("the name has hash %s, the manifest %s", n.hash, want[0])
	}
	return notes
}

func contains(keys []schedule.Pubkey, key schedule.Pubkey) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}
