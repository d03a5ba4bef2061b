package rankfile_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/schedgen/schedgen/batch/rankfile"
	"github.com/schedgen/schedgen/schedule"
)

func Example() {
	stakes, err := schedule.NewStakes([]schedule.Entry{
		{Key: schedule.Pubkey{1}, Stake: 70},
		{Key: schedule.Pubkey{2}, Stake: 30},
	}, schedule.KeyedByVote)
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer // a file
	w := rankfile.NewWriter(&b)
	for epoch := range uint64(1000) {
		s, err := schedule.Derive(stakes, schedule.Params{Epoch: epoch, FirstSlot: schedule.Slot(32 * epoch), Slots: 32})
		if err != nil {
			log.Fatal(err)
		}
		if err := w.Write(s); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	f, err := rankfile.NewFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		log.Fatal(err)
	}
	s, err := f.Schedule(454)
	if err != nil {
		log.Fatal(err)
	}
	for rotation, rank := range s.Ranks() {
		fmt.Print(rotation, ":", rank, " ")
	}
	// Output: 0:1 1:0 2:0 3:0 4:0 5:0 6:0 7:0
}
