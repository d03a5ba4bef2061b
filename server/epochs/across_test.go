package epochs

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
)

// Slots of short and warm-up epochs are those of their epochs, and a range crosses
// any number of boundaries.
func TestAcrossEpochs(t *testing.T) {
	for _, es := range []schedule.EpochSchedule{tiny, mustSchedule(32, false), mustSchedule(432, true), mustSchedule(33, false)} {
		r := mustNew(t, Options{EpochSchedule: es})
		const first, count = 0, 12
		var want []schedule.Pubkey
		for epoch := uint64(first); epoch < count; epoch++ {
			l := made(epoch, 0, 15)
			mustPut(t, r, l)
			s := derived(t, l, es)
			if s.FirstSlot() != schedule.Slot(len(want)) {
				t.Fatalf("epoch %d begins at slot %d, not behind the one before", epoch, s.FirstSlot())
			}
			for _, leader := range s.All() {
				want = append(want, leader)
			}
		}
		for slot, leader := range want {
			if got, err := r.LeaderAt(schedule.Slot(slot)); got != leader || err != nil {
				t.Fatalf("slot %d: got %v, %v", slot, got, err)
			}
			e, i, err := r.EpochOfSlot(schedule.Slot(slot))
			if err != nil || e.Schedule().FirstSlot()+schedule.Slot(i) != schedule.Slot(slot) {
				t.Fatalf("slot %d: got index %d, %v", slot, i, err)
			}
		}
		for _, start := range []int{0, 1, 31, 32, 95, 96, 100} {
			for _, n := range []int{0, 1, 33, 300, len(want) - start} {
				n = min(n, len(want)-start)
				got, err := r.AppendLeaders(nil, schedule.Slot(start), n)
				if err != nil || !slices.Equal(got, want[start:start+n]) {
					t.Fatalf("%d from %d: got %d leaders, %v", n, start, len(got), err)
				}
				texts, err := r.AppendLeaderTexts([]string{"before"}, schedule.Slot(start), n)
				if err != nil || len(texts) != n+1 || n > 0 && texts[n] != want[start+n-1].String() {
					t.Fatalf("%d from %d: got %d texts, %v", n, start, len(texts), err)
				}
			}
		}
		before := []schedule.Pubkey{{7}}
		got, err := r.AppendLeaders(before, schedule.Slot(len(want)-10), 11)
		wantUnknown(t, err, count)
		if !slices.Equal(got, before) {
			t.Errorf("got %v with an error", got)
		}
	}
}

func TestNextLeaderSlots(t *testing.T) {
	r := mustNew(t, Options{})
	cache := schedule.NewCache(tiny, 10)
	for epoch := range uint64(6) {
		l := made(epoch%2, 0, 5) // every other epoch has other validators
		l.Provenance.Epoch = &epoch
		mustPut(t, r, l)
		if err := cache.Put(derived(t, l, tiny)); err != nil {
			t.Fatal(err)
		}
	}
	for _, entry := range made(1, 0, 5).Entries {
		for _, from := range []schedule.Slot{0, 31, 33, 300, 700} {
			for _, n := range []int{0, 1, 10, 1000} {
				want, wantErr := cache.NextLeaderSlots(entry.Node, from, n)
				got, err := r.NextLeaderSlots(entry.Node, from, n)
				if !slices.Equal(got, want) || (err == nil) != (wantErr == nil) {
					t.Fatalf("%d from %d: got %v, %v, want %v, %v", n, from, got, err, want, wantErr)
				}
				if wantErr != nil {
					wantUnknown(t, err, 6)
				}
			}
		}
	}
}

func TestBook(t *testing.T) {
	r := mustNew(t, Options{})
	for _, epoch := range []uint64{3, 4, 5, 7} {
		mustPut(t, r, made(epoch, 0, 5))
	}
	b, err := r.Book(4, 6)
	if err != nil || !slices.Equal(b.Epochs(), []uint64{4, 5}) || b.EpochSchedule() != tiny {
		t.Fatalf("got %v, %v", b, err)
	}
	held, _ := b.Get(4)
	if held.Label.Source != "made" || held.Label.Vintage != "exact" {
		t.Errorf("got %+v", held.Label)
	}
	key := leaders.Identity(made(4, 0, 5).Entries[0].Node)
	if _, err := b.Next([]leaders.Key{key}, tiny.FirstSlot(4), 3); err != nil {
		t.Error(err)
	}
}

// The last epoch of all ends with the slot numbers.
func TestLastSlot(t *testing.T) {
	es := mustSchedule(32, false)
	last, i := es.EpochOf(math.MaxUint64)
	if uint64(i) != 31 {
		t.Fatalf("the last slot has index %d", i)
	}
	r := mustNew(t, Options{EpochSchedule: es})
	mustPut(t, r, made(last, 0, 3))
	if got, err := r.AppendLeaders(nil, math.MaxUint64-4, 5); len(got) != 5 || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := r.AppendLeaders(nil, math.MaxUint64-4, 6); len(got) != 0 || !errors.Is(err, schedule.ErrNoSlot) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := r.NextLeaderSlots(schedule.Pubkey{1}, math.MaxUint64-4, 1); len(got) != 0 || !errors.Is(err, schedule.ErrNoSlot) {
		t.Errorf("got %v, %v", got, err)
	}
}
