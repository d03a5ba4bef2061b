package epochs

import (
	"bytes"
	"errors"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

func wantUnknown(t *testing.T, err error, epoch uint64) {
	t.Helper()
	var unknown *schedule.UnknownEpochError
	if !errors.As(err, &unknown) || unknown.Epoch != epoch {
		t.Errorf("got %v, want that epoch %d is unknown", err, epoch)
	}
}

// What was put is answered, in memory, from a store, and after a restart.
func TestPutAndAsk(t *testing.T) {
	for _, where := range []string{"memory", "store"} {
		t.Run(where, func(t *testing.T) {
			o, dir := Options{}, t.TempDir()
			if where == "store" {
				o.Store = mustStore(t, dir)
			}
			r := mustNew(t, o)
			_, err := r.Epoch(7)
			wantUnknown(t, err, 7)
			for _, epoch := range []uint64{9, 7} {
				if put := mustPut(t, r, made(epoch, 0, 30)); put.Epoch != epoch || put.Replaced || put.Same {
					t.Errorf("got %+v", put)
				}
			}
			checkHeld(t, r)
			if where == "memory" {
				return
			}
			o.Store.Close()
			again := mustNew(t, Options{Store: mustStore(t, dir)})
			if again.Stats().Derivations != 0 {
				t.Error("derived before anybody asked")
			}
			if held := again.Held(); len(held) != 2 || held[0].Digest != nil || held[0].StoredBytes == 0 {
				t.Errorf("got %+v", held)
			}
			checkHeld(t, again)
		})
	}
}

func checkHeld(t *testing.T, r *Registry) {
	t.Helper()
	for _, epoch := range []uint64{7, 9} {
		l := made(epoch, 0, 30)
		e, want := mustEpoch(t, r, epoch), derived(t, l, tiny)
		if e.Number() != epoch || e.Digest() != want.Digest() || e.Schedule().FirstSlot() != tiny.FirstSlot(epoch) {
			t.Errorf("epoch %d: got another schedule", epoch)
		}
		if !reflect.DeepEqual(e.List(), l) || e.Provenance().Source != "made" || e.Electorate().Stakes.Len() != 30 {
			t.Errorf("epoch %d: got another list", epoch)
		}
		for i := range schedule.Index(200) {
			leader, _ := want.Leader(i)
			if text, ok := e.LeaderText(i); !ok || text != leader.String() {
				t.Fatalf("epoch %d index %d: got %q, %v", epoch, i, text, ok)
			}
		}
		if _, ok := e.LeaderText(200); ok {
			t.Error("an index beyond the epoch has a leader")
		}
		s, ok := r.Summary(epoch)
		if !ok || s.Epoch != epoch || s.Slots != 200 || s.FirstSlot != tiny.FirstSlot(epoch) || s.LastSlot != s.FirstSlot+199 ||
			s.Entries != 30 || s.Err != nil || s.Digest == nil || *s.Digest != want.Digest() {
			t.Errorf("got %+v", s)
		}
	}
	if _, ok := r.Summary(8); ok || len(r.Held()) != 2 || r.Held()[0].Epoch != 7 || r.Stats().Epochs != 2 {
		t.Errorf("got %+v", r.Held())
	}
	_, err := r.Epoch(8)
	wantUnknown(t, err, 8)
}

// Better stakes are not replaced by worse ones, and everything else is.
func TestVintages(t *testing.T) {
	slot := func(n schedule.Slot) *schedule.Slot { return &n }
	const epoch = 9
	recorded := tiny.FirstSlot(epoch - 1)
	type told struct {
		vintage list.Vintage
		slot    *schedule.Slot
	}
	exact, unknown, approximate := told{list.VintageExact, nil}, told{list.VintageUnknown, nil}, told{list.VintageApproximate, nil}
	at := func(n schedule.Slot) told { return told{list.VintageApproximate, slot(n)} }
	for _, c := range []struct {
		held, other told
		taken       bool
	}{
		{exact, exact, true},
		{exact, unknown, false},
		{exact, approximate, false},
		{exact, told{}, false},
		{unknown, exact, true},
		{unknown, unknown, true},
		{unknown, approximate, false},
		{told{}, unknown, true},
		{approximate, exact, true},
		{approximate, unknown, true},
		{approximate, approximate, true},
		{at(5), approximate, true},
		{approximate, at(5), true},
		{at(recorded + 10), at(recorded + 20), false},
		{at(recorded + 10), at(recorded + 10), true},
		{at(recorded + 10), at(recorded), true},
		{at(recorded + 10), at(recorded - 1), false},
		{at(recorded - 1), at(recorded + 100), true},
		{at(recorded - 10), at(recorded - 20), false},
		{at(recorded - 10), at(recorded - 5), true},
	} {
		r := mustNew(t, Options{})
		first, second := made(epoch, 0, 20), made(epoch, 1, 20)
		first.Provenance.Vintage, first.Provenance.Slot = c.held.vintage, c.held.slot
		second.Provenance.Vintage, second.Provenance.Slot = c.other.vintage, c.other.slot
		mustPut(t, r, first)
		put, err := r.Put(second)
		want := second
		if !c.taken {
			want = first
			var held *BetterHeldError
			if !errors.Is(err, ErrBetterHeld) || !errors.As(err, &held) || held.Epoch != epoch || held.Why == "" || strings.Contains(err.Error(), "\n") {
				t.Errorf("%+v after %+v: got %v", c.other, c.held, err)
			}
		} else if err != nil || !put.Replaced {
			t.Errorf("%+v after %+v: got %+v, %v", c.other, c.held, put, err)
		}
		if mustEpoch(t, r, epoch).Digest() != derived(t, want, tiny).Digest() {
			t.Errorf("%+v after %+v: got the other schedule", c.other, c.held)
		}
	}
}

// The same stakes change nothing but what is told of them, and that for the better.
func TestSameStakes(t *testing.T) {
	r := mustNew(t, Options{Store: mustStore(t, t.TempDir())})
	for _, c := range []struct {
		vintage, want list.Vintage
	}{
		{list.VintageApproximate, list.VintageApproximate},
		{list.VintageUnknown, list.VintageUnknown},
		{list.VintageApproximate, list.VintageUnknown},
		{list.VintageExact, list.VintageExact},
		{list.VintageUnknown, list.VintageExact},
		{list.VintageExact, list.VintageExact},
	} {
		l := made(5, 0, 20)
		l.Provenance.Vintage = c.vintage
		first := len(r.Held()) == 0
		if put := mustPut(t, r, l); put.Same == first || put.Replaced {
			t.Errorf("%s: got %+v", c.vintage, put)
		}
		if got := mustEpoch(t, r, 5).Provenance().Vintage; got != c.want {
			t.Errorf("after %s: got %s, want %s", c.vintage, got, c.want)
		}
	}
	if got := r.Stats().Derivations; got != 3 {
		t.Errorf("%d derivations, want one for each change", got)
	}
}

func TestRefused(t *testing.T) {
	genesis := schedule.Pubkey{1}
	r := mustNew(t, Options{Cluster: "mine", GenesisHash: &genesis})
	mustPut(t, r, made(5, 0, 20))
	for name, c := range map[string]struct {
		change func(*list.List)
		want   error
	}{
		"no epoch":           {func(l *list.List) { l.Provenance.Epoch = nil }, ErrNoEpoch},
		"other name":         {func(l *list.List) { l.Provenance.Cluster = "testnet" }, store.ErrCluster},
		"other genesis hash": {func(l *list.List) { l.Provenance.GenesisHash = &schedule.Pubkey{2} }, store.ErrCluster},
		"other epochs": {func(l *list.List) {
			es := mustSchedule(300, true)
			l.Provenance.EpochSchedule = &es
		}, store.ErrCluster},
		"no stake": {func(l *list.List) {
			for i := range l.Entries {
				l.Entries[i].Stake = 0
			}
		}, schedule.ErrNoStake},
		"overflow": {func(l *list.List) { l.Entries[0].Stake, l.Entries[1].Stake = math.MaxUint64, 1 }, schedule.ErrStakeOverflow},
		"twice":    {func(l *list.List) { l.Entries[0].Key = l.Entries[1].Key }, schedule.ErrDuplicateKey},
	} {
		for _, epoch := range []uint64{5, 6} {
			l := made(epoch, 1, 20)
			c.change(l)
			if _, err := r.Put(l); !errors.Is(err, c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: got %v, want %v", name, err, c.want)
			}
		}
	}
	if _, err := r.Put(nil); !errors.Is(err, ErrNoEpoch) {
		t.Errorf("got %v", err)
	}
	if mustEpoch(t, r, 5).Digest() != derived(t, made(5, 0, 20), tiny).Digest() || len(r.Held()) != 1 {
		t.Errorf("something refused is held: %+v", r.Held())
	}
}

// What a cluster is comes from a setting, a store or a list, and must agree.
func TestCluster(t *testing.T) {
	dir := t.TempDir()
	s := mustStore(t, dir)
	r, err := New(Options{Store: s, Terms: electorate.Terms{KeyedBy: "vote"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Put(made(3, 0, 5)); !errors.Is(err, ErrNoEpochSchedule) {
		t.Errorf("got %v", err)
	}
	if _, err := r.LeaderAt(3); !errors.Is(err, ErrNoEpochSchedule) {
		t.Errorf("got %v", err)
	}
	l := made(3, 0, 5)
	l.Provenance.EpochSchedule = &tiny
	mustPut(t, r, l)
	if r.EpochSchedule() != tiny || r.Cluster() != "" || r.GenesisHash() != nil {
		t.Errorf("got %+v, %q", r.EpochSchedule(), r.Cluster())
	}
	mustPut(t, r, made(4, 0, 5))
	s.Close()

	s = mustStore(t, dir)
	var different *store.ClusterError
	if _, err := New(Options{Store: s, Cluster: "devnet", EpochSchedule: mustSchedule(432_000, false)}); !errors.As(err, &different) {
		t.Errorf("got %v", err)
	}
	r, err = New(Options{Store: s, Cluster: "mine", Terms: electorate.Terms{KeyedBy: "vote"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.EpochSchedule() != tiny || r.Cluster() != "mine" {
		t.Errorf("got %+v, %q", r.EpochSchedule(), r.Cluster())
	}
	mustEpoch(t, r, 4)

	public, err := New(Options{Cluster: "testnet"})
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := schedule.ClusterSchedule("testnet"); public.EpochSchedule() != want {
		t.Errorf("got %+v", public.EpochSchedule())
	}
}

func TestExactTerms(t *testing.T) {
	dir := t.TempDir()
	s := mustStore(t, dir)
	l := made(5, 0, 20)
	l.Provenance.Vintage = list.VintageApproximate
	mustPut(t, mustNew(t, Options{Store: s}), l)

	r := mustNew(t, Options{Store: s, Terms: electorate.Terms{KeyedBy: "vote", Exact: true}})
	_, err := r.Epoch(5)
	wantUnknown(t, err, 5)
	if _, err := r.Put(made(6, 0, 20)); err != nil {
		t.Error(err)
	}
	l = made(6, 1, 20)
	l.Provenance.Vintage = list.VintageUnknown
	l.Provenance.Epoch = new(uint64)
	if _, err := r.Put(l); !errors.Is(err, electorate.ErrNotExact) {
		t.Errorf("got %v", err)
	}
}

// A list that cannot be read is an error of its epoch, not an unknown one, and the
// others are served.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	s := mustStore(t, dir)
	r := mustNew(t, Options{Store: s})
	for epoch := range uint64(4) {
		mustPut(t, r, made(epoch, 0, 20))
	}
	s.Close()
	change(t, dir, func(b *bbolt.Bucket, key []byte) error {
		v := bytes.Clone(b.Get(key))
		v[len(v)-9] ^= 1
		return b.Put(key, v)
	}, 1)
	change(t, dir, func(b *bbolt.Bucket, key []byte) error { return b.Put(key, []byte("x")) }, 2)

	r = mustNew(t, Options{Store: mustStore(t, dir)})
	for epoch := range uint64(4) {
		e, err := r.Epoch(epoch)
		if epoch == 1 || epoch == 2 {
			if !errors.Is(err, store.ErrDamaged) || errors.Is(err, schedule.ErrUnknownEpoch) || !strings.Contains(err.Error(), "epoch ") {
				t.Errorf("epoch %d: got %v", epoch, err)
			}
			continue
		}
		if err != nil || e.Digest() != derived(t, made(epoch, 0, 20), tiny).Digest() {
			t.Errorf("epoch %d: got another schedule, %v", epoch, err)
		}
	}
	held := r.Held()
	if len(held) != 4 || held[1].Err != nil || held[2].Err == nil {
		t.Errorf("got %+v", held)
	}
	for epoch := uint64(1); epoch <= 2; epoch++ {
		l := made(epoch, 0, 20)
		l.Provenance.Vintage = list.VintageApproximate
		if epoch == 1 { // it is not known that the list is damaged
			l = made(epoch, 1, 20)
		}
		mustPut(t, r, l)
		if mustEpoch(t, r, epoch).Digest() != derived(t, l, tiny).Digest() {
			t.Errorf("epoch %d is not mended", epoch)
		}
	}
}

// A store of which a part is gone is served as far as it is there, and takes nothing.
func TestDamagedStore(t *testing.T) {
	dir := t.TempDir()
	s := mustStore(t, dir)
	r := mustNew(t, Options{Store: s})
	const count = 20
	for epoch := range uint64(count) {
		mustPut(t, r, made(epoch, 0, 100))
	}
	s.Close()
	path := filepath.Join(dir, "epochs.db")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for page := len(whole) / 2 / os.Getpagesize(); ; page++ {
		flipped := bytes.Clone(whole)
		flipped[page*os.Getpagesize()+8] ^= 0x40 // the kind of a page
		if err := os.WriteFile(path, flipped, 0o640); err != nil {
			t.Fatal(err)
		}
		s = mustStore(t, dir)
		if errors.Is(s.Damage(), store.ErrDamaged) {
			break
		}
		s.Close() // it was inside of a list, or free
	}
	r = mustNew(t, Options{Store: s})
	served := 0
	for epoch := range uint64(count) {
		e, err := r.Epoch(epoch)
		if err != nil {
			if !errors.Is(err, store.ErrDamaged) || errors.Is(err, schedule.ErrUnknownEpoch) {
				t.Errorf("epoch %d: got %v", epoch, err)
			}
			continue
		}
		served++
		if e.Digest() != derived(t, made(epoch, 0, 100), tiny).Digest() {
			t.Errorf("epoch %d: got another schedule", epoch)
		}
	}
	if served == 0 || served == count || len(r.Held()) != count {
		t.Errorf("%d of %d served, %d held", served, count, len(r.Held()))
	}
	if _, err := r.Put(made(count, 0, 5)); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a damaged store took a list: %v", err)
	}
	_, err = r.Epoch(count)
	wantUnknown(t, err, count)
}

// change runs fn on lists in a store's file.
func change(t *testing.T, dir string, fn func(*bbolt.Bucket, []byte) error, epoch byte) {
	t.Helper()
	db, err := bbolt.Open(filepath.Join(dir, "epochs.db"), 0o640, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Update(func(tx *bbolt.Tx) error {
		return fn(tx.Bucket([]byte("lists")), []byte{0, 0, 0, 0, 0, 0, 0, epoch})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What the store does not take is not published.
func TestStoreFails(t *testing.T) {
	s := mustStore(t, t.TempDir())
	published := 0
	r := mustNew(t, Options{Store: s, OnPublish: func(Summary) { published++ }})
	mustPut(t, r, made(5, 0, 20))
	want := mustEpoch(t, r, 5).Digest()
	s.Close()
	for _, epoch := range []uint64{5, 6} {
		if _, err := r.Put(made(epoch, 1, 20)); !errors.Is(err, store.ErrClosed) {
			t.Errorf("got %v", err)
		}
	}
	if mustEpoch(t, r, 5).Digest() != want || len(r.Held()) != 1 || published != 1 {
		t.Errorf("what was not stored is held: %+v", r.Held())
	}
}

// A liar keeps a list and says that it did not.
type liar struct{ *memory }

func (l liar) Put(x *list.List) (store.Put, error) {
	l.memory.Put(x)
	return store.Put{}, errors.New("no")
}

// Where a store failed and kept the list all the same, that one is served, and not
// for ever nothing.
func TestStoreLies(t *testing.T) {
	r := mustNew(t, Options{CacheBytes: 1}) // keeps nothing, so that the store is asked
	mustPut(t, r, made(5, 0, 20))
	r.keep = liar{r.keep.(*memory)}
	if _, err := r.Put(made(5, 1, 20)); err == nil {
		t.Fatal("the lie was not told")
	}
	if mustEpoch(t, r, 5).Digest() != derived(t, made(5, 1, 20), tiny).Digest() {
		t.Error("got another schedule than is stored")
	}
}

func TestCallbacksAndLog(t *testing.T) {
	var log bytes.Buffer
	var derivedEpochs []uint64
	var published []Summary
	r := mustNew(t, Options{
		Log:       slog.New(slog.NewJSONHandler(&log, nil)),
		OnDerive:  func(epoch uint64, _ time.Duration) { derivedEpochs = append(derivedEpochs, epoch) },
		OnPublish: func(s Summary) { published = append(published, s) },
	})
	mustPut(t, r, made(5, 0, 20))
	first := mustEpoch(t, r, 5).Digest()
	log.Reset()
	mustPut(t, r, made(5, 1, 20))
	second := mustEpoch(t, r, 5).Digest()
	if !slices.Equal(derivedEpochs, []uint64{5, 5}) || len(published) != 2 || *published[0].Digest != first || *published[1].Digest != second {
		t.Errorf("got %v, %+v", derivedEpochs, published)
	}
	for _, want := range []string{`"msg":"stake list replaced"`, `"digest_before":"` + hexOf(first), `"digest":"` + hexOf(second), `"epoch":5`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s: %s", want, log.String())
		}
	}
}

// A public cluster has the genesis hash that everybody knows.
func TestGenesisOfAPublicCluster(t *testing.T) {
	r := mustNew(t, Options{Cluster: "testnet"})
	if got := r.GenesisHash(); got == nil || got.String() != "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY" {
		t.Errorf("got %v", got)
	}
	if got := mustNew(t, Options{}).GenesisHash(); got != nil {
		t.Errorf("of no cluster: got %v", got)
	}
}
