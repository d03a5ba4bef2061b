package main

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
)

const windowsLong = `Print when none of the keys leads for long enough to restart: whether that is now,
when it is next, and the longest such window in what is known.

--min is how long a restart takes. How many slots surely last as long is worked out
at the short end of the clock's error band; --min-slots says it in slots, and needs
no clock. A window is open now when it is long enough counted from the latest slot
that it may be, and did not begin after the earliest. A window that ends where the
schedule is not known counts only as far as it is known.

Identities without slots may restart at any time in what is known; the answer says
why they have none.

Exit status: 0 there is such a window, now or ahead; with --now, only if it is open
now; 1 there is none; 2 it is not known who leads now, or another error. So
  schedgen windows --identity KEY --rpc URL --min 10m --now && restart
restarts only in a window.`

const windowsExample = `  schedgen windows --identity KEY --rpc http://127.0.0.1:8899 --min 10m
  schedgen windows --identity KEY --rpc URL --min 4m --now
  schedgen windows --vote KEY --stakes snapshot-SLOT-HASH.tar.zst --from 449712000 --min-slots 1500`

type windowsFlags struct {
	bookFlags
	least      time.Duration
	leastSlots decimal
	from       decimal
	onlyNow    bool
	near       decimal
	count      decimal
	zone       string
	format     string
}

func newWindowsCommand() *cobra.Command {
	f := &windowsFlags{bookFlags: newBookFlags()}
	return f.command()
}

