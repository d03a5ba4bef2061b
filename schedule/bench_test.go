package schedule

import (
	"fmt"
	"testing"
)

const benchSlots = 432_000

// BenchmarkDerive takes an unsorted list to a schedule of 432,000 slots.
func BenchmarkDerive(b *testing.B) {
	for _, n := range []int{1500, 5000} {
		b.Run(fmt.Sprintf("validators=%d", n), func(b *testing.B) {
			entries := mainnetLike(n)
			p := Params{Slots: benchSlots}
			var s *Schedule
			b.ReportAllocs()
			for b.Loop() {
				s = mustDerive(b, mustStakes(b, entries, KeyedByVote), p)
				p.Epoch++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.Rotations()), "ns/draw")
			b.ReportMetric(float64(s.size()), "B/schedule")
		})
	}
}

func BenchmarkNewStakes(b *testing.B) {
	for _, keying := range []Keying{KeyedByVote, KeyedByIdentity} {
		for _, n := range []int{1500, 5000} {
			b.Run(fmt.Sprintf("keyed-by=%v/validators=%d", keying, n), func(b *testing.B) {
				entries := mainnetLike(n)
				b.ReportAllocs()
				for b.Loop() {
					mustStakes(b, entries, keying)
				}
			})
		}
	}
}

func benchSchedule(b *testing.B, repeat int) *Schedule {
	b.Helper()
	return mustDerive(b, mustStakes(b, mainnetLike(1500), KeyedByVote), Params{Epoch: 454, FirstSlot: 196_128_000, Slots: benchSlots, Repeat: repeat})
}

func BenchmarkLeaderAt(b *testing.B) {
	for _, repeat := range []int{4, 3} { // a shift, and a division
		b.Run(fmt.Sprintf("repeat=%d", repeat), func(b *testing.B) {
			s := benchSchedule(b, repeat)
			b.ReportAllocs()
			var i uint64
			for b.Loop() {
				i += 277_747
				if i >= benchSlots {
					i -= benchSlots
				}
				if _, ok := s.LeaderAt(s.FirstSlot() + Slot(i)); !ok {
					b.Fatal("no leader")
				}
			}
		})
	}
}

func BenchmarkNextLeaderSlots(b *testing.B) {
	s := benchSchedule(b, 4)
	dst := make([]Slot, 0, 4)
	s.NextLeaderSlots(dst, testKey(100_000), 0, 1) // builds the index
	b.ReportAllocs()
	from := s.FirstSlot()
	for b.Loop() {
		if from += 277_747; from >= s.FirstSlot()+benchSlots {
			from -= benchSlots
		}
		dst = s.NextLeaderSlots(dst[:0], testKey(100_007), from, 4)
	}
}

func BenchmarkSlotsOf(b *testing.B) {
	s := benchSchedule(b, 4)
	slots := 0
	b.ReportAllocs()
	for b.Loop() {
		slots = 0
		for range s.SlotsOf(testKey(100_000)) {
			slots++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(slots), "ns/slot")
}

func BenchmarkIndex(b *testing.B) {
	s := benchSchedule(b, 4)
	s.Stakes().Identities()
	b.ReportAllocs()
	for b.Loop() {
		s.newIndex()
	}
}

func BenchmarkDigest(b *testing.B) {
	s := benchSchedule(b, 4)
	b.SetBytes(32 * benchSlots)
	for b.Loop() {
		s.Digest()
	}
}

func BenchmarkParsePubkey(b *testing.B) {
	text := testKey(123_456).String()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParsePubkey(text); err != nil {
			b.Fatal(err)
		}
	}
}
