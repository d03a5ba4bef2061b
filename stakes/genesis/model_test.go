package genesis

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// What is read of a genesis is what a few maps say of its accounts.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := small()
		f.accounts, f.pools = nil, nil
		votes := map[schedule.Pubkey]schedule.Entry{}
		info := map[schedule.Pubkey]list.Account{}
		stakes := map[schedule.Pubkey]uint64{}
		addresses := rapid.SliceOfNDistinct(rapid.Uint32(), 0, 30, rapid.ID).Draw(t, "addresses")
		slices.Sort(addresses)
		for _, at := range addresses {
			a := account{key: key(at), lamports: rapid.Uint64().Draw(t, "lamports"), data: rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "data")}
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0, 1:
				node, bls := key(rapid.Uint32Range(0, 5).Draw(t, "node")), rapid.Bool().Draw(t, "bls")
				a = vote(at, node, bls)
				votes[a.key] = schedule.Entry{Key: a.key, Node: node}
				info[a.key] = list.Account{Lamports: a.lamports, BLS: bls}
			case 2, 3:
				to := key(rapid.OneOf(rapid.SampledFrom(addresses), rapid.Uint32()).Draw(t, "voter"))
				lamports := rapid.Uint64Max(1<<58).Draw(t, "stake")
				activation := rapid.OneOf(rapid.Just(uint64(never)), rapid.Uint64()).Draw(t, "activation")
				a = stake(at, to, lamports, activation, rapid.Uint64().Draw(t, "deactivation"))
				if activation == never {
					stakes[to] += lamports
				}
			default:
				a.owner = key(rapid.Uint32().Draw(t, "owner"))
			}
			if rapid.IntRange(0, 9).Draw(t, "pool") == 0 {
				f.pools = append(f.pools, a)
			} else {
				f.accounts = append(f.accounts, a)
			}
		}
		var want []schedule.Entry
		for _, k := range slices.SortedFunc(maps.Keys(votes), schedule.Pubkey.Compare) {
			if e := votes[k]; stakes[k] > 0 {
				e.Stake = stakes[k]
				want = append(want, e)
			}
		}
		set, err := Read(bytes.NewReader(f.bytes()), "g")
		if len(want) == 0 {
			if err == nil {
				t.Fatalf("entries %v, want none", set.Lists[0].Entries)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		l := set.Latest()
		if !slices.Equal(l.Entries, want) {
			t.Fatalf("entries %v, want %v", l.Entries, want)
		}
		for i, e := range l.Entries {
			if l.Accounts[i] != info[e.Key] {
				t.Fatalf("account %+v, want %+v", l.Accounts[i], info[e.Key])
			}
		}
	})
}

// Any data is read or refused with an error of one line; what is read derives.
func fuzz(t *testing.T, set *list.Set, err error) {
	if err != nil {
		wantError(t, err, err, "fuzz: ")
		return
	}
	for i := range set.Lists {
		l := &set.Lists[i]
		if len(l.Entries) == 0 || len(l.Accounts) != len(l.Entries) || l.Provenance.GenesisHash == nil || *l.Provenance.Epoch != uint64(i) {
			t.Fatalf("%+v", l)
		}
		for _, e := range l.Entries {
			if e.Stake == 0 || e.Node.IsZero() {
				t.Fatalf("entry %+v", e)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	g := small()
	f.Add(g.bytes())
	g.accounts[0] = vote(1, key(101), true)
	g.pools = nil
	f.Add(g.bytes())
	f.Add(g.bytes()[:300])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := Read(bytes.NewReader(data), "fuzz")
		fuzz(t, set, err)
	})
}

func FuzzReadArchive(f *testing.F) {
	tar := archiveOf(member{"genesis.bin", small().bytes()}, directory)
	f.Add(tar)
	f.Add(packed(tar, gzipWriter))
	f.Add(packed(tar, zstdWriter))
	if bz2, err := os.ReadFile("testdata/small.tar.bz2"); err == nil {
		f.Add(bz2)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := readArchive(bytes.NewReader(data), "fuzz", 1<<20)
		fuzz(t, set, err)
	})
}

// BenchmarkRead reads a genesis as large as mainnet's.
func BenchmarkRead(b *testing.B) {
	g := small()
	for i := range uint32(400) {
		g.accounts = append(g.accounts, stake(100+i, key(1), 5, 0, never))
	}
	data := g.bytes()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Read(bytes.NewReader(data), "g"); err != nil {
			b.Fatal(err)
		}
	}
}
