package server

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// newNode is at slot 1050 of epochs of 200 slots, and has the schedules of epochs 5
// and 6 that follow from the lists of made.
func newNode(t *testing.T) *rpctest.Server {
	es := mustSchedule(t, 200, false)
	c := rpctest.Cluster{
		Genesis: schedule.Pubkey{1, 2, 3}, EpochSchedule: es, Slot: 1050, Ahead: 2,
		Leaders: map[uint64]noderpc.Leaders{}, VoteAccounts: rpctest.VoteAccountsOf(made(6, 0, 20).Entries, 1049),
	}
	for epoch := uint64(5); epoch <= 6; epoch++ {
		c.Leaders[epoch] = rpctest.LeadersOf(derived(t, *made(epoch, 0, 20), epoch, es))
	}
	return rpctest.New(t, c)
}

func withNode(t *testing.T, url string) Config {
	c := small(t)
	c.Anchor, c.Now, c.Node = nil, nil, url
	c.EpochSchedule = schedule.EpochSchedule{}
	c.NodeOptions = noderpc.Options{Retries: -1, Timeout: 5 * time.Second}
	return c
}

// A node tells the slot, the epochs and the stakes of the next epoch, which are marked
// as what they are; the schedule of the current one is compared with the node's.
func TestNode(t *testing.T) {
	node := newNode(t)
	s := started(t, withNode(t, node.URL))
	eventually(t, "the stakes of the next epoch", func() bool { _, ok := s.epochs.Summary(6); return ok })
	if held, _ := s.epochs.Summary(6); held.Provenance.Kind != list.KindRPC || held.Provenance.Vintage != list.VintageApproximate {
		t.Errorf("got %+v", held.Provenance)
	}
	eventually(t, "the slot", func() bool { _, ok := s.clock.Now(); return ok })
	if got := s.call("getSlot", `[{"commitment":"processed"}]`); got != "1052" {
		t.Errorf("got %s", got)
	}
	if got := s.call("getSlot", "[]"); got != "1050" {
		t.Errorf("got %s", got)
	}
	s.wantReady("epoch 5, the current one, is not held")
	if r := s.post(made(5, 0, 20)); r.status != http.StatusCreated {
		t.Fatalf("got %+v", r)
	}
	s.wantReady("")
	eventually(t, "the comparison", func() bool { u := s.upstream(); return u != nil && u.Epoch == 5 && u.Equal != nil })
	if u := s.upstream(); !*u.Equal || *u.Digest != *u.Ours || u.Address != node.URL {
		t.Errorf("got %+v", u)
	}
	got := s.scrape()
	if got["schedgen_upstream_up"] != "1" || got[`schedgen_upstream_different_slots{epoch="current"}`] != "0" || got[`schedgen_stake_lists_total{origin="node",result="taken"}`] != "1" {
		t.Errorf("got %v", got)
	}
	if body := s.get("/v1/status").body; !strings.Contains(body, `"equal":true`) {
		t.Errorf("got %s", body)
	}
}

// A node whose schedule is another one changes no answer; it is shown, metered and
// logged.
func TestLyingNode(t *testing.T) {
	node := newNode(t)
	es := mustSchedule(t, 200, false)
	node.Change(func(c *rpctest.Cluster) { c.Leaders[5] = rpctest.LeadersOf(derived(t, *made(5, 9, 20), 5, es)) })
	c := withNode(t, node.URL)
	c.EpochSchedule = es
	s := opened(t, c)
	if _, err := s.epochs.Put(made(5, 0, 20)); err != nil {
		t.Fatal(err)
	}
	s.run()
	eventually(t, "the comparison", func() bool { u := s.upstream(); return u != nil && u.Equal != nil && !*u.Equal })
	got := s.scrape()
	if n := got[`schedgen_upstream_different_slots{epoch="current"}`]; n == "" || n == "0" || got[`schedgen_upstream_comparisons_total{result="different"}`] == "" {
		t.Errorf("%q slots differ", n)
	}
	if body := s.get("/v1/status").body; !strings.Contains(body, `"equal":false`) {
		t.Errorf("got %s", body)
	}
	want := rpctest.LeadersOf(derived(t, *made(5, 0, 20), 5, es))
	var leaders noderpc.Leaders
	if err := leaders.UnmarshalJSON([]byte(s.call("getLeaderSchedule", "[1050]"))); err != nil || len(leaders) != len(want) {
		t.Errorf("%v, %d leaders", err, len(leaders))
	}
	s.wantReady("")
	if !strings.Contains(s.log.String(), `msg="upstream differs"`) {
		t.Error("it is not logged")
	}
}

