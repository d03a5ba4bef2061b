package server

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
	"github.com/schedgen/schedgen/stakes/electorate"
	stakesjson "github.com/schedgen/schedgen/stakes/json"
	"github.com/schedgen/schedgen/stakes/list"
)

const token = "s3cret-of-the-tests-of-the-service"

// shorter reports whether tests should do less.
func shorter() bool { return testing.Short() || os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" }

// A journal keeps what was logged.
type journal struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *journal) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *journal) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A wall is a clock on the wall that the test sets.
type wall struct{ at atomic.Int64 }

var noon = time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC)

func newWall() *wall {
	w := new(wall)
	w.set(noon)
	return w
}

func (w *wall) set(t time.Time)     { w.at.Store(t.UnixNano()) }
func (w *wall) now() time.Time      { return time.Unix(0, w.at.Load()).UTC() }
func (w *wall) add(d time.Duration) { w.at.Add(int64(d)) }

const perSlot = 400 * time.Millisecond

// anchored has slot begin at noon.
func anchored(slot schedule.Slot) *slotclock.Clock {
	c := slotclock.Assume(slot, noon, perSlot)
	return &c
}

func mustSchedule(t testing.TB, slots uint64, warmup bool) schedule.EpochSchedule {
	t.Helper()
	es, err := schedule.NewEpochSchedule(slots, slots, warmup)
	if err != nil {
		t.Fatal(err)
	}
	return es
}

// A service runs, and ends with the test.
type service struct {
	*Server
	t      testing.TB
	url    string // without the slash at the end
	client *http.Transport
	log    *journal
	end    context.CancelFunc
	done   chan struct{}
	err    error // of Run, after done
}

