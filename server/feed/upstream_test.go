package feed

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// compared runs a node, whose schedules are spoiled, beside a registry that holds the
// network's epochs 5 and 6.
func compared(t *testing.T, fault rpctest.Fault, check func(t *testing.T, g *rig, n *Node, net *network)) {
	t.Helper()
	following(t, hundred, 550, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
		for _, epoch := range []uint64{5, 6} {
			g.mustPut(t, net.list(epoch))
		}
		net.FailAlways("getLeaderSchedule", fault)
		start(n)
		check(t, g, n, net)
	})
}

func wantEqual(t testing.TB, n *Node, net *network, epochs ...uint64) {
	t.Helper()
	all := n.Upstreams()
	if len(all) != len(epochs) {
		t.Fatalf("%d epochs compared: %+v", len(all), all)
	}
	for i, u := range all {
		digest := net.schedule(epochs[i]).Digest()
		if u.Epoch != epochs[i] || u.Err != nil || u.Differs() || u.Equal == nil || *u.Digest != digest || *u.Ours != digest ||
			u.DifferingSlots != 0 || u.FirstDifferent != nil || u.CheckedAt.IsZero() || u.Address != "http://***@node" {
			t.Errorf("got %+v", u)
		}
	}
}

func TestUpstreamEqual(t *testing.T) {
	compared(t, nil, func(t *testing.T, g *rig, n *Node, net *network) {
		after(2 * time.Second)
		wantEqual(t, n, net, 5, 6)
		if u, ok := n.Upstream(); !ok || u.Epoch != 5 {
			t.Errorf("got %+v, %v", u, ok)
		}
		g.wantLog(t, `level=INFO msg="upstream is equal"`, 2)
		for range 29 {
			net.move(net.slot() + 1)
			after(time.Minute)
		}
		if n := len(net.Calls("getLeaderSchedule")); n != 2 {
			t.Errorf("asked %d times", n)
		}
		for range 60 {
			net.move(net.slot() + 1)
			if net.slot() == 599 {
				net.move(550)
			}
			after(time.Minute)
		}
		if n := len(net.Calls("getLeaderSchedule")); n != 4 {
			t.Errorf("asked %d times in one and a half hours", n)
		}
		g.wantLog(t, "upstream is equal", 2)
		if _, compared := g.told(); compared != 4 {
			t.Errorf("told %d times", compared)
		}
	})
}

// swapped returns leaders with two slots exchanged between their leaders.
func swapped(leaders noderpc.Leaders, from, with schedule.Index) noderpc.Leaders {
	changed := noderpc.Leaders{}
	for key, indices := range leaders {
		for _, i := range indices {
			switch i {
			case from:
				i = with
			case with:
				i = from
			}
			changed[key] = append(changed[key], i)
		}
	}
	return sorted(changed)
}

func sorted(leaders noderpc.Leaders) noderpc.Leaders {
	for _, indices := range leaders {
		for i := range indices {
			for j := i; j > 0 && indices[j] < indices[j-1]; j-- {
				indices[j], indices[j-1] = indices[j-1], indices[j]
			}
		}
	}
	return leaders
}

// A node that lies changes what is told of it, and not what is served.
func TestUpstreamLies(t *testing.T) {
	compared(t, nil, func(t *testing.T, g *rig, n *Node, net *network) {
		after(2 * time.Second)
		ours := net.schedule(6)
		from := schedule.Index(40)
		with := from + 4
		for other, _ := ours.Leader(with); ; with += 4 {
			if leader, _ := ours.Leader(from); leader != other {
				break
			}
			other, _ = ours.Leader(with)
		}
		truth := net.schedule(6).Digest()
		net.Change(func(c *rpctest.Cluster) { c.Leaders[6] = swapped(c.Leaders[6], from, with) })
		after(61 * time.Minute)
		u, ok := n.Upstream()
		leader, _ := ours.Leader(from)
		theirs, _ := ours.Leader(with)
		if !ok || u.Epoch != 6 || !u.Differs() || u.Err != nil || u.DifferingSlots != 2 || *u.Ours != truth || u.Digest == nil || *u.Digest == truth ||
			*u.FirstDifferent != (SlotDifference{Slot: 640, Ours: leader, Theirs: theirs}) {
			t.Errorf("got %+v", u)
		}
		g.wantLog(t, fmt.Sprintf(`level=WARN msg="upstream differs" node=http://***@node epoch=6 digest=%x slots=2 first_slot=640 leader=%v upstream_leader=%v upstream_digest=`, truth, leader, theirs), 1)
		g.wantSchedule(t, net, 6)

		// A lie is not forgotten when the node then says nothing.
		net.FailAlways("getLeaderSchedule", rpctest.Silent())
		after(62 * time.Minute)
		if u, _ := n.Upstream(); !u.Differs() || u.DifferingSlots != 2 || u.Err == nil {
			t.Errorf("got %+v", u)
		}
		net.FailAlways("getLeaderSchedule", nil)
		net.Change(func(c *rpctest.Cluster) { c.Leaders[6] = rpctest.LeadersOf(ours) })
		after(61 * time.Minute)
		wantEqual(t, n, net, 5, 6)
	})
}

