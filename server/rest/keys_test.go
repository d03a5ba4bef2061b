package rest

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
)

// subjects are an identity with two vote accounts, those, and a key of no list.
func subjects(s *service) (identity schedule.Pubkey, votes []schedule.Pubkey) {
	entries := s.epoch(5).List().Entries
	return entries[1].Node, []schedule.Pubkey{entries[1].Key, entries[2].Key}
}

func TestPresence(t *testing.T) {
	s := newService(t)
	identity, votes := subjects(s)
	for _, key := range append(votes, identity) {
		got := ask[KeyPresence](s, "/v1/leaders/"+key.String())
		kind := "vote"
		if key == identity {
			kind = "identity"
		}
		if got.Key != key || *got.Kind != kind || len(got.Epochs) != 3 {
			t.Fatalf("%+v", got)
		}
		for i, p := range got.Epochs {
			sched := s.epoch(uint64(i + 4)).Schedule()
			slots := uint64(len(slices.Collect(sched.SlotsOf(identity))))
			stake := uint64(0)
			for _, entry := range sched.Stakes().All() {
				if entry.Key == key || entry.Node == key {
					stake += entry.Stake
				}
			}
			if kind == "vote" {
				slots = uint64(len(slices.Collect(sched.SlotsOfVote(key))))
			}
			share := float64(stake) / float64(sched.Stakes().Total())
			z := (math.Ceil(float64(slots)/4) - 51*share) / math.Sqrt(51*share*(1-share))
			if p.Epoch != uint64(i+4) || p.Slots != slots || p.UnknownSlots != 0 || *p.Stake != stake ||
				math.Abs(*p.Expected-share*epochSlots) > 0.006 || math.Abs(*p.Z-z) > 0.0006 || *p.Vintage != "exact" ||
				(p.Status == leaders.Present) != (slots > 0) || (p.Reason == nil) != (slots > 0) {
				t.Errorf("%v in epoch %d: %+v, want %d slots", key, i+4, p, slots)
			}
		}
	}
}

func TestNotOnTheSchedule(t *testing.T) {
	s := newService(t)
	got := ask[KeyPresence](s, "/v1/leaders/"+absent.String()+"?firstEpoch=3&lastEpoch=5")
	if got.Kind != nil || len(got.Epochs) != 3 {
		t.Fatalf("%+v", got)
	}
	for i, p := range got.Epochs {
		want, vintage := leaders.Absent, p.Vintage != nil
		if i == 0 {
			want, vintage = leaders.Unknown, p.Vintage == nil
		}
		if p.Status != want || p.Slots != 0 || p.Reason == nil || !vintage || p.Z != nil {
			t.Errorf("%+v", p)
		}
	}
	if *got.Epochs[1].Stake != 0 || *got.Epochs[1].Expected != 0 || got.Epochs[0].Stake != nil {
		t.Errorf("%+v", got.Epochs)
	}
	ahead := ask[Ahead](s, "/v1/leaders/"+absent.String()+"/next")
	if ahead.Status != leaders.Absent || len(ahead.Windows) != 0 || *ahead.KnownTo != 7*epochSlots-1 || *ahead.UnknownFrom != 7 || ahead.Kind != nil {
		t.Errorf("%+v", ahead)
	}
	quiet := ask[Quiet](s, "/v1/leaders/"+absent.String()+"/windows?min=10s")
	if !quiet.AnyTime || *quiet.Reason != "not staked" || !quiet.OpenEnded || len(quiet.Quiet) != 1 || quiet.Next.First != 1060 ||
		quiet.Next.Last != 7*epochSlots-1 || !quiet.Next.AtLeast || !quiet.Now.Current || quiet.MinSlots < 25 {
		t.Errorf("%+v", quiet)
	}
}

