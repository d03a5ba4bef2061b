package slotclock_test

import (
	"fmt"
	"time"

	"github.com/schedgen/schedgen/slotclock"
)

func Example() {
	at := time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC)
	samples := []slotclock.Sample{
		{Slot: 450_000_000, Slots: 151, Seconds: 60},
		{Slot: 449_999_849, Slots: 153, Seconds: 60},
		{Slot: 449_999_696, Slots: 0, Seconds: 60}, // the node stood still
		{Slot: 449_999_696, Slots: 152, Seconds: 60},
	}
	clock, err := slotclock.Measure(450_000_000, at, samples)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(clock.Basis)
	fmt.Println(clock.TimeOf(450_000_100))
	fmt.Println(clock.TimeOf(450_432_000))
	fmt.Println(clock.SlotAt(at.Add(time.Hour)))
	// Output:
	// measured: 3 samples of 60 s, 394.7 ms a slot (1 sample without meaning left out)
	// 2026-10-08T12:00:39Z ± 2.181s
	// 2026-10-10T11:22:06Z ± 52m0s
	// 450009120
}
