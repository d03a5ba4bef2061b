package clienttest

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/slotfeed"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/example"
	"github.com/schedgen/schedgen/stakes/list"
)

// A cluster is what a service is told, and what follows from that.
type cluster struct {
	name    string // of a public cluster, or ""
	es      schedule.EpochSchedule
	genesis schedule.Pubkey
	slot    schedule.Slot // the processed one
	epochs  map[uint64]*epoch
}

// An epoch is a stake list and the schedule that was derived from it here, without
// the service.
type epoch struct {
	*list.List
	*schedule.Schedule
}

// boundary is mainnet-beta where schedules became keyed by vote account: it holds
// the last epoch that is keyed by identity and two more. The finalized slot is in
// the first of them and the processed one in the second.
func boundary(t testing.TB) *cluster {
	es, err := schedule.ClusterSchedule("mainnet-beta")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{
		name: "mainnet-beta", es: es, slot: es.FirstSlot(842) + 10, epochs: map[uint64]*epoch{},
		genesis: mustKey(t, "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"),
	}
	c.hold(t, 841, schedule.KeyedByIdentity, 1400)
	c.hold(t, 842, schedule.KeyedByVote, 1400)
	c.hold(t, 843, schedule.KeyedByVote, 1390)
	return c
}

// warmUp is a small cluster of nobody's, with epochs of 32, 64, 128 and then 200
// slots, of which it holds the first n. The finalized slot is in epoch 1 and the
// processed one in epoch 2.
func warmUp(t testing.TB, n uint64) *cluster {
	es, err := schedule.NewEpochSchedule(200, 200, true)
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{
		es: es, slot: es.FirstSlot(2) + 10, epochs: map[uint64]*epoch{},
		genesis: schedule.Pubkey(bytes.Repeat([]byte{7}, 32)),
	}
	for e := range n {
		c.hold(t, e, schedule.KeyedByVote, 12+int(e%4))
	}
	return c
}

// hold derives an epoch from the first n entries of the example, whose stakes
// differ from epoch to epoch, and one account without stake.
func (c *cluster) hold(t testing.TB, e uint64, k schedule.Keying, n int) {
	t.Helper()
	entries, hasVotes, err := csv.Read(bytes.NewReader(example.CSV()), "example")
	if err != nil {
		t.Fatal(err)
	}
	entries = entries[:n]
	for i := range entries {
		entries[i].Stake += 1000 * (e * uint64(i+1) % 37)
	}
	entries[n/2].Stake = 0
	stakes, err := schedule.NewStakes(entries, k)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schedule.Derive(stakes, schedule.Params{Epoch: e, FirstSlot: c.es.FirstSlot(e), Slots: c.es.SlotsIn(e)})
	if err != nil {
		t.Fatal(err)
	}
	c.epochs[e] = &epoch{&list.List{
		Name: fmt.Sprintf("epoch %d", e), Entries: entries, HasVotes: hasVotes,
		Provenance: list.Provenance{
			Kind: list.KindJSON, Source: "made up", Cluster: c.name, GenesisHash: &c.genesis,
			EpochSchedule: &c.es, Epoch: &e, Vintage: list.VintageExact,
		},
	}, s}
}

// held returns the epochs that are held, ascending.
func (c *cluster) held() []uint64 { return slices.Sorted(maps.Keys(c.epochs)) }

// at returns the slot of a commitment; finalized is what nodes do without one.
func (c *cluster) at(commitment noderpc.Commitment) schedule.Slot {
	if commitment == noderpc.Processed || commitment == noderpc.Confirmed {
		return c.slot
	}
	return max(c.slot, slotfeed.FinalizedLag) - slotfeed.FinalizedLag
}

// leaders returns who leads n slots, all of which have to be held.
func (c *cluster) leaders(t testing.TB, from schedule.Slot, n int) []string {
	t.Helper()
	keys := []string{}
	for slot := from; slot < from+schedule.Slot(n); slot++ {
		e, _ := c.es.EpochOf(slot)
		held := c.epochs[e]
		if held == nil {
			t.Fatalf("slot %d is in epoch %d, which is not held", slot, e)
		}
		key, _ := held.LeaderAt(slot)
		keys = append(keys, key.String())
	}
	return keys
}

// byLeader returns slot indices by identity, or by the vote account that they were
// drawn for, those of one identity alone if there is one.
func (e *epoch) byLeader(byVote bool, only *schedule.Pubkey) map[string][]uint64 {
	indices := map[schedule.Pubkey][]uint64{}
	for i := range schedule.Index(e.Slots()) {
		key, _ := e.Leader(i)
		if only != nil && key != *only {
			continue
		}
		if byVote {
			key, _ = e.Vote(i)
		}
		indices[key] = append(indices[key], uint64(i))
	}
	texts := map[string][]uint64{}
	for key := range indices {
		texts[key.String()] = indices[key]
	}
	return texts
}

func mustKey(t testing.TB, text string) schedule.Pubkey {
	t.Helper()
	key, err := schedule.ParsePubkey(text)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// emulated says that the processor is emulated, so that tests should do less and
// start nothing.
func emulated() bool { return os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" }

// clusters are those to ask about, by name; the large one only where there is time.
func clusters(t testing.TB) map[string]*cluster {
	all := map[string]*cluster{"warm-up": warmUp(t, 4)}
	if emulated() || raceDetector || testing.Short() {
		t.Log("without the cluster of full epochs, for want of time")
	} else {
		all["boundary"] = boundary(t)
	}
	return all
}
