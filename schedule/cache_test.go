package schedule

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// cacheOf holds the given epochs of a cluster, with two leaders in turns of
// stake 1 and 3.
func cacheOf(t fataler, es EpochSchedule, epochs ...uint64) *Cache {
	t.Helper()
	c := NewCache(es, len(epochs))
	st := mustStakes(t, []Entry{{Key: testKey(1), Stake: 1}, {Key: testKey(2), Stake: 3}}, KeyedByVote)
	for _, epoch := range epochs {
		if err := c.Put(deriveEpoch(t, es, st, epoch)); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func deriveEpoch(t fataler, es EpochSchedule, st *Stakes, epoch uint64) *Schedule {
	t.Helper()
	return mustDerive(t, st, Params{Epoch: epoch, FirstSlot: es.FirstSlot(epoch), Slots: es.SlotsIn(epoch)})
}

func wantUnknown(t fataler, err error, epoch uint64) {
	t.Helper()
	var unknown *UnknownEpochError
	if !errors.Is(err, ErrUnknownEpoch) || !errors.As(err, &unknown) || unknown.Epoch != epoch || errors.Is(err, ErrNoSlot) {
		t.Fatal("got", err, "want unknown epoch", epoch)
	}
}

func TestCacheHoldsTheLatest(t *testing.T) {
	es := mustEpochs(t, 32, 32, false)
	c := NewCache(es, 3)
	st := mustStakes(t, []Entry{{Key: testKey(1), Stake: 1}}, KeyedByVote)
	for _, step := range []struct {
		put  uint64
		held []uint64
	}{
		{7, []uint64{7}}, {5, []uint64{5, 7}}, {9, []uint64{5, 7, 9}},
		{6, []uint64{6, 7, 9}}, {8, []uint64{7, 8, 9}}, {100, []uint64{8, 9, 100}},
	} {
		if err := c.Put(deriveEpoch(t, es, st, step.put)); err != nil {
			t.Fatal(err)
		}
		equalSlices(t, "epochs", c.Epochs(), step.held)
	}
	err := c.Put(deriveEpoch(t, es, st, 7))
	if !errors.Is(err, ErrTooOld) || !strings.Contains(err.Error(), "epoch 7, lowest held 8") {
		t.Errorf("got %v", err)
	}
	equalSlices(t, "epochs", c.Epochs(), []uint64{8, 9, 100})
	_, err = c.Get(7)
	wantUnknown(t, err, 7)
	if c.EpochSchedule() != es {
		t.Errorf("epoch schedule %+v", c.EpochSchedule())
	}

	// Without a sensible capacity one epoch is held.
	one := NewCache(es, -3)
	for _, epoch := range []uint64{1, 2} {
		if err := one.Put(deriveEpoch(t, es, st, epoch)); err != nil {
			t.Fatal(err)
		}
	}
	equalSlices(t, "epochs", one.Epochs(), []uint64{2})
}

func TestCachePut(t *testing.T) {
	es := mustEpochs(t, 64, 64, true)
	c := cacheOf(t, es, 0, 1)
	other := mustStakes(t, []Entry{{Key: testKey(9), Stake: 1}}, KeyedByVote)
	replacement := deriveEpoch(t, es, other, 1)
	if err := c.Put(replacement); err != nil {
		t.Fatal(err)
	}
	if s, err := c.Get(1); err != nil || s != replacement {
		t.Errorf("got %v, %v", s, err)
	}
	equalSlices(t, "epochs", c.Epochs(), []uint64{0, 1})

	for _, p := range []Params{
		{Epoch: 1, FirstSlot: 32, Slots: 63},
		{Epoch: 1, FirstSlot: 33, Slots: 64},
		{Epoch: 2, FirstSlot: 32, Slots: 64},
	} {
		err := c.Put(mustDerive(t, other, p))
		var fit *FitError
		if !errors.As(err, &fit) || fit.Epoch != p.Epoch || fit.FirstSlot != p.FirstSlot || fit.Slots != p.Slots ||
			fit.WantFirstSlot != es.FirstSlot(p.Epoch) || fit.WantSlots != 64 {
			t.Errorf("%+v: got %v", p, err)
		}
	}
	err := c.Put(mustDerive(t, other, Params{Epoch: 1, FirstSlot: 33, Slots: 60}))
	if want := "schedule of epoch 1 has 60 slots from slot 33, the epoch schedule says 64 slots from slot 32"; !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	if err := c.Put(nil); err == nil {
		t.Error("a nil schedule is accepted")
	}
}

// A Put leaves alone what a reader has already got hold of.
func TestCacheCopiesOnWrite(t *testing.T) {
	es := mustEpochs(t, 32, 32, false)
	st := mustStakes(t, []Entry{{Key: testKey(1), Stake: 1}}, KeyedByVote)
	c := NewCache(es, 3)
	for _, epoch := range []uint64{4, 6, 4, 5, 7, 6} {
		before := *c.held.Load()
		copied := slices.Clone(before)
		if err := c.Put(deriveEpoch(t, es, st, epoch)); err != nil {
			t.Fatal(err)
		}
		equalSlices(t, "schedules of an earlier read", before, copied)
	}
	equalSlices(t, "epochs", c.Epochs(), []uint64{5, 6, 7})
}

// An epoch schedule whose fields contradict each other makes slots unknown; it
// never gives them a leader of other slots.
func TestCacheContradictoryEpochs(t *testing.T) {
	es := EpochSchedule{SlotsPerEpoch: 100, FirstNormalEpoch: 3, FirstNormalSlot: 50}
	c := cacheOf(t, es, 3) // slots 224 to 323
	_, err := c.LeaderAt(60)
	wantUnknown(t, err, 3)
}

// An epoch that is missing between known ones is unknown; it is not skipped.
func TestCacheGap(t *testing.T) {
	es := mustEpochs(t, 32, 32, false)
	c := cacheOf(t, es, 4, 5, 7)
	stranger := testKey(3)

	_, err := c.LeaderAt(6 * 32)
	wantUnknown(t, err, 6)
	_, err = c.LeaderAt(4*32 - 1)
	wantUnknown(t, err, 3)
	slots, err := c.NextLeaderSlots(testKey(2), 4*32, 1000)
	wantUnknown(t, err, 6)
	for _, slot := range slots {
		if slot >= 6*32 {
			t.Errorf("slot %d is after the gap", slot)
		}
	}
	_, err = c.NextLeaderSlots(testKey(2), 0, 1)
	wantUnknown(t, err, 0)
	_, err = c.NextLeaderSlot(stranger, 4*32, 8*32)
	wantUnknown(t, err, 6)
	_, err = c.NextLeaderSlot(stranger, 7*32, 8*32+1)
	wantUnknown(t, err, 8)

	// Known and without a slot of the stranger.
	for _, r := range [][2]Slot{{4 * 32, 6 * 32}, {4*32 + 9, 6*32 - 1}, {7 * 32, 8 * 32}, {5, 5}, {9, 3}, {math.MaxUint64, 0}} {
		slot, err := c.NextLeaderSlot(stranger, r[0], r[1])
		if !errors.Is(err, ErrNoSlot) || errors.Is(err, ErrUnknownEpoch) || slot != 0 {
			t.Errorf("slots %d to %d: got %d, %v", r[0], r[1], slot, err)
		}
	}
	if slots, err := c.NextLeaderSlots(stranger, 0, 0); err != nil || len(slots) != 0 {
		t.Errorf("no slot wanted: got %v, %v", slots, err)
	}
}

// The last leader slot of an epoch is followed by the first of the next one.
func TestCacheNextCrossesEpochs(t *testing.T) {
	es := mustCluster(t, "testnet")
	c := cacheOf(t, es, 0, 1, 2, 3)
	var want []Slot
	for slot := range Slot(480) {
		leader, err := c.LeaderAt(slot)
		if err != nil {
			t.Fatal(err)
		}
		if leader == testKey(1) {
			want = append(want, slot)
		}
	}
	got, err := c.NextLeaderSlots(testKey(1), 0, len(want))
	if err != nil {
		t.Fatal(err)
	}
	equalSlices(t, "slots", got, want)
	got, err = c.NextLeaderSlots(testKey(1), 0, len(want)+1)
	wantUnknown(t, err, 4)
	equalSlices(t, "slots", got, want)
}

// The end of the range that NextLeaderSlot searches is not part of it, and slots
// from there on need not be known.
func TestCacheNextLeaderSlotUntil(t *testing.T) {
	c := cacheOf(t, mustCluster(t, "testnet"), 0, 1)
	slots, err := c.NextLeaderSlots(testKey(1), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	next := slots[0]
	if got, err := c.NextLeaderSlot(testKey(1), 1, next+1); got != next || err != nil {
		t.Errorf("until %d: slot %d, %v, want %d", next+1, got, err, next)
	}
	if got, err := c.NextLeaderSlot(testKey(1), 1, next); !errors.Is(err, ErrNoSlot) {
		t.Errorf("until %d: slot %d, %v, want no slot", next, got, err)
	}
	const known = 96 // slots of epochs 0 and 1
	if _, err := c.NextLeaderSlot(testKey(77), 0, known); !errors.Is(err, ErrNoSlot) {
		t.Errorf("until %d: %v, want no slot", known, err)
	}
	_, err = c.NextLeaderSlot(testKey(77), 0, known+1)
	wantUnknown(t, err, 2)
}

// Where slot numbers end nothing is left to know.
func TestCacheLastEpoch(t *testing.T) {
	if math.MaxInt < math.MaxInt64 {
		t.Skip("needs rotations of 2^61 slots")
	}
	es := mustEpochs(t, 1<<61, 1<<61, false)
	st := mustStakes(t, []Entry{{Key: testKey(1), Stake: 1}}, KeyedByVote)
	s := mustDerive(t, st, Params{Epoch: 7, FirstSlot: es.FirstSlot(7), Slots: es.SlotsIn(7), Repeat: math.MaxInt})
	c := NewCache(es, 2)
	if err := c.Put(s); err != nil {
		t.Fatal(err)
	}
	slots, err := c.NextLeaderSlots(testKey(1), math.MaxUint64-1, 5)
	equalSlices(t, "slots", slots, []Slot{math.MaxUint64 - 1, math.MaxUint64})
	if !errors.Is(err, ErrNoSlot) {
		t.Errorf("got %v", err)
	}
	if _, err := c.NextLeaderSlot(testKey(2), math.MaxUint64-1, math.MaxUint64); !errors.Is(err, ErrNoSlot) {
		t.Errorf("got %v", err)
	}
}

// The cache agrees with a map from slots to leaders.
func TestCacheReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spe := rapid.Uint64Range(32, 70).Draw(t, "slots per epoch")
		es := mustEpochs(t, spe, spe, rapid.Bool().Draw(t, "warm-up"))
		held := rapid.SliceOfNDistinct(rapid.Uint64Range(0, 5), 0, 6, rapid.ID[uint64]).Draw(t, "held")
		c := cacheOf(t, es, held...)
		leaders := map[Slot]Pubkey{}
		for _, epoch := range held {
			s, err := c.Get(epoch)
			if err != nil {
				t.Fatal(err)
			}
			for slot, leader := range s.All() {
				leaders[slot] = leader
			}
		}
		who := testKey(rapid.IntRange(1, 3).Draw(t, "who"))
		from := Slot(rapid.Uint64Range(0, 450).Draw(t, "from"))
		until := from + Slot(rapid.Uint64Range(0, 300).Draw(t, "slots"))
		n := rapid.IntRange(0, 60).Draw(t, "n")

		leader, err := c.LeaderAt(from)
		if want, ok := leaders[from]; !ok {
			epoch, _ := es.EpochOf(from)
			wantUnknown(t, err, epoch)
		} else if err != nil || leader != want {
			t.Fatalf("slot %d: got %v, %v", from, leader, err)
		}
		checkCacheNext(t, c, leaders, who, from, n)
		checkCacheRange(t, c, leaders, who, from, until)
	})
}

