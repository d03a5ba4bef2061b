package epochs

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/splice"
)

// Who asks about one epoch at the same time waits for one derivation.
func TestDerivedOnce(t *testing.T) {
	dir := t.TempDir()
	s := mustStore(t, dir)
	r := mustNew(t, Options{Store: s})
	for epoch := range uint64(4) {
		mustPut(t, r, made(epoch, 0, 200))
	}
	again := mustNew(t, Options{Store: s})
	var all sync.WaitGroup
	for i := range uint64(64) {
		all.Go(func() {
			if e, err := again.Epoch(i % 4); err != nil || e.Number() != i%4 {
				t.Errorf("got %v, %v", e, err)
			}
		})
	}
	all.Wait()
	if got := again.Stats().Derivations; got != 4 {
		t.Errorf("%d derivations, want 4", got)
	}
}

// While lists are replaced, a reader sees one version from beginning to end, and no
// reader sees an older version after a newer one.
func TestReplacedUnderReaders(t *testing.T) {
	const epoch, entries = 9, 60
	versions, readers := 25, 4
	if shorter() {
		versions, readers = 10, 3
	}
	digests, bodies, firsts := map[[32]byte]int{}, []string{}, []schedule.Entry{}
	for v := range versions {
		s := derived(t, made(epoch, uint64(v), entries), tiny)
		digests[s.Digest()] = v
		bodies = append(bodies, written(t, s, RPC))
		firsts = append(firsts, made(epoch, uint64(v), 1).Entries[0])
	}
	for name, o := range map[string]Options{
		"memory":   {},
		"store":    {Store: mustStore(t, t.TempDir())},
		"no cache": {Store: mustStore(t, t.TempDir()), CacheBytes: 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := mustNew(t, o)
			mustPut(t, r, made(epoch, 0, entries))
			var done atomic.Bool
			var all sync.WaitGroup
			for i := range readers {
				all.Go(func() {
					enc, last := splice.Encoding(i%3), 0
					for !done.Load() {
						e, err := r.Epoch(epoch)
						if err != nil {
							t.Error(err)
							return
						}
						v, ok := digests[e.Digest()]
						if !ok || v < last || e.Schedule().Digest() != e.Digest() {
							t.Errorf("got version %d after %d, %v", v, last, ok)
							return
						}
						last = v
						b, err := e.Body(RPC, enc)
						if err != nil {
							t.Error(err)
							return
						}
						if decoded(t, enc, b.Bytes()) != bodies[v] || b.ETag != e.ETag(RPC, enc) {
							t.Errorf("the body is not that of version %d", v)
							return
						}
						if *e.List().Provenance.Epoch != epoch || e.List().Entries[0] != firsts[v] {
							t.Errorf("the list is not that of version %d", v)
							return
						}
					}
				})
			}
			for v := 1; v < versions; v++ {
				if put := mustPut(t, r, made(epoch, uint64(v), entries)); !put.Replaced {
					t.Errorf("got %+v", put)
				}
			}
			done.Store(true)
			all.Wait()
			if got := mustEpoch(t, r, epoch); digests[got.Digest()] != versions-1 {
				t.Error("the last version is not held")
			}
		})
	}
}

// Both epochs stay answerable while the next one is put, and a reader who holds a
// replaced epoch goes on with it.
func TestHeldEpochStays(t *testing.T) {
	r := mustNew(t, Options{})
	mustPut(t, r, made(9, 0, 50))
	old := mustEpoch(t, r, 9)
	want := written(t, old.Schedule(), RPC)
	mustPut(t, r, made(9, 1, 50))
	for range 2 {
		b, err := old.Body(RPC, splice.Gzip)
		if err != nil || decoded(t, splice.Gzip, b.Bytes()) != want {
			t.Errorf("got another body, %v", err)
		}
	}
	for key := range r.cache.items {
		if key.version == old.head.version {
			t.Errorf("%+v is kept though it was replaced", key)
		}
	}
	if mustEpoch(t, r, 9).Digest() == old.Digest() {
		t.Error("the old version is still held")
	}
}

