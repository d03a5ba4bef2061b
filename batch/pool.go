package batch

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/schedgen/schedgen/schedule"
)

// windowPerWorker is how many results a Pool holds for each worker, so that
// there is work while the oldest is waited for or looked at.
const windowPerWorker = 4

// What a Pool has at most, whatever it is asked for: more workers than any
// machine has cores, and results that take some 25 MB before the first job.
const (
	maxWorkers = 4096
	maxWindow  = 65_536
)

// A Pool is a [Deriver] on the cores of this machine. The zero value uses all of
// them.
//
// Memory for 432,000 slots: 0.2 MB a result in the window, or 4 bytes an entry
// without schedules; nothing is allocated for a job after the first of its size.
type Pool struct {
	Workers int // goroutines that derive, up to 4096; below 1 means GOMAXPROCS
	Window  int // results in memory, up to 65,536; below 1 means 4 for each worker
}

// size returns the number of workers and the length of the window.
func (p Pool) size() (workers, window int) {
	workers, window = p.Workers, p.Window
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, maxWorkers)
	if window < 1 {
		window = windowPerWorker * workers
	}
	window = min(window, maxWindow)
	return min(workers, window), window
}

var _ Deriver = Pool{}

// Derive derives jobs in the workers of a pool of its own, see [Deriver].
func (p Pool) Derive(ctx context.Context, jobs iter.Seq[Job], o Options) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		r := p.start(ctx, o, yield)
		defer r.stop()
		for job := range jobs {
			if !r.submit(job) {
				return
			}
		}
		for r.pending > 0 && r.deliver() {
		}
	}
}

// A run is one loop over the results of a pool. It lives in the goroutine of
// that loop, and only that of a worker is elsewhere.
type run struct {
	ctx   context.Context
	o     Options
	yield func(Result, error) bool

	tasks   chan *task // as long as the ring, so that a send never waits
	ring    []task     // in the order of jobs, the oldest pending one at oldest
	oldest  int
	pending int

	stopping atomic.Bool
	workers  sync.WaitGroup
}

// A task is a place in the window, with the memory of its result.
type task struct {
	job      Job
	result   Result
	schedule schedule.Schedule
	counts   []uint32
	err      error
	done     chan struct{} // gets one element when a worker has finished
}

func (p Pool) start(ctx context.Context, o Options, yield func(Result, error) bool) *run {
	workers, window := p.size()
	r := &run{ctx: ctx, o: o, yield: yield, tasks: make(chan *task, window), ring: make([]task, window)}
	for i := range r.ring {
		r.ring[i].done = make(chan struct{}, 1)
	}
	for range workers {
		r.workers.Go(r.work)
	}
	return r
}

// stop waits until the workers are gone. Tasks that none has begun stay undone.
func (r *run) stop() {
	r.stopping.Store(true)
	close(r.tasks)
	r.workers.Wait()
}

// submit hands a job to the workers, and delivers a result when the window is
// full or the oldest one happens to be there. It reports whether to go on.
func (r *run) submit(job Job) bool {
	if r.ctx.Err() != nil {
		if r.pending > 0 {
			job = r.ring[r.oldest].job
		}
		return r.fail(job, context.Cause(r.ctx))
	}
	t := &r.ring[(r.oldest+r.pending)%len(r.ring)]
	t.job = job
	r.tasks <- t
	r.pending++
	if r.pending == len(r.ring) || len(r.ring[r.oldest].done) > 0 {
		return r.deliver()
	}
	return true
}

// deliver waits for the oldest result and yields it. It reports whether to go on.
func (r *run) deliver() bool {
	t := &r.ring[r.oldest]
	select {
	case <-t.done:
	case <-r.ctx.Done():
	}
	if r.ctx.Err() != nil {
		return r.fail(t.job, context.Cause(r.ctx))
	}
	if t.err != nil {
		return r.fail(t.job, t.err)
	}
	if !r.yield(t.result, nil) {
		return false
	}
	r.oldest = (r.oldest + 1) % len(r.ring)
	r.pending--
	return true
}

func (r *run) fail(job Job, err error) bool {
	r.yield(Result{}, &EpochError{Epoch: job.Params.Epoch, Err: err})
	return false
}

// work is a worker.
func (r *run) work() {
	var d schedule.Deriver
	var scratch schedule.Schedule // where results hold none
	for t := range r.tasks {
		if r.stopping.Load() {
			continue
		}
		s := &scratch
		if r.o.want()&Schedules != 0 {
			s = &t.schedule
		}
		t.err = r.derive(&d, t, s)
		t.done <- struct{}{}
	}
}

// derive does a task, with s to hold the schedule.
func (r *run) derive(d *schedule.Deriver, t *task, s *schedule.Schedule) error {
	t.result = Result{Job: t.job}
	if err := r.o.check(); err != nil {
		return err
	}
	if err := d.DeriveInto(s, t.job.Stakes, t.job.Params); err != nil {
		return err
	}
	t.result.Last, _ = s.Rank(schedule.Index(s.Slots() - 1))
	if s == &t.schedule {
		t.result.Schedule = s
	}
	if r.o.want()&Counts != 0 {
		t.counts = s.CountRotations(t.counts)
		t.result.Counts = t.counts
	}
	if r.o.Work != nil {
		return r.o.Work(&t.result)
	}
	return nil
}
