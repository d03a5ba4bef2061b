package store

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// made returns the list of an epoch in a version; every pair gives another list.
func made(epoch, version uint64, entries int) *list.List {
	rng := rand.New(rand.NewPCG(epoch, version))
	key := func() (k schedule.Pubkey) {
		for i := 0; i < len(k); i += 8 {
			binary.LittleEndian.PutUint64(k[i:], rng.Uint64())
		}
		return k
	}
	slot := schedule.Slot(version)
	l := &list.List{HasVotes: true, Provenance: list.Provenance{
		Kind: list.KindSnapshot, Source: "made", Cluster: "devnet", Epoch: &epoch, Slot: &slot, Vintage: list.VintageExact,
	}}
	for range entries {
		l.Entries = append(l.Entries, schedule.Entry{Key: key(), Node: key(), Stake: rng.Uint64() >> 20})
		l.Accounts = append(l.Accounts, list.Account{Lamports: rng.Uint64() >> 30, BLS: rng.IntN(2) == 0})
	}
	return l
}

func mustOpen(t testing.TB, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func mustPut(t testing.TB, s *Store, l *list.List) Put {
	t.Helper()
	put, err := s.Put(l)
	if err != nil {
		t.Fatal(err)
	}
	return put
}

func wantList(t testing.TB, s *Store, want *list.List) {
	t.Helper()
	got, meta, err := s.Get(*want.Provenance.Epoch)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("epoch %d: got another list: %v", meta.Epoch, &got.Provenance)
	}
}

// filled makes a store with the lists of epochs first to first+n-1 and returns its
// directory.
func filled(t testing.TB, first uint64, n, entries int) string {
	t.Helper()
	dir := t.TempDir()
	s := mustOpen(t, dir, Options{})
	for i := range n {
		mustPut(t, s, made(first+uint64(i), 0, entries))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// file returns the path of a store's file.
func file(dir string) string { return filepath.Join(dir, fileName) }

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func writeFile(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o640); err != nil {
		t.Fatal(err)
	}
}

func emulated() bool { return os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" }

// outcome puts a list and says what became of it.
func outcome(t testing.TB, s *Store, l *list.List) string {
	t.Helper()
	put := mustPut(t, s, l)
	metas, err := s.Epochs()
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(metas, func(m Meta) bool { return m.Epoch == put.Epoch }); i < 0 || !reflect.DeepEqual(metas[i], put.Meta) {
		t.Errorf("epoch %d: told %+v, has %+v", put.Epoch, put.Meta, metas)
	}
	switch {
	case put.Replaced && put.Same:
		return "replaced and same"
	case put.Replaced:
		return fmt.Sprint(put.Epoch, " replaced")
	case put.Same:
		return fmt.Sprint(put.Epoch, " same")
	}
	return fmt.Sprint(put.Epoch, " new")
}
