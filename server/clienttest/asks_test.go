package clienttest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/jsonrpc"
)

// An ask is a request and what has to come back: want, or fail.
type ask struct {
	Method string `json:"method"`
	Params []any  `json:"params"`
	want   any
	fail   *failure
}

// A failure is an error as a client shows it.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"` // a client may put words before it
	Data    any    `json:"data,omitempty"`
}

func (f *failure) Error() string { return fmt.Sprintf("%d: %s", f.Code, f.Message) }

func (a *ask) String() string {
	params, err := json.Marshal(a.Params)
	if err != nil {
		return a.Method + ": " + err.Error()
	}
	return a.Method + string(params)
}

type config map[string]any

// asking collects questions.
type asking struct {
	t         testing.TB
	c         *cluster
	byDefault noderpc.Commitment // of the client
	asks      []ask
}

// asks are what a client is asked about a cluster; without being told, it asks
// about the slot of a commitment.
func asks(t testing.TB, c *cluster, byDefault noderpc.Commitment) []ask {
	a := &asking{t: t, c: c, byDefault: byDefault}
	a.cluster()
	a.bySlot()
	a.schedules()
	a.parts()
	a.leaders()
	a.votes()
	return a.asks
}

func (a *asking) ask(method string, want any, params ...any) {
	a.asks = append(a.asks, ask{Method: method, Params: orNone(params), want: want})
}

func (a *asking) refused(method string, code int, message string, params ...any) {
	a.asks = append(a.asks, ask{Method: method, Params: orNone(params), fail: &failure{Code: code, Message: message}})
}

func orNone(params []any) []any {
	if params == nil {
		return []any{}
	}
	return params
}

// cluster asks what has no parameters.
func (a *asking) cluster() {
	a.ask("getHealth", "ok")
	a.ask("getVersion", config{"feature-set": 0, "solana-core": jsonrpc.WireVersion})
	a.ask("getGenesisHash", a.c.genesis)
	a.ask("getEpochSchedule", a.c.es)
	a.refused("getNothing", -32601, "Method not found")
}

// bySlot asks what depends on the slot, in every commitment.
func (a *asking) bySlot() {
	for method, want := range map[string]func(schedule.Slot) any{
		"getSlot":       func(slot schedule.Slot) any { return slot },
		"getSlotLeader": func(slot schedule.Slot) any { return a.c.leaders(a.t, slot, 1)[0] },
		"getEpochInfo": func(slot schedule.Slot) any {
			e, i := a.c.es.EpochOf(slot)
			return config{
				"absoluteSlot": slot, "blockHeight": slot, "epoch": e, "slotIndex": i, "slotsInEpoch": a.c.es.SlotsIn(e),
			}
		},
	} {
		a.ask(method, want(a.c.at(a.byDefault)))
		for _, commitment := range []noderpc.Commitment{noderpc.Processed, noderpc.Confirmed, noderpc.Finalized} {
			slot := a.c.at(commitment)
			a.ask(method, want(slot), config{"commitment": commitment})
			a.ask(method, want(slot), config{"commitment": commitment, "minContextSlot": slot})
			a.refused(method, -32016, "Minimum context slot has not been reached",
				config{"commitment": commitment, "minContextSlot": slot + 1})
			a.asks[len(a.asks)-1].fail.Data = config{"contextSlot": slot}
		}
	}
}

// schedules asks for whole schedules, of every epoch that is held and of one that
// is not.
func (a *asking) schedules() {
	const method = "getLeaderSchedule"
	current := func(c noderpc.Commitment) any {
		e, _ := a.c.es.EpochOf(a.c.at(c))
		return a.c.epochs[e].byLeader(false, nil)
	}
	held := a.c.held()
	a.ask(method, current(a.byDefault))
	if a.c.es.SlotsIn(held[0]) < 1000 { // these forms need not be asked of large answers
		a.ask(method, current(a.byDefault), nil)
		a.ask(method, current(noderpc.Processed), nil, config{"commitment": noderpc.Processed})
		a.ask(method, current(noderpc.Finalized), nil, config{"commitment": noderpc.Finalized})
		a.ask(method, current(noderpc.Processed), config{"commitment": noderpc.Processed})
	}
	for _, n := range held {
		e := a.c.epochs[n]
		a.ask(method, e.byLeader(false, nil), a.c.es.LastSlot(n))
		if e.Stakes().Keying() == schedule.KeyedByVote {
			a.ask(method, e.byLeader(true, nil), a.c.es.FirstSlot(n), config{"keyByVoteAccount": true})
		}
	}
	a.ask(method, nil, a.c.es.FirstSlot(held[len(held)-1]+1))
}