// opened returns a service that does not run yet.
func opened(t testing.TB, c Config, change ...func(*Server)) *service {
	t.Helper()
	s := &service{t: t, log: new(journal), done: make(chan struct{}), client: &http.Transport{MaxIdleConnsPerHost: 64}}
	if c.Listen == "" {
		c.Listen = "127.0.0.1:0"
	}
	if c.Log == nil {
		c.Log = slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	var err error
	if s.Server, err = New(c); err != nil {
		t.Fatal(err)
	}
	s.every.example, s.every.upkeep = time.Millisecond, 10*time.Millisecond
	for _, f := range change {
		f(s.Server)
	}
	s.url = strings.TrimSuffix(s.URL(), "/")
	return s
}

func started(t testing.TB, c Config, change ...func(*Server)) *service {
	t.Helper()
	s := opened(t, c, change...)
	s.run()
	return s
}

func (s *service) run() {
	ctx, end := context.WithCancel(context.Background())
	s.end = end
	go func() {
		defer close(s.done)
		s.err = s.Run(ctx)
	}()
	s.t.Cleanup(func() {
		s.stop()
		if s.t.Failed() {
			s.t.Logf("log:\n%.20000s", s.log.String())
		}
	})
}

// stop ends the service and returns what Run did.
func (s *service) stop() error {
	s.client.CloseIdleConnections()
	s.end()
	<-s.done
	return s.err
}

// eventually waits until something holds. The deadline is for what never does.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

func (s *service) waitReady() {
	s.t.Helper()
	eventually(s.t, "ready", func() bool { return len(s.Ready()) == 0 })
}

// A reply is an answer with its body.
type reply struct {
	status int
	header http.Header
	body   string
}

func (s *service) do(method, path, body string, header ...string) reply {
	s.t.Helper()
	r, err := s.try(method, path, body, header...)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

func (s *service) try(method, path, body string, header ...string) (reply, error) {
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	r, err := http.NewRequest(method, s.url+path, content)
	if err != nil {
		return reply{}, err
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := s.client.RoundTrip(r)
	if err != nil {
		return reply{}, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return reply{answer.StatusCode, answer.Header, string(text)}, err
}

func (s *service) get(path string, header ...string) reply {
	s.t.Helper()
	return s.do(http.MethodGet, path, "", header...)
}

// call asks over JSON-RPC and returns the text of the result or of the error.
func (s *service) call(method, params string) string {
	s.t.Helper()
	text, err := s.tryCall(method, params)
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

func (s *service) tryCall(method, params string) (string, error) {
	r, err := s.try(http.MethodPost, "/", `{"jsonrpc":"2.0","id":7,"method":"`+method+`","params":`+params+`}`, "Content-Type", "application/json")
	if err != nil {
		return "", err
	}
	var answer struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal([]byte(r.body), &answer); err != nil {
		return "", fmt.Errorf("status %d, %.200q: %w", r.status, r.body, err)
	}
	if answer.Error != nil {
		return "error " + string(answer.Error), nil
	}
	return string(answer.Result), nil
}

// made returns the list of an epoch in a version.
func made(epoch, version uint64, entries int) *list.List {
	rng := rand.New(rand.NewPCG(epoch, version))
	key := func() (k schedule.Pubkey) {
		for i := 0; i < len(k); i += 8 {
			binary.LittleEndian.PutUint64(k[i:], rng.Uint64())
		}
		return k
	}
	l := &list.List{HasVotes: true, Provenance: list.Provenance{
		Kind: list.KindJSON, Source: "made", Epoch: &epoch, Vintage: list.VintageExact,
	}}
	for range entries {
		l.Entries = append(l.Entries, schedule.Entry{Key: key(), Node: key(), Stake: 1 + rng.Uint64()>>24})
	}
	return l
}

// posted is a list as somebody posts it.
func posted(t testing.TB, l *list.List) string {
	t.Helper()
	var b bytes.Buffer
	if err := stakesjson.Write(&b, l); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func (s *service) post(l *list.List) reply {
	s.t.Helper()
	return s.do(http.MethodPost, "/v1/stakes", posted(s.t, l), "Authorization", "Bearer "+token)
}

// derived derives a list without a service.
func derived(t testing.TB, l list.List, epoch uint64, es schedule.EpochSchedule) *schedule.Schedule {
	t.Helper()
	l.Provenance.Epoch = &epoch
	drawn, err := electorate.New(&list.Set{Lists: []list.List{l}}, electorate.Terms{KeyedBy: "vote"}).For(epoch)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schedule.Derive(drawn.Stakes, schedule.Params{Epoch: epoch, FirstSlot: es.FirstSlot(epoch), Slots: es.SlotsIn(epoch)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func digestOf(s *schedule.Schedule) string {
	sum := s.Digest()
	return hex.EncodeToString(sum[:])
}

// small is a configuration of epochs of 200 slots, at slot 50 of epoch 5.
func small(t testing.TB) Config {
	t.Helper()
	return Config{
		EpochSchedule: mustSchedule(t, 200, false), Terms: electorate.Terms{KeyedBy: "vote"},
		Anchor: anchored(1050), Now: newWall().now, Token: token,
	}
}

// quick is a configuration of the example with short epochs, which takes no time.
func quick(t testing.TB, l Limits) Config {
	t.Helper()
	return Config{Example: true, EpochSchedule: mustSchedule(t, 200, false), Anchor: anchored(1050), Now: newWall().now, Limits: l}
}

// smallService holds epochs 4 to 6 of small.
func smallService(t testing.TB, change ...func(*Config)) *service {
	t.Helper()
	c := small(t)
	for _, f := range change {
		f(&c)
	}
	s := started(t, c)
	for epoch := uint64(4); epoch <= 6; epoch++ {
		if r := s.post(made(epoch, 0, 20)); r.status != http.StatusCreated {
			t.Fatalf("epoch %d: %+v", epoch, r)
		}
	}
	s.waitReady()
	return s
}

func slotText(slot schedule.Slot) string { return fmt.Sprint(uint64(slot)) }

// number is a value as metrics print it.
func number[N int | float64](n N) string { return strings.TrimSuffix(fmt.Sprintf("%v", n), ".0") }
