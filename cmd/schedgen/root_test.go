package main

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
)

// runCommand runs schedgen with a standard input and returns what it left.
func runCommand(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// wantRefused checks that schedgen refuses args: exit code 2, nothing on
// standard output, and one line on standard error with all of says.
func wantRefused(t *testing.T, stdin string, args []string, says ...string) {
	t.Helper()
	code, stdout, stderr := runCommand(t, stdin, args...)
	if code != exitError {
		t.Errorf("exit code %d, want %d", code, exitError)
	}
	if stdout != "" {
		t.Errorf("standard output %.200q, want none", stdout)
	}
	if !strings.HasPrefix(stderr, "schedgen: ") || strings.Index(stderr, "\n") != len(stderr)-1 {
		t.Errorf("standard error %q is not one line from schedgen", stderr)
	}
	for _, part := range says {
		if !strings.Contains(stderr, part) {
			t.Errorf("standard error %q does not mention %q", stderr, part)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{}, {"--help"}, {"help"}, {"help", "derive"}, {"derive", "--help"}} {
		code, stdout, stderr := runCommand(t, "", args...)
		if code != exitDone || stderr != "" {
			t.Errorf("%v: exit code %d, standard error %q", args, code, stderr)
		}
		if !strings.Contains(stdout, "schedgen derive --stakes example --epoch 900") {
			t.Errorf("%v: no first example in\n%s", args, stdout)
		}
	}
	_, stdout, _ := runCommand(t, "")
	for _, part := range []string{"SCHEDGEN_BACKEND", "Exit status", "batch", "derive", "vectors", "version"} {
		if !strings.Contains(stdout, part) {
			t.Errorf("help does not mention %s", part)
		}
	}
}

func TestBadCommands(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"command", []string{"drive"}, `"drive"`},
		{"flag", []string{"--frobnicate"}, "--frobnicate"},
		{"flag of derive", []string{"derive", "--frobnicate"}, "schedgen derive --help"},
		{"short flag", []string{"derive", "-x"}, "-x"},
		{"flag without value", []string{"derive", "--stakes"}, "--stakes"},
		{"argument of derive", []string{"derive", "stakes.csv"}, `"stakes.csv"`},
		{"argument of version", []string{"version", "all"}, `"all"`},
		{"help topic", []string{"help", "nothing"}, `"nothing"`},
	} {
		t.Run(c.name, func(t *testing.T) { wantRefused(t, "", c.args, c.says) })
	}
}

func TestErrorsAreOneLine(t *testing.T) {
	var out bytes.Buffer
	printError(&out, errors.New("unknown command\n\nDid you mean this?\r\n\tderive\n"))
	if got, want := out.String(), "schedgen: unknown command Did you mean this? derive\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// brokenWriter fails after some bytes.
type brokenWriter struct {
	left int
	err  error
}

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, w.err
	}
	return len(p), nil
}

func TestStandardOutputFails(t *testing.T) {
	args := []string{"derive", "--stakes", "example", "--epoch", "900"}
	for _, c := range []struct {
		name string
		err  error
		code int
		says string
	}{
		{"closed pipe", syscall.EPIPE, exitDone, ""},
		{"closed io.Pipe", io.ErrClosedPipe, exitDone, ""},
		{"full", errors.New("no space left"), exitError, "schedgen: cannot write standard output: no space left\n"},
	} {
		if c.err == syscall.EPIPE && !isClosedPipe(c.err) {
			continue // a system with other codes
		}
		var errs bytes.Buffer
		code := run(args, strings.NewReader(""), &brokenWriter{left: 1 << 17, err: c.err}, &errs)
		if code != c.code || errs.String() != c.says {
			t.Errorf("%s: exit code %d, standard error %q, want %d, %q", c.name, code, errs.String(), c.code, c.says)
		}
	}
}
