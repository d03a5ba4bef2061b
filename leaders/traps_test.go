package leaders

import (
	"errors"
	"os"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

// Derived schedules in which every third or so rotation has another leader.
func derivedModel(t fataler, es schedule.EpochSchedule, epochs ...uint64) *model {
	t.Helper()
	m := &model{es: es, pages: map[uint64]page{}}
	for _, epoch := range epochs {
		s := mustDerive(t, es, epoch, schedule.KeyedByVote, 0, voters(5, 4, 3, 0, 2))
		state := func(key Key, slot schedule.Slot) kind {
			leader, _ := s.LeaderAt(slot)
			if key.Vote {
				leader, _ = s.VoteAt(slot)
			}
			if leader == key.Pubkey {
				return led
			}
			return quiet
		}
		m.pages[epoch] = page{Held{Source: FromSchedule(s), Label: Label{Vintage: "exact"}}, state}
	}
	return m
}

// checkAround checks all answers from the slots around one, for keys that lead
// and one that does not.
func checkAround(t fataler, m *model, slot schedule.Slot, reach uint64) {
	t.Helper()
	b := m.book(t)
	for from := slot - min(slot, schedule.Slot(reach)); from <= slot+schedule.Slot(reach); from++ {
		for _, key := range []Key{identity(0), vote(1), vote(2), identity(9)} {
			checkNext(t, m, b, []Key{key}, from, 2)
			checkQuiet(t, m, b, []Key{key}, from, 12)
		}
	}
}

// Around the end of an epoch both epochs can be asked about: for a while
// validators answered neither.
func TestBoundaryKnowsBothEpochs(t *testing.T) {
	m := derivedModel(t, mustEpochs(t, 200, false), 7, 8)
	checkAround(t, m, 8*200, 40)
}

// No slack of some number of slots is taken for granted: epochs may be shorter.
func TestBoundaryOfSmallEpochs(t *testing.T) {
	step := uint64(1)
	if testing.Short() || os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" {
		step = 29 // every length takes half a second natively
	}
	for slots := uint64(32); slots <= 232; slots += step {
		m := derivedModel(t, mustEpochs(t, slots, false), 2, 3)
		checkAround(t, m, schedule.Slot(3*slots), 2)
	}
}

// Every warm-up epoch has its own length and first slot.
func TestWarmUpEpochs(t *testing.T) {
	es, err := schedule.ClusterSchedule("testnet")
	if err != nil {
		t.Fatal(err)
	}
	last := es.FirstNormalEpoch
	if testing.Short() || os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" {
		last = 8 // the long ones take a second natively
	}
	for epoch := range last + 1 {
		m := derivedModel(t, es, epoch, epoch+1)
		b := m.book(t)
		p, err := b.InSchedule([]Key{identity(0), identity(1), identity(2)}, epoch, epoch)
		if err != nil {
			t.Fatal(err)
		}
		var sum uint64
		for _, k := range p.Epochs[0].Keys {
			sum += k.Slots
		}
		if sum != es.SlotsIn(epoch) {
			t.Errorf("epoch %d: leaders have %d slots of %d", epoch, sum, es.SlotsIn(epoch))
		}
		checkNext(t, m, b, []Key{identity(2)}, es.LastSlot(epoch)-1, 2)
		checkQuiet(t, m, b, []Key{identity(2)}, es.LastSlot(epoch), 8)
	}
}

// Windows have absolute slots, which slot indices are not from epoch 1 on.
func TestSlotsAreAbsolute(t *testing.T) {
	m := derivedModel(t, mustEpochs(t, 64, false), 5)
	a, err := m.book(t).Next([]Key{identity(1)}, 5*64, 1)
	if err != nil {
		t.Fatal(err)
	}
	w := a.Windows[0]
	if leader, err := cacheOf(t, m).LeaderAt(w.First); err != nil || leader != identity(1).Pubkey || w.Epoch != 5 {
		t.Errorf("%+v: leader %v, %v", w, leader, err)
	}
}

