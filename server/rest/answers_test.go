package rest

import (
	"encoding/hex"
	"fmt"
	"math"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/slotclock"
	"github.com/schedgen/schedgen/stakes/list"
)

func TestStatus(t *testing.T) {
	equal, digest := false, "ab"
	s := newService(t, func(c *Config) {
		c.Upstream = func() *Upstream { return &Upstream{Address: "node", Epoch: 5, Digest: &digest, Equal: &equal} }
	})
	got := ask[Status](s, "/v1/status")
	if *got.Cluster != "a test/net" || got.GenesisHash != nil || got.Version != "v0-test" || got.Now != "2026-10-08T12:00:00.000Z" ||
		!slices.Equal(got.Held, []uint64{4, 5, 6}) || !got.Ready || *got.EpochSchedule != s.registry.EpochSchedule() ||
		got.Upstream == nil || *got.Upstream.Equal || got.Upstream.Ours != nil {
		t.Errorf("%+v", got)
	}
	c := got.Clock
	if c.Slot != 1060 || *c.Epoch != 5 || *c.SlotIndex != 50 || *c.SlotsInEpoch != epochSlots || *c.Time != "2026-10-08T12:00:00.000Z" ||
		*c.SlotMillis != 400 || *c.RelError != 0.002 || *c.ErrorMillis != 1960 || c.Source != "a test" || c.Basis == "" || c.Stale || c.Assumed {
		t.Errorf("%+v", c)
	}
	if w := s.get("/v1/status"); w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("ETag") != "" {
		t.Errorf("%v", w.Header())
	}
}

func TestReady(t *testing.T) {
	s := newService(t)
	ready := func() bool { return ask[Status](s, "/v1/status").Ready }
	s.clock.now.Slot = 7 * epochSlots
	if ready() {
		t.Error("ready without the current epoch")
	}
	s.clock.now.Slot = 7*epochSlots - 1
	if !ready() {
		t.Error("not ready in the last slot of an epoch that is held")
	}
	s.clock.now.Stale = true
	if ready() {
		t.Error("ready with a clock that stands still")
	}
	s.clock.known = false
	if ready() || ask[Status](s, "/v1/status").Clock != nil {
		t.Error("ready without a clock")
	}
	no := newService(t, func(c *Config) { c.Ready, c.Clock = func() bool { return true }, nil })
	if got := ask[Status](no, "/v1/status"); !got.Ready || got.Clock != nil {
		t.Errorf("%+v", got)
	}
}

