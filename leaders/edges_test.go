package leaders

import (
	"errors"
	"math"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/stakes/list"
)

// Rotations that follow each other are one window, also from one epoch to the
// next, and so are quiet slots.
func TestWindowsCrossEpochs(t *testing.T) {
	m := modelOf(t, func(slot schedule.Slot) int {
		if slot >= 56 && slot < 72 || slot >= 96 && slot < 100 {
			return 2
		}
		return 0
	}, 1, 2, 3)
	p := m.pages[2]
	p.Label.Vintage = list.VintageApproximate
	m.pages[2] = p
	b := m.book(t)
	a, err := b.Next([]Key{vote(2)}, 60, 2)
	want := []Window{
		{Span{First: 60, Last: 71, Slots: 12, Epoch: 1, LastEpoch: 2, Current: true, Vintage: list.VintageApproximate}, vote(2)},
		{Span{First: 96, Last: 99, Slots: 4, Epoch: 3, LastEpoch: 3, Vintage: list.VintageUnknown}, vote(2)},
	}
	if err != nil || len(a.Windows) != 2 || a.Windows[0] != want[0] || a.Windows[1] != want[1] {
		t.Errorf("%+v, %v, want %+v", a, err, want)
	}
	q, err := b.Quiet([]Key{vote(0)}, 40, 17)
	if err != nil || len(q.Windows) != 0 || *q.Longest != (Span{First: 56, Last: 71, Slots: 16, Epoch: 1, LastEpoch: 2, Vintage: list.VintageApproximate}) {
		t.Errorf("%+v, %v", q, err)
	}
	if q.Now != nil || q.Tail != nil {
		t.Errorf("now %v, tail %v of a leader", q.Now, q.Tail)
	}
}

// A tail that is too short as far as it is known is no window, and is told.
func TestQuietTail(t *testing.T) {
	m := modelOf(t, func(slot schedule.Slot) int { return int(min(slot/60, 1)) }, 1)
	for least, windows := range map[uint64]int{4: 1, 5: 0} {
		q, err := m.book(t).Quiet([]Key{vote(0)}, 50, least)
		if err != nil || len(q.Windows) != windows || q.Tail == nil || q.Tail.First != 60 || !q.Tail.AtLeast || q.Tail.Current || q.AnyTime {
			t.Errorf("at least %d: %+v, %v", least, q, err)
		}
	}
}

// An epoch that is missing between known ones ends every answer.
func TestMissingEpoch(t *testing.T) {
	m := modelOf(t, func(slot schedule.Slot) int { return int(slot / 4 % 5) }, 3, 5)
	b := m.book(t)
	a, err := b.Next([]Key{vote(1)}, 96, 100)
	wantUnknown(t, m.es, err, 128)
	if last := a.Windows[len(a.Windows)-1]; last.Last >= 128 {
		t.Errorf("%+v is after the gap", last)
	}
	q, err := b.Quiet([]Key{vote(1)}, 96, 1)
	if err != nil || *q.KnownTo != 127 || q.Unknown.Epoch != 4 {
		t.Errorf("%+v, %v", q, err)
	}
	for _, from := range []schedule.Slot{0, 95, 128, 159, 192, math.MaxUint64} {
		a, err := b.Next([]Key{vote(1)}, from, 1)
		if a.Status != Unknown || len(a.Windows) != 0 {
			t.Errorf("from %d: %+v", from, a)
		}
		wantUnknown(t, m.es, err, from)
		_, err = b.Quiet([]Key{vote(1)}, from, 1)
		wantUnknown(t, m.es, err, from)
	}
}

// Where slot numbers end, nothing is left to know.
func TestLastSlot(t *testing.T) {
	es := mustEpochs(t, 1<<61, false)
	end := []Run{{First: math.MaxUint64 - 1, Last: math.MaxUint64}}
	b := mustBook(t, es, fixed{7, 7 << 61, 1 << 61, end}, fixed{6, 6 << 61, 1 << 61, nil})
	keys := []Key{identity(1)}
	a, err := b.Next(keys, 6<<61, 1)
	if err != nil || a.Windows[0].Slots != 2 || a.Windows[0].AtLeast || *a.KnownTo != math.MaxUint64 {
		t.Errorf("%+v, %v", a, err)
	}
	a, err = b.Next(keys, math.MaxUint64, 2)
	if !errors.Is(err, schedule.ErrNoSlot) || errors.Is(err, schedule.ErrUnknownEpoch) || a.Unknown != nil || len(a.Windows) != 1 || a.Windows[0].Slots != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	q, err := b.Quiet(keys, 6<<61, 1)
	if err != nil || q.Unknown != nil || *q.KnownTo != math.MaxUint64 || len(q.Windows) != 1 || q.Windows[0].Slots != 1<<62-2 || q.Tail != nil {
		t.Errorf("%+v, %v", q, err)
	}

	var all []Source
	for epoch := range uint64(8) {
		all = append(all, fixed{epoch, schedule.Slot(epoch << 61), 1 << 61, nil})
	}
	q, err = mustBook(t, es, all...).Quiet(keys, 0, math.MaxUint64)
	if err != nil || !q.AnyTime || q.Reason != NotTold || q.Next() == nil || q.Next().Slots != math.MaxUint64 || q.Next().AtLeast {
		t.Errorf("%+v, %v", q, err)
	}
	p, err := mustBook(t, es, all...).InSchedule(keys, 0, 7)
	if err != nil || p.Any != Absent {
		t.Errorf("%+v, %v", p, err)
	}
}

