package feed

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/json"
	"github.com/schedgen/schedgen/stakes/list"
)

// The real registry must do.
var _ Registry = (*epochs.Registry)(nil)

// shorter reports whether tests should do less.
func shorter() bool { return testing.Short() || os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" }

func mustSchedule(slots uint64, warmup bool) schedule.EpochSchedule {
	es, err := schedule.NewEpochSchedule(slots, slots, warmup)
	if err != nil {
		panic(err)
	}
	return es
}

var (
	tiny    = mustSchedule(32, false)
	genesis = schedule.Pubkey{9, 9, 9}
)

func randomKey(rng *rand.Rand) (k schedule.Pubkey) {
	for i := 0; i < len(k); i += 8 {
		binary.LittleEndian.PutUint64(k[i:], rng.Uint64())
	}
	return k
}

// entries are those of a version; all versions have the same keys.
func entries(version uint64) []schedule.Entry {
	keys, stakes := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(2, version))
	all := make([]schedule.Entry, 20)
	for i := range all {
		all[i] = schedule.Entry{Key: randomKey(keys), Node: randomKey(keys), Stake: 1 + stakes.Uint64N(1<<40)}
	}
	return all
}

// made returns the list of an epoch in a version.
func made(epoch, version uint64, v list.Vintage) *list.List {
	return &list.List{HasVotes: true, Entries: entries(version), Provenance: list.Provenance{
		Kind: list.KindJSON, Source: "made", Epoch: &epoch, Vintage: v, Reason: "of the test",
	}}
}

// jsonOf is a list as a file.
func jsonOf(t testing.TB, l *list.List) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Write(&b, l); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func derived(all []schedule.Entry, es schedule.EpochSchedule, epoch uint64) *schedule.Schedule {
	stakes, err := schedule.NewStakes(all, schedule.KeyedByVote)
	if err != nil {
		panic(err)
	}
	s, err := schedule.Derive(stakes, schedule.Params{Epoch: epoch, FirstSlot: es.FirstSlot(epoch), Slots: es.SlotsIn(epoch)})
	if err != nil {
		panic(err)
	}
	return s
}

// A rig is a registry, a feed into it, and what they told.
type rig struct {
	*Feed
	registry *failing
	log      *logged

	mu        sync.Mutex
	ingested  []Ingested
	upstreams []Upstream
}

// failing is a registry that can be made to fail.
type failing struct {
	*epochs.Registry
	mu  sync.Mutex
	err error
}

func (f *failing) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

func (f *failing) Put(l *list.List) (store.Put, error) {
	f.mu.Lock()
	err := f.err
	f.mu.Unlock()
	if err != nil {
		return store.Put{}, err
	}
	return f.Registry.Put(l)
}

// logged is a log that can be read while it is written.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// count returns in how many lines a text is.
func (l *logged) count(text string) (n int) {
	for line := range strings.Lines(l.String()) {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

func newRig(t testing.TB, es schedule.EpochSchedule) *rig {
	t.Helper()
	r, err := epochs.New(epochs.Options{EpochSchedule: es, Terms: electorate.Terms{KeyedBy: "vote"}})
	if err != nil {
		t.Fatal(err)
	}
	g := &rig{registry: &failing{Registry: r}, log: &logged{}}
	g.Feed = New(Options{
		Registry: g.registry,
		RPC:      noderpc.Options{Retries: -1},
		Log:      slog.New(slog.NewTextHandler(g.log, nil)),
		OnIngest: func(in Ingested) {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.ingested = append(g.ingested, in)
		},
		OnUpstream: func(u Upstream) {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.upstreams = append(g.upstreams, u)
		},
	})
	return g
}

// told returns how often something was told of sources and of comparisons.
func (g *rig) told() (ingested, compared int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.ingested), len(g.upstreams)
}

// attempts returns what was told of a source.
func (g *rig) attempts(name string) (found []Ingested) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, in := range g.ingested {
		if in.Name == name {
			found = append(found, in)
		}
	}
	return found
}

// wantLog fails unless a text is in so many lines of the log.
func (g *rig) wantLog(t testing.TB, text string, times int) {
	t.Helper()
	if n := g.log.count(text); n != times {
		t.Errorf("%d lines with %q, want %d, of:\n%s", n, text, times, g.log)
	}
}

func (g *rig) mustPut(t testing.TB, l *list.List) {
	t.Helper()
	if _, err := g.registry.Put(l); err != nil {
		t.Fatal(err)
	}
}

// wantVersion fails unless an epoch's schedule is that of a version's stakes.
func (g *rig) wantVersion(t testing.TB, epoch, version uint64) {
	t.Helper()
	e, err := g.registry.Epoch(epoch)
	if err != nil {
		t.Errorf("epoch %d: %v", epoch, err)
		return
	}
	if want := derived(entries(version), g.registry.EpochSchedule(), epoch); e.Digest() != want.Digest() {
		t.Errorf("epoch %d is not of version %d", epoch, version)
	}
}

func (g *rig) wantNone(t testing.TB, epoch uint64) {
	t.Helper()
	if held, ok := g.registry.Summary(epoch); ok {
		t.Errorf("epoch %d is held: %+v", epoch, held)
	}
}

// direct carries requests to a server without a network, so that both may be in a
// bubble of made-up time.
type direct struct{ handler http.Handler }

func (d direct) RoundTrip(r *http.Request) (response *http.Response, err error) {
	w := httptest.NewRecorder()
	defer func() {
		if broken := recover(); broken != nil {
			response, err = nil, io.ErrUnexpectedEOF
		}
	}()
	d.handler.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}

func dial(t testing.TB, s *rpctest.Server) *noderpc.Client {
	t.Helper()
	return dialWith(t, s, noderpc.Options{Retries: -1})
}

func dialWith(t testing.TB, s *rpctest.Server, o noderpc.Options) *noderpc.Client {
	t.Helper()
	o.Transport = direct{s}
	c, err := noderpc.Dial("http://user:secret@node", o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

type runner interface{ Run(context.Context) error }

// running runs something in a bubble until its context ends, and then checks that it
// returns.
func running(t *testing.T, run func(t *testing.T, start func(runner))) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		var all sync.WaitGroup
		defer all.Wait()
		defer cancel(enough)
		run(t, func(r runner) {
			all.Go(func() {
				if err := r.Run(ctx); err != enough {
					t.Errorf("Run returns %v", err)
				}
			})
		})
	})
}

// after sleeps in a bubble and waits until all has happened that happens by then.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func write(t testing.TB, dir, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}
