package snapshot

import (
	"crypto/sha256"

	"github.com/zeebo/blake3"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/snapshot/manifest"
)

// nameHashes returns what the hash in an archive's name may be, by what releases
// made it from over the years:
//
//   - the BLAKE3 of the lattice hash of all accounts (SIMD-0220);
//   - before, the Merkle root of all accounts or, in an incremental snapshot, of
//     those that changed;
//   - for some time, the SHA-256 of that root and the epoch accounts hash.
//
// A manifest may have what several of them need. None: it has nothing to compare.
func nameHashes(h *manifest.Hashes) (hashes []schedule.Pubkey) {
	if h.Lattice != nil {
		hashes = append(hashes, blake3.Sum256(h.Lattice))
	}
	for _, root := range []*schedule.Pubkey{h.Incremental, &h.Accounts} {
		if root == nil || root.IsZero() {
			continue
		}
		hashes = append(hashes, *root)
		if h.EpochAccounts != nil {
			hashes = append(hashes, sha256.Sum256(append(root[:], h.EpochAccounts[:]...)))
		}
	}
	return hashes
}
