package feed

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

// hundred has epochs of 100 slots: 40 s.
var hundred = mustSchedule(100, false)

// At its start a node's stakes are near those of the next epoch; from the next turn
// on they are exact.
func TestNodeFollows(t *testing.T) {
	following(t, hundred, 550, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
		if s := n.Status(); s.Known || s.Err != nil || s.Address != "http://***@node" {
			t.Errorf("before: %+v", s)
		}
		start(net)
		start(n)
		after(time.Second)
		held, ok := g.registry.Summary(6)
		if p := held.Provenance; !ok || p.Vintage != list.VintageApproximate || p.Kind != list.KindRPC || p.Source != "http://***@node" {
			t.Errorf("epoch 6: %v, %+v", ok, held)
		}
		after(50*slotTime - 500*time.Millisecond)
		g.wantSchedule(t, net, 7)
		s := n.Status()
		if !s.Known || s.Epoch != 6 || s.Slot < 600 || *s.Read != 7 || s.Err != nil || s.Waiting != 0 {
			t.Errorf("status %+v", s)
		}
		after(200 * slotTime)
		g.wantSchedule(t, net, 8)
		g.wantSchedule(t, net, 9)
		if n := len(net.Calls("getVoteAccounts")); n != 4 {
			t.Errorf("stakes were read %d times", n)
		}
		if n := len(net.Calls("getEpochInfo")); n > 100 { // 16 a turn, and two with the stakes
			t.Errorf("it was asked %d times where it is", n)
		}
		g.wantLog(t, `msg="stakes ingested" origin=node file=http://***@node taken=[7] vintage=exact digests=`, 1)
		if strings.Contains(g.log.String(), "secret") {
			t.Errorf("the password is logged: %s", g.log)
		}
	})
}

// Most of an epoch a node is asked seldom.
func TestNodeIsNotAskedOften(t *testing.T) {
	following(t, mustSchedule(20_000, false), 1000, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
		start(n)
		for range 60 {
			net.move(net.slot() + 25)
			after(10 * time.Second)
		}
		if n := len(net.Calls("")); n > 100 {
			t.Errorf("%d calls in ten minutes", n)
		}
	})
}

// Exact stakes from elsewhere are not read again, nor replaced whatever the node says.
func TestNodeReplacesNothingExact(t *testing.T) {
	following(t, hundred, 598, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
		g.mustPut(t, made(6, 66, list.VintageExact))
		start(net)
		start(n)
		after(time.Second / 2)
		if n := len(net.Calls("getVoteAccounts")); n != 0 {
			t.Errorf("stakes of epoch 6 were read %d times", n)
		}
		// Those of epoch 7 come from a file while the node is asked for them.
		net.FailAlways("getVoteAccounts", func(s *rpctest.Server, w http.ResponseWriter, _ *http.Request, _ json.RawMessage, reply []byte) {
			if _, ok := g.registry.Summary(7); !ok {
				g.mustPut(t, made(7, 77, list.VintageExact))
			}
			w.Write(reply)
		})
		after(time.Minute)
		g.wantVersion(t, 6, 66)
		g.wantVersion(t, 7, 77)
		in := g.attempts("http://***@node")
		if len(in) == 0 || in[0].Lists[0].Result != Kept || *in[0].Lists[0].Epoch != 7 || in[0].Failed() != nil {
			t.Errorf("got %+v", in)
		}
		if s := n.Status(); s.Err != nil {
			t.Errorf("status %+v", s)
		}
	})
}

// What is held is read again when it is no more than near.
func TestNodeImprovesApproximateStakes(t *testing.T) {
	following(t, hundred, 599, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
		g.mustPut(t, made(7, 5, list.VintageApproximate))
		start(net)
		start(n)
		after(2 * time.Second)
		g.wantSchedule(t, net, 7)
		g.wantLog(t, "replaced=[7]", 1)
	})
}

