package batch

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
	"github.com/schedgen/schedgen/schedule"
)

func testKey(i int) schedule.Pubkey { return schedule.Pubkey{byte(i), byte(i >> 8), byte(i >> 16), 1} }

func testStakes(t interface{ Fatal(...any) }, n int, keying schedule.Keying) *schedule.Stakes {
	entries := make([]schedule.Entry, n)
	for i := range entries {
		entries[i] = schedule.Entry{Key: testKey(i), Node: testKey(1_000_000 + i/2), Stake: 1 + uint64(i*i%97)*1_000_000_007}
	}
	st, err := schedule.NewStakes(entries, keying)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// sequence returns jobs on one list, epoch 0 and up.
func sequence(st *schedule.Stakes, n int) []Job {
	jobs := make([]Job, n)
	for i := range jobs {
		jobs[i] = Job{Stakes: st, Params: schedule.Params{Epoch: uint64(i), Slots: 400}}
	}
	return jobs
}

// inBubble runs f and fails when it leaves a goroutine behind.
func inBubble(t *testing.T, name string, f func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

func drawJobs(t *rapid.T, backends []string) []Job {
	lists := []*schedule.Stakes{
		testStakes(t, 1, schedule.KeyedByVote),
		testStakes(t, 30, schedule.KeyedByVote),
		testStakes(t, 31, schedule.KeyedByIdentity),
		testStakes(t, 300, schedule.KeyedByVote),
	}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Job {
		return Job{
			Stakes: rapid.SampledFrom(lists).Draw(t, "list"),
			Params: schedule.Params{
				Epoch:     rapid.Uint64().Draw(t, "epoch"),
				FirstSlot: schedule.Slot(rapid.Uint64Range(0, 1<<62).Draw(t, "first")),
				Slots:     rapid.Uint64Range(1, 900).Draw(t, "slots"),
				Repeat:    rapid.IntRange(0, 5).Draw(t, "repeat"),
				Backend:   rapid.SampledFrom(backends).Draw(t, "backend"),
			},
		}
	}), 0, 40).Draw(t, "jobs")
}

// Any number of workers gives, in order, what schedule.Derive gives.
func TestPoolReference(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		rapid.Check(t, func(t *rapid.T) {
			jobs := drawJobs(t, []string{string(b), ""})
			p := Pool{Workers: rapid.IntRange(0, 5).Draw(t, "workers"), Window: rapid.IntRange(0, 9).Draw(t, "window")}
			want := rapid.SampledFrom([]Want{0, Schedules, Counts, Schedules | Counts}).Draw(t, "want")
			n := 0
			for r, err := range p.Derive(t.Context(), slices.Values(jobs), Options{Want: want}) {
				if err != nil {
					t.Fatal(err)
				}
				checkResult(t, &r, jobs[n], want)
				n++
			}
			if n != len(jobs) {
				t.Fatalf("%d results for %d jobs", n, len(jobs))
			}
		})
	})
}

func checkResult(t *rapid.T, r *Result, job Job, want Want) {
	s, err := schedule.Derive(job.Stakes, job.Params)
	if err != nil {
		t.Fatal(err)
	}
	if r.Job != job || r.Value != nil {
		t.Fatalf("job %v, value %v, want %v", r.Job, r.Value, job)
	}
	if last, _ := s.Rank(schedule.Index(s.Slots() - 1)); r.Last != last {
		t.Fatalf("last rank %d, want %d", r.Last, last)
	}
	if (r.Schedule != nil) != (want != Counts) || (r.Counts != nil) != (want&Counts != 0) {
		t.Fatalf("want %d gives schedule %v, counts %v", want, r.Schedule, r.Counts)
	}
	if r.Schedule != nil && (r.Schedule.Epoch() != s.Epoch() || r.Schedule.FirstSlot() != s.FirstSlot() || r.Schedule.Digest() != s.Digest()) {
		t.Fatal("another schedule")
	}
	if r.Counts == nil {
		return
	}
	rotations, slots := make([]uint32, job.Stakes.Len()), make([]uint64, job.Stakes.Len())
	for _, rank := range s.Ranks() {
		rotations[rank]++
	}
	for i := range s.Slots() {
		rank, _ := s.Rank(schedule.Index(i))
		slots[rank]++
	}
	for rank, n := range slots {
		if r.Slots(rank) != n {
			t.Fatalf("rank %d leads %d slots, want %d", rank, r.Slots(rank), n)
		}
	}
	if !slices.Equal(r.Counts, rotations) || r.Slots(-1) != 0 || r.Slots(len(slots)) != 0 {
		t.Fatalf("counts %v, want %v", r.Counts, rotations)
	}
}

