package schedulefile

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

// An Observed answers as the schedule does that it was made from.
func TestFromSchedule(t *testing.T) {
	for _, keying := range []schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity} {
		s := small(t, keying)
		o := FromSchedule(s)
		if o.Slots != s.Slots() || o.Known() != s.Slots() || o.Partial || !o.AtStart || !o.AtEnd ||
			*o.Epoch != s.Epoch() || *o.FirstSlot != s.FirstSlot() || o.DigestOnly() {
			t.Fatalf("%+v", o)
		}
		for i := range s.Slots() + 2 {
			i := schedule.Index(i)
			got, ok := o.Leader(i)
			if want, wantOK := s.Leader(i); got != want || ok != wantOK {
				t.Errorf("leader of index %d: %v, %v, want %v, %v", i, got, ok, want, wantOK)
			}
			got, ok = o.LeaderAt(s.FirstSlot() + schedule.Slot(i))
			if want, wantOK := s.Leader(i); got != want || ok != wantOK {
				t.Errorf("leader of slot %d: %v, %v, want %v, %v", i, got, ok, want, wantOK)
			}
			got, ok = o.Vote(i)
			if want, wantOK := s.Vote(i); got != want || ok != wantOK {
				t.Errorf("vote account of index %d: %v, %v, want %v, %v", i, got, ok, want, wantOK)
			}
		}
		if _, ok := o.LeaderAt(s.FirstSlot() - 1); ok {
			t.Error("the slot before the epoch has a leader")
		}
		for _, e := range s.Stakes().All() {
			checkIndices(t, o.SlotsOf(e.Node), s.SlotsOf(e.Node), s.FirstSlot())
			checkIndices(t, o.SlotsOfVote(e.Key), s.SlotsOfVote(e.Key), s.FirstSlot())
		}
		if n := len(slices.Collect(o.SlotsOf(schedule.Pubkey{9}))); n != 0 {
			t.Errorf("a key that is not there has %d slots", n)
		}
		if sum, ok := o.Digest(); !ok || sum != s.Digest() {
			t.Errorf("digest %x, %v", sum, ok)
		}
	}
}

func checkIndices(t *testing.T, got func(func(schedule.Index) bool), want func(func(schedule.Slot) bool), first schedule.Slot) {
	t.Helper()
	var wanted []schedule.Index
	for slot := range want {
		wanted = append(wanted, schedule.Index(slot-first))
	}
	if got := slices.Collect(got); !slices.Equal(got, wanted) {
		t.Errorf("slots %v, want %v", got, wanted)
	}
}

func TestAsVotes(t *testing.T) {
	o := mustRead(t, []byte(`{"`+textVote+`":[0,2]}`)).AsVotes()
	vote, ok := o.Vote(2)
	if !ok || vote != key(t, textVote) || o.Known() != 0 || !o.Partial || o.Slots != 3 {
		t.Errorf("%v, %v, %+v", vote, ok, o)
	}
	if leader, ok := o.Leader(2); ok {
		t.Errorf("index 2 has the leader %v", leader)
	}
	if got := slices.Collect(o.SlotsOfVote(vote)); !slices.Equal(got, []schedule.Index{0, 2}) {
		t.Errorf("slots %v", got)
	}
}

// A reader of an iterator may stop.
func TestSlotsOfStops(t *testing.T) {
	s := small(t, schedule.KeyedByVote)
	leader, _ := s.Leader(0)
	for i := range FromSchedule(s).SlotsOf(leader) {
		if i != 0 {
			t.Fatal("it goes on")
		}
		break
	}
}

// A schedule with more slots than an Observed covers ends early, and says so.
func TestFromScheduleLong(t *testing.T) {
	s := small(t, schedule.KeyedByVote)
	o := firstSlots(s, 10, nil)
	if o.Slots != 10 || len(o.Leaders) != 10 || len(o.Votes) != 10 || o.AtEnd || !o.AtStart {
		t.Fatalf("%+v", o)
	}
	for i := range schedule.Index(10) {
		got, _ := o.Leader(i)
		if want, _ := s.Leader(i); got != want {
			t.Errorf("leader of index %d: %v, want %v", i, got, want)
		}
	}
}