func TestNotKnown(t *testing.T) {
	s := newService(t)
	ahead := ask[Ahead](s, fmt.Sprintf("/v1/leaders/%v/next?from=%d", absent, 7*epochSlots))
	if ahead.Status != leaders.Unknown || ahead.KnownTo != nil || *ahead.UnknownFrom != 7 || len(ahead.Windows) != 0 {
		t.Errorf("%+v", ahead)
	}
	quiet := ask[Quiet](s, fmt.Sprintf("/v1/leaders/%v/windows?from=%d", absent, uint64(math.MaxUint64)))
	if quiet.KnownTo != nil || quiet.UnknownFrom == nil || len(quiet.Quiet) != 0 || quiet.AnyTime || quiet.Next != nil || quiet.Longest != nil {
		t.Errorf("%+v", quiet)
	}
}

func TestAskedEpochs(t *testing.T) {
	s := newService(t)
	for epoch := uint64(100); epoch < 120; epoch++ {
		mustPut(t, s.registry, made(epoch, 1, 3))
	}
	for query, want := range map[string][2]uint64{
		"": {104, 119}, "?firstEpoch=4": {4, 19}, "?lastEpoch=20": {5, 20}, "?lastEpoch=3": {0, 3}, "?firstEpoch=0&lastEpoch=63": {0, 63},
		"?firstEpoch=18446744073709551610": {math.MaxUint64 - 5, math.MaxUint64},
	} {
		got := ask[KeyPresence](s, "/v1/leaders/"+absent.String()+query).Epochs
		if got[0].Epoch != want[0] || got[len(got)-1].Epoch != want[1] || uint64(len(got)) != want[1]-want[0]+1 {
			t.Errorf("%s: %d to %d", query, got[0].Epoch, got[len(got)-1].Epoch)
		}
	}
}

// led lists the slots of a key from one on, in windows of consecutive ones.
func led(s *service, key schedule.Pubkey, from uint64) (windows [][2]uint64) {
	for slot := from; slot < 7*epochSlots; slot++ {
		sched := s.epoch(slot / epochSlots).Schedule()
		leader, _ := sched.LeaderAt(schedule.Slot(slot))
		vote, _ := sched.VoteAt(schedule.Slot(slot))
		if leader != key && vote != key {
			continue
		}
		if n := len(windows); n > 0 && windows[n-1][1] == slot-1 {
			windows[n-1][1] = slot
		} else {
			windows = append(windows, [2]uint64{slot, slot})
		}
	}
	return windows
}

func TestNext(t *testing.T) {
	s := newService(t)
	identity, votes := subjects(s)
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom(append(votes, identity)).Draw(t, "key")
		from := rapid.Uint64Range(4*epochSlots, 7*epochSlots-1).Draw(t, "from")
		n := rapid.IntRange(1, 60).Draw(t, "n")
		got := ask[Ahead](s, fmt.Sprintf("/v1/leaders/%v/next?from=%d&n=%d", key, from, n))
		want := led(s, key, from)
		all := len(want) < n
		if !all {
			want = want[:n]
		}
		if len(got.Windows) != len(want) || (got.UnknownFrom != nil) != all || (got.Status == leaders.Present) != (len(want) > 0) {
			t.Fatalf("%+v, want %v", got, want)
		}
		for i, w := range got.Windows {
			text := func(slot uint64) string {
				return noon.Add(time.Duration(int64(slot)-1060) * 400 * time.Millisecond).Format(timeLayout)
			}
			if uint64(w.First) != want[i][0] || uint64(w.Last) != want[i][1] || w.Slots != want[i][1]-want[i][0]+1 ||
				w.Epoch != want[i][0]/epochSlots || w.LastEpoch != want[i][1]/epochSlots || w.Current != (want[i][0] == from) ||
				*w.FirstTime != text(want[i][0]) || *w.LastTime != text(want[i][1]) || *w.EndTime != text(want[i][1]+1) {
				t.Fatalf("window %d: %+v, want %v", i, w, want[i])
			}
		}
	})
}

