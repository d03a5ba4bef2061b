package epochs_test

import (
	"errors"
	"fmt"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/splice"
	"github.com/schedgen/schedgen/stakes/list"
)

func Example() {
	r, err := epochs.New(epochs.Options{Cluster: "mainnet-beta"})
	if err != nil {
		fmt.Println(err)
		return
	}
	epoch := uint64(900)
	_, err = r.Put(&list.List{
		HasVotes: true,
		Entries:  []schedule.Entry{{Key: schedule.Pubkey{1}, Node: schedule.Pubkey{2}, Stake: 1}},
		Provenance: list.Provenance{
			Kind: list.KindSnapshot, Source: "snapshot", Epoch: &epoch, Vintage: list.VintageExact,
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	leader, err := r.LeaderAt(388_800_000)
	fmt.Println(leader, err)

	e, err := r.Epoch(900)
	if err != nil {
		fmt.Println(err)
		return
	}
	body, err := e.Body(epochs.RPC, splice.Gzip)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(body.Plain(), "bytes of", body.ContentType)

	_, err = r.LeaderAt(389_232_000)
	fmt.Println(err, errors.Is(err, schedule.ErrUnknownEpoch))
	// Output:
	// 8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh <nil>
	// 2912940 bytes of application/json
	// leader schedule of epoch 901 is not known true
}
