package schedule_test

import (
	"fmt"
	"os"

	"github.com/schedgen/schedgen/schedule"
)

func ExampleSchedule_Write() {
	stakes, err := schedule.NewStakes([]schedule.Entry{
		{Key: schedule.Pubkey{0: 1}, Stake: 500_000_000_000},
		{Key: schedule.Pubkey{0: 2}, Stake: 499_000_000_000},
	}, schedule.KeyedByIdentity)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := schedule.Derive(stakes, schedule.Params{Epoch: 8, FirstSlot: 128, Slots: 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := s.Write(os.Stdout, schedule.FormatRPC); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM":[4,5,6,7,8,9,10,11,12,13,14,15],"8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh":[0,1,2,3]}
}
