package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
)

const nextLong = `Print the next slots that identities or vote accounts lead, across epochs, with
the times at which they begin.

The schedules come from stakes (--stakes, any source that derive takes), from saved
schedules or nodes (--schedule), or from the node of --rpc, which also tells which
slot it is and how long slots take. Several sources make one book; where two have
the same epoch, the network's own schedule goes before others.

Times are estimates with an error band that grows with the distance. They are told
in UTC and in the zone of --zone. "now" is a window in progress, of which the slots
that are left are printed.

Exit status: 0 at least one window; 1 the keys are not on the schedule, and why;
2 the schedule of an epoch that the answer takes is not known, or another error.`

const nextExample = `  schedgen next --identity KEY --rpc http://127.0.0.1:8899
  schedgen next --vote KEY --stakes snapshot-SLOT-HASH.tar.zst --rpc URL -n 10
  schedgen next --identity KEY --schedule schedule.json --anchor 449712000@now --slot-duration 396ms
  schedgen next --identity KEY --stakes stakes.csv --epochs 454 --from 196128000 --format json
  schedgen next --identity KEY --rpc URL --watch`

type nextFlags struct {
	bookFlags
	count  decimal
	from   decimal
	zone   string
	format string
	watch  bool
}

func newNextCommand() *cobra.Command {
	f := &nextFlags{bookFlags: newBookFlags()}
	return f.command()
}

