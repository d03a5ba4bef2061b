package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
)

const (
	redrawEvery  = time.Second
	refreshEvery = 10 * time.Second // how often the node is asked which slot it is at
	refreshLimit = 30 * time.Second // for one refresh, attempts included
	staleAfter   = 3 * refreshEvery // without an answer
)

// A watched is what is known at one time.
type watched struct {
	view *bookView
	line timeline
}

// A watcher counts down to the next window.
type watcher struct {
	out  io.Writer
	keys []leaders.Key
	zone zoned
	now  func() time.Time
	// width returns the columns of the terminal; nil where out is none, so that
	// lines are printed only when something changes.
	width func() int
	// refresh asks again; nil where nothing can change.
	refresh func(context.Context) (watched, error)
	// background runs a refresh beside the countdown.
	background func(func())

	at      watched
	since   time.Time // at was asked for
	failure error     // of the last refresh
	results chan refreshed
	asking  bool
	asked   time.Time
	printed string // what the last line was about
}

type refreshed struct {
	watched
	at  time.Time
	err error
}

func (f *nextFlags) runWatch(cmd *cobra.Command, s *shelf, zone zoned) error {
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	look := func(ctx context.Context) (watched, error) { return s.look(cmd, ctx) }
	at, err := look(ctx)
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	s.noteTimes(at.line)
	s.stderr = io.Discard // a note would tear the line apart
	w := &watcher{
		out: stdoutWriter{cmd.OutOrStdout()}, keys: s.keys, zone: zone, now: f.now, width: terminalWidth(cmd.OutOrStdout()),
		background: func(f func()) { go f() }, at: at, since: f.now(),
	}
	if len(s.allNodes()) > 0 {
		w.refresh = look
	}
	ticker := time.NewTicker(redrawEvery)
	defer ticker.Stop()
	return w.run(ctx, ticker.C)
}

// look takes the time and the epochs from the present one on from the sources.
func (s *shelf) look(cmd *cobra.Command, ctx context.Context) (watched, error) {
	line, err := s.timeline(cmd, ctx)
	if err != nil {
		return watched{}, err
	}
	slot, _, _, known := line.at(s.f.now())
	if !known || line.clock == nil {
		return watched{}, fmt.Errorf("--watch needs to know how long slots take: %s", line.note)
	}
	epoch, _ := s.es.EpochOf(slot)
	v, err := s.view(ctx, epoch, math.MaxUint64)
	return watched{v, line}, err
}

// terminalWidth returns how wide a terminal is; nil where w is none.
func terminalWidth(w io.Writer) func() int {
	if !isTerminal(w) {
		return nil
	}
	return func() int {
		const usual = 80
		if width, _, err := term.GetSize(int(w.(*os.File).Fd())); err == nil && width > 0 {
			return width
		}
		return usual
	}
}

// run draws at each tick until ctx or the ticks end, which is no error, or until
// it is certain that there is no further window.
func (w *watcher) run(ctx context.Context, ticks <-chan time.Time) error {
	w.results = make(chan refreshed, 1)
	defer w.end()
	for {
		select { // what was answered goes before the tick that comes with it
		case r := <-w.results:
			w.take(r)
		default:
		}
		if err := w.draw(); err != nil {
			return err
		}
		w.ask(ctx)
		select {
		case <-ctx.Done():
			return nil
		case r := <-w.results:
			w.take(r)
		case _, more := <-ticks:
			if !more {
				return nil
			}
		}
	}
}

// end leaves the line of the terminal.
func (w *watcher) end() {
	if w.width != nil && w.printed != "" {
		fmt.Fprintln(w.out)
	}
}

// ask starts a refresh when it is time for one.
func (w *watcher) ask(ctx context.Context) {
	now := w.now()
	since := now.Sub(later(w.since, w.asked))
	if w.refresh == nil || w.asking || since >= 0 && since < refreshEvery {
		return
	}
	w.asking, w.asked = true, now
	w.background(func() {
		ctx, cancel := context.WithTimeout(ctx, refreshLimit)
		defer cancel()
		at, err := w.refresh(ctx)
		w.results <- refreshed{at, now, err}
	})
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// take keeps what is known when a refresh failed.
func (w *watcher) take(r refreshed) {
	w.asking, w.failure = false, r.err
	if r.err == nil {
		w.at, w.since = r.watched, r.at
	}
}

// draw prints the present state.
func (w *watcher) draw() error {
	now := w.now()
	state, text, err := w.state(now)
	if err != nil && w.refresh == nil {
		return err // nothing will change that
	}
	if before, behind := w.stale(now); before != "" {
		state, text = "stale "+state, before+text+behind
	}
	if w.width == nil {
		if state == w.printed {
			return nil
		}
		w.printed = state
		_, err := fmt.Fprintf(w.out, "%s  %s\n", w.zone.in(now), text)
		return err
	}
	w.printed = state
	_, err = fmt.Fprintf(w.out, "\r\x1b[K%s", clipTo(text, w.width()-1))
	return err
}

// clipTo shortens text to a number of columns.
func clipTo(text string, columns int) string {
	if utf8.RuneCountInString(text) <= columns {
		return text
	}
	return string([]rune(text)[:max(columns-1, 0)]) + "…"
}

// stale says since when nothing was heard, for before the text, and why, for behind
// it; nothing where all is well.
func (w *watcher) stale(now time.Time) (before, behind string) {
	age := max(now.Sub(w.since), 0)
	switch {
	case w.refresh == nil || w.failure == nil && age < staleAfter:
		return "", ""
	case w.failure != nil:
		behind = fmt.Sprintf(" (%v)", w.failure)
	}
	return fmt.Sprintf("[stale for %s] ", inWords(age)), behind
}

// state says what is next: state changes when something happens, text with time.
func (w *watcher) state(now time.Time) (state, text string, err error) {
	v, line := w.at.view, w.at.line
	slot, _, _, _ := line.at(now)
	a := nextAnswer{frame: frame{Keys: w.keys, line: line, now: now, zone: w.zone}}
	const windows = 2 // this one, and what follows it
	verdict := a.ask(v, slot, windows)
	if len(a.Windows) == 0 {
		if verdict == nil {
			verdict = schedule.ErrNoSlot
		}
		return verdict.Error(), fmt.Sprintf("slot %d, %v", slot, verdict), verdict
	}
	first, by := a.Windows[0], ""
	if len(w.keys) > 1 {
		by = ", " + first.Key.Pubkey.String()
	}
	if first.Current {
		text = fmt.Sprintf("LEADING for %s: slot %d to %d", inWords(max(0, a.in(after(first.Last)))), slot, first.Last)
		if len(a.Windows) > 1 {
			text += fmt.Sprintf(", next in %s", inWords(max(0, a.in(a.Windows[1].First))))
		}
		return fmt.Sprintf("leading to %d", first.Last), text + by, nil
	}
	e := line.clock.TimeOf(first.First)
	text = fmt.Sprintf("next in %s: slots %d to %d of epoch %d, %s ± %s, now slot %d",
		inWords(max(0, a.in(first.First))), first.First, first.Last, first.Epoch, w.zone.in(e.Time), bandOf(e), slot)
	return fmt.Sprintf("next %d", first.First), text + by, nil
}