func checkCacheNext(t *rapid.T, c *Cache, leaders map[Slot]Pubkey, who Pubkey, from Slot, n int) {
	got, err := c.NextLeaderSlots(who, from, n)
	var want []Slot
	slot := from
	for ; len(want) < n; slot++ {
		leader, known := leaders[slot]
		if !known {
			break
		}
		if leader == who {
			want = append(want, slot)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("next %d from %d: got %v, want %v", n, from, got, want)
	}
	if len(want) == n {
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	epoch, _ := c.EpochSchedule().EpochOf(slot)
	wantUnknown(t, err, epoch)
}

func checkCacheRange(t *rapid.T, c *Cache, leaders map[Slot]Pubkey, who Pubkey, from, until Slot) {
	got, err := c.NextLeaderSlot(who, from, until)
	for slot := from; slot < until; slot++ {
		leader, known := leaders[slot]
		if !known {
			epoch, _ := c.EpochSchedule().EpochOf(slot)
			wantUnknown(t, err, epoch)
			return
		}
		if leader == who {
			if err != nil || got != slot {
				t.Fatalf("slots %d to %d: got %d, %v, want %d", from, until, got, err, slot)
			}
			return
		}
	}
	if !errors.Is(err, ErrNoSlot) || got != 0 {
		t.Fatalf("slots %d to %d: got %d, %v, want none", from, until, got, err)
	}
}
