package schedule_test

import (
	"fmt"
	"log"

	"github.com/schedgen/schedgen/schedule"
)

// A node that derives every epoch keeps one Deriver.
func ExampleDeriver() {
	var d schedule.Deriver
	entries := []schedule.Entry{{Key: schedule.Pubkey{1}, Stake: 70}, {Key: schedule.Pubkey{2}, Stake: 30}}
	for epoch := range uint64(3) {
		s, err := d.DeriveEntries(entries, schedule.KeyedByIdentity, schedule.Params{Epoch: epoch, Slots: 40})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(epoch, s.CountRotations(nil))
	}
	// Output:
	// 0 [9 1]
	// 1 [6 4]
	// 2 [8 2]
}