func TestPoolNoJobs(t *testing.T) {
	inBubble(t, "none", func(t *testing.T) {
		for r, err := range (Pool{}).Derive(t.Context(), slices.Values[[]Job](nil), Options{}) {
			t.Errorf("got %v, %v", r, err)
		}
	})
}

// A loop may be left early, and the sequence be used again.
func TestPoolBreak(t *testing.T) {
	jobs := sequence(testStakes(t, 10, schedule.KeyedByVote), 100)
	for _, workers := range []int{1, 4} {
		inBubble(t, fmt.Sprint(workers), func(t *testing.T) {
			results := Pool{Workers: workers}.Derive(t.Context(), slices.Values(jobs), Options{})
			for _, stop := range []uint64{0, 1, 50, 99} {
				var last uint64
				for r, err := range results {
					if err != nil {
						t.Fatal(err)
					}
					if last = r.Params.Epoch; last == stop {
						break
					}
				}
				if last != stop {
					t.Errorf("ended at epoch %d, want %d", last, stop)
				}
			}
		})
	}
}

// wantEnd checks that a batch yields epochs 0 to n-1 and then an error of epoch n.
func wantEnd(t *testing.T, results iter.Seq2[Result, error], n uint64, is error, each func(epoch uint64)) {
	t.Helper()
	epoch, ended := uint64(0), false
	for r, err := range results {
		var at *EpochError
		switch {
		case ended:
			t.Fatalf("goes on after its error: %v, %v", r, err)
		case err == nil && r.Params.Epoch == epoch && epoch < n:
			each(epoch)
			epoch++
		case errors.As(err, &at) && at.Epoch == n && epoch == n && errors.Is(err, is):
			ended = true
			if got, want := err.Error(), fmt.Sprintf("epoch %d: %v", n, at.Err); got != want {
				t.Errorf("error %q, want %q", got, want)
			}
		default:
			t.Fatalf("after epoch %d: got epoch %d, %v, want %v at epoch %d", epoch, r.Params.Epoch, err, is, n)
		}
	}
	if !ended {
		t.Errorf("ended after %d epochs without an error", epoch)
	}
}

// Every epoch before one that fails is there, and nothing comes after.
func TestPoolError(t *testing.T) {
	st := testStakes(t, 10, schedule.KeyedByVote)
	noWork := errors.New("no work")
	for _, workers := range []int{1, 3} {
		for _, bad := range []int{0, 1, 57, 99} {
			inBubble(t, fmt.Sprintf("job/%d/%d", workers, bad), func(t *testing.T) {
				jobs := sequence(st, 100)
				jobs[bad].Params.Slots = 0
				wantEnd(t, Pool{Workers: workers}.Derive(t.Context(), slices.Values(jobs), Options{}), uint64(bad), schedule.ErrSlots, func(uint64) {})
			})
			inBubble(t, fmt.Sprintf("work/%d/%d", workers, bad), func(t *testing.T) {
				o := Options{Work: func(r *Result) error {
					if r.Params.Epoch == uint64(bad) {
						return noWork
					}
					return nil
				}}
				wantEnd(t, Pool{Workers: workers}.Derive(t.Context(), slices.Values(sequence(st, 100)), o), uint64(bad), noWork, func(uint64) {})
			})
		}
	}
	inBubble(t, "no list", func(t *testing.T) {
		wantEnd(t, Pool{}.Derive(t.Context(), slices.Values(sequence(nil, 3)), Options{}), 0, schedule.ErrNoStake, func(uint64) {})
	})
}