// A slot that two of the keys lead belongs to the first one, and a key about
// which nothing is known leaves nothing quiet.
func TestSeveralKeys(t *testing.T) {
	m := modelOf(t, func(slot schedule.Slot) int { return int(slot / 4 % 4) }, 0)
	b := m.book(t)
	a, err := b.Next([]Key{vote(1), identity(0), vote(3), vote(1)}, 0, 3)
	if err != nil || a.Windows[0].Key != identity(0) || a.Windows[0].Slots != 4 || a.Windows[1].Key != vote(1) || a.Windows[2].Key != vote(3) ||
		a.Windows[2].First != 12 {
		t.Errorf("%+v, %v", a, err)
	}
	p := m.pages[0]
	p.Source.(*grid).noVotes = true
	q, err := b.Quiet([]Key{identity(1), vote(9)}, 0, 1)
	wantUnknown(t, m.es, err, 0)
	if q.Unknown.Key == nil || *q.Unknown.Key != vote(9) {
		t.Errorf("%+v", q.Unknown)
	}
	// What is led is known, whoever else is not.
	a, err = b.Next([]Key{vote(9), identity(0)}, 0, 2)
	wantUnknown(t, m.es, err, 8)
	if len(a.Windows) != 1 || a.Windows[0].Last != 7 || !a.Windows[0].AtLeast {
		t.Errorf("%+v", a)
	}
}

