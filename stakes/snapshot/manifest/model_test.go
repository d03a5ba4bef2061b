package manifest

import (
	"bytes"
	"reflect"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

// What is read is what was written, whatever that is.
func TestReadsWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t)
		m, err := read(spec.Manifest())
		if err != nil {
			t.Fatal(err)
		}
		if m.Slot != schedule.Slot(spec.Slot) || m.Epoch != spec.Epoch || m.GenesisCreationTime != spec.GenesisCreationTime ||
			m.EpochSchedule != spec.EpochSchedule || m.Hashes.Accounts != spec.AccountsHash || m.Surplus {
			t.Fatalf("%+v of %+v", m, spec)
		}
		if spec.Extra < snapshottest.ExtraEpochStakes {
			spec.New = nil
		}
		want := Hashes{Accounts: spec.AccountsHash}
		if spec.Extra >= snapshottest.ExtraIncremental && spec.Incremental != nil {
			want.Incremental = spec.Incremental
			want.IncrementalFullSlot = schedule.Slot(spec.Slot - min(spec.Slot, 100))
		}
		if spec.Extra >= snapshottest.ExtraEpochAccountsHash {
			want.EpochAccounts = spec.EpochAccountsHash
		}
		if spec.Extra >= snapshottest.ExtraLattice {
			want.Lattice = spec.Lattice
		}
		if !reflect.DeepEqual(m.Hashes, want) {
			t.Fatalf("hashes %+v, want %+v", m.Hashes, want)
		}
		sameStakes(t, m.Old, spec.Old)
		sameStakes(t, m.New, spec.New)
	})
}

func sameStakes(t *rapid.T, got []EpochStakes, want []snapshottest.Stakes) {
	if len(got) != len(want) {
		t.Fatalf("stakes of %d epochs, want %d", len(got), len(want))
	}
	for i, w := range want {
		g, model := got[i], modelOf(w)
		if (g.Nodes.Count > 0) != (model.Nodes.Count > 0) {
			t.Fatalf("epoch %d: nodes %+v, want %+v", w.Epoch, g.Nodes, model.Nodes)
		}
		if (g.Malformed.Why == nil) != (g.Malformed.Count == 0) {
			t.Fatalf("epoch %d: %+v", w.Epoch, g.Malformed)
		}
		g.Nodes, model.Nodes, g.Malformed.Why = Disagreement{}, Disagreement{}, nil
		if !reflect.DeepEqual(g, model) {
			t.Fatalf("epoch %d: %+v, want %+v", w.Epoch, g, model)
		}
	}
}

// modelOf says what should be read of stakes.
func modelOf(s snapshottest.Stakes) EpochStakes {
	m := EpochStakes{Epoch: s.Epoch, RecordedIn: s.RecordedIn}
	for _, v := range s.Votes {
		if v.Stake == 0 {
			continue
		}
		if m.Sum += v.Stake; m.Sum < v.Stake {
			m.Overflow = true
		}
		left := &m.Foreign
		switch {
		case v.Owner != snapshottest.VoteProgram:
		case len(v.Data) < 200:
			left = &m.Malformed
		default:
			m.Entries = append(m.Entries, schedule.Entry{Key: v.Key, Node: v.Node, Stake: v.Stake})
			m.Accounts = append(m.Accounts, list.Account{Lamports: v.Lamports, BLS: v.Data[0] == snapshottest.VoteV4})
			continue
		}
		left.Count++
		left.Stake += min(v.Stake, ^left.Stake)
		if len(left.First) < 3 {
			left.First = append(left.First, v.Key)
		}
	}
	m.Total = m.Sum
	if s.Total != nil {
		m.Total = *s.Total
	}
	return m
}

func drawSpec(t *rapid.T) snapshottest.Spec {
	count := rapid.IntRange(0, 3)
	spec := snapshottest.Spec{
		Slot: rapid.Uint64().Draw(t, "slot"), Epoch: rapid.Uint64().Draw(t, "epoch"),
		GenesisCreationTime: rapid.Int64().Draw(t, "genesis"),
		EpochSchedule: schedule.EpochSchedule{
			SlotsPerEpoch:            rapid.Uint64().Draw(t, "slots an epoch"),
			LeaderScheduleSlotOffset: rapid.Uint64().Draw(t, "offset"),
			Warmup:                   rapid.Bool().Draw(t, "warm-up"),
			FirstNormalEpoch:         rapid.Uint64().Draw(t, "normal epoch"),
			FirstNormalSlot:          schedule.Slot(rapid.Uint64().Draw(t, "normal slot")),
		},
		Seed:        rapid.Uint64().Draw(t, "seed"),
		Blockhashes: count.Draw(t, "blockhashes"), Ancestors: count.Draw(t, "ancestors"), HardForks: count.Draw(t, "forks"),
		UnusedAccounts: count.Draw(t, "unused"), Storages: count.Draw(t, "storages"), Roots: count.Draw(t, "roots"),
		AccountsHash: schedule.Pubkey{0: rapid.Byte().Draw(t, "accounts hash")},
		Extra:        rapid.IntRange(0, snapshottest.AllExtra).Draw(t, "extra"),
	}
	hash := rapid.Ptr(rapid.Just(schedule.Pubkey{7}), true)
	spec.Incremental, spec.EpochAccountsHash, spec.BlockID = hash.Draw(t, "incremental"), hash.Draw(t, "eah"), hash.Draw(t, "block")
	if rapid.Bool().Draw(t, "lattice") {
		spec.Lattice = make([]byte, 2048)
		spec.Lattice[2047] = 9
	}
	spec.Bank = drawStakes(t, 0)
	for i := range count.Draw(t, "old epochs") {
		spec.Old = append(spec.Old, drawStakes(t, uint64(5-i)))
	}
	for i := range count.Draw(t, "new epochs") {
		spec.New = append(spec.New, drawStakes(t, uint64(5+i)))
	}
	return spec
}