func TestFromRPC(t *testing.T) {
	a, b := schedule.Pubkey{1}, schedule.Pubkey{2}
	result := map[schedule.Pubkey][]schedule.Index{a: {3, 0}, b: {1}}
	o, err := FromRPC(result, 6)
	if err != nil {
		t.Fatal(err)
	}
	if o.Slots != 6 || o.Known() != 3 || !o.AtStart || !o.AtEnd || !o.Partial || o.FirstSlot != nil || o.Epoch != nil {
		t.Errorf("%+v", o)
	}
	if !slices.Equal(o.Leaders, []uint32{0, 1, None, 0, None, None}) || !slices.Equal(o.Keys, []schedule.Pubkey{a, b}) {
		t.Errorf("%v, %v", o.Leaders, o.Keys)
	}
	if o, err = FromRPC(nil, 0); err != nil || o.Slots != 0 || !o.Partial {
		t.Errorf("%+v, %v", o, err)
	}
	if o, err = FromRPC(nil, 32); err != nil || o.Slots != 32 || o.Known() != 0 || !o.Partial || !o.AtEnd {
		t.Errorf("%+v, %v", o, err)
	}
	for _, c := range []struct {
		name   string
		result map[schedule.Pubkey][]schedule.Index
		slots  uint64
		want   error
	}{
		{"conflict", map[schedule.Pubkey][]schedule.Index{a: {3}, b: {3}}, 6, ErrConflict},
		{"outside", result, 3, ErrSlot},
		{"far", map[schedule.Pubkey][]schedule.Index{a: {1 << 21}}, 0, ErrSpan},
		{"last", map[schedule.Pubkey][]schedule.Index{a: {math.MaxUint64}}, 0, ErrSpan},
		{"long epoch", result, math.MaxUint64, ErrSpan},
		{"long epoch of nobody", nil, 1 << 40, ErrSpan},
	} {
		if o, err := FromRPC(c.result, c.slots); !errors.Is(err, c.want) || o != nil {
			t.Errorf("%s: got %v, %v, want %v", c.name, o, err, c.want)
		}
	}
}

// Leaders whose slots are far apart are no bomb where all slots have one.
func TestFromRPCLong(t *testing.T) {
	const slots, leaders = 5 << 18, 1000
	result := map[schedule.Pubkey][]schedule.Index{}
	for i := range schedule.Index(slots) {
		key := schedule.Pubkey{byte(i % leaders), byte(i % leaders >> 8), 1}
		result[key] = append(result[key], i)
	}
	o, err := FromRPC(result, 0)
	if err != nil || o.Known() != slots {
		t.Fatal(o, err)
	}
	var text bytes.Buffer
	text.WriteString(`{"` + textA + `":[1310720`)
	for i := range 1310720 {
		if i%4 == 0 {
			text.WriteString(",")
			text.Write(appendUint(nil, i))
		}
	}
	text.WriteString("]}")
	if o := mustRead(t, text.Bytes()); o.Slots != 1310721 {
		t.Errorf("%d slots", o.Slots)
	}
}

func appendUint(b []byte, n int) []byte {
	if n >= 10 {
		b = appendUint(b, n/10)
	}
	return append(b, byte('0'+n%10))
}

