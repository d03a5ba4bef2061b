package snapshot

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/zeebo/blake3"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

// What a name says is held against the content; a name of another form says
// nothing.
func TestNames(t *testing.T) {
	a := small(snapshottest.New)
	archive := tarOf(t, a)
	slot := a.Slot
	hash := schedule.Pubkey(blake3.Sum256(a.Lattice)).String()
	for name, note := range map[string]string{
		"standard input":                              "",
		"my-snapshot-1-x.tar.zst":                     "",
		"/a/b/snapshot.tar":                           "",
		fmt.Sprintf("snapshot-%d-%s.tar", slot, hash): "",
		fmt.Sprintf("incremental-snapshot-%d-%d-%s.tar", slot-100, slot, hash): "",
		fmt.Sprintf("/snapshot-1-x/snapshot-%d-%s.tar", slot, hash):            "",
		fmt.Sprintf("snapshot-%d-%s.tar", slot+1, hash):                        fmt.Sprintf("the name says slot %d, the manifest %d", slot+1, slot),
		fmt.Sprintf("snapshot-%d-%s.tar.zst", slot, hash):                      "the name says zstd, the content is no compression",
		fmt.Sprintf("snapshot-%d-%s.tar", slot, schedule.Pubkey{9}):            "the manifest " + hash,
		fmt.Sprintf("snapshot-%d-%s.tar", slot, hash[5:]):                      "the hash in the name: ",
		fmt.Sprintf("snapshot-%d-%s.tar", slot, "0"+hash[1:]):                  "the hash in the name: ",
		fmt.Sprintf("snapshot-%d.tar", slot):                                   "the name has 1 parts",
		fmt.Sprintf("snapshot-%d-%d-%s.tar", slot, slot, hash):                 "the name has 3 parts",
		fmt.Sprintf("incremental-snapshot-%d-%s.tar", slot, hash):              "the name has 2 parts",
		fmt.Sprintf("incremental-snapshot-x-%d-%s.tar", slot, hash):            `the full slot in the name: "x"`,
		fmt.Sprintf("incremental-snapshot-%d-%d-%s.tar", slot, slot, hash):     "goes on from slot",
		"snapshot-x-" + hash + ".tar":                                          `the slot in the name: "x" is no slot`,
		"snapshot--" + hash + ".tar":                                           `the slot in the name: "" is no slot`,
		"snapshot-" + strings.Repeat("9", 100) + "-" + hash + ".tar":           "the slot in the name",
		fmt.Sprintf("snapshot-%d-%s", slot, hash):                              "the name has no .tar",
		fmt.Sprintf("snapshot-%d-%s.tar.xz", slot, hash):                       "the name ends in .tar.xz",
		"snapshot-": "the name has no .tar",
	} {
		set := mustRead(t, archive, name)
		if note == "" {
			wantNotes(t, set)
		} else {
			wantNotes(t, set, note)
		}
	}
}

