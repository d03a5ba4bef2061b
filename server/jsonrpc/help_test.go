package jsonrpc

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/slotfeed"
	"github.com/schedgen/schedgen/server/splice"
	"github.com/schedgen/schedgen/stakes/list"
)

// A fakeFeed says what it is told to.
type fakeFeed struct {
	mu    sync.Mutex
	now   slotfeed.Now
	known bool
	subs  map[chan slotfeed.Tick]bool
}

func feedAt(processed, confirmed, finalized schedule.Slot) *fakeFeed {
	f := &fakeFeed{subs: map[chan slotfeed.Tick]bool{}}
	f.set(slotfeed.Now{Slot: processed, Confirmed: confirmed, Finalized: finalized}, true)
	return f
}

func (f *fakeFeed) set(now slotfeed.Now, known bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now, f.known = now, known
}

func (f *fakeFeed) Now() (slotfeed.Now, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now, f.known
}

func (f *fakeFeed) Subscribe() (<-chan slotfeed.Tick, func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ticks := make(chan slotfeed.Tick, 1000)
	f.subs[ticks] = true
	return ticks, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.subs[ticks] {
			delete(f.subs, ticks)
			close(ticks)
		}
	}
}

func (f *fakeFeed) tick(t slotfeed.Tick) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for ticks := range f.subs {
		select {
		case ticks <- t:
		default: // nobody waits for a slow reader
		}
	}
}

func (f *fakeFeed) subscribers() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.subs)
}

// fakeEpochs hold schedules, and find things out the slow way.
type fakeEpochs struct {
	es      schedule.EpochSchedule
	genesis *schedule.Pubkey
	held    map[uint64]*fakeEpoch
	broken  map[uint64]error
}

type fakeEpoch struct {
	s      *schedule.Schedule
	l      *list.List
	broken error
}

func (f *fakeEpochs) EpochSchedule() schedule.EpochSchedule { return f.es }
func (f *fakeEpochs) GenesisHash() *schedule.Pubkey         { return f.genesis }

func (f *fakeEpochs) Epoch(n uint64) (*fakeEpoch, error) {
	if err := f.broken[n]; err != nil {
		return nil, err
	}
	if e, ok := f.held[n]; ok {
		return e, nil
	}
	return nil, &schedule.UnknownEpochError{Epoch: n}
}

func (f *fakeEpochs) AppendLeaderTexts(dst []string, start schedule.Slot, n int) ([]string, error) {
	all := dst
	for i := range n {
		if start+schedule.Slot(i) < start {
			return dst, schedule.ErrNoSlot
		}
		epoch, index := f.es.EpochOf(start + schedule.Slot(i))
		e, err := f.Epoch(epoch)
		if err != nil {
			return dst, err
		}
		leader, ok := e.s.Leader(index)
		if !ok {
			return dst, fmt.Errorf("epoch %d has no slot %d", epoch, index)
		}
		all = append(all, leader.String())
	}
	return all, nil
}

func (e *fakeEpoch) Schedule() *schedule.Schedule { return e.s }
func (e *fakeEpoch) List() *list.List             { return e.l }

func (e *fakeEpoch) Result(byVote bool, enc splice.Encoding) (*splice.Block, error) {
	if e.broken != nil {
		return nil, e.broken
	}
	return splice.Make(enc, splice.Options{}, func(w io.Writer) error {
		_, err := w.Write(wholeResult(e.s, byVote))
		return err
	})
}

// wholeResult is the result of getLeaderSchedule, from the leader of each slot.
func wholeResult(s *schedule.Schedule, byVote bool) []byte {
	slots := map[string][]uint64{}
	for i := range schedule.Index(s.Slots()) {
		leader, _ := s.Leader(i)
		if byVote {
			leader, _ = s.Vote(i)
		}
		slots[leader.String()] = append(slots[leader.String()], uint64(i))
	}
	text, err := json.Marshal(slots)
	if err != nil {
		panic(err)
	}
	return text
}

// put derives an epoch and holds it.
func (f *fakeEpochs) put(t testing.TB, n uint64, k schedule.Keying, entries ...schedule.Entry) {
	t.Helper()
	stakes, err := schedule.NewStakes(entries, k)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schedule.Derive(stakes, schedule.Params{Epoch: n, FirstSlot: f.es.FirstSlot(n), Slots: f.es.SlotsIn(n)})
	if err != nil {
		t.Fatal(err)
	}
	if f.held == nil {
		f.held = map[uint64]*fakeEpoch{}
	}
	f.held[n] = &fakeEpoch{s: s, l: &list.List{Entries: entries, HasVotes: k == schedule.KeyedByVote, Provenance: list.Provenance{Epoch: &n}}}
}

func mustKey(t testing.TB, text string) schedule.Pubkey {
	t.Helper()
	key, err := schedule.ParsePubkey(text)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func mustSchedule(t testing.TB, slots uint64, warmup bool) schedule.EpochSchedule {
	t.Helper()
	es, err := schedule.NewEpochSchedule(slots, slots, warmup)
	if err != nil {
		t.Fatal(err)
	}
	return es
}

// The accounts of the small cluster: addresses that are easy to tell apart.
const (
	identityA = "Config1111111111111111111111111111111111111"
	identityB = "Stake11111111111111111111111111111111111111"
	identityC = "Vote111111111111111111111111111111111111111"
	voteA     = "SysvarC1ock11111111111111111111111111111111"
	voteB     = "SysvarRent111111111111111111111111111111111"
	voteC     = "SysvarEpochSchedu1e111111111111111111111111"
)

// smallCluster has epochs of 32 slots and holds two. In epoch 1 the stakes are 10,
// 20 and 30, for which the rotations are known: B B C B B A A B. In epoch 2 only A
// has stake. Epoch 4 is keyed by identity, with A alone.
func smallCluster(t testing.TB) *fakeEpochs {
	genesis := mustKey(t, "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d")
	f := &fakeEpochs{es: mustSchedule(t, 32, false), genesis: &genesis, broken: map[uint64]error{}}
	entry := func(vote, node string, stake uint64) schedule.Entry {
		return schedule.Entry{Key: mustKey(t, vote), Node: mustKey(t, node), Stake: stake}
	}
	f.put(t, 1, schedule.KeyedByVote, entry(voteA, identityA, 10), entry(voteB, identityB, 20), entry(voteC, identityC, 30))
	f.put(t, 2, schedule.KeyedByVote, entry(voteA, identityA, 70), entry(voteB, identityB, 0))
	f.put(t, 4, schedule.KeyedByIdentity, entry(identityA, identityA, 5))
	return f
}

// ask sends a body and returns the answer, decoded where it is encoded.
func ask(t testing.TB, h http.Handler, body string, header ...string) (*http.Response, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec.Result(), decoded(t, rec)
}

// sortedNames returns whether the names of all objects in a text ascend.
func sortedNames(text string) bool {
	d := json.NewDecoder(strings.NewReader(text))
	var check func() bool
	check = func() bool {
		token, err := d.Token()
		if err != nil {
			return false
		}
		switch token {
		case json.Delim('['):
			for d.More() {
				if !check() {
					return false
				}
			}
			d.Token()
		case json.Delim('{'):
			var names []string
			for d.More() {
				name, _ := d.Token()
				names = append(names, name.(string))
				if !check() {
					return false
				}
			}
			d.Token()
			return slices.IsSorted(names) && len(slices.Collect(maps.Keys(asSet(names)))) == len(names)
		}
		return true
	}
	return check()
}

func asSet(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}