// Other answers of a node that cannot be its schedule.
func TestUpstreamAnswers(t *testing.T) {
	key := schedule.Pubkey{1}.String()
	for name, c := range map[string]struct {
		fault rpctest.Fault
		want  error
		slots uint64 // that differ
		level string
	}{
		"null":          {rpctest.Result("null"), noderpc.ErrUnavailable, 0, "INFO"},
		"nothing":       {rpctest.Result("{}"), ErrPartial, 100, "WARN"},
		"one slot":      {rpctest.Result(`{"` + key + `":[0]}`), ErrPartial, 100, "WARN"},
		"slot too far":  {rpctest.Result(`{"` + key + `":[100]}`), nil, 0, "WARN"},
		"slot very far": {rpctest.Result(`{"` + key + `":[18446744073709551615]}`), nil, 0, "WARN"},
		"no key":        {rpctest.Result(`{"x":[0]}`), noderpc.ErrReply, 0, "WARN"},
		"two leaders":   {rpctest.Result(`{"` + key + `":[0],"` + schedule.Pubkey{2}.String() + `":[0]}`), noderpc.ErrReply, 0, "WARN"},
		"page":          {rpctest.Page(), noderpc.ErrReply, 0, "WARN"},
		"breaks off":    {rpctest.Truncated(), nil, 0, "WARN"},
		"stalls":        {rpctest.Stalled(), nil, 0, "WARN"},
	} {
		t.Run(name, func(t *testing.T) {
			compared(t, c.fault, func(t *testing.T, g *rig, n *Node, net *network) {
				after(10 * time.Minute)
				for _, u := range n.Upstreams() {
					if u.Err == nil || c.want != nil && !errors.Is(u.Err, c.want) || !strings.HasPrefix(u.Err.Error(), "http://***@node: ") || strings.Contains(u.Err.Error(), "\n") {
						t.Errorf("error %v, want %v", u.Err, c.want)
					}
					if u.Differs() != (c.slots > 0) || u.DifferingSlots != c.slots || u.Digest != nil || u.Ours == nil {
						t.Errorf("got %+v", u)
					}
				}
				calls := len(net.Calls("getLeaderSchedule"))
				if calls < 8 || calls > 40 {
					t.Errorf("asked %d times", calls)
				}
				g.wantLog(t, "level="+c.level+` msg="upstream`, 2)
				g.wantSchedule(t, net, 5)
				net.FailAlways("getLeaderSchedule", nil)
				after(3 * time.Minute)
				wantEqual(t, n, net, 5, 6)
			})
		})
	}
}

// What is held is compared when it comes, when it is replaced, and when the epoch
// turns.
func TestUpstreamFollows(t *testing.T) {
	following(t, hundred, 598, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
		net.FailAlways("getVoteAccounts", rpctest.Silent())
		start(n)
		after(2 * time.Second)
		for _, u := range n.Upstreams() {
			if !errors.Is(u.Err, schedule.ErrUnknownEpoch) || u.Equal != nil || u.Ours != nil {
				t.Errorf("nothing held: %+v", u)
			}
		}
		if len(net.Calls("getLeaderSchedule")) != 0 {
			t.Error("asked for what there is nothing to compare with")
		}
		g.mustPut(t, made(5, 99, list.VintageApproximate))
		after(11 * time.Second)
		if u, _ := n.Upstream(); u.Epoch != 5 || !u.Differs() || u.DifferingSlots < 10 {
			t.Errorf("approximate: %+v", u)
		}
		g.mustPut(t, net.list(5))
		g.mustPut(t, net.list(6))
		after(11 * time.Second)
		wantEqual(t, n, net, 5, 6)
		net.move(600)
		g.mustPut(t, net.list(7))
		after(2 * time.Minute)
		wantEqual(t, n, net, 6, 7)
		// A node that goes back does not change which epochs are compared.
		net.move(510)
		after(20 * time.Second)
		wantEqual(t, n, net, 6, 7)
		if len(n.checks) != 2 {
			t.Errorf("%d comparisons are kept", len(n.checks))
		}
	})
}

// Nothing is compared with a node that has become one of another cluster, even when
// the lists do not say of which they are.
func TestUpstreamOfAnotherCluster(t *testing.T) {
	compared(t, nil, func(t *testing.T, g *rig, n *Node, net *network) {
		after(2 * time.Second)
		calls := len(net.Calls("getLeaderSchedule"))
		if g.registry.GenesisHash() != nil {
			t.Error("the registry knows the cluster")
		}
		net.Change(func(c *rpctest.Cluster) {
			c.Genesis = schedule.Pubkey{1}
			clear(c.Leaders)
		})
		after(2 * time.Hour)
		if n := len(net.Calls("getLeaderSchedule")); n != calls {
			t.Errorf("asked %d times", n-calls)
		}
		for _, u := range n.Upstreams() {
			if u.Err == nil || !strings.Contains(u.Err.Error(), "of another cluster") || u.Differs() {
				t.Errorf("got %+v", u)
			}
		}
	})
}

func TestCompareIsSymmetricInLeaders(t *testing.T) {
	es := hundred
	ours := derived(entries(1), es, 5)
	for version := range uint64(20) {
		theirs := derived(entries(version), es, 5)
		u, err := compare(ours, rpctest.LeadersOf(theirs))
		if err != nil {
			t.Fatal(err)
		}
		var differing uint64
		var first *schedule.Slot
		for slot, leader := range ours.All() {
			if other, _ := theirs.LeaderAt(slot); other != leader {
				if differing++; first == nil {
					first = &slot
				}
			}
		}
		if u.DifferingSlots != differing || u.Differs() != (differing > 0) || *u.Digest != theirs.Digest() ||
			(first == nil) != (u.FirstDifferent == nil) || first != nil && u.FirstDifferent.Slot != *first {
			t.Errorf("version %d: %+v, want %d slots from %v", version, u, differing, first)
		}
	}
}