// An error names its epoch once, also where the cause does so by itself.
func TestEpochErrorText(t *testing.T) {
	jobs := sequence(testStakes(t, 10, schedule.KeyedByVote), 1)
	jobs[0].Params.Backend = "abacus"
	n := 0
	for _, err := range (Pool{}).Derive(t.Context(), slices.Values(jobs), Options{}) {
		n++
		if err == nil || !strings.HasPrefix(err.Error(), "epoch 0: ") || strings.Count(err.Error(), "epoch 0") != 1 {
			t.Errorf("got %v", err)
		}
	}
	if n != 1 {
		t.Errorf("%d results", n)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("full"), "epoch 1: full"},
		{errors.New("epoch 1: full"), "epoch 1: full"},
		{errors.New("epoch 12: full"), "epoch 1: epoch 12: full"},
		{nil, "epoch 1: <nil>"},
	} {
		if got := (&EpochError{Epoch: 1, Err: c.err}).Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// What nobody knows how to give is an error of the first epoch.
func TestPoolUnknownWant(t *testing.T) {
	jobs := sequence(testStakes(t, 10, schedule.KeyedByVote), 9)
	for _, want := range []Want{4, 128, Schedules | 8, Counts | 4} {
		inBubble(t, fmt.Sprint(want), func(t *testing.T) {
			wantEnd(t, Pool{}.Derive(t.Context(), slices.Values(jobs), Options{Want: want}), 0, ErrWant, func(uint64) {})
		})
	}
}

// Whatever a pool is asked for, it has a size that a machine can bear.
func TestPoolExtremes(t *testing.T) {
	cores := runtime.GOMAXPROCS(0)
	for _, c := range []struct {
		pool            Pool
		workers, window int
	}{
		{Pool{}, cores, windowPerWorker * cores},
		{Pool{Workers: math.MinInt, Window: math.MinInt}, cores, windowPerWorker * cores},
		{Pool{Workers: math.MaxInt}, maxWorkers, windowPerWorker * maxWorkers},
		{Pool{Workers: math.MaxInt/2 + 1}, maxWorkers, windowPerWorker * maxWorkers}, // 4 times this is 0
		{Pool{Workers: math.MaxInt, Window: 2}, 2, 2},
		{Pool{Workers: 1, Window: math.MaxInt}, 1, maxWindow},
		{Pool{Workers: 1, Window: math.MaxInt >> 15}, 1, min(math.MaxInt>>15, maxWindow)},
		{Pool{Workers: math.MaxInt, Window: math.MaxInt}, maxWorkers, maxWindow},
	} {
		if workers, window := c.pool.size(); workers != c.workers || window != c.window {
			t.Errorf("%+v: %d workers and %d results, want %d and %d", c.pool, workers, window, c.workers, c.window)
		}
	}
	jobs := sequence(testStakes(t, 10, schedule.KeyedByVote), 3)
	for _, p := range []Pool{{Workers: math.MaxInt/2 + 1}, {Workers: 1, Window: math.MaxInt}} {
		n := 0
		for _, err := range p.Derive(t.Context(), slices.Values(jobs), Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != len(jobs) {
			t.Errorf("%+v: %d results", p, n)
		}
	}
}

// A context that is cancelled in a turn of the loop ends it at the next epoch.
func TestPoolCancel(t *testing.T) {
	st := testStakes(t, 10, schedule.KeyedByVote)
	why := errors.New("enough")
	for _, workers := range []int{1, 3} {
		for _, last := range []uint64{0, 1, 57, 98} {
			inBubble(t, fmt.Sprintf("%d/%d", workers, last), func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				results := Pool{Workers: workers}.Derive(ctx, slices.Values(sequence(st, 100)), Options{})
				wantEnd(t, results, last+1, why, func(epoch uint64) {
					if epoch == last {
						cancel(why)
					}
				})
			})
		}
	}
	inBubble(t, "before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		wantEnd(t, Pool{}.Derive(ctx, slices.Values(sequence(st, 9)), Options{}), 0, context.Canceled, func(uint64) {})
	})
}

// A consumer that waits for an epoch is woken by a cancelled context, also when
// a job is never done by itself.
func TestPoolCancelWhileWaiting(t *testing.T) {
	st := testStakes(t, 10, schedule.KeyedByVote)
	inBubble(t, "stuck", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		o := Options{Work: func(*Result) error {
			<-ctx.Done() // as a reader that has stalled, until it is told
			return ctx.Err()
		}}
		go func() {
			synctest.Wait() // everyone waits for everyone
			cancel()
		}()
		wantEnd(t, Pool{Workers: 2}.Derive(ctx, slices.Values(sequence(st, 9)), o), 0, context.Canceled, func(uint64) {})
	})
}

// When the loop has ended nothing is at work any more, and what nobody had begun
// was not begun.
func TestPoolStops(t *testing.T) {
	st := testStakes(t, 10, schedule.KeyedByVote)
	inBubble(t, "break", func(t *testing.T) {
		var begun, active atomic.Int64
		o := Options{Work: func(*Result) error {
			begun.Add(1)
			active.Add(1)
			defer active.Add(-1)
			time.Sleep(time.Minute)
			return nil
		}}
		for _, err := range (Pool{Workers: 2, Window: 50}).Derive(t.Context(), slices.Values(sequence(st, 50)), o) {
			if err != nil {
				t.Error(err)
			}
			break
		}
		if active.Load() != 0 || begun.Load() > 4 {
			t.Errorf("%d at work, %d begun", active.Load(), begun.Load())
		}
	})
}

