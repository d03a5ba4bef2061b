package store_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/list"
)

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	epoch := uint64(900)
	put, err := s.Put(&list.List{
		HasVotes: true,
		Entries:  []schedule.Entry{{Key: schedule.Pubkey{1}, Node: schedule.Pubkey{2}, Stake: 500_000_000_000}},
		Provenance: list.Provenance{
			Kind: list.KindSnapshot, Source: "snapshot", Cluster: "mainnet-beta", Epoch: &epoch, Vintage: list.VintageExact,
		},
	})
	fmt.Println(put.Epoch, put.Replaced, err)

	l, meta, err := s.Get(900)
	fmt.Println(len(l.Entries), meta.Provenance.Vintage, err)

	_, _, err = s.Get(901)
	fmt.Println(errors.Is(err, store.ErrNone))
	// Output:
	// 900 false <nil>
	// 1 exact <nil>
	// true
}
