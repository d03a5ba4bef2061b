package leaders

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/stakes/list"
)

// eachModel runs check with random models; a failure names its seed.
func eachModel(t *testing.T, check func(t fataler, r *rand.Rand, m *model)) {
	seeds := uint64(200)
	if testing.Short() || os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" {
		seeds = 20 // all of them take half a second natively
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		check(seeded{t, seed}, r, randomModel(t, r))
	}
}

type seeded struct {
	*testing.T
	seed uint64
}

func (s seeded) Fatal(args ...any) {
	s.Helper()
	s.T.Fatal(append([]any{"seed", s.seed, "-"}, args...)...)
}

func chance(r *rand.Rand, percent int) bool { return r.IntN(100) < percent }

// randomModel holds most of the epochs 0 to 5.
func randomModel(t fataler, r *rand.Rand) *model {
	t.Helper()
	slots := schedule.MinSlotsPerEpoch + r.Uint64N(70)
	if chance(r, 20) {
		slots = schedule.MinSlotsPerEpoch + r.Uint64N(401)
	}
	m := &model{es: mustEpochs(t, slots, chance(r, 50)), pages: map[uint64]page{}}
	for epoch := range uint64(6) {
		var p page
		switch n := r.IntN(100); {
		case n < 40:
			s, keying := randomSchedule(t, r, m.es, epoch)
			p = page{Held{Source: FromSchedule(s)}, stateOf(s, keying)}
		case n < 60:
			p = randomObserved(t, r, m.es, epoch)
		case n < 90:
			p = randomGrid(r, m.es, epoch)
		default:
			continue
		}
		vintages := []list.Vintage{list.VintageExact, list.VintageExact, list.VintageApproximate, list.VintageUnknown}
		p.Label = Label{Vintage: vintages[r.IntN(len(vintages))], Source: fmt.Sprint("epoch ", epoch)}
		m.pages[epoch] = p
	}
	return m
}

func randomGrid(r *rand.Rand, es schedule.EpochSchedule, epoch uint64) page {
	g := &grid{epoch: epoch, first: es.FirstSlot(epoch), noVotes: chance(r, 10), split: chance(r, 30)}
	gaps := chance(r, 30)
	for n := es.SlotsIn(epoch); uint64(len(g.votes)) < n; {
		v := r.IntN(6)
		if gaps && chance(r, 5) {
			v = -1
		}
		for range min(1+r.Uint64N(1<<r.IntN(6)), n-uint64(len(g.votes))) {
			g.votes = append(g.votes, v)
		}
	}
	if chance(r, 30) {
		g.only = map[int]bool{r.IntN(3): true, r.IntN(3): true}
	}
	return page{Held{Source: g}, g.state}
}

func randomSchedule(t fataler, r *rand.Rand, es schedule.EpochSchedule, epoch uint64) (*schedule.Schedule, schedule.Keying) {
	t.Helper()
	keying := schedule.KeyedByVote
	if chance(r, 20) {
		keying = schedule.KeyedByIdentity
	}
	stakes := []uint64{1}
	for range r.IntN(6) {
		stakes = append(stakes, r.Uint64N(1<<r.IntN(8)))
	}
	return mustDerive(t, es, epoch, keying, 1+r.IntN(5), voters(stakes...)), keying
}

// stateOf says who leads in a schedule whose list has identities for all.
func stateOf(s *schedule.Schedule, keying schedule.Keying) func(Key, schedule.Slot) kind {
	return func(key Key, slot schedule.Slot) kind {
		leader, _ := s.LeaderAt(slot)
		switch {
		case key.Vote && keying == schedule.KeyedByIdentity:
			return unknown
		case key.Vote:
			leader, _ = s.VoteAt(slot)
		}
		if leader == key.Pubkey {
			return led
		}
		return quiet
	}
}

// randomObserved is a derived schedule of which slots, vote accounts, or all of
// other leaders are lost.
func randomObserved(t fataler, r *rand.Rand, es schedule.EpochSchedule, epoch uint64) page {
	t.Helper()
	s, _ := randomSchedule(t, r, es, epoch)
	var only, told []schedule.Pubkey
	if chance(r, 50) {
		only = []schedule.Pubkey{identity(r.IntN(3)).Pubkey, identity(r.IntN(3)).Pubkey}
		if chance(r, 70) {
			told = only
		}
	}
	o := schedulefile.FromSchedule(s, only...)
	o.Leaders, o.Votes = slices.Clone(o.Leaders), slices.Clone(o.Votes)
	for range r.IntN(8) {
		if i := r.IntN(len(o.Leaders)); o.Votes != nil {
			o.Votes[i] = schedulefile.None
		} else if told == nil {
			o.Leaders[i] = schedulefile.None
		}
	}
	source, err := FromObserved(o, epoch, es, told...)
	if err != nil {
		t.Fatal(err)
	}
	return page{Held{Source: source}, observedState(o, told)}
}