func TestReadRanks(t *testing.T) {
	for _, n := range []int{4, 70_000} { // ranks of 2 bytes, of 4
		for _, repeat := range []int{0, 1, 3} {
			if n > 4 && (testing.Short() || emulated()) {
				continue
			}
			st := testStakesOf(t, n)
			p := schedule.Params{Epoch: 7, FirstSlot: 90, Slots: 22, Repeat: repeat}
			s := derive(t, st, p)
			var perSlot []byte
			for i := range s.Slots() {
				rank, _ := s.Rank(schedule.Index(i))
				perSlot = append(perSlot, byte(rank), byte(rank>>8), byte(rank>>16), byte(rank>>24))
			}
			for _, ranks := range [][]byte{s.AppendRanks(nil), perSlot} {
				o, err := ReadRanks(bytes.NewReader(ranks), "file", st, p)
				if err != nil {
					t.Fatal(err)
				}
				if o.Format != FormatRanks || o.Source != "file" || *o.Epoch != 7 {
					t.Errorf("%+v", o)
				}
				checkSame(t, o, s, true)
				for _, bad := range [][]byte{nil, ranks[1:], append(slices.Clone(ranks), 0), ranks[:len(ranks)-4], append([]byte{0xff, 0xff, 0xff, 0xff}, ranks[4:]...)} {
					o, err := ReadRanks(bytes.NewReader(bad), "file", st, p)
					checkError(t, "ranks", o, err, ErrFormat, "file: not a schedule: ")
				}
			}
		}
	}
	if _, err := ReadRanks(bytes.NewReader(nil), "file", testStakesOf(t, 3), schedule.Params{}); !errors.Is(err, schedule.ErrSlots) {
		t.Errorf("got %v, want ErrSlots", err)
	}
}

// testStakesOf makes a list of n vote accounts with identities of their own.
func testStakesOf(t fataler, n int) *schedule.Stakes {
	t.Helper()
	entries := make([]schedule.Entry, n)
	for i := range entries {
		entries[i] = schedule.Entry{Key: schedule.Pubkey{byte(i), byte(i >> 8), byte(i >> 16), 1}, Stake: uint64(i + 1)}
		entries[i].Node = schedule.Pubkey{byte(i), byte(i >> 8), byte(i >> 16), 2}
	}
	st, err := schedule.NewStakes(entries, schedule.KeyedByVote)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestPlace(t *testing.T) {
	text := mustRead(t, []byte("10 "+textA+"\n11 "+textB+"\n"))
	p, err := text.Place(8, 5)
	if err != nil {
		t.Fatal(err)
	}
	checkLeaders(t, p, 8, "", "", textA, textB, "")
	if !p.AtStart || !p.AtEnd || !p.Partial || text.Slots != 2 || *text.FirstSlot != 10 {
		t.Errorf("%+v, %+v", p, text)
	}
	if again, err := p.Place(8, 5); err != nil || again.Slots != 5 {
		t.Errorf("%+v, %v", again, err)
	}
	if p, err := text.Place(10, 2); err != nil || p.Partial || !p.AtEnd {
		t.Errorf("%+v, %v", p, err)
	}
	answer := mustRead(t, []byte(`{"`+textA+`":[1]}`))
	if p, err = answer.Place(math.MaxUint64-2, 3); err != nil {
		t.Fatal(err)
	}
	checkLeaders(t, p, math.MaxUint64-2, "", textA, "")
	for name, misfit := range map[string]struct {
		o     *Observed
		first schedule.Slot
		slots uint64
	}{
		"before":       {text, 11, 100},
		"after":        {text, 8, 3},
		"long after":   {text, 0, 5},
		"too short":    {text, 10, 1},
		"no slots":     {text, 10, 0},
		"starts later": {p, math.MaxUint64 - 3, 4},
		"ends earlier": {p, math.MaxUint64 - 2, 4},
		"index":        {answer, 0, 1},
	} {
		if o, err := misfit.o.Place(misfit.first, misfit.slots); !errors.Is(err, ErrFit) || o != nil {
			t.Errorf("%s: got %+v, %v, want ErrFit", name, o, err)
		}
	}
	if _, err := text.Place(0, MaxSlots+1); !errors.Is(err, ErrSpan) {
		t.Errorf("got %v, want ErrSpan", err)
	}
}
