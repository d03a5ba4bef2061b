package epochs

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/splice"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

// tiny has epochs of 32, 64, 128 and then 200 slots.
var tiny = mustSchedule(200, true)

func mustSchedule(slots uint64, warmup bool) schedule.EpochSchedule {
	es, err := schedule.NewEpochSchedule(slots, slots, warmup)
	if err != nil {
		panic(err)
	}
	return es
}

func randomKey(rng *rand.Rand) (k schedule.Pubkey) {
	for i := 0; i < len(k); i += 8 {
		binary.LittleEndian.PutUint64(k[i:], rng.Uint64())
	}
	return k
}

// made returns the list of an epoch in a version; some identities have two vote
// accounts.
func made(epoch, version uint64, entries int) *list.List {
	rng := rand.New(rand.NewPCG(epoch, version))
	l := &list.List{HasVotes: true, Provenance: list.Provenance{
		Kind: list.KindJSON, Source: "made", Epoch: &epoch, Vintage: list.VintageExact,
	}}
	for i := range entries {
		e := schedule.Entry{Key: randomKey(rng), Node: randomKey(rng), Stake: 1 + rng.Uint64()>>24}
		if i > 0 && rng.IntN(10) == 0 {
			e.Node = l.Entries[i-1].Node
		}
		l.Entries = append(l.Entries, e)
	}
	return l
}

func mustNew(t testing.TB, o Options) *Registry {
	t.Helper()
	if o.EpochSchedule == (schedule.EpochSchedule{}) {
		o.EpochSchedule = tiny
	}
	if o.Terms.KeyedBy == "" {
		o.Terms.KeyedBy = "vote"
	}
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustStore(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func mustPut(t testing.TB, r *Registry, l *list.List) store.Put {
	t.Helper()
	put, err := r.Put(l)
	if err != nil {
		t.Fatal(err)
	}
	return put
}

func mustEpoch(t testing.TB, r *Registry, n uint64) *Epoch {
	t.Helper()
	e, err := r.Epoch(n)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// derived derives a list without a registry.
func derived(t testing.TB, l *list.List, es schedule.EpochSchedule) *schedule.Schedule {
	t.Helper()
	epoch := *l.Provenance.Epoch
	drawn, err := electorate.New(&list.Set{Lists: []list.List{*l}}, electorate.Terms{KeyedBy: "vote"}).For(epoch)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schedule.Derive(drawn.Stakes, schedule.Params{Epoch: epoch, FirstSlot: es.FirstSlot(epoch), Slots: es.SlotsIn(epoch)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// written is what a schedule prints in a kind.
func written(t testing.TB, s *schedule.Schedule, k Kind) string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Write(&out, schedule.Format(k)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func decoded(t testing.TB, enc splice.Encoding, b []byte) string {
	t.Helper()
	var out []byte
	var err error
	switch enc {
	case splice.Gzip:
		r, e := gzip.NewReader(bytes.NewReader(b))
		if e != nil {
			t.Fatal(e)
		}
		out, err = io.ReadAll(r)
	case splice.Zstd:
		r, e := zstd.NewReader(nil)
		if e != nil {
			t.Fatal(e)
		}
		defer r.Close()
		out, err = r.DecodeAll(b, nil)
	default:
		out = b
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// shorter reports whether tests should do less.
func shorter() bool { return testing.Short() || os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" }
