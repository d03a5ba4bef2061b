package leaders

import (
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
)

// BenchmarkNext and BenchmarkQuiet ask about a validator with about 0.3 % and one
// with about 3 % of the slots of a public cluster's epoch.
func benchmark(b *testing.B, ask func(*Book, []Key)) {
	es, err := schedule.ClusterSchedule("mainnet-beta")
	if err != nil {
		b.Fatal(err)
	}
	var stakes []uint64
	for range 300 {
		stakes = append(stakes, 3)
	}
	stakes[250] = 28
	var entries []schedule.Entry
	for n, stake := range stakes {
		entries = append(entries, schedule.Entry{Key: schedule.Pubkey{'v', byte(n), byte(n >> 8)}, Node: schedule.Pubkey{'i', byte(n), byte(n >> 8)}, Stake: stake})
	}
	s := mustDerive(b, es, 900, schedule.KeyedByVote, 0, entries)
	seen, err := FromObserved(schedulefile.FromSchedule(s), 900, es)
	if err != nil {
		b.Fatal(err)
	}
	for _, from := range []struct {
		name   string
		source Source
	}{{"derived", FromSchedule(s)}, {"observed", seen}} {
		book := mustBook(b, es, from.source)
		for _, who := range []struct {
			name string
			key  Key
		}{{"small", Identity(entries[7].Node)}, {"large", Identity(entries[250].Node)}, {"vote", Vote(entries[250].Key)}} {
			b.Run(from.name+"/"+who.name, func(b *testing.B) {
				for b.Loop() {
					ask(book, []Key{who.key})
				}
			})
		}
	}
}

const benchFrom = 900*432_000 + 100_000

func BenchmarkNext(b *testing.B) {
	benchmark(b, func(book *Book, keys []Key) { book.Next(keys, benchFrom, 1) })
}

func BenchmarkQuiet(b *testing.B) {
	benchmark(b, func(book *Book, keys []Key) { book.Quiet(keys, benchFrom, 1000) })
}