// drawStakes draws vote accounts of all versions, among them some without stake,
// some of another program, and some cut short.
func drawStakes(t *rapid.T, epoch uint64) snapshottest.Stakes {
	s := snapshottest.Stakes{
		Epoch: epoch, RecordedIn: rapid.Uint64().Draw(t, "recorded in"),
		Delegations: rapid.IntRange(0, 3).Draw(t, "delegations"), History: rapid.IntRange(0, 3).Draw(t, "history"),
		Total: rapid.Ptr(rapid.Uint64(), true).Draw(t, "total"),
	}
	for i := range rapid.IntRange(0, 6).Draw(t, "votes") {
		node := schedule.Pubkey{31: 1 + rapid.ByteRange(0, 2).Draw(t, "node")}
		stake := rapid.OneOf(rapid.Just(uint64(0)), rapid.Uint64(), rapid.Uint64Range(1, 1e15)).Draw(t, "stake")
		v := snapshottest.NewVote(uint64(i), rapid.Uint32Range(snapshottest.VoteV1, snapshottest.VoteV4).Draw(t, "version"), node, stake)
		v.Lamports = rapid.Uint64().Draw(t, "lamports")
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			v.Owner = schedule.Pubkey{5}
		case 1:
			v.Data = v.Data[:rapid.IntRange(0, 30).Draw(t, "data")]
		case 2:
			v.Data = v.Data[:200]
		}
		s.Votes = append(s.Votes, v)
	}
	return s
}

// The map from identities to vote accounts is held against the accounts.
func TestNodesThatDisagree(t *testing.T) {
	right := snapshottest.Small(snapshottest.New)
	votes := right.New[1].Votes
	a, b := votes[0], votes[1]
	node := func(v snapshottest.Vote) snapshottest.Node {
		return snapshottest.Node{ID: v.Node, Votes: []schedule.Pubkey{v.Key}, Total: v.Stake}
	}
	all := make([]snapshottest.Node, len(votes))
	for i := range votes {
		all[i] = node(votes[i])
	}
	for name, c := range map[string]struct {
		change func([]snapshottest.Node) []snapshottest.Node
		count  uint64
	}{
		"as it is":         {func(n []snapshottest.Node) []snapshottest.Node { return n }, 0},
		"another order":    {func(n []snapshottest.Node) []snapshottest.Node { n[0], n[1] = n[1], n[0]; return n }, 0},
		"one missing":      {func(n []snapshottest.Node) []snapshottest.Node { return n[1:] }, 1},
		"another identity": {func(n []snapshottest.Node) []snapshottest.Node { n[0].ID = b.Node; return n }, 1},
		"another total":    {func(n []snapshottest.Node) []snapshottest.Node { n[0].Total++; return n }, 1},
		"no such account":  {func(n []snapshottest.Node) []snapshottest.Node { n[0].Votes[0] = schedule.Pubkey{1}; return n }, 3},
		"an identity more": {func(n []snapshottest.Node) []snapshottest.Node { return append(n, snapshottest.Node{}) }, 0},
		"an account swapped": {func(n []snapshottest.Node) []snapshottest.Node {
			n[0].Votes[0] = b.Key
			n[1].Votes[0] = a.Key
			return n
		}, 4},
	} {
		spec := snapshottest.Small(snapshottest.New)
		nodes := make([]snapshottest.Node, len(all))
		for i := range all {
			nodes[i] = node(votes[i])
		}
		spec.New[1].Nodes = c.change(nodes)
		m, err := read(spec.Manifest())
		if err != nil {
			t.Fatal(name, err)
		}
		if got := m.New[1].Nodes; got.Count != c.count || (got.First != "") != (c.count > 0) {
			t.Errorf("%s: %+v, want %d", name, got, c.count)
		}
		if len(m.New[1].Entries) != len(votes) {
			t.Errorf("%s: %d entries", name, len(m.New[1].Entries))
		}
	}
}

// FuzzRead: any data is read or refused with where it is wrong.
func FuzzRead(f *testing.F) {
	for _, layout := range layouts {
		spec := snapshottest.Small(layout)
		data := spec.Manifest()
		f.Add(data)
		f.Add(data[:len(data)/2])
		for i, m := range spec.Marks() {
			if i%20 == 0 {
				data[m.Offset]++
				f.Add(bytes.Clone(data))
				data[m.Offset]--
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := read(data)
		if err != nil {
			located(t, err, len(data))
			return
		}
		for _, e := range append(m.Old, m.New...) {
			if len(e.Entries) != len(e.Accounts) || len(e.Entries)*minVote > len(data) {
				t.Fatalf("%d entries and %d accounts in %d bytes", len(e.Entries), len(e.Accounts), len(data))
			}
		}
		unsized, err := Read(iotest.HalfReader(bytes.NewReader(data)), -1)
		if err != nil || !reflect.DeepEqual(m, unsized) {
			t.Fatalf("of an unknown size it is %+v, %v, else %+v", unsized, err, m)
		}
	})
}
