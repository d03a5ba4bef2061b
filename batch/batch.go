package batch

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// A Job is one epoch to derive.
type Job struct {
	Stakes *schedule.Stakes // of that epoch; jobs may share one
	Params schedule.Params
}

// Epochs yields the jobs of all epochs from first to last, both included, on one
// stake list. None when last is below first.
func Epochs(st *schedule.Stakes, es schedule.EpochSchedule, first, last uint64) iter.Seq[Job] {
	return func(yield func(Job) bool) {
		for epoch := first; epoch <= last; epoch++ {
			p := schedule.Params{Epoch: epoch, FirstSlot: es.FirstSlot(epoch), Slots: es.SlotsIn(epoch)}
			if !yield(Job{Stakes: st, Params: p}) || epoch == math.MaxUint64 {
				return
			}
		}
	}
}

// Want says what a result holds.
type Want uint8

const (
	// Schedules: Result.Schedule.
	Schedules Want = 1 << iota
	// Counts: Result.Counts. Without Schedules nothing else is kept of an
	// epoch: 4 bytes an entry of its list.
	Counts
)

// ErrWant says that Options.Want has bits that mean nothing.
var ErrWant = errors.New("unknown kind of result wanted")

// Options say what to do with every job.
type Options struct {
	// Want is what results hold; 0 means Schedules. Unknown bits are ErrWant at
	// the first epoch.
	Want Want

	// Work, if set, is called for every result as soon as that is derived,
	// before it is yielded: in no order, and from several goroutines at once.
	// It is the place for what takes long but not an order, such as a digest
	// or a file for each epoch; it may leave something in Result.Value. An
	// error of Work is an error of the job. Jobs behind one that fails may have
	// been worked on already. A panic of Work ends the process, as in any other
	// goroutine that nobody recovers.
	Work func(*Result) error
}

// want returns what results hold.
func (o Options) want() Want {
	if o.Want == 0 {
		return Schedules
	}
	return o.Want
}

// check returns the error that every job has with these options.
func (o Options) check() error {
	if unknown := o.Want &^ (Schedules | Counts); unknown != 0 {
		return fmt.Errorf("%w: bits %#x, want Schedules, Counts or both", ErrWant, uint8(unknown))
	}
	return nil
}

// A Result is what became of a job. It is valid during its turn in the loop over
// results, and during Options.Work: after that its memory holds another epoch.
// Clone Schedule and Counts to keep them.
type Result struct {
	Job
	Schedule *schedule.Schedule // nil unless wanted
	Counts   []uint32           // rotations by rank; nil unless wanted
	Last     int                // rank that leads the last rotation, which may be short
	Value    any                // what Options.Work left
}

// Slots returns how many slots a rank leads; 0 without Counts, or when rank is
// not in the list.
func (r *Result) Slots(rank int) uint64 {
	if rank < 0 || rank >= len(r.Counts) {
		return 0
	}
	repeat := uint64(r.Params.Repeat)
	if repeat == 0 {
		repeat = schedule.DefaultRepeat
	}
	slots := uint64(r.Counts[rank]) * repeat
	if over := r.Params.Slots % repeat; over != 0 && rank == r.Last {
		slots -= repeat - over
	}
	return slots
}

// A Deriver derives many epochs.
type Deriver interface {
	// Derive yields a result for every job, in the order of jobs, or an
	// [*EpochError], after which it ends: the results before it are complete.
	// An error of ctx is one of the first epoch that was not yielded.
	//
	// Work starts with the loop over the results, and everything has stopped
	// when the loop ends, be it at the last result, at an error or by a break.
	// Jobs are taken ahead of results, between two turns of the loop and in its
	// goroutine, and as many results as a window holds are in memory at a time.
	//
	// The sequence may be looped over as often as jobs may be.
	Derive(ctx context.Context, jobs iter.Seq[Job], o Options) iter.Seq2[Result, error]
}

// EpochError says at which epoch a batch ended, and why.
type EpochError struct {
	Epoch uint64
	Err   error // of package schedule, of Options, or of the context
}

// Error names the epoch once: many causes begin with it.
func (e *EpochError) Error() string {
	at, cause := fmt.Sprintf("epoch %d: ", e.Epoch), fmt.Sprint(e.Err)
	if strings.HasPrefix(cause, at) {
		return cause
	}
	return at + cause
}

// Unwrap returns the cause.
func (e *EpochError) Unwrap() error { return e.Err }
