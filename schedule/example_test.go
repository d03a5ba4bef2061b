package schedule_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/schedgen/schedgen/schedule"
)

func key(text string) schedule.Pubkey {
	k, err := schedule.ParsePubkey(text)
	if err != nil {
		log.Fatal(err)
	}
	return k
}

// The identities of mainnet-beta's genesis, each with the same stake.
func genesisStakes() *schedule.Stakes {
	const lamports = 499_999_997_717_120
	stakes, err := schedule.NewStakes([]schedule.Entry{
		{Key: key("7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"), Stake: lamports},
		{Key: key("CakcnaRDHka2gXyfbEd2d3xsvkJkqsLw2akB3zsN1D2S"), Stake: lamports},
		{Key: key("DE1bawNcRJB9rVm3buyMVfr8mBEoyyu73NBovf2oXJsJ"), Stake: lamports},
		{Key: key("GdnSyH3YtwcxFvQrVVJMm1JhTS4QVX7MFsX56uJLUfiZ"), Stake: lamports},
	}, schedule.KeyedByIdentity)
	if err != nil {
		log.Fatal(err)
	}
	return stakes
}

// Derive an epoch and print the leaders of its first rotations.
func Example() {
	epochs, err := schedule.ClusterSchedule("mainnet-beta")
	if err != nil {
		log.Fatal(err)
	}
	const epoch = 1
	s, err := schedule.Derive(genesisStakes(), schedule.Params{
		Epoch:     epoch,
		FirstSlot: epochs.FirstSlot(epoch),
		Slots:     epochs.SlotsIn(epoch),
	})
	if err != nil {
		log.Fatal(err)
	}
	for slot, leader := range s.All() {
		if slot >= s.FirstSlot()+12 {
			break
		}
		if slot%4 == 0 {
			fmt.Println(slot, leader)
		}
	}
	fmt.Printf("%x\n", s.Digest())
	// Output:
	// 432000 CakcnaRDHka2gXyfbEd2d3xsvkJkqsLw2akB3zsN1D2S
	// 432004 CakcnaRDHka2gXyfbEd2d3xsvkJkqsLw2akB3zsN1D2S
	// 432008 DE1bawNcRJB9rVm3buyMVfr8mBEoyyu73NBovf2oXJsJ
	// 74b996dc2c0168748f196f2b04dc9121a437f5f8f6249bfa969e4fdd123c4f82
}

// A cache answers across epochs, and tells "not known" from "none".
func ExampleCache() {
	epochs, err := schedule.ClusterSchedule("testnet")
	if err != nil {
		log.Fatal(err)
	}
	cache := schedule.NewCache(epochs, 3)
	for epoch := range uint64(2) {
		s, err := schedule.Derive(genesisStakes(), schedule.Params{
			Epoch:     epoch,
			FirstSlot: epochs.FirstSlot(epoch),
			Slots:     epochs.SlotsIn(epoch),
		})
		if err != nil {
			log.Fatal(err)
		}
		if err := cache.Put(s); err != nil {
			log.Fatal(err)
		}
	}
	leader := key("CakcnaRDHka2gXyfbEd2d3xsvkJkqsLw2akB3zsN1D2S")
	slots, err := cache.NextLeaderSlots(leader, 24, 8)
	fmt.Println(slots, err)

	_, err = cache.LeaderAt(96)
	fmt.Println(err, errors.Is(err, schedule.ErrUnknownEpoch))

	stranger := key("11111111111111111111111111111111")
	_, err = cache.NextLeaderSlot(stranger, 0, 96)
	fmt.Println(errors.Is(err, schedule.ErrNoSlot))
	// Output:
	// [28 29 30 31 32 33 34 35] <nil>
	// leader schedule of epoch 2 is not known true
	// true
}