// A node that fails, and one that rolls back, take nothing away.
func TestFailingNode(t *testing.T) {
	node := newNode(t)
	c := withNode(t, node.URL)
	s := started(t, c)
	eventually(t, "the stakes of the next epoch", func() bool { _, ok := s.epochs.Summary(6); return ok })
	eventually(t, "the slot", func() bool { _, ok := s.clock.Now(); return ok })
	if r := s.post(made(5, 0, 20)); r.status != http.StatusCreated {
		t.Fatalf("got %+v", r)
	}
	s.wantReady("")
	before := s.call("getLeaderSchedule", "[1050]")
	node.Change(func(c *rpctest.Cluster) { c.Slot = 10 })
	for range 3 {
		if got := s.call("getSlot", "[]"); got != "1050" {
			t.Errorf("got %s", got)
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, method := range []string{"getSlot", "getEpochInfo", "getEpochSchedule", "getGenesisHash", "getLeaderSchedule", "getVoteAccounts"} {
		node.FailAlways(method, rpctest.Status(500))
	}
	if after := s.call("getLeaderSchedule", "[1050]"); after != before {
		t.Errorf("got %.100s", after)
	}
	if s.rpc.Sockets() != 0 || len(s.scrape()) < 50 {
		t.Error("metrics are missing")
	}
}

// A node of another cluster than the store is refused, and the service goes on.
func TestNodeOfAnotherCluster(t *testing.T) {
	node := newNode(t)
	c := withNode(t, node.URL)
	c.EpochSchedule = mustSchedule(t, 432, false)
	s := started(t, c)
	eventually(t, "it is logged", func() bool { return strings.Contains(s.log.String(), "node refused") })
	if held := s.epochs.Held(); len(held) != 0 {
		t.Errorf("got %+v", held)
	}
	if got := s.scrape(); got["schedgen_upstream_up"] != "0" {
		t.Errorf("upstream_up is %s", got["schedgen_upstream_up"])
	}
	eventually(t, "the slot", func() bool { _, ok := s.clock.Now(); return ok })
	s.post(made(2, 0, 20)) // of slot 1052, if the slot were of this cluster
	s.wantReady("the node is of another cluster")
	if got := s.call("getHealth", "[]"); !strings.Contains(got, "-32005") {
		t.Errorf("got %s", got)
	}
}

// Where stakes are not known to be exact, a node whose schedule is another one is
// likely right.
func TestDoubtfulStakes(t *testing.T) {
	node := newNode(t)
	c := withNode(t, node.URL)
	c.EpochSchedule = mustSchedule(t, 200, false)
	s := opened(t, c)
	l := made(5, 9, 20)
	l.Provenance.Vintage = list.VintageApproximate
	if _, err := s.epochs.Put(l); err != nil {
		t.Fatal(err)
	}
	s.run()
	eventually(t, "the comparison", func() bool { u := s.upstream(); return u != nil && u.Equal != nil && !*u.Equal })
	eventually(t, "the slot", func() bool { _, ok := s.clock.Now(); return ok })
	s.wantReady("the node has another schedule of epoch 5, and the stakes of ours are not known to be exact")
	if r := s.post(made(5, 0, 20)); r.status != http.StatusOK {
		t.Fatalf("got %+v", r)
	}
	s.wantReady("") // exact now, whatever the node said of those before
}