// The cache never holds more than its bound, whoever asks for how much at once, and
// every answer is right.
func TestCacheBound(t *testing.T) {
	const epochs, entries, bound = 30, 100, 120_000
	rounds, askers := 40, 8
	if shorter() {
		rounds, askers = 25, 4
	}
	es := mustSchedule(2000, false)
	s := mustStore(t, t.TempDir())
	first := mustNew(t, Options{Store: s, EpochSchedule: es})
	var want [epochs][4]string
	for epoch := range want {
		l := made(uint64(epoch), 0, entries)
		mustPut(t, first, l)
		s := derived(t, l, es)
		for k := range want[epoch] {
			want[epoch][k] = written(t, s, Kinds()[k])
		}
	}
	r := mustNew(t, Options{Store: s, EpochSchedule: es, CacheBytes: bound})
	var most atomic.Int64
	var all sync.WaitGroup
	for asker := range uint64(askers) {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(asker, 9))
			for range rounds {
				epoch := rng.Uint64N(epochs)
				n, enc := rng.IntN(4), splice.Encoding(rng.IntN(3))
				k := Kinds()[n]
				e, err := r.Epoch(epoch)
				if err != nil {
					t.Error(err)
					return
				}
				b, err := e.Body(k, enc)
				if err != nil {
					t.Error(err)
					return
				}
				if decoded(t, enc, b.Bytes()) != want[epoch][n] {
					t.Errorf("epoch %d %s %v: got another body", epoch, k, enc)
				}
				stats := r.Stats()
				for now := stats.CacheBytes; ; {
					seen := most.Load()
					if now <= seen || most.CompareAndSwap(seen, now) {
						break
					}
				}
			}
		})
	}
	all.Wait()
	stats := r.Stats()
	t.Logf("at most %d of %d bytes; %+v", most.Load(), bound, stats)
	if most.Load() > bound || most.Load() < bound/2 || stats.CacheBound != bound {
		t.Errorf("at most %d bytes, the bound is %d", most.Load(), bound)
	}
	if stats.Evictions == 0 || stats.Hits == 0 {
		t.Errorf("nothing was evicted or found: %+v", stats)
	}
	var sum int64
	for _, item := range r.cache.items {
		sum += item.Value.(*cacheItem).bytes
	}
	if sum != stats.CacheBytes || len(r.cache.items) != r.cache.order.Len() {
		t.Errorf("%d bytes counted, %d kept", stats.CacheBytes, sum)
	}
}

func TestCache(t *testing.T) {
	c := newCache(100)
	key := func(epoch, version uint64) cacheKey { return cacheKey{epoch: epoch, version: version} }
	c.add(key(1, 1), "a", 40)
	c.add(key(2, 1), "b", 40)
	if v, ok := c.get(key(1, 1)); v != "a" || !ok {
		t.Errorf("got %v, %v", v, ok)
	}
	c.add(key(3, 1), "c", 30) // 2 was used longest ago
	if _, ok := c.get(key(2, 1)); ok || c.bytes != 70 || c.evictions != 1 {
		t.Errorf("%v, %d bytes, %d evictions", ok, c.bytes, c.evictions)
	}
	c.add(key(3, 1), "d", 20) // in the place of c
	c.add(key(4, 1), "e", 101)
	if v, _ := c.get(key(3, 1)); v != "d" || c.bytes != 60 {
		t.Errorf("got %v, %d bytes", v, c.bytes)
	}
	if _, ok := c.get(key(4, 1)); ok {
		t.Error("kept what is larger than the bound")
	}
	c.add(key(3, 2), "f", 10)
	c.drop(3, 2)
	if _, ok := c.get(key(3, 1)); ok || c.bytes != 50 {
		t.Errorf("%v, %d bytes", ok, c.bytes)
	}
	c.add(key(5, 1), "g", 100)
	if c.bytes != 100 || len(c.items) != 1 {
		t.Errorf("%d bytes in %d items", c.bytes, len(c.items))
	}
	if c.hits != 2 || c.misses != 3 {
		t.Errorf("%d hits, %d misses", c.hits, c.misses)
	}
}

// Whoever waits for a maker that panics gets an error, and the next one makes.
func TestFlightPanics(t *testing.T) {
	var f flight[int, int]
	started, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is gone")
			}
		}()
		f.do(1, func() (int, error) {
			close(started)
			<-release
			panic("made badly")
		})
	})
	<-started
	waiting := make(chan struct{})
	all.Go(func() {
		close(waiting)
		if v, err := f.do(1, func() (int, error) { return 5, nil }); err != errPanicked && v != 5 {
			t.Errorf("got %d, %v", v, err)
		}
	})
	<-waiting
	close(release)
	all.Wait()
	if v, err := f.do(1, func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Errorf("got %d, %v", v, err)
	}
	if len(f.calls) != 0 {
		t.Errorf("%d calls are left", len(f.calls))
	}
}

// A body larger than the whole cache is given and not kept.
func TestLargerThanCache(t *testing.T) {
	r := mustNew(t, Options{CacheBytes: 1000})
	mustPut(t, r, made(9, 0, 100))
	e := mustEpoch(t, r, 9)
	for range 2 {
		b, err := e.Body("csv", splice.Identity)
		if err != nil || !bytes.Equal(b.Bytes(), []byte(written(t, e.Schedule(), "csv"))) {
			t.Errorf("got another body, %v", err)
		}
	}
	if s := r.Stats(); s.CacheBytes != 0 || s.Makes != 2 {
		t.Errorf("got %+v", s)
	}
}