func TestNodeOfAnotherCluster(t *testing.T) {
	for name, known := range map[string]func(*list.Provenance){
		"genesis hash":   func(p *list.Provenance) { p.GenesisHash = &schedule.Pubkey{1} },
		"epoch schedule": func(p *list.Provenance) { p.EpochSchedule = &tiny },
		"name":           func(p *list.Provenance) { p.Cluster = "testnet"; p.EpochSchedule = &hundred },
	} {
		t.Run(name, func(t *testing.T) {
			net := newNetwork(t, hundred, 550)
			mainnet, err := schedule.ParsePubkey("5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d")
			if err != nil {
				t.Fatal(err)
			}
			net.Change(func(c *rpctest.Cluster) { c.Genesis = mainnet })
			running(t, func(t *testing.T, start func(runner)) {
				g := newRig(t, schedule.EpochSchedule{})
				l := made(5, 1, list.VintageExact)
				l.Provenance.EpochSchedule = &hundred
				known(&l.Provenance)
				g.mustPut(t, l)
				n := g.NewNode(dial(t, net.Server), NodeOptions{})
				start(net)
				start(n)
				after(10 * time.Minute)
				if s := n.Status(); !errors.Is(s.Err, store.ErrCluster) || !strings.HasPrefix(s.Err.Error(), "http://***@node: of another cluster") || s.Known {
					t.Errorf("status %+v", s)
				}
				if ingested, compared := g.told(); len(net.Calls("getVoteAccounts"))+len(net.Calls("getLeaderSchedule"))+ingested+compared != 0 {
					t.Error("it was asked for stakes")
				}
				g.wantVersion(t, 5, 1)
				g.wantNone(t, 6)
				g.wantLog(t, `level=WARN msg="node refused"`, 1)
			})
		})
	}
}

// A node that comes back may be another one.
func TestNodeComesBackAsAnother(t *testing.T) {
	following(t, hundred, 550, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
		start(n)
		after(time.Second)
		net.FailAlways("getEpochInfo", rpctest.Dropped())
		after(10 * time.Second)
		net.FailAlways("getEpochInfo", nil)
		net.Change(func(c *rpctest.Cluster) { c.Genesis = schedule.Pubkey{1} })
		net.move(560)
		after(30 * time.Second)
		if s := n.Status(); !errors.Is(s.Err, store.ErrCluster) || s.Slot != 550 {
			t.Errorf("status %+v", s)
		}
	})
}

// Another node behind the address may be of another cluster.
func TestNodeChangesCluster(t *testing.T) {
	following(t, hundred, 550, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
		start(net)
		start(n)
		after(time.Second)
		net.Change(func(c *rpctest.Cluster) { c.Genesis = schedule.Pubkey{1} })
		after(time.Minute)
		g.wantNone(t, 7)
		if s := n.Status(); !errors.Is(s.Err, store.ErrCluster) {
			t.Errorf("status %+v", s)
		}
		net.Change(func(c *rpctest.Cluster) { c.Genesis = genesis })
		after(3 * time.Minute)
		if s := n.Status(); s.Err != nil {
			t.Errorf("status %+v", s)
		}
		after(40 * time.Second)
		epoch, _ := hundred.EpochOf(net.slot())
		g.wantSchedule(t, net, epoch+1)
	})
}

// A node that stalls, breaks off or answers nonsense is asked again, and what is held
// stays.
func TestNodeFails(t *testing.T) {
	for name, c := range map[string]struct {
		method string
		fault  rpctest.Fault
	}{
		"silent":            {"getEpochInfo", rpctest.Silent()},
		"stalls":            {"getVoteAccounts", rpctest.Stalled()},
		"breaks off":        {"getVoteAccounts", rpctest.Truncated()},
		"page":              {"getEpochInfo", rpctest.Page()},
		"contradicts":       {"getEpochInfo", rpctest.Result(`{"absoluteSlot":560,"epoch":8,"slotIndex":60,"slotsInEpoch":100}`)},
		"longer epochs":     {"getEpochInfo", rpctest.Result(`{"absoluteSlot":560,"epoch":5,"slotIndex":60,"slotsInEpoch":200}`)},
		"busy":              {"getVoteAccounts", rpctest.Status(http.StatusTooManyRequests)},
		"behind":            {"getEpochInfo", rpctest.Error(-32005, "Node is behind by 42 slots")},
		"no genesis":        {"getGenesisHash", rpctest.Dropped()},
		"no epoch schedule": {"getEpochSchedule", rpctest.Result("null")},
		"no stakes":         {"getVoteAccounts", rpctest.Result(`{"current":[],"delinquent":[]}`)},
	} {
		t.Run(name, func(t *testing.T) {
			following(t, hundred, 550, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
				g.mustPut(t, made(6, 66, list.VintageApproximate))
				net.FailAlways(c.method, c.fault)
				start(net)
				start(n)
				after(5 * time.Minute)
				if s := n.Status(); s.Err == nil || strings.Contains(s.Err.Error(), "\n") {
					t.Errorf("status %+v", s)
				}
				g.wantVersion(t, 6, 66)
				g.wantNone(t, 7)
				if warned := g.log.count("level=WARN"); warned == 0 || warned > 4 {
					t.Errorf("%d warnings: %s", warned, g.log)
				}
				calls := len(net.Calls(c.method))
				if calls < 3 || calls > 60 { // the waits begin anew with each of seven epochs
					t.Errorf("%d calls", calls)
				}
				net.FailAlways(c.method, nil)
				after(2*time.Minute + 10*slotTime)
				epoch, _ := hundred.EpochOf(net.slot())
				if _, ok := g.registry.Summary(epoch + 1); !ok || n.Status().Err != nil {
					t.Errorf("after it works again: %v, %+v", ok, n.Status())
				}
			})
		})
	}
}