func TestWindows(t *testing.T) {
	s := newService(t)
	identity, votes := subjects(s)
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom(append(votes, identity)).Draw(t, "key")
		from := rapid.Uint64Range(4*epochSlots, 7*epochSlots-1).Draw(t, "from")
		least := rapid.Uint64Range(1, 60).Draw(t, "min")
		limit := rapid.IntRange(1, 5).Draw(t, "limit")
		got := ask[Quiet](s, fmt.Sprintf("/v1/leaders/%v/windows?from=%d&min=%d&limit=%d", key, from, least, limit))
		var want [][2]uint64
		longest, next := uint64(0), from
		for _, w := range append(led(s, key, from), [2]uint64{7 * epochSlots, 0}) {
			if w[0] > next {
				longest = max(longest, w[0]-next)
				if w[0]-next >= least {
					want = append(want, [2]uint64{next, w[0] - 1})
				}
			}
			next = w[1] + 1
		}
		truncated := len(want) > limit
		want = want[:min(limit, len(want))]
		if got.MinSlots != least || len(got.Quiet) != len(want) || got.Truncated != truncated || (got.Longest == nil) != (longest == 0) ||
			longest > 0 && got.Longest.Slots != longest || *got.KnownTo != 7*epochSlots-1 || *got.UnknownFrom != 7 {
			t.Fatalf("%+v, want %v, longest %d", got, want, longest)
		}
		for i, w := range got.Quiet {
			if uint64(w.First) != want[i][0] || uint64(w.Last) != want[i][1] {
				t.Fatalf("window %d: %+v, want %v", i, w, want[i])
			}
		}
		if (got.Next == nil) != (len(want) == 0) || got.Next != nil && got.Next.First != got.Quiet[0].First {
			t.Fatalf("next %+v", got.Next)
		}
	})
}

// A duration is as many slots as surely last that long.
func TestMin(t *testing.T) {
	s := newService(t)
	got := ask[Quiet](s, "/v1/leaders/"+absent.String()+"/windows?min=1m").MinSlots
	want, err := leaders.MinSlots(s.clock.now.Clock, time.Minute)
	if err != nil || got != want || want <= 150 {
		t.Errorf("%d slots, want %d, %v", got, want, err)
	}
	for query, want := range map[string]uint64{"": 1, "?min=": 1, "?min=0": 0, "?min=0s": 0, "?min=18446744073709551615": math.MaxUint64} {
		if got := ask[Quiet](s, "/v1/leaders/"+absent.String()+"/windows"+query).MinSlots; got != want {
			t.Errorf("%q: %d slots, want %d", query, got, want)
		}
	}
}

// Slots of a key that leads seldom are looked for in many epochs, up to a bound.
func TestFarAhead(t *testing.T) {
	registry := newRegistry(t, "vote")
	rare := made(0, 1, 4).Entries[3].Node
	for epoch := uint64(0); epoch < 100; epoch++ {
		l := made(epoch, 1, 4)
		if epoch != 40 && epoch != 80 {
			l.Entries = l.Entries[:3]
		}
		mustPut(t, registry, l)
	}
	s := serviceOf(t, registry)
	got := ask[Ahead](s, fmt.Sprintf("/v1/leaders/%v/next?from=0&n=1", rare))
	if len(got.Windows) != 1 || got.Windows[0].Epoch != 40 || got.UnknownFrom != nil || *got.Kind != "identity" {
		t.Errorf("%+v", got)
	}
	got = ask[Ahead](s, fmt.Sprintf("/v1/leaders/%v/next?from=0&n=1000", rare))
	if len(got.Windows) == 0 || got.UnknownFrom != nil || *got.KnownTo != mostEpochs*epochSlots-1 {
		t.Errorf("%+v", got)
	}
	got = ask[Ahead](s, fmt.Sprintf("/v1/leaders/%v/next?from=%d&n=1000", rare, 60*epochSlots))
	if len(got.Windows) == 0 || *got.UnknownFrom != 100 || *got.KnownTo != 100*epochSlots-1 {
		t.Errorf("%+v", got)
	}
	quiet := ask[Quiet](s, fmt.Sprintf("/v1/leaders/%v/windows?from=0", rare))
	if quiet.UnknownFrom != nil || *quiet.KnownTo != quietEpochs*epochSlots-1 || !quiet.OpenEnded {
		t.Errorf("%+v", quiet)
	}
}

func TestAcceptOfKeys(t *testing.T) {
	s := newService(t)
	s.refused("/v1/leaders/"+absent.String(), http.StatusNotAcceptable, "not-acceptable", "Accept", "application/xml")
}
