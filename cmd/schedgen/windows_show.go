package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// need says how long a window must be.
func (a *windowsAnswer) need() string {
	text := slotCount(a.MinSlots)
	if a.least > 0 {
		least := strings.TrimSuffix(strings.TrimSuffix(inWords(a.least), " 00 s"), " 00 min")
		text = fmt.Sprintf("%s (%s)", least, text)
	}
	return text
}

// nextText says when the next window begins.
func (a *windowsAnswer) nextText() string {
	for _, w := range a.Windows {
		if !w.Current {
			return fmt.Sprintf("the next one begins at slot %d%s", w.First, a.lasting(", in ", a.From, w.First))
		}
	}
	return fmt.Sprintf("and none begins up to slot %d", *a.KnownTo)
}

func (a *windowsAnswer) write(out stdoutWriter, format string, count int) error {
	if format == "json" {
		return printJSON(out, a)
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	a.frame.about(w)
	a.summary(w)
	w.Flush()
	if _, err := io.WriteString(out, b.String()); err != nil || len(a.Windows) == 0 {
		return err
	}
	return a.list(out, count)
}

// summary prints the answer in a few lines.
func (a *windowsAnswer) summary(w io.Writer) {
	row := func(name, format string, args ...any) { fmt.Fprintf(w, name+"\t"+format+"\n", args...) }
	row("needed", "%s", a.need())
	if a.AnyTime {
		row("slots", "none up to slot %d: %s", *a.KnownTo, a.why)
	} else if a.NextLead != nil {
		row("leads next", "slot %d%s", a.NextLead.First, a.lasting(", in ", a.From, a.NextLead.First))
	} else {
		row("leads next", "not up to slot %d", *a.KnownTo)
	}
	if a.OpenNow != nil {
		row("open now", "%s", a.openText())
	}
	if a.Next != nil && !a.Next.Current {
		row("next", "%s", a.spanText(a.Next))
	}
	if a.Longest != nil {
		row("longest", "%s", a.spanText(a.Longest))
	}
}

func (a *windowsAnswer) openText() string {
	switch {
	case *a.OpenNow && a.AnyTime:
		return "yes, at any time"
	case *a.OpenNow:
		return "yes, " + a.spanText(a.Next)
	case a.NextLead != nil && a.NextLead.First == a.From:
		return "no, leading"
	case a.Next != nil && a.Next.Current:
		return fmt.Sprintf("not surely, it may be slot %d to %d", a.Now.Earliest, a.Now.Latest)
	case a.AnyTime:
		return fmt.Sprintf("not known to be, the schedule is known up to slot %d", *a.KnownTo)
	}
	return "no"
}

// spanText tells where a window is and how long.
func (a *windowsAnswer) spanText(s *shownSpan) string {
	least := ""
	if s.AtLeast {
		least = "at least "
	}
	return fmt.Sprintf("slots %d to %d, %s%s slots%s", s.First, s.Last, least, grouped(s.Slots), a.lasting(", ", s.First, after(s.Last)))
}

// list prints the windows, up to a number.
func (a *windowsAnswer) list(out io.Writer, count int) error {
	timed := a.line.clock != nil
	headings := []string{"first slot", "last slot", "slots", "epoch"}
	if timed {
		headings = append(headings, "lasts", "in")
	}
	var t table
	t.add(append(headings, a.timeHeadings()...)...)
	for _, w := range a.Windows[:min(count, len(a.Windows))] {
		slots := grouped(w.Slots)
		if w.AtLeast {
			slots = "≥ " + slots
		}
		row := []string{fmt.Sprint(w.First), fmt.Sprint(w.Last), slots, fmt.Sprint(w.Epoch)}
		if timed {
			row = append(row, a.lasting("", w.First, after(w.Last)), a.when(w.Span))
		}
		t.add(append(row, a.times(w.First)...)...)
	}
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	if err := t.print(out); err != nil || len(a.Windows) <= count {
		return err
	}
	_, err := fmt.Fprintf(out, "and %s more up to slot %d\n", grouped(uint64(len(a.Windows)-count)), *a.KnownTo)
	return err
}