func observedState(o *schedulefile.Observed, told []schedule.Pubkey) func(Key, schedule.Slot) kind {
	node := func(vote schedule.Pubkey) (schedule.Pubkey, bool) {
		for i := range o.Slots {
			leader, ok := o.Leader(schedule.Index(i))
			if v, seen := o.Vote(schedule.Index(i)); ok && seen && v == vote {
				return leader, true
			}
		}
		return schedule.Pubkey{}, false
	}
	return func(key Key, slot schedule.Slot) kind {
		i := schedule.Index(slot - *o.FirstSlot)
		leader, seen := o.Leader(i)
		who := key.Pubkey
		if key.Vote {
			if v, ok := o.Vote(i); ok && v == key.Pubkey {
				return led
			} else if ok {
				return quiet
			}
			var ok bool
			if who, ok = node(key.Pubkey); !ok || seen && leader == who {
				return unknown
			}
		}
		switch {
		case !seen && slices.Contains(told, who):
			return quiet
		case !seen:
			return unknown
		case leader == who:
			return led
		}
		return quiet
	}
}

// randomQuestion returns keys and a slot to look from.
func randomQuestion(r *rand.Rand, m *model) (keys []Key, from schedule.Slot) {
	for range 1 + r.IntN(3) {
		if key := identity(r.IntN(4)); chance(r, 50) {
			keys = append(keys, key)
		} else {
			keys = append(keys, vote(r.IntN(7)))
		}
	}
	epoch := r.Uint64N(6)
	return keys, m.es.FirstSlot(epoch) + schedule.Slot(r.Uint64N(m.es.SlotsIn(epoch)))
}

// Fast paths agree with a walk over all slots.
func TestRandomNext(t *testing.T) {
	eachModel(t, func(t fataler, r *rand.Rand, m *model) {
		b := m.book(t)
		for range 8 {
			keys, from := randomQuestion(r, m)
			checkNext(t, m, b, keys, from, 1+r.IntN(12))
		}
	})
}

func TestRandomQuiet(t *testing.T) {
	eachModel(t, func(t fataler, r *rand.Rand, m *model) {
		b := m.book(t)
		for range 8 {
			keys, from := randomQuestion(r, m)
			checkQuiet(t, m, b, keys, from, r.Uint64N(40))
		}
	})
}

func TestRandomPresence(t *testing.T) {
	eachModel(t, func(t fataler, r *rand.Rand, m *model) {
		keys, _ := randomQuestion(r, m)
		first := r.Uint64N(7)
		checkPresence(t, m, m.book(t), keys, first, first+r.Uint64N(3))
	})
}

// Runs are ascending, apart, within the epoch, and not before the slot that they
// are wanted from.
func TestSourcesKeepTheirPromise(t *testing.T) {
	eachModel(t, func(t fataler, r *rand.Rand, m *model) {
		keys, from := randomQuestion(r, m)
		for epoch, p := range m.pages {
			first, last := m.es.FirstSlot(epoch), m.es.LastSlot(epoch)
			next := max(from, first)
			if next > last {
				next = last + 1
			}
			for run := range p.Source.Runs(keys[0], from) {
				if run.First < next || run.Last < run.First || run.Last > last {
					t.Fatal("epoch", epoch, "from", from, "got", run, "after", next)
				}
				for ; next <= run.Last; next++ {
					want := quiet
					if next >= run.First {
						want = led
						if run.Unknown != "" {
							want = unknown
						}
					}
					if got := p.state(keys[0], next); got != want {
						t.Fatal("epoch", epoch, "slot", next, "got", run, "want", got)
					}
				}
			}
			for ; next <= last; next++ {
				if got := p.state(keys[0], next); got != quiet {
					t.Fatal("epoch", epoch, "slot", next, "is in no run, want", got)
				}
			}
		}
	})
}

// All random models together show every kind of answer.
func TestRandomModelsShowEverything(t *testing.T) {
	if testing.Short() || os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" {
		t.Skip("-short or SCHEDGEN_TEST_EMULATED: a few models do not show everything")
	}
	seen := map[string]int{}
	eachModel(t, func(t fataler, r *rand.Rand, m *model) {
		b := m.book(t)
		for range 8 {
			keys, from := randomQuestion(r, m)
			a, _ := b.Next(keys, from, 3)
			seen["next "+string(a.Status)]++
			for _, w := range a.Windows {
				seen[fmt.Sprint("window crosses ", w.Epoch != w.LastEpoch)]++
				seen[fmt.Sprint("window open ", w.AtLeast)]++
			}
			q, _ := b.Quiet(keys, from, 8)
			seen[fmt.Sprint("any time ", q.AnyTime, q.Reason)]++
			for _, w := range q.Windows {
				seen[fmt.Sprint("quiet crosses ", w.Epoch != w.LastEpoch)]++
			}
		}
	})
	for _, want := range []string{
		"next present", "next absent", "next unknown", "window crosses true", "window open true", "quiet crosses true",
		"any time false", "any time true" + string(NotStaked), "any time true" + string(NotTold),
	} {
		if seen[want] < 5 {
			t.Errorf("%s: %d times, of %v", want, seen[want], seen)
		}
	}
}