// parts asks for the slots of one leader.
func (a *asking) parts() {
	const method = "getLeaderSchedule"
	slot := a.c.at(noderpc.Processed)
	n, _ := a.c.es.EpochOf(slot)
	e := a.c.epochs[n]
	most := e.Stakes().Entry(0).Node
	text := most.String()
	part := e.byLeader(false, &most)
	processed := config{"identity": text, "commitment": noderpc.Processed}
	a.ask(method, part, nil, processed)
	a.ask(method, part, processed)
	a.ask(method, part, slot, config{"identity": text})
	a.ask(method, part, slot, config{"identity": text, "keyByVoteAccount": false})
	a.ask(method, e.byLeader(true, &most), slot, config{"identity": text, "keyByVoteAccount": true})
	// A client may add its own commitment as a second configuration, which does not
	// count beside the first.
	n, _ = a.c.es.EpochOf(a.c.at(noderpc.Finalized))
	a.ask(method, a.c.epochs[n].byLeader(false, &most), config{"identity": text})
	a.ask(method, config{}, slot, config{"identity": schedule.Pubkey{9}.String()})
	a.refused(method, -32602, "Invalid param: WrongSize", slot, config{"identity": "abc"})
	a.refused(method, -32602, "Invalid param: Invalid", slot, config{"identity": "0" + text[1:]})
}

// leaders asks for ranges of slots, across every boundary between epochs.
func (a *asking) leaders() {
	const method = "getSlotLeaders"
	held := a.c.held()
	first, last := a.c.es.FirstSlot(held[0]), a.c.es.LastSlot(held[len(held)-1])
	unknown := func(e uint64) string {
		return fmt.Sprintf("Invalid slot range: leader schedule for epoch %d is unavailable", e)
	}
	for _, n := range held[1:] {
		at := a.c.es.FirstSlot(n)
		a.ask(method, a.c.leaders(a.t, at-6, 11), at-6, 11)
	}
	most := min(5000, int(last-first+1))
	a.ask(method, a.c.leaders(a.t, last-schedule.Slot(most)+1, most), last-schedule.Slot(most)+1, most)
	middle := a.c.es.FirstSlot(held[1])
	most = min(5000, 2*int(middle-first))
	a.ask(method, a.c.leaders(a.t, middle-schedule.Slot(most/2), most), middle-schedule.Slot(most/2), most)
	a.ask(method, a.c.leaders(a.t, a.c.slot, 1), a.c.slot, 1)
	a.ask(method, []string{}, a.c.slot, 0)
	a.refused(method, -32602, "Invalid limit; max 5000", a.c.slot, 5001)
	a.refused(method, -32602, unknown(held[len(held)-1]+1), last, 2)
	a.refused(method, -32602, unknown(held[len(held)-1]+1), last, 5000)
	a.refused(method, -32602, unknown(held[len(held)-1]+1), last+1, 1)
	if held[0] > 0 {
		a.refused(method, -32602, unknown(held[0]-1), first-1, 2)
	}
}

// votes asks for vote accounts, which come in any order.
func (a *asking) votes() {
	const method = "getVoteAccounts"
	a.ask(method, a.voteAccounts(a.byDefault, "", false))
	a.ask(method, a.voteAccounts(noderpc.Finalized, "", false), config{"commitment": noderpc.Finalized})
	a.ask(method, a.voteAccounts(noderpc.Processed, "", false), config{"commitment": noderpc.Processed})
	a.ask(method, a.voteAccounts(noderpc.Processed, "", true),
		config{"commitment": noderpc.Processed, "keepUnstakedDelinquents": true})
	one := a.c.epochs[a.c.held()[1]].Stakes().Entry(2).Key.String()
	a.ask(method, a.voteAccounts(noderpc.Processed, one, false),
		config{"commitment": noderpc.Processed, "votePubkey": one})
	nobody := schedule.Pubkey{9}.String()
	a.ask(method, a.voteAccounts(noderpc.Processed, nobody, false),
		config{"commitment": noderpc.Processed, "votePubkey": nobody})
	a.refused(method, -32602, "Invalid param: WrongSize", config{"votePubkey": "abc"})
	a.refused(method, -32602, "Invalid param: Invalid", config{"votePubkey": strings.Repeat("l", 44)})
}

// voteAccounts is the answer about the stakes of the slot's epoch, from which the
// schedule of the next one is drawn.
func (a *asking) voteAccounts(c noderpc.Commitment, only string, unstaked bool) any {
	slot := a.c.at(c)
	e, _ := a.c.es.EpochOf(slot)
	leads := map[schedule.Pubkey]bool{}
	for _, entry := range a.c.epochs[e].Entries {
		leads[entry.Key] = entry.Stake > 0
	}
	current, delinquent := []config{}, []config{}
	for _, entry := range a.c.epochs[e+1].Entries {
		account := config{
			"votePubkey": entry.Key, "nodePubkey": entry.Node, "activatedStake": entry.Stake,
			"epochVoteAccount": leads[entry.Key], "epochCredits": []any{}, "commission": 0,
			"lastVote": slot, "rootSlot": a.c.at(noderpc.Finalized),
		}
		switch {
		case only != "" && only != entry.Key.String():
		case entry.Stake > 0:
			current = append(current, account)
		case unstaked:
			account["lastVote"], account["rootSlot"] = 0, 0
			delinquent = append(delinquent, account)
		}
	}
	return config{"current": current, "delinquent": delinquent}
}
