package feed

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/store"
)

// A reader asks all the time for who leads now and in the next epoch.
type reader struct {
	t     *testing.T
	g     *rig
	net   *network
	ahead schedule.Slot // slots from the finalized one to the one that is now
	asks  atomic.Uint64
	made  map[uint64]*schedule.Schedule
}

// grace is within how many slots of an epoch's first finalized one the next epoch
// becomes known.
const grace = 1

func (r *reader) Run(ctx context.Context) error {
	for sleep(ctx, slotTime/4) {
		finalized := r.net.slot()
		now := finalized + r.ahead
		epoch, _ := r.net.es.EpochOf(now)
		r.ask(now)
		r.ask(r.net.es.LastSlot(epoch))
		if read, index := r.net.es.EpochOf(finalized); uint64(index) > grace {
			r.ask(r.net.es.FirstSlot(read + 1))
			r.ask(r.net.es.LastSlot(read + 1))
		}
	}
	return context.Cause(ctx)
}

func (r *reader) ask(slot schedule.Slot) {
	r.asks.Add(1)
	leader, err := r.g.registry.LeaderAt(slot)
	if err != nil {
		r.t.Errorf("finalized slot %d: slot %d: %v", r.net.slot(), slot, err)
		return
	}
	epoch, _ := r.net.es.EpochOf(slot)
	if r.made[epoch] == nil {
		r.made[epoch] = r.net.schedule(epoch)
	}
	if want, _ := r.made[epoch].LeaderAt(slot); leader != want {
		r.t.Errorf("finalized slot %d: slot %d is led by %v, want %v", r.net.slot(), slot, leader, want)
	}
}

// Through fifty turns the current epoch is always there, the next from its stakes'
// slot on, and both are the network's: what a node tells at the first slot.
func TestBoundaries(t *testing.T) {
	turns := uint64(50)
	if shorter() {
		turns = 4
	}
	for _, c := range []struct {
		es    schedule.EpochSchedule
		ahead schedule.Slot
	}{
		{mustSchedule(32, false), 0},
		{mustSchedule(200, false), 32},
		{mustSchedule(432, false), 32},
		{mustSchedule(200, true), 0},
		{mustSchedule(432, true), 0},
		{mustSchedule(32, true), 0},
	} {
		t.Run(fmt.Sprintf("%d slots, warm-up %v", c.es.SlotsPerEpoch, c.es.Warmup), func(t *testing.T) {
			net := newNetwork(t, c.es, 0)
			running(t, func(t *testing.T, start func(runner)) {
				g := newRig(t, c.es)
				for epoch := range c.es.LeaderScheduleEpoch(0) + 1 { // as a genesis has them
					g.mustPut(t, net.list(epoch))
				}
				n := g.NewNode(dial(t, net.Server), NodeOptions{PollEvery: 2 * time.Second})
				r := &reader{t: t, g: g, net: net, ahead: c.ahead, made: map[uint64]*schedule.Schedule{}}
				start(n)
				after(slotTime / 8)
				start(r)
				after(slotTime / 16)
				start(net)
				after(time.Duration(c.es.FirstSlot(turns)+20) * slotTime)
				for epoch := range turns + 1 {
					g.wantSchedule(t, net, epoch+1)
				}
				if s := n.Status(); s.Err != nil || s.Epoch != turns {
					t.Errorf("status %+v", s)
				}
				g.mu.Lock()
				defer g.mu.Unlock()
				for _, u := range g.upstreams {
					if u.Differs() {
						t.Errorf("epoch %d differs: %+v", u.Epoch, u)
					}
				}
				if asks := r.asks.Load(); asks < turns*c.es.SlotsPerEpoch {
					t.Errorf("asked %d times", asks)
				}
				g.wantLog(t, "level=WARN", 0)
			})
		})
	}
}

// The same with a node that fails in a third of its answers, and a disk that is full
// now and then: late is not wrong.
func TestBoundariesOfAFlakyNode(t *testing.T) {
	turns := uint64(20)
	if shorter() {
		turns = 3
	}
	es := mustSchedule(200, false)
	net := newNetwork(t, es, 0)
	running(t, func(t *testing.T, start func(runner)) {
		g := newRig(t, es)
		g.mustPut(t, net.list(0))
		g.mustPut(t, net.list(1))
		client := dialWith(t, net.Server, noderpc.Options{Timeout: time.Second, Retries: 1, RetryWait: 100 * time.Millisecond})
		start(g.NewNode(client, NodeOptions{PollEvery: 2 * time.Second, MostWait: 5 * time.Second}))
		start(net)
		faults := []rpctest.Fault{rpctest.Silent(), rpctest.Truncated(), rpctest.Page(), rpctest.Error(-32005, "behind")}
		methods := []string{"getEpochInfo", "getVoteAccounts", "getGenesisHash", "getLeaderSchedule", "getMultipleAccounts"}
		for i := 0; net.slot() < es.FirstSlot(turns); i++ {
			net.Fail(methods[i%len(methods)], nil, faults[i%len(faults)], nil)
			switch i % 11 {
			case 5:
				g.registry.fail(&store.Error{Path: "epochs.db", Err: store.ErrFull})
			case 6:
				g.registry.fail(nil)
			}
			after(3 * slotTime)
			if epoch, index := es.EpochOf(net.slot()); index > 150 {
				if _, ok := g.registry.Summary(epoch + 1); !ok {
					t.Fatalf("slot %d: epoch %d is not there\n%s", net.slot(), epoch+1, g.log)
				}
			}
		}
		exact := 0
		for epoch := range turns {
			e, err := g.registry.Epoch(epoch)
			if err != nil {
				t.Errorf("epoch %d: %v", epoch, err)
				continue
			}
			right := e.Digest() == net.schedule(epoch).Digest()
			if p := e.Provenance(); p.Vintage == "exact" {
				exact++
				if !right {
					t.Errorf("epoch %d is not the network's: %v", epoch, &p)
				}
			}
		}
		if exact < 3 {
			t.Errorf("%d epochs are exact", exact)
		}
	})
}