// The hash in the name is any of those that releases have made it from.
func TestHashInTheName(t *testing.T) {
	accounts, changed, epoch := schedule.Pubkey{1}, schedule.Pubkey{2}, schedule.Pubkey{3}
	both := func(a, b schedule.Pubkey) schedule.Pubkey { return sha256.Sum256(append(a[:], b[:]...)) }
	a := small(snapshottest.New)
	lattice := schedule.Pubkey(blake3.Sum256(a.Lattice))
	for name, c := range map[string]struct {
		lattice            bool
		accounts           schedule.Pubkey
		incremental, epoch *schedule.Pubkey
		good, bad          []schedule.Pubkey
	}{
		"lattice":                 {lattice: true, good: []schedule.Pubkey{lattice}, bad: []schedule.Pubkey{{}, accounts}},
		"lattice and accounts":    {lattice: true, accounts: accounts, good: []schedule.Pubkey{lattice, accounts}, bad: []schedule.Pubkey{{}, changed}},
		"accounts":                {accounts: accounts, good: []schedule.Pubkey{accounts}, bad: []schedule.Pubkey{lattice}},
		"accounts of the epoch":   {accounts: accounts, epoch: &epoch, good: []schedule.Pubkey{both(accounts, epoch)}, bad: []schedule.Pubkey{epoch, both(epoch, accounts)}},
		"incremental":             {incremental: &changed, good: []schedule.Pubkey{changed}, bad: []schedule.Pubkey{accounts}},
		"incremental and epoch's": {incremental: &changed, epoch: &epoch, good: []schedule.Pubkey{both(changed, epoch)}, bad: []schedule.Pubkey{accounts}},
		"nothing to compare":      {good: []schedule.Pubkey{accounts, lattice}},
	} {
		a := small(snapshottest.New)
		if !c.lattice {
			a.Lattice = nil
		}
		a.AccountsHash, a.Incremental, a.EpochAccountsHash = c.accounts, c.incremental, c.epoch
		archive := tarOf(t, a)
		for _, hash := range c.good {
			t.Run(name, func(t *testing.T) { wantNotes(t, mustRead(t, archive, a.Name(hash, ""))) })
		}
		for _, hash := range c.bad {
			t.Run(name, func(t *testing.T) {
				wantNotes(t, mustRead(t, archive, a.Name(hash, "")), "the name has hash "+hash.String())
			})
		}
	}
}

// An incremental snapshot has the same manifest.
func TestIncremental(t *testing.T) {
	a := small(snapshottest.Old)
	a.Incremental = &schedule.Pubkey{2}
	archive := archiveOf(t, a, ".zst")
	name := fmt.Sprintf("incremental-snapshot-%d-%d-%s.tar.zst", a.Slot-100, a.Slot, a.Incremental)
	set := mustRead(t, archive, name)
	wantNotes(t, set)
	b := small(snapshottest.Old)
	sameLists(t, "incremental", set, mustRead(t, tarOf(t, b), "a"))

	name = fmt.Sprintf("incremental-snapshot-%d-%d-%s.tar.zst", a.Slot-99, a.Slot, a.Incremental)
	wantNotes(t, mustRead(t, archive, name), fmt.Sprintf("goes on from slot %d, the manifest from %d", a.Slot-99, a.Slot-100))
}

// FuzzParseName: a name is of the network's form, says nothing, or is refused in
// one short line, and its parts make the name again.
func FuzzParseName(f *testing.F) {
	hash := schedule.Pubkey{9}.String()
	for _, name := range []string{
		"", "x.tar", "snapshot-", "snapshot-1.tar", "snapshot-x-" + hash + ".tar", "incremental-snapshot-1-" + hash + ".tar.lz4",
		"snapshot-1-" + hash + ".tar", "/a/snapshot-18446744073709551615-" + hash + ".tar.zst", "incremental-snapshot-1-2-" + hash + ".tar.bz2",
		"snapshot-007-" + hash + ".tar.gz", "snapshot-1-" + hash + ".tar.tar", "snapshot-1\n-" + hash + ".tar.\x00",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, path string) {
		n, err := parseName(path)
		switch {
		case err != nil && (n != nil || len(err.Error()) > 400 || strings.ContainsAny(err.Error(), "\n\x00")):
			t.Fatalf("%q: %v", path, err)
		case n == nil:
			return
		}
		for end, c := range byEnd {
			if c != n.compression {
				continue
			}
			name := fmt.Sprintf("snapshot-%d-%s.tar%s", n.slot, n.hash, end)
			if n.incremental {
				name = fmt.Sprintf("incremental-snapshot-%d-%d-%s.tar%s", n.fullSlot, n.slot, n.hash, end)
			}
			again, err := parseName(name)
			if err != nil || *again != *n {
				t.Fatalf("%q is %+v, %q is %+v, %v", path, n, name, again, err)
			}
		}
	})
}
