package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Nothing is shown where there is no terminal.
func TestProgressWithoutTerminal(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, "epochs")
	p.show(1, 2)
	p.clear()
	if p != nil || out.Len() > 0 {
		t.Errorf("got %q", out.String())
	}
}

func TestProgressBar(t *testing.T) {
	var out bytes.Buffer
	p := &progress{w: &out, unit: "epochs"}
	p.show(0, 0) // nothing to do
	p.show(50, 200)
	for _, part := range []string{"epochs", "25%", "50/200", "epochs/"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q does not show %q", out.String(), part)
		}
	}
	if !regexp.MustCompile(`\[[^:\]]+:[^:\]]+\]`).MatchString(out.String()) {
		t.Errorf("%q does not show [time taken:time left]", out.String())
	}
	if strings.Contains(out.String(), "\n") || len([]rune(out.String())) > 80 {
		t.Errorf("%q is no line of 80 columns", out.String())
	}
	out.Reset()
	if p.clear(); !strings.HasSuffix(out.String(), "\r") || strings.Trim(out.String(), " \r\x1b[2K") != "" {
		t.Errorf("clear writes %q", out.String())
	}
	p.show(200, 200)
	p.show(1<<63, 1<<63) // more than the library counts
}

func TestDelayedWriter(t *testing.T) {
	var out bytes.Buffer
	d := &delayedWriter{&out, time.Now().Add(time.Hour)}
	if n, err := d.Write([]byte("early")); n != 5 || err != nil {
		t.Errorf("early: %d, %v", n, err)
	}
	d.until = time.Now()
	if n, err := d.Write([]byte("late")); n != 4 || err != nil || out.String() != "late" {
		t.Errorf("late: %d, %v, %q", n, err, out.String())
	}
}