// No more jobs are taken once the context is cancelled, also when the window has
// room and no result is there.
func TestPoolCancelEndsJobs(t *testing.T) {
	st := testStakes(t, 10, schedule.KeyedByVote)
	inBubble(t, "jobs", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		o := Options{Work: func(*Result) error { time.Sleep(time.Hour); return nil }}
		taken := 0
		jobs := func(yield func(Job) bool) {
			for _, job := range sequence(st, 50) {
				if taken++; taken == 3 {
					cancel()
				}
				if !yield(job) {
					return
				}
			}
		}
		wantEnd(t, Pool{Workers: 2, Window: 50}.Derive(ctx, jobs, o), 0, context.Canceled, func(uint64) {})
		if taken != 3 {
			t.Errorf("%d jobs were taken", taken)
		}
	})
}

// At most a window of results is derived and not yet done with, and at most as
// many jobs are taken from their source.
func TestPoolWindow(t *testing.T) {
	st := testStakes(t, 10, schedule.KeyedByVote)
	for _, p := range []Pool{{Workers: 1, Window: 1}, {Workers: 2, Window: 5}, {Workers: 8, Window: 3}, {Workers: 3}} {
		window := p.Window
		if window == 0 {
			window = windowPerWorker * p.Workers
		}
		inBubble(t, fmt.Sprintf("%+v", p), func(t *testing.T) {
			var live, most, taken atomic.Int64
			o := Options{Work: func(*Result) error {
				for n := live.Add(1); ; {
					if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
						return nil
					}
				}
			}}
			jobs := func(yield func(Job) bool) {
				for _, job := range sequence(st, 200) {
					if taken.Add(1); !yield(job) {
						return
					}
				}
			}
			done := int64(0)
			for _, err := range p.Derive(t.Context(), jobs, o) {
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait() // workers go as far as they can
				if ahead := taken.Load() - done; ahead > int64(window) {
					t.Fatalf("%d jobs were taken ahead, the window has %d", ahead, window)
				}
				done++
				live.Add(-1)
			}
			if m := most.Load(); m > int64(window) || m < 1 {
				t.Errorf("up to %d results were alive, the window has %d", m, window)
			}
		})
	}
}

// Memory does not grow with the number of epochs.
func TestPoolAllocations(t *testing.T) {
	st := testStakes(t, 100, schedule.KeyedByVote)
	allocated := func(n int) uint64 {
		jobs := sequence(st, n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, err := range (Pool{Workers: 2}).Derive(t.Context(), slices.Values(jobs), Options{Want: Schedules | Counts}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := allocated(50), allocated(3050)
	if many > few+3000*20 { // a schedule has 200 bytes of ranks, and counts 400
		t.Errorf("%d bytes for 50 epochs, %d for 3050", few, many)
	}
}

// What Work leaves comes with its result.
func TestPoolValue(t *testing.T) {
	jobs := sequence(testStakes(t, 10, schedule.KeyedByVote), 50)
	o := Options{Work: func(r *Result) error { r.Value = r.Schedule.Digest(); return nil }}
	for r, err := range (Pool{Workers: 4}).Derive(t.Context(), slices.Values(jobs), o) {
		if err != nil || r.Value != r.Schedule.Digest() {
			t.Fatalf("epoch %d: value %x, %v", r.Params.Epoch, r.Value, err)
		}
	}
}

func TestEpochs(t *testing.T) {
	st := testStakes(t, 3, schedule.KeyedByVote)
	es, err := schedule.ClusterSchedule("testnet")
	if err != nil {
		t.Fatal(err)
	}
	epoch := uint64(12)
	for job := range Epochs(st, es, 12, 16) {
		if p := job.Params; job.Stakes != st || p.Epoch != epoch || p.FirstSlot != es.FirstSlot(epoch) || p.Slots != es.SlotsIn(epoch) {
			t.Errorf("epoch %d: %+v", epoch, p)
		}
		epoch++
	}
	if epoch != 17 {
		t.Errorf("ended before epoch %d, want 17", epoch)
	}
	for job := range Epochs(st, es, 5, 4) {
		t.Errorf("%v", job)
	}
	n := 0
	for range Epochs(st, es, math.MaxUint64-2, math.MaxUint64) {
		n++
	}
	if n != 3 {
		t.Errorf("%d epochs up to the last", n)
	}
}