// The slot of a node that stands is told, and rises again.
func TestNodeStands(t *testing.T) {
	following(t, hundred, 550, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
		start(n)
		after(50 * time.Second)
		if s := n.Status(); s.Err != nil {
			t.Errorf("status %+v", s)
		}
		after(20 * time.Second)
		if s := n.Status(); !errors.Is(s.Err, ErrStands) || s.Slot != 550 {
			t.Errorf("status %+v", s)
		}
		net.move(551)
		after(10 * time.Second)
		if s := n.Status(); s.Err != nil {
			t.Errorf("status %+v", s)
		}
	})
}

// A node that goes back an epoch, and then on, is left out of account meanwhile, and
// what it gave before stays.
func TestNodeRollsBack(t *testing.T) {
	following(t, hundred, 599, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
		start(n)
		after(time.Second)
		net.move(600)
		after(time.Second)
		g.wantSchedule(t, net, 7)
		before, _ := g.registry.Summary(7)
		net.move(510)
		after(25 * time.Second)
		if s := n.Status(); !errors.Is(s.Err, ErrAstray) || s.Epoch != 6 {
			t.Errorf("status %+v", s)
		}
		g.wantLog(t, "node is not believed yet", 1)
		net.move(605)
		after(time.Minute)
		if s := n.Status(); s.Err != nil || s.Epoch != 6 {
			t.Errorf("status %+v", s)
		}
		if held, _ := g.registry.Summary(7); held.StoredAt != before.StoredAt {
			t.Errorf("epoch 7 was replaced: %+v", held)
		}
	})
}

// One that stays where it went back to is followed from there, and corrects what it
// said before: it had told stakes of an epoch before these were there.
func TestNodeCorrectsItself(t *testing.T) {
	for _, back := range []time.Duration{5 * time.Second, 2 * time.Minute} {
		t.Run(back.String(), func(t *testing.T) { correctItself(t, back) })
	}
}

func correctItself(t *testing.T, back time.Duration) {
	following(t, hundred, 580, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
		start(n)
		after(time.Second)
		lie := net.at(580)
		net.move(600)
		net.Change(func(c *rpctest.Cluster) { c.VoteAccounts = rpctest.VoteAccountsOf(lie, 580) })
		after(10 * time.Second)
		if held, _ := g.registry.Summary(7); held.Provenance.Vintage != list.VintageExact {
			t.Errorf("epoch 7: %+v", held)
		}
		net.move(580)
		after(back)
		start(net)
		after(2*time.Minute + 10*slotTime)
		if n.Status().Err != nil {
			t.Errorf("status %+v", n.Status())
		}
		g.wantSchedule(t, net, 7)
		epoch, _ := hundred.EpochOf(net.slot())
		g.wantSchedule(t, net, epoch+1)
	})
}

// Each question has its end, whatever the client's options say.
func TestNodeTimeouts(t *testing.T) {
	for method, limit := range map[string]time.Duration{"getEpochInfo": 10 * time.Second, "getVoteAccounts": time.Minute, "getLeaderSchedule": time.Minute} {
		net := newNetwork(t, hundred, 550)
		running(t, func(t *testing.T, start func(runner)) {
			g := newRig(t, hundred)
			g.mustPut(t, net.list(5))
			net.FailAlways(method, rpctest.Silent())
			n := g.NewNode(dialWith(t, net.Server, noderpc.Options{Timeout: time.Hour, Retries: -1}), NodeOptions{})
			start(n)
			after(limit - time.Second)
			told := func() error {
				u, _ := n.Upstream()
				n.mu.Lock()
				defer n.mu.Unlock()
				return errors.Join(n.readErr, n.status.Err, u.Err)
			}
			if err := told(); err != nil {
				t.Errorf("%s: %v", method, err)
			}
			after(3 * time.Second)
			if err := told(); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", method, err)
			}
		})
	}
}

