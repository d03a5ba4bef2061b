package compare

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"pgregory.net/rapid"
)

// key returns the key that a letter stands for.
func key(letter byte) (k schedule.Pubkey) {
	k[0] = letter
	return k
}

// side returns a side with a letter a slot, and - where nobody is known.
func side(name, leaders string) Side {
	l := listed{gap: func(i int) bool { return leaders[i] == '-' }}
	for i := range leaders {
		l.leaders = append(l.leaders, key(leaders[i]))
	}
	return Side{Name: name, Leaders: l}
}

func at(s Side, first schedule.Slot) Side {
	s.FirstSlot = &first
	return s
}

func ofEpoch(s Side, epoch uint64) Side {
	s.Epoch = &epoch
	return s
}

func only(s Side, letters string) Side {
	s.Only = []schedule.Pubkey{}
	for i := range letters {
		s.Only = append(s.Only, key(letters[i]))
	}
	return s
}

func mustCompare(t testing.TB, a, b Side) *Difference {
	t.Helper()
	d, err := Schedules(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSchedules(t *testing.T) {
	for name, c := range map[string]struct {
		a, b                                                         Side
		compared, equal, different, onlyA, onlyB, leftOut, unknownTo uint64
		same, complete                                               bool
		notes                                                        string
	}{
		"same": {a: side("A", "aabbcc"), b: side("B", "aabbcc"), compared: 6, equal: 6, same: true, complete: true},
		"differ": {a: side("A", "aabbcc"), b: side("B", "aabccc"), compared: 6, equal: 5, different: 1,
			complete: true},
		"gaps": {a: side("A", "aa-b--"), b: side("B", "a-bb--"), compared: 2, equal: 2, onlyA: 1, onlyB: 1, unknownTo: 2, same: true},
		"shorter": {a: side("A", "aabbcc"), b: side("B", "aab"), compared: 3, equal: 3, onlyA: 3, same: true,
			notes: "A has 6 slots, B 3"},
		"limited":                      {a: side("A", "aabbcc"), b: only(side("B", "--bb--"), "b"), compared: 2, equal: 2, leftOut: 4, same: true},
		"limited, one missing":         {a: side("A", "aabbcc"), b: only(side("B", "--b---"), "b"), compared: 2, equal: 1, different: 1, leftOut: 4},
		"limited, one too many":        {a: side("A", "aabbcc"), b: only(side("B", "--bbb-"), "b"), compared: 3, equal: 2, different: 1, leftOut: 3},
		"limited to one without slots": {a: side("A", "aabb"), b: only(side("B", "----"), "x"), leftOut: 4},
		"later": {a: at(side("A", "aabbcc"), 100), b: at(side("B", "bccdd"), 103), compared: 3, equal: 3, onlyA: 3, onlyB: 2, same: true,
			notes: "B begins 3 slots after A"},
		"earlier": {a: at(side("A", "bbcc"), 100), b: at(side("B", "aabbcc"), 98), compared: 4, equal: 4, onlyB: 2, same: true,
			notes: "B begins 2 slots before A"},
		"no slot numbers": {a: at(side("A", "aabb"), 100), b: side("B", "aabb"), compared: 4, equal: 4, same: true, complete: true,
			notes: "B does not say which slots"},
		"no slot numbers in A": {a: side("A", "aabb"), b: at(side("B", "aabb"), 100), compared: 4, equal: 4, same: true, complete: true,
			notes: "A does not say which slots"},
		"indices": {a: at(side("A", "aabb"), 400), b: at(side("B", "aabb"), 0), compared: 4, equal: 4, complete: true,
			notes: "B counts slots from 0, as indices in an epoch do, A from slot 400: compared by index"},
		"indices in A": {a: at(side("A", "aabb"), 0), b: at(side("B", "aabb"), 400), compared: 4, equal: 4, complete: true,
			notes: "A counts slots from 0"},
		"another epoch": {a: at(side("A", "aabb"), 400), b: at(side("B", "aabb"), 404), compared: 4, equal: 4, complete: true,
			notes: "A begins at slot 400, B at slot 404, and they share no slot"},
		"another epoch's number": {a: ofEpoch(side("A", "aabb"), 7), b: ofEpoch(side("B", "aabb"), 8), compared: 4, equal: 4, complete: true,
			notes: "A is of epoch 7, B of epoch 8"},
		"at the end of numbers": {a: at(side("A", "aabb"), 1<<64-4), b: at(side("B", "b"), 1<<64-1), compared: 1, equal: 1, onlyA: 3, same: true},
		"nothing":               {a: side("A", ""), b: side("B", ""), complete: true},
	} {
		t.Run(name, func(t *testing.T) {
			d := mustCompare(t, c.a, c.b)
			got := *d.Identities
			got.First, got.Changes = nil, nil
			want := Keys{Compared: c.compared, Equal: c.equal, Different: c.different, OnlyA: c.onlyA, OnlyB: c.onlyB, LeftOut: c.leftOut, Unknown: c.unknownTo}
			if got.First != want.First || got.Compared != want.Compared || got.Equal != want.Equal || got.Different != want.Different ||
				got.OnlyA != want.OnlyA || got.OnlyB != want.OnlyB || got.LeftOut != want.LeftOut || got.Unknown != want.Unknown {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if d.Equal() != c.same || d.Complete() != c.complete {
				t.Errorf("equal %v, complete %v, want %v, %v", d.Equal(), d.Complete(), c.same, c.complete)
			}
			if notes := strings.Join(d.Alignment.Notes, "\n"); !strings.Contains(notes, c.notes) {
				t.Errorf("notes %q, want %q among them", notes, c.notes)
			}
		})
	}
}

func TestFirstDifferenceAndChanges(t *testing.T) {
	a := at(side("A", "aaaabbbbccccdddd"), 1000)
	b := at(side("B", "aaaabbccccccddee"), 1000)
	b.Leaders = listed{leaders: b.Leaders.(listed).leaders}
	d := mustCompare(t, a, b)
	first := d.Identities.First
	if first == nil || *first.Slot != 1006 || first.Index != 6 || first.Rotation != 1 || *first.A != key('b') || *first.B != key('c') {
		t.Errorf("first %+v", first)
	}
	want := []KeyChange{
		{Key: key('b'), A: 4, B: 2, Lost: 2},
		{Key: key('c'), A: 4, B: 6, Gained: 2},
		{Key: key('d'), A: 4, B: 2, Lost: 2},
		{Key: key('e'), B: 2, Gained: 2},
	}
	if !slices.Equal(d.Identities.Changes, want) {
		t.Errorf("changes %v, want %v", d.Identities.Changes, want)
	}
	if net := want[0].Net(); net != -2 {
		t.Errorf("net %d, want -2", net)
	}

	d = mustCompare(t, side("A", "aabbbb"), side("B", "bbbbab"))
	want = []KeyChange{{Key: key('a'), A: 2, B: 1, Lost: 2, Gained: 1}, {Key: key('b'), A: 4, B: 5, Lost: 1, Gained: 2}}
	if !slices.Equal(d.Identities.Changes, want) || d.Identities.First.Slot != nil {
		t.Errorf("changes %v, want %v", d.Identities.Changes, want)
	}

	d = mustCompare(t, side("A", "aab"), only(side("B", "---"), "b"))
	if first := d.Identities.First; first == nil || first.Index != 2 || first.B != nil || *first.A != key('b') {
		t.Errorf("first %+v", first)
	}
}

// TestVotes: vote accounts are compared where both sides have them.
func TestVotes(t *testing.T) {
	entries := []schedule.Entry{{Key: key('1'), Node: key('a'), Stake: 3}, {Key: key('2'), Node: key('a'), Stake: 2}, {Key: key('3'), Node: key('c'), Stake: 1}}
	p := schedule.Params{Epoch: 5, FirstSlot: 80, Slots: 16}
	a := Derived("A", mustDerive(t, entries, schedule.KeyedByVote, p))
	entries[0].Node = key('d')
	b := Derived("B", mustDerive(t, entries, schedule.KeyedByVote, p))
	d := mustCompare(t, a, b)
	if d.Votes == nil || d.Votes.Equal != 16 || d.Identities.Different == 0 || d.Equal() {
		t.Errorf("votes %+v, identities %+v", d.Votes, d.Identities)
	}
	if d = mustCompare(t, a, a); !d.Equal() || !d.Complete() {
		t.Errorf("the same side differs: %+v", d.Votes)
	}
	byIdentity := Derived("C", mustDerive(t, entries, schedule.KeyedByIdentity, p))
	if d = mustCompare(t, a, byIdentity); d.Votes != nil {
		t.Errorf("a side without vote accounts: %+v", d.Votes)
	}
	// The same identities, drawn for other vote accounts.
	la, lb := a.Leaders.(*schedule.Schedule), listed{}
	for i := range la.Slots() {
		leader, _ := la.Leader(schedule.Index(i))
		lb.leaders, lb.votes = append(lb.leaders, leader), append(lb.votes, key('9'))
	}
	if d = mustCompare(t, a, Side{Name: "D", Leaders: lb}); d.Identities.Different != 0 || d.Votes.Different != 16 || d.Equal() {
		t.Errorf("votes %+v, identities %+v", d.Votes, d.Identities)
	}
}

func TestDigests(t *testing.T) {
	entries := []schedule.Entry{{Key: key('a'), Stake: 3}, {Key: key('b'), Stake: 2}}
	s := mustDerive(t, entries, schedule.KeyedByIdentity, schedule.Params{Epoch: 5, Slots: 16})
	right, wrong := s.Digest(), sha256.Sum256(nil)
	l := listed{}
	for i := range s.Slots() {
		leader, _ := s.Leader(schedule.Index(i))
		l.leaders = append(l.leaders, leader)
	}
	for _, a := range []Side{Derived("derived", s), {Name: "listed", Leaders: l}, {Name: "digest", Digest: &right}} {
		for digest, want := range map[*[32]byte]bool{&right: true, &wrong: false} {
			for _, d := range []*Difference{mustCompare(t, a, Side{Digest: digest}), mustCompare(t, Side{Digest: digest}, a)} {
				if d.Digests == nil || d.Equal() != want || !d.Complete() || d.Identities != nil {
					t.Errorf("%s: got %+v, want equal %v", a.Name, d, want)
				}
			}
		}
	}
	l.gap = func(i int) bool { return i == 7 }
	_, err := Schedules(Side{Name: "gap", Leaders: l}, Side{Digest: &right})
	if !errors.Is(err, ErrDigestOnly) || !strings.Contains(err.Error(), "slot index 7") {
		t.Errorf("got %v, want %v", err, ErrDigestOnly)
	}
}

func TestBadSides(t *testing.T) {
	good := side("A", "aa")
	for name, c := range map[string]struct {
		bad  Side
		want error
	}{
		"empty":  {Side{}, ErrNoLeaders},
		"repeat": {Side{Leaders: good.Leaders, Repeat: -1}, schedule.ErrRepeat},
		"long":   {Side{Leaders: noLeaders(1 << 40)}, ErrTooLong},
	} {
		for _, sides := range [][2]Side{{good, c.bad}, {c.bad, good}} {
			if _, err := Schedules(sides[0], sides[1]); !errors.Is(err, c.want) {
				t.Errorf("%s: got %v, want %v", name, err, c.want)
			}
		}
	}
}

// TestCountsAddUp: every slot of either side is counted once, and what is lost by
// some is gained by others.
func TestCountsAddUp(t *testing.T) {
	letters := rapid.SliceOfN(rapid.SampledFrom([]byte("aaabbbccd---")), 0, 60)
	rapid.Check(t, func(t *rapid.T) {
		sides := [2]Side{}
		for i := range sides {
			sides[i] = side("S", string(letters.Draw(t, "leaders")))
			if rapid.Bool().Draw(t, "numbered") {
				sides[i] = at(sides[i], schedule.Slot(rapid.Uint64Range(50, 90).Draw(t, "first")))
			}
			if rapid.Bool().Draw(t, "limited") {
				sides[i] = only(sides[i], "abcd")
			}
		}
		d := mustCompare2(t, sides[0], sides[1])
		k, nA, nB := d.Identities, sides[0].Leaders.Slots(), sides[1].Leaders.Slots()
		from, to := d.Alignment.span(nA, nB)
		shared := uint64(max(0, to-from))
		if got, want := k.Compared+k.OnlyA+k.OnlyB+k.LeftOut+k.Unknown, nA+nB-shared; got != want || k.Compared != k.Equal+k.Different {
			t.Fatalf("%d slots counted, want %d: %+v", got, want, k)
		}
		var a, b, lost, gained uint64
		for _, c := range k.Changes {
			a, b, lost, gained = a+c.A, b+c.B, lost+c.Lost, gained+c.Gained
			if c.A-c.Lost != c.B-c.Gained {
				t.Fatalf("slots kept on one side only: %+v", c)
			}
		}
		if lost > k.Different || gained > k.Different || (k.First == nil) != (k.Different == 0) {
			t.Fatalf("lost %d, gained %d of %d different", lost, gained, k.Different)
		}
		back := mustCompare2(t, sides[1], sides[0]).Identities
		if back.Equal != k.Equal || back.Different != k.Different || back.OnlyA != k.OnlyB || back.LeftOut != k.LeftOut {
			t.Fatalf("the other way round: %+v, want %+v", back, k)
		}
		if _, err := json.Marshal(d); err != nil {
			t.Fatal(err)
		}
	})
}

func mustCompare2(t *rapid.T, a, b Side) *Difference {
	d, err := Schedules(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
