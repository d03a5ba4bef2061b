package rest

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/slotfeed"
	"github.com/schedgen/schedgen/slotclock"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

// Epochs of 202 slots: the last rotation of each has two.
const epochSlots = 202

var (
	noon   = time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC)
	absent = schedule.Pubkey{31: 9} // in no list
)

func randomKey(rng *rand.Rand) (k schedule.Pubkey) {
	for i := 0; i < len(k); i += 8 {
		binary.LittleEndian.PutUint64(k[i:], rng.Uint64())
	}
	return k
}

// made returns the list of an epoch in a version. Keys are the same in all of them,
// the second identity has two vote accounts.
func made(epoch, version uint64, entries int) *list.List {
	keys, stakes := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(epoch, version))
	l := &list.List{HasVotes: true, Provenance: list.Provenance{
		Kind: list.KindJSON, Source: "made <up>", Epoch: &epoch, Vintage: list.VintageExact, Notes: []string{"of a test"},
	}}
	for i := range entries {
		e := schedule.Entry{Key: randomKey(keys), Node: randomKey(keys), Stake: 1 + stakes.Uint64()>>24}
		if i == 2 {
			e.Node = l.Entries[1].Node
		}
		l.Entries = append(l.Entries, e)
	}
	return l
}

// A fakeClock is set by the test.
type fakeClock struct {
	now   slotfeed.Now
	known bool
}

func (c *fakeClock) Now() (slotfeed.Now, bool) { return c.now, c.known }

func clockAt(slot schedule.Slot) *fakeClock {
	clock := slotclock.Assume(slot, noon, 400*time.Millisecond)
	clock.RelError, clock.Assumed = 0.002, false
	return &fakeClock{slotfeed.Now{Slot: slot, At: noon, Clock: clock, Source: "a test"}, true}
}

const token = "s3cret-of-the-test"

// A service is a handler, with what it answers about.
type service struct {
	t        testing.TB
	handler  *Handler
	registry *epochs.Registry
	clock    *fakeClock
	log      *bytes.Buffer
}

// newService holds the epochs 4 to 6, and it is slot 50 of epoch 5.
func newService(t testing.TB, change ...func(*Config)) *service {
	t.Helper()
	registry := newRegistry(t, "vote")
	for epoch := uint64(4); epoch <= 6; epoch++ {
		mustPut(t, registry, made(epoch, 1, 12))
	}
	return serviceOf(t, registry, change...)
}

func newRegistry(t testing.TB, keyedBy string) *epochs.Registry {
	t.Helper()
	es, err := schedule.NewEpochSchedule(epochSlots, epochSlots, false)
	if err != nil {
		t.Fatal(err)
	}
	registry, err := epochs.New(epochs.Options{
		EpochSchedule: es, Cluster: "a test/net", Terms: electorate.Terms{KeyedBy: keyedBy},
	})
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

func serviceOf(t testing.TB, registry *epochs.Registry, change ...func(*Config)) *service {
	t.Helper()
	s := &service{t: t, registry: registry, clock: clockAt(5*epochSlots + 50), log: new(bytes.Buffer)}
	c := Config{
		Epochs: registry, Clock: s.clock, Version: "v0-test", Token: token,
		Log: newLog(s.log), Now: func() time.Time { return noon },
	}
	for _, f := range change {
		f(&c)
	}
	var err error
	if s.handler, err = New(c); err != nil {
		t.Fatal(err)
	}
	return s
}

func mustPut(t testing.TB, r *epochs.Registry, l *list.List) {
	t.Helper()
	if _, err := r.Put(l); err != nil {
		t.Fatal(err)
	}
}

func (s *service) epoch(n uint64) *epochs.Epoch {
	s.t.Helper()
	e, err := s.registry.Epoch(n)
	if err != nil {
		s.t.Fatal(err)
	}
	return e
}

// A header is the name and the value of a header field, one after the other.
func (s *service) do(method, target, body string, header ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

func (s *service) get(target string, header ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	return s.do(http.MethodGet, target, "", header...)
}

// ask asks for JSON that there must be.
func ask[T any](s *service, target string, header ...string) *T {
	s.t.Helper()
	w := s.get(target, header...)
	if w.Code != http.StatusOK {
		s.t.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
	return parsed[T](s.t, w)
}

func parsed[T any](t testing.TB, w *httptest.ResponseRecorder) *T {
	t.Helper()
	v := new(T)
	d := json.NewDecoder(strings.NewReader(plainBody(t, w)))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	return v
}

// refused asks for what there must not be, and returns the problem.
func (s *service) refused(target string, status int, name string, header ...string) *Problem {
	s.t.Helper()
	return mustRefuse(s.t, target, s.get(target, header...), status, name)
}

func mustRefuse(t testing.TB, what string, w *httptest.ResponseRecorder, status int, name string) *Problem {
	t.Helper()
	if w.Code != status || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Fatalf("%s: %d %s %s, want the problem %d %s", what, w.Code, w.Header().Get("Content-Type"), w.Body, status, name)
	}
	p := parsed[Problem](t, w)
	if p.Type != typePrefix+name || p.Status != status || p.Detail == "" || strings.Contains(p.Detail, "\n") {
		t.Fatalf("%s: %+v, want %s", what, p, name)
	}
	if w.Header().Get("ETag") != "" || w.Header().Get("Content-Encoding") != "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%s: header %v", what, w.Header())
	}
	return p
}

// plainBody is the body without its content coding.
func plainBody(t testing.TB, w *httptest.ResponseRecorder) string {
	t.Helper()
	body := w.Body.Bytes()
	var err error
	switch coding := w.Header().Get("Content-Encoding"); coding {
	case "":
	case "gzip":
		r, e := gzip.NewReader(bytes.NewReader(body))
		if e != nil {
			t.Fatal(e)
		}
		body, err = io.ReadAll(r)
	case "zstd":
		r, e := zstd.NewReader(nil)
		if e != nil {
			t.Fatal(e)
		}
		defer r.Close()
		body, err = r.DecodeAll(body, nil)
	default:
		t.Fatalf("content coding %q", coding)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func written(t testing.TB, e *epochs.Epoch, f schedule.Format, identities ...schedule.Pubkey) string {
	t.Helper()
	var out bytes.Buffer
	if err := e.Schedule().Write(&out, f, identities...); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// shorter reports whether tests should do less.
func shorter() bool { return testing.Short() || os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" }
