package snapshot_test

import (
	"bytes"
	"fmt"

	"github.com/schedgen/schedgen/stakes/snapshot"
	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

// An archive of a made-up cluster, compressed as validators do.
func Example() {
	var file bytes.Buffer
	archive := snapshottest.Archive{Spec: snapshottest.Small(snapshottest.New)}
	if err := archive.Write(&file, ".zst"); err != nil {
		fmt.Println(err)
		return
	}

	set, err := snapshot.Read(&file, "a.tar.zst")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("epochs", set.Epochs())
	list, err := set.For(902)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(&list.Provenance)
	e := list.Entries[0]
	fmt.Printf("%s votes for %s with %d lamports\n", e.Key, e.Node, e.Stake)

	_, err = snapshot.Read(bytes.NewReader(make([]byte, 1024)), "zeros.tar")
	fmt.Println(err)
	// Output:
	// epochs [900 901 902]
	// a.tar.zst (snapshot), mainnet-beta, stakes of epoch 902, read at slot 389233000, vintage exact: the epoch stakes of the snapshot, recorded in epoch 901
	// CqFkcicb1vz7HV7tdSzZh6MVgWD5PmdtXt3Dehvh3S15 votes for 3RywXQ2wT3Zv14ywjwV3BFnoT3vX9to2fjRkNMURNru4 with 14000000000000902 lamports
	// zeros.tar: no snapshot archive: begins neither as zstd, lz4, gzip or bzip2 data nor as a tar archive
}