// A stake list that does not tell about a key does not make it absent.
func TestDerivedKinds(t *testing.T) {
	es := mustEpochs(t, 32, false)
	pairs := FromSchedule(mustDerive(t, es, 1, schedule.KeyedByVote, 4, voters(9, 1, 5)))
	single := FromSchedule(mustDerive(t, es, 1, schedule.KeyedByVote, 4, []schedule.Entry{{Key: vote(0).Pubkey, Stake: 1}}))
	byIdentity := FromSchedule(mustDerive(t, es, 1, schedule.KeyedByIdentity, 4, voters(9, 1, 5)))
	swap := func(k Key) Key { return Key{k.Pubkey, !k.Vote} }
	for _, c := range []struct {
		name   string
		source Source
		key    Key
		want   Status
		reason Reason
	}{
		{"leader", pairs, identity(0), Present, ""},
		{"stranger", pairs, identity(7), Absent, NotStaked},
		{"vote account", pairs, vote(0), Present, ""},
		{"strange vote account", pairs, vote(7), Absent, NotStaked},
		{"vote account as identity", pairs, swap(vote(0)), Unknown, ""},
		{"identity as vote account", pairs, swap(identity(0)), Unknown, ""},
		{"list of one column", single, vote(0), Present, ""},
		{"list of one column, taken as identities", single, swap(vote(0)), Present, ""},
		{"list of one column, stranger", single, identity(0), Unknown, ""},
		{"list of one column, strange vote account", single, vote(3), Unknown, ""},
		{"identities", byIdentity, identity(0), Present, ""},
		{"identities, stranger", byIdentity, identity(7), Absent, NotStaked},
		{"identities, vote account", byIdentity, vote(0), Unknown, ""},
	} {
		p, err := mustBook(t, es, c.source).InSchedule([]Key{c.key}, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		k := p.Epochs[0].Keys[0]
		if k.Status != c.want || k.Reason != c.reason || (k.Why != "") != (c.want == Unknown) {
			t.Errorf("%s: %+v, want %s %s", c.name, k, c.want, c.reason)
		}
		if staked, known := c.source.Staked(c.key); known != (c.want != Unknown) && c.want != Present || staked != (c.want == Present) {
			t.Errorf("%s: staked %v, known %v", c.name, staked, known)
		}
	}
}

// A long rotation is one step, however many slots it has.
func TestLongRotations(t *testing.T) {
	const slots = 1 << 30
	es := mustEpochs(t, slots, false)
	s := FromSchedule(mustDerive(t, es, 2, schedule.KeyedByVote, 1<<28, voters(1)))
	a, err := mustBook(t, es, s).Next([]Key{vote(0)}, 2*slots+5, 1)
	if err != nil || a.Windows[0].Last != 3*slots-1 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestObservedKinds(t *testing.T) {
	es := mustEpochs(t, 64, false)
	s := mustDerive(t, es, 1, schedule.KeyedByVote, 4, voters(9, 8, 5, 4, 6))
	byIdentity := mustDerive(t, es, 1, schedule.KeyedByIdentity, 4, voters(9, 8, 5))
	i0, i1 := identity(0).Pubkey, identity(1).Pubkey
	for _, c := range []struct {
		name string
		o    *schedulefile.Observed
		only []schedule.Pubkey
		key  Key
		want Status
		why  string
	}{
		{"whole, leader", schedulefile.FromSchedule(s), nil, identity(1), Present, ""},
		{"whole, stranger", schedulefile.FromSchedule(s), nil, identity(7), Absent, ""},
		{"whole, vote account", schedulefile.FromSchedule(s), nil, vote(1), Present, ""},
		{"whole, vote account as identity", schedulefile.FromSchedule(s), nil, Identity(vote(1).Pubkey), Unknown, "it is a vote account in the schedule, no identity"},
		{"whole, identity as vote account", schedulefile.FromSchedule(s), nil, Vote(i0), Unknown, "it is an identity in the schedule, no vote account"},
		{"identities, vote account", schedulefile.FromSchedule(byIdentity), nil, vote(0), Unknown, "the schedule names no vote accounts"},
		{"limited, and nobody says so", schedulefile.FromSchedule(s, i0), nil, identity(1), Unknown, "the schedule has no leader there"},
		{"limited, stranger", schedulefile.FromSchedule(s, i0), []schedule.Pubkey{i0}, identity(1), Unknown, "the schedule is limited to other leaders"},
		{"limited, its leader", schedulefile.FromSchedule(s, i0), []schedule.Pubkey{i0}, identity(0), Present, ""},
		{"limited, who leads nothing", schedulefile.FromSchedule(s, i0), []schedule.Pubkey{i0, identity(7).Pubkey}, identity(7), Absent, ""},
		{"limited, its vote account", schedulefile.FromSchedule(s, i0), []schedule.Pubkey{i0}, vote(1), Present, ""},
		{"limited, other vote account", schedulefile.FromSchedule(s, i0), []schedule.Pubkey{i0}, vote(2), Unknown, ""},
		{"limited to two", schedulefile.FromSchedule(s, i0, i1), []schedule.Pubkey{i0, i1}, vote(3), Present, ""},
	} {
		source, err := FromObserved(c.o, 1, es, c.only...)
		if err != nil {
			t.Fatal(err)
		}
		p, err := mustBook(t, es, source).InSchedule([]Key{c.key}, 1, 1)
		if err != nil || p.Any != c.want {
			t.Errorf("%s: %+v, %v, want %s", c.name, p, err, c.want)
		}
		k := p.Epochs[0].Keys[0]
		if c.only != nil && c.want == Present && k.UnknownSlots != 0 || (k.Reason == NotTold) != (c.want == Absent) {
			t.Errorf("%s: %+v", c.name, k)
		}
		if c.why != "" && k.Why != c.why {
			t.Errorf("%s: %q, want %q", c.name, k.Why, c.why)
		}
	}
	if _, err := FromObserved(nil, 1, es); !errors.Is(err, ErrNoSource) {
		t.Errorf("got %v", err)
	}
	if _, err := FromObserved(schedulefile.FromSchedule(s), 2, es); !errors.Is(err, schedulefile.ErrFit) {
		t.Errorf("other epoch: got %v", err)
	}
	if _, err := FromObserved(schedulefile.FromSchedule(s), 1, mustEpochs(t, 32, false)); !errors.Is(err, schedulefile.ErrFit) {
		t.Errorf("other epochs: got %v", err)
	}
}

// Of a file that ends early the rest of the epoch is unknown, not quiet.
func TestObservedEndsEarly(t *testing.T) {
	es := mustEpochs(t, 64, false)
	first := schedule.Slot(70)
	o := &schedulefile.Observed{
		Source: "part.txt", FirstSlot: &first, Slots: 4,
		Keys: []schedule.Pubkey{identity(0).Pubkey, identity(1).Pubkey}, Leaders: []uint32{0, 0, 1, 1},
	}
	source, err := FromObserved(o, 1, es)
	if err != nil {
		t.Fatal(err)
	}
	b := mustBook(t, es, source)
	a, err := b.Next([]Key{identity(1)}, 70, 2)
	wantUnknown(t, es, err, 74)
	if len(a.Windows) != 1 || !a.Windows[0].AtLeast || a.Windows[0].First != 72 {
		t.Errorf("%+v", a)
	}
	_, err = b.Next([]Key{identity(1)}, 64, 2)
	wantUnknown(t, es, err, 64)
}