func (f *nextFlags) command() *cobra.Command {
	f.count = decimal{value: 5, min: 1, max: 1_000_000}
	f.from = decimal{max: math.MaxUint64}
	cmd := &cobra.Command{
		Use:     "next --identity KEY",
		Short:   "Print the next slots that a validator leads",
		Long:    nextLong,
		Example: nextExample,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.addKeys(cmd)
	flags.VarP(&f.count, "count", "n", "how many windows")
	flags.Var(&f.from, "from", "first slot to look at (default: the present one)")
	f.addTimed(cmd)
	flags.StringVar(&f.zone, "zone", "", "time zone of the second time, `NAME` such as Europe/Berlin (default: this machine's)")
	flags.StringVar(&f.format, "format", "text", "`FORMAT` of the output: text or json")
	flags.BoolVar(&f.watch, "watch", false, "count down to the next window until Ctrl-C: one line on a terminal, elsewhere a line a change")
	return cmd
}

func (f *nextFlags) run(cmd *cobra.Command) error {
	zone, err := f.checked(cmd)
	if err != nil {
		return err
	}
	s, err := f.openShelf(cmd)
	if err != nil {
		return err
	}
	defer s.close()
	if f.watch {
		return f.runWatch(cmd, s, zone)
	}
	line, err := s.timeline(cmd, cmd.Context())
	if err != nil {
		return err
	}
	now := f.now()
	from, err := s.start(cmd, &f.from, line, now)
	if err != nil {
		return err
	}
	epoch, _ := s.es.EpochOf(from)
	v, err := s.view(cmd.Context(), epoch, math.MaxUint64)
	if err != nil {
		return err
	}
	s.noteTimes(line)
	answer := nextAnswer{frame: s.frame(v, line, now, zone)}
	verdict := answer.ask(v, from, int(f.count.value))
	return answer.write(cmd, s, f.format, verdict)
}

// checked finds what is wrong with the flags themselves.
func (f *nextFlags) checked(cmd *cobra.Command) (zoned, error) {
	zone, err := zoneOf(f.zone)
	switch {
	case err != nil:
		return zone, err
	case f.watch && f.format != "text":
		return zone, errors.New("--watch prints text, leave --format out")
	case f.watch && cmd.Flags().Changed("from"):
		return zone, errors.New("--watch is about the present slot, leave --from out")
	case f.watch && f.anchor == "" && !f.asksNode():
		return zone, errors.New("--watch needs to know the time of slots: give --rpc URL, or --anchor SLOT@TIME with --slot-duration")
	}
	return zone, checkAnswerFormat(f.format)
}

// start returns the slot from which on an answer is: --from, or the present one.
func (s *shelf) start(cmd *cobra.Command, from *decimal, line timeline, now time.Time) (schedule.Slot, error) {
	if cmd.Flags().Changed("from") {
		return schedule.Slot(from.value), nil
	}
	slot, _, _, known := line.at(now)
	if !known {
		return 0, errNoNow
	}
	return slot, nil
}

// noteTimes tells what about times a user should know.
func (s *shelf) noteTimes(line timeline) {
	switch {
	case line.note != "":
		s.note("%s", line.note)
	case line.clock == nil:
		s.note("no times: --rpc URL tells them, or --anchor SLOT@TIME with --slot-duration")
	}
}

// A nextAnswer is the answer of next.
type nextAnswer struct {
	frame
	From    schedule.Slot         `json:"from"`
	Status  leaders.Status        `json:"status"`
	Windows []shownSpan           `json:"windows"`
	KnownTo *schedule.Slot        `json:"knownTo,omitempty"`
	Unknown *leaders.UnknownError `json:"unknown,omitempty"`
	Reason  leaders.Reason        `json:"reason,omitempty"` // with status absent
}

// ask fills the answer in. The error is what is to be said where there are fewer
// windows than asked for: an answerError when the keys are not on the schedule,
// and else which epoch is needed.
func (a *nextAnswer) ask(v *bookView, from schedule.Slot, n int) error {
	ahead, err := v.Next(a.Keys, from, n)
	if ahead == nil {
		return err
	}
	a.From, a.Status, a.KnownTo, a.Unknown = from, ahead.Status, ahead.KnownTo, ahead.Unknown
	a.Windows = make([]shownSpan, len(ahead.Windows))
	for i, w := range ahead.Windows {
		a.Windows[i] = a.show(w.Span, &w.Key)
	}
	if ahead.Status == leaders.Absent {
		why := v.absence(from, *ahead.KnownTo)
		if why == nil && ahead.Unknown != nil {
			// The keys have had their slots of the epoch; the next one is not known.
			a.Status = leaders.Unknown
			return fmt.Errorf("%s no more slot up to slot %d, and after that %w", lead(a.Keys), *ahead.KnownTo, v.unknown(ahead.Unknown))
		}
		if why == nil {
			return answerError(fmt.Sprintf("%s no slot from slot %d to the last one", lead(a.Keys), from))
		}
		if latest := v.EpochSchedule().LeaderScheduleEpoch(from); ahead.Unknown != nil && ahead.Unknown.Epoch <= latest && !v.limited {
			// The stakes of that epoch are recorded already, and may have the keys.
			a.Status = leaders.Unknown
			return fmt.Errorf("%s no slot up to slot %d, and after that %w", lead(a.Keys), *ahead.KnownTo, v.unknown(ahead.Unknown))
		}
		if a.Reason = why.reason; ahead.Unknown != nil {
			why.beyond = fmt.Sprintf("; that of epoch %d is not known", ahead.Unknown.Epoch)
		}
		return why.error(a.Keys)
	}
	if ahead.Unknown != nil {
		return v.unknown(ahead.Unknown)
	}
	return nil
}

func (a *nextAnswer) write(cmd *cobra.Command, s *shelf, format string, verdict error) error {
	out := stdoutWriter{cmd.OutOrStdout()}
	if format == "json" {
		if err := printJSON(out, a); err != nil {
			return err
		}
	} else if a.Status != leaders.Unknown {
		if err := a.print(out); err != nil {
			return err
		}
	}
	if verdict != nil && len(a.Windows) > 0 {
		s.note("%s up to slot %d: %v", counted(len(a.Windows), "window", "windows"), *a.KnownTo, verdict)
		return nil
	}
	return verdict
}

func (a *nextAnswer) print(out stdoutWriter) error {
	if err := a.printAbout(out); err != nil || len(a.Windows) == 0 {
		return err
	}
	timed, several := a.line.clock != nil, len(a.Keys) > 1
	headings := []string{"first slot", "last slot", "slots", "epoch"}
	if timed {
		headings = append(headings, "in")
	}
	headings = append(headings, a.timeHeadings()...)
	if several {
		headings = append(headings, "key")
	}
	t := table{left: []int{slices.Index(headings, "key")}}
	t.add(headings...)
	for _, w := range a.Windows {
		row := []string{fmt.Sprint(w.First), fmt.Sprint(w.Last), grouped(w.Slots), fmt.Sprint(w.Epoch)}
		if timed {
			row = append(row, a.when(w.Span))
		}
		row = append(row, a.times(w.First)...)
		if several {
			row = append(row, w.Key.Pubkey.String())
		}
		t.add(row...)
	}
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	return t.print(out)
}
