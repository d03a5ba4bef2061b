package batch

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

// BenchmarkBatch derives epochs of 432,000 slots, with one worker and with one
// for each core. An operation is an epoch.
func BenchmarkBatch(b *testing.B) {
	entries := make([]schedule.Entry, 1500)
	for i := range entries {
		entries[i] = schedule.Entry{Key: testKey(i), Stake: 10_000_000_000_000_000 / uint64(i+1)}
	}
	st, err := schedule.NewStakes(entries, schedule.KeyedByVote)
	if err != nil {
		b.Fatal(err)
	}
	workers := []int{1}
	if n := runtime.GOMAXPROCS(0); n > 1 {
		workers = append(workers, n)
	}
	for want, name := range map[Want]string{Schedules: "schedules", Counts: "counts"} {
		for _, n := range workers {
			b.Run(fmt.Sprintf("%s/workers=%d", name, n), func(b *testing.B) {
				jobs := make([]Job, b.N)
				for i := range jobs {
					jobs[i] = Job{Stakes: st, Params: schedule.Params{Epoch: uint64(i), Slots: 432_000}}
				}
				b.ReportAllocs()
				b.ResetTimer()
				for _, err := range (Pool{Workers: n}).Derive(b.Context(), slices.Values(jobs), Options{Want: want}) {
					if err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "epochs/s")
			})
		}
	}
}
