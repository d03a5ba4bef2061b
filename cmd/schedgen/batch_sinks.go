package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/schedgen/schedgen/batch"
	"github.com/schedgen/schedgen/batch/rankfile"
	"github.com/schedgen/schedgen/internal/atomicfile"
	"github.com/schedgen/schedgen/schedule"
)

// formatRanks is the format of package rankfile, which only batch has.
const formatRanks = "ranks"

// A sink is where results go.
type sink interface {
	options() batch.Options  // what the workers do
	add(*batch.Result) error // takes the next epoch, in order
	finish() error           // after the last epoch
}

// write derives all epochs into the output that the flags name.
func (b *batchRun) write(ctx context.Context, stdout io.Writer) error {
	into := func(w io.Writer) error { return b.derive(ctx, b.stream(w)) }
	switch {
	case b.f.toStdout():
		if isTerminal(stdout) {
			b.progress = nil // the output shows it
		}
		return into(stdoutWriter{stdout})
	case b.f.counts != "" || b.f.format == formatRanks:
		return atomicfile.Write(b.f.output, into)
	}
	return b.writeDirectory(ctx)
}

// stream returns the sink that writes all epochs to w.
func (b *batchRun) stream(w io.Writer) sink {
	switch {
	case b.f.counts == countsTotal:
		return &totals{counter: counter{w: w, only: b.f.identities}}
	case b.f.counts == countsByEpoch:
		return &countsPerEpoch{counter: counter{w: w, only: b.f.identities}}
	case b.f.format == formatRanks:
		return rankSink{rankfile.NewWriter(w)}
	case b.f.format == string(schedule.FormatDigest):
		return digests{w}
	}
	return &schedules{w: w, format: schedule.Format(b.f.format), only: b.f.identities}
}

// schedules writes whole schedules, one after another.
type schedules struct {
	w      io.Writer
	format schedule.Format
	only   []schedule.Pubkey
	some   bool // a schedule was written
}

func (*schedules) options() batch.Options { return batch.Options{} }
func (*schedules) finish() error          { return nil }

func (s *schedules) add(r *batch.Result) error {
	w := s.w
	if s.some && s.format == schedule.FormatCSV {
		w = &afterFirstLine{w: w}
	}
	s.some = true
	return r.Schedule.Write(w, s.format, s.only...)
}

// afterFirstLine leaves out the first line that is written to it.
type afterFirstLine struct {
	w    io.Writer
	past bool
}

func (a *afterFirstLine) Write(b []byte) (int, error) {
	rest := b
	if !a.past {
		_, after, found := bytes.Cut(b, []byte("\n"))
		if !found {
			return len(b), nil
		}
		a.past, rest = true, after
	}
	n, err := a.w.Write(rest)
	return len(b) - len(rest) + n, err
}

// digests writes a line of epoch and digest an epoch. Workers hash.
type digests struct{ w io.Writer }

func (digests) finish() error { return nil }

func (digests) options() batch.Options {
	return batch.Options{Work: func(r *batch.Result) error {
		r.Value = r.Schedule.Digest()
		return nil
	}}
}

func (d digests) add(r *batch.Result) error {
	_, err := fmt.Fprintf(d.w, "%d %x\n", r.Params.Epoch, r.Value)
	return err
}

// rankSink writes a rank file.
type rankSink struct{ w *rankfile.Writer }

func (rankSink) options() batch.Options      { return batch.Options{} }
func (s rankSink) add(r *batch.Result) error { return s.w.Write(r.Schedule) }
func (s rankSink) finish() error             { return s.w.Close() }

// files writes a file an epoch. Workers write.
type files struct {
	directory string
	format    schedule.Format
	only      []schedule.Pubkey
}

func (files) add(*batch.Result) error { return nil }
func (files) finish() error           { return nil }

func (f files) options() batch.Options {
	return batch.Options{Work: func(r *batch.Result) error {
		name := fmt.Sprintf("epoch-%d%s", r.Params.Epoch, extension(f.format))
		return atomicfile.Write(filepath.Join(f.directory, name), func(w io.Writer) error {
			return r.Schedule.Write(w, f.format, f.only...)
		})
	}}
}

func extension(format schedule.Format) string {
	switch format {
	case schedule.FormatText:
		return ".txt"
	case schedule.FormatCSV:
		return ".csv"
	case schedule.FormatDigest:
		return ".digest"
	}
	return ".json"
}

// writeDirectory writes a file an epoch into the directory of --output. One that
// it made is gone again when no file came into it.
func (b *batchRun) writeDirectory(ctx context.Context) error {
	directory := b.f.output
	err := os.Mkdir(directory, 0o777)
	made := err == nil
	if err != nil && !isDirectory(directory) {
		if errors.Is(err, fs.ErrExist) {
			err = errors.New("is no directory, want one for a file an epoch")
		}
		var pathErr *fs.PathError
		if errors.As(err, &pathErr) {
			err = pathErr.Err
		}
		return fmt.Errorf("cannot write into %s: %w", directory, err)
	}
	err = b.derive(ctx, files{directory, schedule.Format(b.f.format), b.f.identities})
	if err != nil && made {
		_ = os.Remove(directory) // fails if there are files
	}
	return err
}

func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
