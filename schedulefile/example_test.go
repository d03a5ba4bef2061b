package schedulefile_test

import (
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
)

func ExampleRead() {
	const answer = `{"jsonrpc":"2.0","id":1,"result":{
		"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi":[0,1,2,3,8,9],
		"8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR":[4,5,6,7]}}`
	o, err := schedulefile.Read(strings.NewReader(answer), "answer.json")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(o.Format, "with", o.Slots, "slots; first slot known:", o.FirstSlot != nil)
	leader, _ := o.Leader(5)
	fmt.Println(leader, "leads index 5")

	placed, err := o.Place(320, 32) // where the caller knows the epoch to be
	if err != nil {
		log.Fatal(err)
	}
	_, known := placed.LeaderAt(351)
	fmt.Println(placed.Known(), "of", placed.Slots, "leaders are known, that of slot 351:", known)

	_, err = schedulefile.Read(strings.NewReader("slot,leader\n320,4vJ9\n"), "list.csv")
	fmt.Println(err)
	// Output:
	// rpc with 10 slots; first slot known: false
	// 8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR leads index 5
	// 10 of 32 leaders are known, that of slot 351: false
	// list.csv:2: leader: public key "4vJ9": wrong size of a public key: 3 bytes, a public key has 32
}

func ExampleWriteCSV() {
	stakes, err := schedule.NewStakes([]schedule.Entry{
		{Key: schedule.Pubkey{0: 1}, Stake: 500_000_000_000},
		{Key: schedule.Pubkey{0: 2}, Stake: 499_000_000_000},
	}, schedule.KeyedByIdentity)
	if err != nil {
		log.Fatal(err)
	}
	s, err := schedule.Derive(stakes, schedule.Params{Epoch: 8, FirstSlot: 128, Slots: 6})
	if err != nil {
		log.Fatal(err)
	}
	columns, err := schedulefile.ParseColumns("slot,rotation,leader,time")
	if err != nil {
		log.Fatal(err)
	}
	start := time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC) // of slot 128
	err = schedulefile.WriteCSV(os.Stdout, s, columns, schedulefile.Options{
		TimeOf: func(slot schedule.Slot) time.Time { return start.Add(400 * time.Millisecond * time.Duration(slot-128)) },
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// slot,rotation,leader,time
	// 128,0,8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh,2026-10-08T12:00:00.000Z
	// 129,0,8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh,2026-10-08T12:00:00.400Z
	// 130,0,8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh,2026-10-08T12:00:00.800Z
	// 131,0,8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh,2026-10-08T12:00:01.200Z
	// 132,1,4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM,2026-10-08T12:00:01.600Z
	// 133,1,4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM,2026-10-08T12:00:02.000Z
}
