package leaders_test

import (
	"fmt"
	"log"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// Epochs 5 and 6 of a cluster whose epochs have 64 slots.
func book() (*leaders.Book, schedule.Pubkey) {
	epochs, err := schedule.NewEpochSchedule(64, 64, false)
	if err != nil {
		log.Fatal(err)
	}
	small, large := schedule.Pubkey{1}, schedule.Pubkey{2}
	stakes, err := schedule.NewStakes([]schedule.Entry{
		{Key: schedule.Pubkey{11}, Node: small, Stake: 1},
		{Key: schedule.Pubkey{12}, Node: large, Stake: 4},
	}, schedule.KeyedByVote)
	if err != nil {
		log.Fatal(err)
	}
	var held []leaders.Held
	for epoch := uint64(5); epoch <= 6; epoch++ {
		s, err := schedule.Derive(stakes, schedule.Params{Epoch: epoch, FirstSlot: epochs.FirstSlot(epoch), Slots: epochs.SlotsIn(epoch)})
		if err != nil {
			log.Fatal(err)
		}
		held = append(held, leaders.Held{Source: leaders.FromSchedule(s), Label: leaders.Label{Vintage: list.VintageExact}})
	}
	b, err := leaders.New(epochs, held...)
	if err != nil {
		log.Fatal(err)
	}
	return b, small
}

// When an identity leads next, and when it can restart.
func Example() {
	b, identity := book()
	keys := []leaders.Key{leaders.Identity(identity)}

	ahead, err := b.Next(keys, 330, 100)
	for _, w := range ahead.Windows {
		fmt.Printf("leads slots %d to %d, epoch %d\n", w.First, w.Last, w.Epoch)
	}
	fmt.Println(err)

	quiet, err := b.Quiet(keys, 330, 20)
	if err != nil {
		log.Fatal(err)
	}
	if next := quiet.Next(); next != nil {
		fmt.Printf("quiet from slot %d to %d, %d slots\n", next.First, next.Last, next.Slots)
	}

	presence, err := b.InSchedule(keys, 5, 7)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range presence.Epochs {
		fmt.Println("epoch", e.Epoch, e.Status, e.Keys[0].Slots)
	}
	// Output:
	// leads slots 340 to 343, epoch 5
	// leads slots 404 to 407, epoch 6
	// leads slots 436 to 439, epoch 6
	// leader schedule of epoch 7 is not known from slot 448 on: it is not held
	// quiet from slot 344 to 403, 60 slots
	// epoch 5 present 4
	// epoch 6 present 8
	// epoch 7 unknown 0
}
