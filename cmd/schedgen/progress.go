package main

import (
	"io"
	"math"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

const (
	progressDelay    = time.Second // before it is shown for the first time
	progressInterval = time.Second / 10
	progressWidth    = 20 // of the bar itself: the line fits 80 columns
)

// A progress shows a bar with rate and time left on a terminal. All methods work
// on nil, which shows nothing.
type progress struct {
	w    io.Writer
	unit string
	bar  *progressbar.ProgressBar // made at the first call of show
}

// newProgress returns nil when w is no terminal.
func newProgress(w io.Writer, unit string) *progress {
	if !isTerminal(w) {
		return nil
	}
	return &progress{w: &delayedWriter{w, time.Now().Add(progressDelay)}, unit: unit}
}

// show says how much of the total is done.
func (p *progress) show(done, total uint64) {
	if p == nil || total == 0 {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions64(int64(min(total, math.MaxInt64)),
			progressbar.OptionSetWriter(p.w),
			progressbar.OptionSetDescription(p.unit),
			progressbar.OptionSetItsString(p.unit),
			progressbar.OptionSetWidth(progressWidth),
			progressbar.OptionThrottle(progressInterval),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionClearOnFinish(),
		)
		p.bar.StartWithoutRender()
	}
	_ = p.bar.Set64(int64(min(done, math.MaxInt64)))
}

// clear takes the bar off the terminal.
func (p *progress) clear() {
	if p != nil && p.bar != nil {
		_ = p.bar.Clear()
	}
}

// A delayedWriter drops what is written before a time.
type delayedWriter struct {
	w     io.Writer
	until time.Time
}

func (d *delayedWriter) Write(b []byte) (int, error) {
	if time.Now().Before(d.until) {
		return len(b), nil
	}
	return d.w.Write(b)
}

// A clearingWriter takes the progress bar away before it writes.
type clearingWriter struct {
	progress *progress
	w        io.Writer
}

func (c clearingWriter) Write(b []byte) (int, error) {
	c.progress.clear()
	return c.w.Write(b)
}

// isTerminal says whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
