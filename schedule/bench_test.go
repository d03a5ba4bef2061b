package schedule

import (
	"fmt"
	"slices"
	"testing"
)

const benchSlots = 432_000

// BenchmarkDerive takes an unsorted list to a schedule of 432,000 slots: with the
// package's functions, and with a Deriver that has done so before.
func BenchmarkDerive(b *testing.B) {
	for _, n := range []int{1500, 5000} {
		entries := mainnetLike(n)
		benchDerive(b, fmt.Sprintf("func/validators=%d", n), func(p Params) (*Schedule, error) {
			st, err := NewStakes(entries, KeyedByVote)
			if err != nil {
				return nil, err
			}
			return Derive(st, p)
		})
		var d Deriver
		benchDerive(b, fmt.Sprintf("Deriver/validators=%d", n), func(p Params) (*Schedule, error) {
			return d.DeriveEntries(entries, KeyedByVote, p)
		})
		st, into := mustStakes(b, entries, KeyedByVote), new(Schedule)
		benchDerive(b, fmt.Sprintf("DeriveInto/validators=%d", n), func(p Params) (*Schedule, error) {
			return into, d.DeriveInto(into, st, p)
		})
	}
}

func benchDerive(b *testing.B, name string, derive func(Params) (*Schedule, error)) {
	b.Run(name, func(b *testing.B) {
		p := Params{Slots: benchSlots}
		var s *Schedule
		b.ReportAllocs()
		for b.Loop() {
			var err error
			if s, err = derive(p); err != nil {
				b.Fatal(err)
			}
			p.Epoch++
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.Rotations()), "ns/draw")
		b.ReportMetric(float64(s.size()), "B/schedule")
	})
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

// BenchmarkNewStakesStage shows where the time of NewStakes goes, without that of
// its working memory: copying and looking for duplicate keys (and how much of
// that is the looking), sorting, and laying out the result.
func BenchmarkNewStakesStage(b *testing.B) {
	for _, n := range []int{1500, 5000} {
		entries := mainnetLike(n)
		var l lister
		if _, err := l.list(entries, KeyedByVote); err != nil {
			b.Fatal(err)
		}
		stage := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/validators=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					f()
				}
			})
		}
		distinct := func() {
			l.open(entries)
			if err := l.distinct(); err != nil {
				b.Fatal(err)
			}
		}
		stage("distinct", distinct)
		stage("duplicates", func() {
			l.seen.reset(n, func(i uint32) *Pubkey { return &entries[i].Key })
			for i := range entries {
				l.seen.insert(&entries[i].Key, uint32(i))
			}
		})
		distinct()
		unsorted := slices.Clone(l.rows)
		stage("sort", func() {
			copy(l.rows, unsorted)
			l.sort(KeyedByVote)
		})
		stage("layout", func() {
			if _, err := l.layOut(KeyedByVote); err != nil {
				b.Fatal(err)
			}
		})
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
