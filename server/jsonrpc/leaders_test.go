package jsonrpc

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

// A real registry serves as it is.
var _ Registry[*epochs.Epoch] = (*epochs.Registry)(nil)

// The clusters of small epochs: of one length, and with warm-up.
var smallEpochs = []struct {
	slots  uint64
	warmup bool
}{{32, false}, {200, false}, {432, false}, {200, true}, {432, true}}

// cluster makes lists of epochs 0 to last, puts them into a registry, and derives
// the schedules on its own. size says how long the next list is.
func cluster(t testing.TB, r *rand.Rand, es schedule.EpochSchedule, last uint64, size func() int) (*epochs.Registry, []*schedule.Schedule) {
	registry, err := epochs.New(epochs.Options{EpochSchedule: es, Terms: electorate.Terms{KeyedBy: "vote"}})
	if err != nil {
		t.Fatal(err)
	}
	var all []*schedule.Schedule
	for n := range last + 1 {
		entries := randomEntries(r, size())
		if _, err := registry.Put(&list.List{HasVotes: true, Entries: entries, Provenance: list.Provenance{
			Kind: list.KindJSON, Source: "made", Epoch: &n, Vintage: list.VintageExact,
		}}); err != nil {
			t.Fatal(err)
		}
		stakes, err := schedule.NewStakes(entries, schedule.KeyedByVote)
		if err != nil {
			t.Fatal(err)
		}
		s, err := schedule.Derive(stakes, schedule.Params{Epoch: n, FirstSlot: es.FirstSlot(n), Slots: es.SlotsIn(n)})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return registry, all
}

func result[T any](t rapid.TB, h *Handler, call string) (r T) {
	t.Helper()
	w := h.newWork(methods)
	defer w.free()
	w.in = append(w.in, call...)
	w.answer()
	if len(w.kept) > 0 {
		t.Fatal("a kept answer")
	}
	var reply struct {
		Result *T
		Error  json.RawMessage
	}
	if err := json.Unmarshal(w.out, &reply); err != nil || reply.Result == nil {
		t.Fatalf("%s: %v, %s", call, err, w.out)
	}
	return *reply.Result
}

// Whatever range is asked for, across any number of boundaries, it is what each
// epoch's derivation says.
func TestSlotLeadersAcrossEpochs(t *testing.T) {
	for _, c := range smallEpochs {
		t.Run(fmt.Sprint(c.slots, c.warmup), func(t *testing.T) {
			const last = 12
			es := mustSchedule(t, c.slots, c.warmup)
			r := rand.New(rand.NewPCG(c.slots, 9))
			registry, all := cluster(t, r, es, last, func() int { return 1 + r.IntN(40) })
			var want []string
			for _, s := range all {
				for _, leader := range s.All() {
					want = append(want, leader.String())
				}
			}
			if uint64(len(want)) != uint64(es.LastSlot(last))+1 {
				t.Fatalf("%d slots", len(want))
			}
			h := New(Of(registry), feedAt(0, 0, 0), Options{})
			rapid.Check(t, func(t *rapid.T) {
				start := rapid.IntRange(0, len(want)-1).Draw(t, "start")
				limit := rapid.IntRange(0, min(len(want)-start, maxSlotLeaders)).Draw(t, "limit")
				got := result[[]string](t, h, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"getSlotLeaders","params":[%d,%d]}`, start, limit))
				if !slices.Equal(got, want[start:start+limit]) {
					t.Fatalf("leaders of %d slots from %d differ", limit, start)
				}
				slot := schedule.Slot(start)
				one := New(Of(registry), feedAt(slot, slot, slot), Options{})
				if got := result[string](t, one, `{"jsonrpc":"2.0","id":1,"method":"getSlotLeader"}`); got != want[start] {
					t.Fatalf("slot %d: %s, want %s", start, got, want[start])
				}
				checkEpochOf(t, one, es, slot)
			})
			code, message, _ := failure(t, h, "getSlotLeaders", fmt.Sprintf("[%d,2]", len(want)-1))
			if code != -32602 || message != "Invalid slot range: leader schedule for epoch 13 is unavailable" {
				t.Errorf("%d %s", code, message)
			}
		})
	}
}

// checkEpochOf checks what is said of the epoch of a slot.
func checkEpochOf(t rapid.TB, h *Handler, es schedule.EpochSchedule, slot schedule.Slot) {
	info := result[struct{ AbsoluteSlot, Epoch, SlotIndex, SlotsInEpoch uint64 }](t, h, `{"jsonrpc":"2.0","id":1,"method":"getEpochInfo"}`)
	epoch, index := es.EpochOf(slot)
	if info.AbsoluteSlot != uint64(slot) || info.Epoch != epoch || info.SlotIndex != uint64(index) || info.SlotsInEpoch != es.SlotsIn(epoch) {
		t.Fatalf("slot %d: %+v", slot, info)
	}
	if got := result[schedule.EpochSchedule](t, h, `{"jsonrpc":"2.0","id":1,"method":"getEpochSchedule"}`); got != es {
		t.Fatalf("%+v, want %+v", got, es)
	}
}

// Schedules, whole and of one identity, by identity and by vote account, in every
// coding, are what each slot's leader says.
func TestSchedules(t *testing.T) {
	for _, c := range smallEpochs {
		t.Run(fmt.Sprint(c.slots, c.warmup), func(t *testing.T) {
			es := mustSchedule(t, c.slots, c.warmup)
			last := uint64(8)
			if testing.Short() || os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" {
				last = 2 // zstd takes its time for what is kept
			}
			r := rand.New(rand.NewPCG(c.slots, 10))
			registry, all := cluster(t, r, es, last, func() int { return 1 + r.IntN(40) })
			h := New(Of(registry), feedAt(0, 0, 0), Options{})
			for n, s := range all {
				slot := es.FirstSlot(uint64(n)) + schedule.Slot(n)%schedule.Slot(es.SlotsIn(uint64(n)))
				for _, byVote := range []bool{false, true} {
					coding := []string{"", "gzip", "zstd"}[n%3]
					_, got := ask(t, h, fmt.Sprintf(`{"jsonrpc":"2.0","id":"é","method":"getLeaderSchedule","params":[%d,{"keyByVoteAccount":%v}]}`, slot, byVote),
						"Accept-Encoding", coding)
					if want := fmt.Sprintf(`{"jsonrpc":"2.0","result":%s,"id":"é"}`+"\n", wholeResult(s, byVote)); got != want {
						t.Fatalf("epoch %d, by vote %v: got %.300s", n, byVote, got)
					}
				}
				checkIdentities(t, h, s, slot)
			}
		})
	}
}

func checkIdentities(t *testing.T, h *Handler, s *schedule.Schedule, slot schedule.Slot) {
	t.Helper()
	type object = map[string][]schedule.Index
	var byNode, byVote = map[schedule.Pubkey]object{}, map[schedule.Pubkey]object{}
	for i := range schedule.Index(s.Slots()) {
		node, _ := s.Leader(i)
		vote, _ := s.Vote(i)
		if byNode[node] == nil {
			byNode[node], byVote[node] = object{}, object{}
		}
		byNode[node][node.String()] = append(byNode[node][node.String()], i)
		byVote[node][vote.String()] = append(byVote[node][vote.String()], i)
	}
	for _, e := range s.Stakes().All() {
		for want, by := range map[*object]bool{ptr(byNode[e.Node]): false, ptr(byVote[e.Node]): true} {
			if *want == nil {
				*want = object{}
			}
			got := result[json.RawMessage](t, h, fmt.Sprintf(
				`{"jsonrpc":"2.0","id":1,"method":"getLeaderSchedule","params":[%d,{"identity":"%v","keyByVoteAccount":%v}]}`, slot, e.Node, by))
			if text, _ := json.Marshal(*want); string(got) != string(text) {
				t.Fatalf("%v, by vote %v: got %s, want %s", e.Node, by, got, text)
			}
		}
	}
}

func ptr[T any](v T) *T { return &v }
