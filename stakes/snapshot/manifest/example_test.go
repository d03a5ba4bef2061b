package manifest_test

import (
	"bytes"
	"fmt"

	"github.com/schedgen/schedgen/stakes/snapshot/manifest"
	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

func ExampleRead() {
	spec := snapshottest.Small(snapshottest.Old)
	data := spec.Manifest()
	m, err := manifest.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("slot", m.Slot, "of epoch", m.Epoch)
	for _, e := range m.Old {
		fmt.Println("epoch", e.Epoch, "recorded in", e.RecordedIn, "vote accounts", len(e.Entries), "lamports", e.Sum)
	}
	_, err = manifest.Read(bytes.NewReader(data[:3000]), 3000)
	fmt.Println(err)
	// Output:
	// slot 389233000 of epoch 901
	// epoch 900 recorded in 899 vote accounts 3 lamports 25666666666669366
	// epoch 901 recorded in 900 vote accounts 3 lamports 25666666666669369
	// epoch 902 recorded in 901 vote accounts 3 lamports 25666666666669372
	// byte 2850: epoch_stakes[0].delegations: impossible length: 2 elements of at least 96 bytes, 142 bytes can follow
}