func (f *windowsFlags) command() *cobra.Command {
	f.leastSlots = decimal{min: 1, max: math.MaxUint64}
	f.from = decimal{max: math.MaxUint64}
	f.near = decimal{value: 64, max: math.MaxUint64}
	f.count = decimal{value: 5, min: 1, max: 1_000_000}
	cmd := &cobra.Command{
		Use:     "windows --identity KEY --min DURATION",
		Short:   "Print when a validator does not lead for long enough to restart",
		Long:    windowsLong,
		Example: windowsExample,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.addKeys(cmd)
	flags.DurationVar(&f.least, "min", 0, "least duration of a window, such as 10m or 90s")
	flags.Var(&f.leastSlots, "min-slots", "least number of slots of a window, instead of --min")
	flags.BoolVar(&f.onlyNow, "now", false, "the answer is yes only when such a window is open now")
	flags.Var(&f.near, "near", "warn when a key leads within N slots from now")
	flags.Var(&f.from, "from", "first slot to look at (default: the present one)")
	flags.VarP(&f.count, "count", "n", "how many windows to list")
	f.addTimed(cmd)
	flags.StringVar(&f.zone, "zone", "", "time zone of the second time, `NAME` such as Europe/Berlin (default: this machine's)")
	flags.StringVar(&f.format, "format", "text", "`FORMAT` of the output: text or json")
	return cmd
}

func (f *windowsFlags) checked(cmd *cobra.Command) (zoned, error) {
	zone, err := zoneOf(f.zone)
	flags := cmd.Flags()
	switch least, slots := flags.Changed("min"), flags.Changed("min-slots"); {
	case err != nil:
		return zone, err
	case least && slots:
		return zone, errors.New("--min and --min-slots both say how long a window must be, give one of them")
	case !least && !slots:
		return zone, errors.New("no least length of a window: give --min DURATION such as 10m, or --min-slots N")
	case least && f.least <= 0:
		return zone, fmt.Errorf("--min: %v, want a duration above 0 such as 10m", f.least)
	case least && f.anchor == "" && !f.asksNode():
		return zone, errors.New("--min needs to know how long slots take: give --rpc URL, or --anchor SLOT@TIME with --slot-duration, or --min-slots N")
	case f.onlyNow && flags.Changed("from"):
		return zone, errors.New("--now is about the present slot, leave --from out")
	}
	return zone, checkAnswerFormat(f.format)
}

func (f *windowsFlags) run(cmd *cobra.Command) error {
	zone, err := f.checked(cmd)
	if err != nil {
		return err
	}
	s, err := f.openShelf(cmd)
	if err != nil {
		return err
	}
	defer s.close()
	line, err := s.timeline(cmd, cmd.Context())
	if err != nil {
		return err
	}
	now := f.now()
	from, err := s.start(cmd, &f.from, line, now)
	if err != nil {
		return err
	}
	least := f.leastSlots.value
	if f.least > 0 {
		if line.clock == nil {
			return errors.New("--min needs to know how long slots take, which the node does not tell: give --min-slots N")
		}
		if least, err = leaders.MinSlots(*line.clock, f.least); err != nil {
			return fmt.Errorf("--min: %w", err)
		}
	}
	// The earliest slot that it may be, for who leads now.
	_, early, _, known := line.at(now)
	if !known || cmd.Flags().Changed("from") {
		early = from
	}
	epoch, _ := s.es.EpochOf(min(early, from))
	v, err := s.view(cmd.Context(), epoch, math.MaxUint64)
	if err != nil {
		return err
	}
	s.noteTimes(line)
	a := windowsAnswer{frame: s.frame(v, line, now, zone), explicit: cmd.Flags().Changed("from"), least: f.least}
	if err := a.ask(v, from, least); err != nil {
		return err
	}
	a.warn(s, f.near.value)
	if err := a.write(stdoutWriter{cmd.OutOrStdout()}, f.format, int(f.count.value)); err != nil {
		return err
	}
	return a.verdict(f.onlyNow)
}

// A windowsAnswer is the answer of windows.
type windowsAnswer struct {
	frame
	From     schedule.Slot `json:"from"`
	MinSlots uint64        `json:"minSlots"`
	// OpenNow says whether a window is open that is long enough, whatever slot it is
	// within the error band; nil where that was not asked, with --from.
	OpenNow *bool `json:"openNow,omitempty"`
	// NextLead is the first slot of the keys that is known.
	NextLead *shownSpan            `json:"nextLead,omitempty"`
	Next     *shownSpan            `json:"next,omitempty"`
	Longest  *shownSpan            `json:"longest,omitempty"`
	Windows  []shownSpan           `json:"windows"`
	AnyTime  bool                  `json:"anyTime"`
	Reason   leaders.Reason        `json:"reason,omitempty"` // with anyTime
	KnownTo  *schedule.Slot        `json:"knownTo,omitempty"`
	Unknown  *leaders.UnknownError `json:"unknown,omitempty"`

	explicit bool // From was given
	least    time.Duration
	why      string // with AnyTime, in words
}

// ask fills the answer in. The error is that it is not known who leads the first
// slot.
func (a *windowsAnswer) ask(v *bookView, from schedule.Slot, least uint64) error {
	q, err := v.Quiet(a.Keys, from, least)
	var unknown *leaders.UnknownError
	if errors.As(err, &unknown) {
		return v.unknown(unknown)
	}
	if err != nil {
		return err
	}
	a.From, a.MinSlots, a.AnyTime, a.Reason, a.KnownTo, a.Unknown = from, least, q.AnyTime, q.Reason, q.KnownTo, q.Unknown
	a.Windows = make([]shownSpan, len(q.Windows))
	for i, w := range q.Windows {
		a.Windows[i] = a.show(w, nil)
	}
	a.Next, a.Longest = a.showPointer(q.Next()), a.showPointer(q.Longest)
	if ahead, _ := v.Next(a.Keys, from, 1); ahead != nil && len(ahead.Windows) > 0 {
		w := a.show(ahead.Windows[0].Span, &ahead.Windows[0].Key)
		a.NextLead = &w
	}
	if why := v.absence(from, *q.KnownTo); q.AnyTime && why != nil {
		a.why = why.text()
	}
	if _, early, late, known := a.line.at(a.now); known && !a.explicit {
		open := openNow(v, a.Keys, early, late, least)
		a.OpenNow = &open
	}
	return nil
}

// openNow reports whether it is known that none of the keys leads from the earliest
// slot that it may be to least slots from the latest on.
func openNow(v *bookView, keys []leaders.Key, early, late schedule.Slot, least uint64) bool {
	q, err := v.Quiet(keys, early, 0)
	if err != nil || q.Now == nil || q.Now.Last < late {
		return false
	}
	left := uint64(q.Now.Last - late) // and late itself
	return left >= least || left+1 >= least
}

func (a *windowsAnswer) showPointer(s *leaders.Span) *shownSpan {
	if s == nil {
		return nil
	}
	shown := a.show(*s, nil)
	return &shown
}

// warn tells when a key leads so soon that an identity should not be moved now.
func (a *windowsAnswer) warn(s *shelf, near uint64) {
	w := a.NextLead
	if w == nil || a.explicit {
		return
	}
	switch slots := uint64(w.First - a.From); {
	case slots == 0:
		s.note("%v leads now, up to slot %d", w.Key, w.Last)
	case slots <= near:
		s.note("%v leads in %s%s: too soon to move an identity (--near %d)", w.Key, slotCount(slots), a.lasting(", ", a.From, w.First), near)
	}
}

// verdict is the answer as an exit code.
func (a *windowsAnswer) verdict(onlyNow bool) error {
	no := "no quiet window of " + a.need()
	switch {
	case onlyNow && *a.OpenNow, !onlyNow && a.Next != nil:
		return nil
	case onlyNow && a.AnyTime:
		return answerError(fmt.Sprintf("%s is known to be open: the schedule is known up to slot %d", no, *a.KnownTo))
	case onlyNow:
		return answerError(fmt.Sprintf("%s is surely open now, %s", no, a.nextText()))
	case a.Longest == nil:
		return answerError(fmt.Sprintf("%s: the keys lead every slot up to slot %d%s", no, *a.KnownTo, a.beyond()))
	}
	return answerError(fmt.Sprintf("%s up to slot %d, the longest has %s%s", no, *a.KnownTo, slotCount(a.Longest.Slots), a.beyond()))
}

// beyond says what is not known after KnownTo.
func (a *windowsAnswer) beyond() string {
	if a.Unknown == nil {
		return ""
	}
	return fmt.Sprintf("; the schedule of epoch %d is not known", a.Unknown.Epoch)
}