// Exact stakes that cannot be stored are kept until they can.
func TestNodeFullDisk(t *testing.T) {
	following(t, hundred, 599, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
		start(net)
		start(n)
		after(100 * time.Millisecond)
		g.registry.fail(&store.Error{Path: "epochs.db", Err: store.ErrFull})
		after(45 * time.Second) // past two turns
		if s := n.Status(); !errors.Is(s.Err, store.ErrFull) || s.Waiting != 2 {
			t.Errorf("status %+v", s)
		}
		g.registry.fail(nil)
		after(2 * time.Minute)
		g.wantSchedule(t, net, 7)
		g.wantSchedule(t, net, 8)
		if s := n.Status(); s.Err != nil || s.Waiting != 0 {
			t.Errorf("status %+v", s)
		}
		g.registry.fail(epochs.ErrNoEpochSchedule)
		after(10 * time.Minute)
		if s := n.Status(); s.Waiting != 4 {
			t.Errorf("%d lists are kept", s.Waiting)
		}
	})
}

// Waiting after failures ends when the epoch turns: the stakes of the next are read at
// its first slot.
func TestNodeReadsAtTheTurn(t *testing.T) {
	following(t, mustSchedule(2000, false), 10_001, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
		net.FailAlways("getVoteAccounts", rpctest.Page())
		start(net)
		start(n)
		after(1998 * slotTime)
		net.FailAlways("getVoteAccounts", nil)
		after(3 * slotTime)
		g.wantSchedule(t, net, 7)
		g.wantNone(t, 6)
	})
}

// A registry that takes nothing but exact stakes gets those of the next epoch when it
// turns, and is not asked again about others.
func TestNodeNotExact(t *testing.T) {
	net := newNetwork(t, hundred, 550)
	running(t, func(t *testing.T, start func(runner)) {
		g := newRig(t, hundred)
		exact, err := epochs.New(epochs.Options{EpochSchedule: hundred, Terms: electorate.Terms{KeyedBy: "vote", Exact: true}})
		if err != nil {
			t.Fatal(err)
		}
		g.registry.Registry = exact
		n := g.NewNode(dial(t, net.Server), NodeOptions{})
		start(net)
		start(n)
		after(49 * slotTime)
		ingested, _ := g.told()
		if s := n.Status(); !errors.Is(s.Err, electorate.ErrNotExact) || s.Waiting != 0 || ingested != 1 {
			t.Errorf("status %+v, %d times", s, ingested)
		}
		after(3 * slotTime)
		g.wantSchedule(t, net, 7)
		if s := n.Status(); s.Err != nil {
			t.Errorf("status %+v", s)
		}
	})
}

// A node makes a cluster known of which nothing was.
func TestNodeOfAnUnknownCluster(t *testing.T) {
	net := newNetwork(t, hundred, 550)
	running(t, func(t *testing.T, start func(runner)) {
		g := newRig(t, schedule.EpochSchedule{})
		start(g.NewNode(dial(t, net.Server), NodeOptions{}))
		after(time.Second)
		if es := g.registry.EpochSchedule(); es != hundred || *g.registry.GenesisHash() != genesis {
			t.Errorf("epochs %+v, genesis %v", es, g.registry.GenesisHash())
		}
		if held, ok := g.registry.Summary(6); !ok || held.Provenance.Vintage != list.VintageApproximate {
			t.Errorf("%v, %+v", ok, held)
		}
	})
}

// Run ends at once whatever it waits for.
func TestNodeEnds(t *testing.T) {
	for _, method := range []string{"getEpochInfo", "getVoteAccounts", "getLeaderSchedule", "getGenesisHash"} {
		following(t, hundred, 550, func(t *testing.T, g *rig, n *Node, net *network, start func(runner)) {
			g.mustPut(t, made(5, 1, list.VintageExact))
			net.FailAlways(method, rpctest.Silent())
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan time.Time)
			go func() {
				n.Run(ctx)
				ended <- time.Now()
			}()
			after(5 * time.Second)
			now := time.Now()
			cancel()
			if at := <-ended; !at.Equal(now) {
				t.Errorf("%s: ends after %v", method, at.Sub(now))
			}
		})
	}
}
