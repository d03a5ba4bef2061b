package leaders

import (
	"encoding/json"
	"errors"
	"iter"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// A fixed source yields runs as they are written down.
type fixed struct {
	epoch uint64
	first schedule.Slot
	slots uint64
	runs  []Run
}

func (f fixed) Epoch() uint64                         { return f.epoch }
func (f fixed) FirstSlot() schedule.Slot              { return f.first }
func (f fixed) Slots() uint64                         { return f.slots }
func (f fixed) Runs(Key, schedule.Slot) iter.Seq[Run] { return slices.Values(f.runs) }
func (f fixed) Staked(Key) (staked, known bool)       { return false, false }

func mustBook(t fataler, es schedule.EpochSchedule, sources ...Source) *Book {
	t.Helper()
	var held []Held
	for _, s := range sources {
		held = append(held, Held{Source: s})
	}
	b, err := New(es, held...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestNewRefuses(t *testing.T) {
	es := mustEpochs(t, 32, false)
	good := Held{Source: fixed{epoch: 2, first: 64, slots: 32}}
	for _, c := range []struct {
		es   schedule.EpochSchedule
		held []Held
		want error
		text string
	}{
		{es, []Held{good, {}}, ErrNoSource, "no schedule: number 2 of 2 is nil"},
		{es, []Held{{Source: FromSchedule(nil)}}, ErrNoSource, "no schedule: number 1 of 1 is nil"},
		{es, []Held{{Source: FromSchedule(&schedule.Schedule{})}}, ErrNoSource, "no schedule: number 1 of 1 is nil"},
		{
			es, []Held{{good.Source, Label{Source: "a.csv"}}, {Source: fixed{1, 32, 32, nil}}, {good.Source, Label{Source: "b.csv"}}}, ErrTwice,
			`two schedules of one epoch: epoch 2 from "a.csv" and from "b.csv"`,
		},
		{schedule.EpochSchedule{}, []Held{{Source: fixed{}}}, schedule.ErrSlots, "impossible number of slots: epoch 0 has 0"},
		{
			schedule.EpochSchedule{SlotsPerEpoch: math.MaxUint64, FirstNormalSlot: 7}, []Held{{Source: fixed{1, math.MaxUint64, math.MaxUint64, nil}}},
			schedule.ErrSlots, "impossible number of slots: 18446744073709551615 slots of epoch 1 from slot 18446744073709551615 go past slot 18446744073709551615",
		},
	} {
		b, err := New(c.es, c.held...)
		if b != nil || !errors.Is(err, c.want) || err.Error() != c.text {
			t.Errorf("got %v, want %q", err, c.text)
		}
	}
	var fit *schedule.FitError
	for _, s := range []fixed{{2, 64, 31, nil}, {2, 63, 32, nil}, {3, 64, 32, nil}} {
		if _, err := New(es, Held{Source: s}); !errors.As(err, &fit) {
			t.Errorf("%+v: got %v", s, err)
		}
	}
}

func TestQuestionsRefused(t *testing.T) {
	b := mustBook(t, mustEpochs(t, 32, false))
	key := []Key{identity(1)}
	_, noKey := b.Next(nil, 0, 1)
	_, none := b.Next(key, 0, 0)
	_, negative := b.Next(key, 0, math.MinInt)
	_, quietNoKey := b.Quiet(nil, 0, 1)
	_, presenceNoKey := b.InSchedule(nil, 0, 1)
	_, reversed := b.InSchedule(key, 2, 1)
	_, endless := b.InSchedule(key, 0, math.MaxUint64)
	_, oneTooMany := b.InSchedule(key, 1, MaxEpochs+1)
	for i, c := range []struct{ err, want error }{
		{noKey, ErrNoKey}, {none, ErrCount}, {negative, ErrCount}, {quietNoKey, ErrNoKey}, {presenceNoKey, ErrNoKey},
		{reversed, ErrEpochs}, {endless, ErrEpochs}, {oneTooMany, ErrEpochs},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%d: got %v, want %v", i, c.err, c.want)
		}
	}
	if p, err := b.InSchedule(key, 1, MaxEpochs); err != nil || len(p.Epochs) != MaxEpochs || p.Any != Unknown || p.All != Unknown {
		t.Errorf("%d epochs, %v", len(p.Epochs), err)
	}
	if p, err := b.InSchedule(key, math.MaxUint64, math.MaxUint64); err != nil || len(p.Epochs) != 1 {
		t.Errorf("last epoch: %+v, %v", p, err)
	}
}

func TestWith(t *testing.T) {
	es := mustEpochs(t, 32, false)
	old := mustBook(t, es, fixed{5, 160, 32, nil}, fixed{3, 96, 32, nil})
	whole := []Run{{First: 96, Last: 127}}
	b, err := old.With(Held{fixed{3, 96, 32, whole}, Label{Vintage: list.VintageExact}})
	if err != nil {
		t.Fatal(err)
	}
	if b, err = b.With(Held{Source: fixed{4, 128, 32, nil}}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(b.Epochs(), []uint64{3, 4, 5}) || !slices.Equal(old.Epochs(), []uint64{3, 5}) || b.EpochSchedule() != es {
		t.Errorf("epochs %v, before %v", b.Epochs(), old.Epochs())
	}
	if h, ok := b.Get(3); !ok || h.Label.Vintage != list.VintageExact {
		t.Errorf("%+v", h)
	}
	if h, ok := old.Get(3); !ok || h.Label.Vintage != list.VintageUnknown || h.Source.(fixed).runs != nil {
		t.Errorf("the old book has %+v", h)
	}
	if _, ok := b.Get(6); ok {
		t.Error("epoch 6 is held")
	}
	if _, err := b.With(Held{}); !errors.Is(err, ErrNoSource) {
		t.Errorf("got %v", err)
	}
	held := []Held{{Source: fixed{3, 96, 32, nil}}}
	mine, err := New(es, held...)
	if err != nil {
		t.Fatal(err)
	}
	held[0] = Held{}
	if _, ok := mine.Get(3); !ok {
		t.Error("the book shares the caller's slice")
	}
}

// An epoch schedule whose fields contradict each other makes slots unknown.
func TestContradictoryEpochs(t *testing.T) {
	es := schedule.EpochSchedule{SlotsPerEpoch: 100, FirstNormalEpoch: 3, FirstNormalSlot: 50}
	b := mustBook(t, es, fixed{epoch: 3, first: 224, slots: 100}) // slot 60 is in epoch 3, too
	a, err := b.Next([]Key{identity(1)}, 60, 1)
	if a.Status != Unknown || a.Unknown.Epoch != 3 || !errors.Is(err, schedule.ErrUnknownEpoch) {
		t.Errorf("%+v, %v", a, err)
	}
	q, err := b.Quiet([]Key{identity(1)}, 230, 1)
	if q.Next() != nil || err == nil {
		t.Errorf("%+v, %v", q, err)
	}
}

// A source whose runs are in no order cannot make a question endless.
func TestUnrulySource(t *testing.T) {
	es := mustEpochs(t, 32, false)
	b := mustBook(t, es, fixed{0, 0, 32, []Run{
		{First: 5, Last: 9}, {First: 0, Last: 3}, {First: 20, Last: 8}, {First: 30, Last: math.MaxUint64}, {First: 7, Last: 31},
	}})
	a, err := b.Next([]Key{identity(1)}, 0, 9)
	var got []schedule.Slot
	for _, w := range a.Windows {
		got = append(got, w.First, w.Last)
	}
	if !slices.Equal(got, []schedule.Slot{5, 9, 30, 31}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestLabelOf(t *testing.T) {
	p := list.Provenance{Kind: list.KindCSV, Source: "a.csv", Vintage: list.VintageApproximate, Reason: "read late"}
	if got, want := LabelOf(&p), (Label{"a.csv", list.VintageApproximate, "read late"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A book answers many goroutines at once.
func TestConcurrentReads(t *testing.T) {
	m := derivedModel(t, mustEpochs(t, 64, false), 1, 2)
	b := m.book(t)
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			keys := []Key{identity(n % 3), vote(n)}
			a, _ := b.Next(keys, 64, 5)
			q, err := b.Quiet(keys, 64, 5)
			p, err2 := b.InSchedule(keys, 1, 2)
			if len(a.Windows) != 5 || len(q.Windows) == 0 || p.All != Present || err != nil || err2 != nil {
				t.Errorf("%+v %+v %+v %v %v", a, q, p, err, err2)
			}
		})
	}
	wg.Wait()
}

// A service sends results as they are.
func TestJSON(t *testing.T) {
	m := modelOf(t, func(slot schedule.Slot) int { return int(slot % 32 / 30) }, 2)
	b := m.book(t)
	keys := []Key{vote(1)}
	a, _ := b.Next(keys, 80, 2)
	q, _ := b.Quiet(keys, 70, 10)
	p, _ := b.InSchedule(keys, 2, 3)
	key := `{"pubkey":"` + vote(1).Pubkey.String() + `","vote":true}`
	unknown := `"unknown":{"epoch":3,"slot":96,"why":"it is not held"}`
	gap := `{"first":70,"last":93,"slots":24,"epoch":2,"lastEpoch":2,"current":true,"vintage":"unknown"}`
	for _, c := range []struct {
		got  any
		want string
	}{
		{a, `{"from":80,"status":"present","windows":[{"first":94,"last":95,"slots":2,"epoch":2,"lastEpoch":2,"atLeast":true,"vintage":"unknown","key":` +
			key + `}],"knownTo":95,` + unknown + `}`},
		{q, `{"from":70,"minSlots":10,"windows":[` + gap + `],"now":` + gap + `,"longest":` + gap + `,"knownTo":95,` + unknown + `}`},
		{p, `{"any":"present","all":"unknown","epochs":[{"epoch":2,"firstSlot":64,"status":"present","vintage":"unknown","keys":[{"key":` + key +
			`,"status":"present","slots":2}]},{"epoch":3,"firstSlot":96,"status":"unknown","keys":[{"key":` + key +
			`,"status":"unknown","slots":0,"unknownSlots":32,"why":"it is not held"}]}]}`},
	} {
		if got, err := json.Marshal(c.got); err != nil || string(got) != c.want {
			t.Errorf("%v\ngot  %s\nwant %s", err, got, c.want)
		}
	}
}

func TestUnknownErrorText(t *testing.T) {
	key := vote(1)
	for _, c := range []struct {
		err  UnknownError
		want string
	}{
		{UnknownError{7, 90, nil, "it is not held"}, "leader schedule of epoch 7 is not known from slot 90 on: it is not held"},
		{
			UnknownError{7, 90, &key, "hidden"},
			"leader schedule of epoch 7 is not known for vote account " + key.Pubkey.String() + " from slot 90 on: hidden",
		},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