// cacheOf returns what a model holds as the core does.
func cacheOf(t fataler, m *model) *schedule.Cache {
	t.Helper()
	c := schedule.NewCache(m.es, len(m.pages))
	for _, p := range m.pages {
		if err := c.Put(p.Source.(derived).Schedule); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// The cache of the core gives the slots that windows are made of.
func TestCacheAgrees(t *testing.T) {
	m := derivedModel(t, mustEpochs(t, 100, true), 0, 1, 2, 3)
	a, err := m.book(t).Next([]Key{identity(0)}, 3, 1000)
	var ours []schedule.Slot
	for _, w := range a.Windows {
		for slot := w.First; slot <= w.Last; slot++ {
			ours = append(ours, slot)
		}
	}
	theirs, theirErr := cacheOf(t, m).NextLeaderSlots(identity(0).Pubkey, 3, 10_000)
	if len(ours) != len(theirs) || len(ours) == 0 {
		t.Fatalf("%d slots, the cache has %d", len(ours), len(theirs))
	}
	for i := range ours {
		if ours[i] != theirs[i] {
			t.Fatalf("slot %d, the cache has %d", ours[i], theirs[i])
		}
	}
	var mine, other *schedule.UnknownEpochError
	if !errors.As(err, &mine) || !errors.As(theirErr, &other) || *mine != *other {
		t.Errorf("got %v, the cache says %v", err, theirErr)
	}
}

// The next epoch can be asked about from its first slot on, before it begins.
func TestNextEpochFromItsFirstSlot(t *testing.T) {
	es := mustEpochs(t, 48, true)
	m := derivedModel(t, es, 1)
	checkAround(t, m, es.FirstSlot(1), 0)
	checkAround(t, m, es.LastSlot(1), 0)
}

// A book is made for the epochs of its epoch schedule, whatever its fields.
func TestBookFollowsTheEpochSchedule(t *testing.T) {
	for _, slots := range []uint64{32, 33, 63, 64, 65, 100, 8192, 432_000} {
		for _, warmup := range []bool{false, true} {
			es := mustEpochs(t, slots, warmup)
			for epoch := range uint64(6) {
				b := derivedModel(t, es, epoch).book(t)
				for _, at := range []schedule.Slot{es.FirstSlot(epoch), es.LastSlot(epoch)} {
					if a, err := b.Next([]Key{identity(9)}, at, 1); a.Status != Absent || *a.KnownTo != es.LastSlot(epoch) {
						t.Errorf("%+v: slot %d of epoch %d: %+v, %v", es, at, epoch, a, err)
					}
				}
				if a, err := b.Next([]Key{identity(9)}, es.LastSlot(epoch)+1, 1); a.Status != Unknown || a.Unknown.Epoch != epoch+1 {
					t.Errorf("%+v: after epoch %d: %+v, %v", es, epoch, a, err)
				}
				if other := mustEpochs(t, slots+1, warmup); other.SlotsIn(epoch) != es.SlotsIn(epoch) || other.FirstSlot(epoch) != es.FirstSlot(epoch) {
					var fit *schedule.FitError
					if _, err := New(other, derivedModel(t, es, epoch).pages[epoch].Held); !errors.As(err, &fit) || fit.Epoch != epoch {
						t.Errorf("epoch %d of %+v in %+v: %v", epoch, es, other, err)
					}
				}
			}
		}
	}
}

// In warm-up a schedule is known more than an epoch ahead.
func TestNextTwoEpochsAhead(t *testing.T) {
	es := mustEpochs(t, 432_000, true)
	m := &model{es: es, pages: map[uint64]page{}}
	for epoch, v := range []int{0, 0, 3} {
		m.pages[uint64(epoch)] = gridOf(es, uint64(epoch), func(schedule.Slot) int { return v })
	}
	a, err := m.book(t).Next([]Key{vote(3)}, 0, 1)
	if err != nil || a.Windows[0].First != es.FirstSlot(2) || a.Windows[0].Epoch != 2 || !a.Windows[0].AtLeast {
		t.Errorf("%+v, %v", a, err)
	}
}

// gridOf returns an epoch whose slots have the vote accounts that leader gives.
func gridOf(es schedule.EpochSchedule, epoch uint64, leader func(schedule.Slot) int) page {
	g := &grid{epoch: epoch, first: es.FirstSlot(epoch)}
	for n := range es.SlotsIn(epoch) {
		g.votes = append(g.votes, leader(g.first+schedule.Slot(n)))
	}
	return page{Held{Source: g}, g.state}
}

// modelOf has a grid of 32 slots for each of the epochs.
func modelOf(t fataler, leader func(schedule.Slot) int, epochs ...uint64) *model {
	t.Helper()
	m := &model{es: mustEpochs(t, 32, false), pages: map[uint64]page{}}
	for _, epoch := range epochs {
		m.pages[epoch] = gridOf(m.es, epoch, leader)
	}
	return m
}

// After the last leader slot of an epoch the next one counts; when it is not
// known, nor is the answer.
func TestNextAfterTheLastOfAnEpoch(t *testing.T) {
	leader := func(slot schedule.Slot) int {
		switch {
		case slot == 40, slot >= 70 && slot <= 73:
			return 2
		}
		return 0
	}
	m := modelOf(t, leader, 1)
	a, err := m.book(t).Next([]Key{vote(2)}, 41, 1)
	if a.Status != Absent || *a.KnownTo != 63 {
		t.Errorf("%+v", a)
	}
	wantUnknown(t, m.es, err, 64)

	m = modelOf(t, leader, 1, 2)
	a, err = m.book(t).Next([]Key{vote(2)}, 41, 1)
	if err != nil || a.Status != Present || a.Windows[0].First != 70 || a.Windows[0].Last != 73 || a.Windows[0].Epoch != 2 {
		t.Errorf("%+v, %v", a, err)
	}
}

// Without slots any time is quiet, and there are different reasons for it.
func TestQuietAnyTime(t *testing.T) {
	es := mustEpochs(t, 32, false)
	// Vote account 4 has one of 10^9 lamports: it is not drawn.
	s := mustDerive(t, es, 3, schedule.KeyedByVote, 0, voters(1_000_000_000, 0, 5, 0, 1))
	b, err := New(es, Held{Source: FromSchedule(s)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		keys   []Key
		reason Reason
	}{
		{[]Key{identity(7)}, NotStaked},
		{[]Key{vote(1)}, NotStaked}, // listed without stake
		{[]Key{identity(2)}, NotDrawn},
		{[]Key{vote(4)}, NotDrawn},
		{[]Key{identity(7), identity(1)}, NotDrawn},
	} {
		q, err := b.Quiet(c.keys, 100, 10)
		if err != nil || !q.AnyTime || q.Reason != c.reason || q.Next() == nil || !q.Next().AtLeast || !q.Next().Current {
			t.Errorf("%v: %+v, %v, want any time, %s", c.keys, q, err, c.reason)
		}
	}
	// Its slots of the epoch are over, which says nothing of the next one.
	m := modelOf(t, func(slot schedule.Slot) int { return int(min(slot-96, 2)) }, 3)
	q, err := m.book(t).Quiet([]Key{vote(1)}, 100, 10)
	if err != nil || q.AnyTime || q.Reason != "" || q.Next() == nil {
		t.Errorf("%+v, %v", q, err)
	}
	// The schedule of a stranger that tells no stakes.
	q, err = m.book(t).Quiet([]Key{vote(6)}, 100, 10)
	if err != nil || !q.AnyTime || q.Reason != NotTold {
		t.Errorf("%+v, %v", q, err)
	}
	// Nothing is known, which is no reason to restart.
	q, err = m.book(t).Quiet([]Key{vote(6)}, 128, 10)
	if q.AnyTime || q.Next() != nil || q.KnownTo != nil {
		t.Errorf("%+v", q)
	}
	wantUnknown(t, m.es, err, 128)
}

// Not to be on the schedule is an answer.
func TestAbsentIsNoError(t *testing.T) {
	b := derivedModel(t, mustEpochs(t, 32, false), 3, 4).book(t)
	p, err := b.InSchedule([]Key{identity(9)}, 3, 4)
	if err != nil || p.Any != Absent || p.All != Absent || p.Epochs[1].Keys[0].Reason != NotStaked {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = b.InSchedule([]Key{identity(9)}, 3, 5)
	if err != nil || p.Any != Unknown || p.All != Absent {
		t.Errorf("%+v, %v", p, err)
	}
}