func TestNothingKnown(t *testing.T) {
	registry, err := epochs.New(epochs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := serviceOf(t, registry)
	if got := ask[Status](s, "/v1/status"); got.Cluster != nil || got.EpochSchedule != nil || got.Clock.Epoch != nil || got.Ready || len(got.Held) != 0 {
		t.Errorf("%+v", got)
	}
	if got := ask[EpochList](s, "/v1/epochs"); got.Epochs == nil || len(got.Epochs) != 0 {
		t.Errorf("%+v", got)
	}
	if got := ask[KeyPresence](s, "/v1/leaders/"+absent.String()); got.Kind != nil || len(got.Epochs) != 0 {
		t.Errorf("%+v", got)
	}
	for _, target := range []string{
		"/v1/slots/5", "/v1/epochs/current", "/v1/leaders/" + absent.String() + "/next", "/v1/leaders/" + absent.String() + "/windows",
		"/v1/leaders/" + absent.String() + "?firstEpoch=1",
	} {
		s.refused(target, http.StatusServiceUnavailable, "epoch-length-unknown")
	}
	s.refused("/v1/epochs/5", http.StatusNotFound, "epoch-unknown")
}

func TestNoClock(t *testing.T) {
	s := newService(t)
	s.clock.known = false
	for _, target := range []string{
		"/v1/epochs/current", "/v1/epochs/next/schedule", "/v1/epochs/previous/leaders", "/v1/leaders/" + absent.String() + "/next",
		"/v1/leaders/" + absent.String() + "/windows", "/v1/leaders/" + absent.String() + "/windows?from=1020&min=10m",
	} {
		s.refused(target, http.StatusServiceUnavailable, "clock-unknown")
		if got := s.get(target).Header().Get("Retry-After"); got == "" {
			t.Errorf("%s: no Retry-After", target)
		}
	}
	if got := ask[SlotAnswer](s, "/v1/slots/1060"); got.Time != nil || got.ErrorMillis != nil {
		t.Errorf("%+v", got)
	}
	leader, _ := s.epoch(5).LeaderText(100)
	got := ask[Ahead](s, "/v1/leaders/"+leader+"/next?from=1010")
	if len(got.Windows) == 0 || got.Windows[0].FirstTime != nil || got.Windows[0].ErrorMillis != nil {
		t.Errorf("%+v", got)
	}
	if quiet := ask[Quiet](s, "/v1/leaders/"+leader+"/windows?from=1010&min=8"); len(quiet.Quiet) == 0 || quiet.MinSlots != 8 {
		t.Errorf("%+v", quiet)
	}
	if summary := ask[EpochSummary](s, "/v1/epochs/5"); summary.Relation != nil {
		t.Errorf("%+v", summary)
	}
}

// A clock that stands still says which epoch it is only as long as no other can have
// begun.
func TestStaleClock(t *testing.T) {
	s := newService(t)
	s.clock.now.Stale, s.clock.now.Behind = true, 150
	if got := ask[EpochSummary](s, "/v1/epochs/current"); got.Epoch != 5 {
		t.Errorf("epoch %d", got.Epoch)
	}
	for _, behind := range []uint64{epochSlots - 50, math.MaxUint64} {
		s.clock.now.Behind = behind
		s.refused("/v1/epochs/current", http.StatusServiceUnavailable, "clock-stale")
		if got := ask[EpochSummary](s, "/v1/epochs/5"); got.Relation != nil {
			t.Errorf("%d slots behind: %s", behind, *got.Relation)
		}
	}
	if got := ask[Ahead](s, "/v1/leaders/"+absent.String()+"/next"); !got.Stale || got.From != 1060 {
		t.Errorf("%+v", got)
	}
	if got := ask[Ahead](s, "/v1/leaders/"+absent.String()+"/next?from=1060"); got.Stale {
		t.Errorf("%+v", got)
	}
	if got := ask[Status](s, "/v1/status").Clock; !got.Stale || got.Behind != math.MaxUint64 {
		t.Errorf("%+v", got)
	}
}

// What a clock cannot tell is null, and not a number that JSON does not have.
func TestUselessClocks(t *testing.T) {
	s := newService(t)
	for _, clock := range []slotclock.Clock{
		{}, {PerSlot: -1}, {At: noon, PerSlot: time.Second, RelError: math.NaN()}, {At: noon, PerSlot: time.Second, RelError: math.Inf(1)},
		slotclock.Assume(1060, time.Unix(1<<50, 0), time.Hour),
	} {
		s.clock.now.Clock = clock
		got := ask[Status](s, "/v1/status").Clock
		if got.ErrorMillis != nil {
			t.Errorf("%+v: %+v", clock, got)
		}
		ask[SlotAnswer](s, "/v1/slots/1060")
		ask[Quiet](s, "/v1/leaders/"+absent.String()+"/windows")
	}
	s.clock.now.Clock = slotclock.Clock{}
	s.refused("/v1/leaders/"+absent.String()+"/windows?min=10m", http.StatusBadRequest, "bad-parameter")
}

func TestEpochs(t *testing.T) {
	s := newService(t)
	mustPut(t, s.registry, made(8, 1, 12))
	got := ask[EpochList](s, "/v1/epochs")
	relations := []string{"past", "current", "next", "future"}
	for i, epoch := range []uint64{4, 5, 6, 8} {
		one := ask[EpochSummary](s, fmt.Sprintf("/v1/epochs/%d", epoch))
		e := s.epoch(epoch)
		digest := e.Digest()
		want := EpochSummary{
			Epoch: epoch, FirstSlot: schedule.Slot(epoch * epochSlots), LastSlot: schedule.Slot(epoch*epochSlots + epochSlots - 1),
			Slots: epochSlots, Entries: 12,
		}
		for _, s := range []*EpochSummary{&got.Epochs[i], one} {
			if s.Epoch != want.Epoch || s.FirstSlot != want.FirstSlot || s.LastSlot != want.LastSlot || s.Slots != want.Slots || s.Entries != want.Entries ||
				*s.Identities != 11 || *s.TotalStake != e.Schedule().Stakes().Total() || *s.KeyedBy != "vote" || *s.Digest != hex.EncodeToString(digest[:]) ||
				s.Provenance.Source != "made <up>" || !slices.Equal(s.Notes, []string{"of a test"}) || *s.Relation != relations[i] || s.Unreadable != nil {
				t.Errorf("%+v", s)
			}
		}
	}
}

// In the list, only what was derived is told of in full, and only near to now.
func TestManyEpochs(t *testing.T) {
	s := newService(t)
	for epoch := uint64(10); epoch < 40; epoch++ {
		mustPut(t, s.registry, made(epoch, 1, 3))
	}
	for i, summary := range ask[EpochList](s, "/v1/epochs").Epochs {
		if told := summary.Digest != nil && summary.TotalStake != nil && summary.KeyedBy != nil && summary.Identities != nil; told != (i < mostOpened) {
			t.Errorf("epoch %d: %+v", summary.Epoch, summary)
		}
		if summary.Provenance == nil || summary.Notes == nil || summary.Relation == nil {
			t.Errorf("epoch %d: %+v", summary.Epoch, summary)
		}
	}
	s.clock.known = false
	list := ask[EpochList](s, "/v1/epochs").Epochs
	if list[0].Digest != nil || list[len(list)-1].Digest == nil {
		t.Error("without a clock the newest are told of")
	}
}

func TestVintageIsTold(t *testing.T) {
	s := newService(t)
	l := made(9, 1, 3)
	l.Provenance.Vintage = ""
	mustPut(t, s.registry, l)
	if got := ask[EpochSummary](s, "/v1/epochs/9").Provenance.Vintage; got != list.VintageUnknown {
		t.Errorf("vintage %q", got)
	}
}

func TestSlots(t *testing.T) {
	s := newService(t)
	for _, slot := range []uint64{4 * epochSlots, 1060, 1211, 1212, 7*epochSlots - 1} {
		got := ask[SlotAnswer](s, fmt.Sprintf("/v1/slots/%d", slot))
		epoch, index := slot/epochSlots, schedule.Index(slot%epochSlots)
		sched := s.epoch(epoch).Schedule()
		leader, _ := sched.Leader(index)
		vote, _ := sched.Vote(index)
		at := noon.Add(time.Duration(int64(slot)-1060) * 400 * time.Millisecond).Format(timeLayout)
		if uint64(got.Slot) != slot || got.Epoch != epoch || got.SlotIndex != index || got.Rotation != uint64(index)/4 ||
			got.Leader != leader || *got.VoteAccount != vote || *got.Time != at || got.ErrorMillis == nil {
			t.Errorf("slot %d: %+v", slot, got)
		}
	}
}

func TestStandings(t *testing.T) {
	s := newService(t)
	e := s.epoch(5)
	got := ask[Standings](s, "/v1/epochs/5/leaders")
	sched := e.Schedule()
	if got.Epoch != 5 || got.Slots != epochSlots || got.Rotations != 51 || got.TotalStake != sched.Stakes().Total() || len(got.Leaders) != 11 {
		t.Fatalf("%+v", got)
	}
	var slots, stake uint64
	for i, l := range got.Leaders {
		slots, stake = slots+l.Slots, stake+l.Stake
		if l.Rank != i+1 || i > 0 && l.Stake > got.Leaders[i-1].Stake {
			t.Errorf("place %d: %+v", i, l)
		}
		// The same, counted in another way.
		rotations := map[schedule.Index]bool{}
		count := uint64(0)
		for slot := range sched.SlotsOf(l.Identity) {
			rotations[schedule.Index(slot-sched.FirstSlot())/4] = true
			count++
		}
		var votes []schedule.Pubkey
		own := uint64(0)
		for _, entry := range e.List().Entries {
			if entry.Node == l.Identity {
				votes, own = append(votes, entry.Key), own+entry.Stake
			}
		}
		p := float64(own) / float64(got.TotalStake)
		z := (float64(len(rotations)) - 51*p) / math.Sqrt(51*p*(1-p))
		if l.Slots != count || l.Stake != own || !slices.Equal(l.VoteAccounts, votes) ||
			math.Abs(*l.ExpectedSlots-epochSlots*p) > 0.006 || math.Abs(*l.Z-z) > 0.0006 {
			t.Errorf("%+v, want %d slots, %d lamports, z %v, votes %v", l, count, own, z, votes)
		}
	}
	if slots != epochSlots || stake != got.TotalStake {
		t.Errorf("%d slots, %d lamports", slots, stake)
	}
	if some := ask[Standings](s, "/v1/epochs/5/leaders?limit=2"); len(some.Leaders) != 2 || some.Leaders[1].Identity != got.Leaders[1].Identity {
		t.Errorf("%+v", some)
	}
	if all := ask[Standings](s, "/v1/epochs/5/leaders?limit=12", "Accept-Encoding", "gzip"); len(all.Leaders) != 11 {
		t.Errorf("%d", len(all.Leaders))
	}
}

// Who has all the stake leads all slots, and is not lucky.
func TestOneLeader(t *testing.T) {
	registry := newRegistry(t, "identity")
	l := made(5, 1, 1)
	l.HasVotes, l.Entries[0].Node = false, schedule.Pubkey{}
	mustPut(t, registry, l)
	s := serviceOf(t, registry)
	got := ask[Standings](s, "/v1/epochs/5/leaders").Leaders
	if len(got) != 1 || got[0].Slots != epochSlots || *got[0].ExpectedSlots != epochSlots || got[0].Z != nil || len(got[0].VoteAccounts) != 0 {
		t.Errorf("%+v", got)
	}
}
