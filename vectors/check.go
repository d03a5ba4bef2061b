package vectors

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/schedgen/schedgen/internal/cpu"
)

// Options says what Check runs, and how much it tells.
type Options struct {
	// Backends are names of backends; none stands for all that this machine has.
	Backends []string
	// Dir is a folder with the stake lists that are too long to embed
	// (epoch-454-stakes.csv). Vectors whose list is not there are skipped.
	Dir string
	// Quick skips whole epochs, very long lists and very long streams.
	Quick bool
	// Verbose lists the vectors that passed, too.
	Verbose bool
	// Progress, if set, is called after every vector.
	Progress func(done, total int)
}

// Check runs every vector on every backend asked for. It writes to w a line for
// each failure,
//
//	FAIL backend/vector: expected … , got …
//
// and a line for each skipped vector, and goes on. Its last line is
// "N passed, N failed"; a skipped vector counts as neither. A vector counts once
// a backend. The error is about the options, the embedded
// files or w, not about a vector: an unknown backend, or a folder that cannot be
// read.
func Check(w io.Writer, o Options) (passed, failed int, err error) {
	return check(w, embedded(), o)
}

func check(w io.Writer, files fs.FS, o Options) (passed, failed int, err error) {
	backends, err := resolve(o.Backends)
	if err != nil {
		return 0, 0, err
	}
	if o.Dir != "" {
		if _, err := os.ReadDir(o.Dir); err != nil {
			return 0, 0, fmt.Errorf("folder of stake lists: %w", err)
		}
	}
	cases, err := load(files, o.Dir)
	if err != nil {
		return 0, 0, err
	}
	r := &reporter{w: w, verbose: o.Verbose}
	for _, b := range backends {
		for _, c := range cases {
			r.report(string(b)+"/"+c.name, o.run(c, b))
			if o.Progress != nil {
				o.Progress(r.passed+r.failed+r.skipped, len(cases)*len(backends))
			}
		}
	}
	r.summary()
	return r.passed, r.failed, r.err
}

func (o Options) run(c testCase, b cpu.Backend) error {
	if o.Quick && c.heavy {
		return fmt.Errorf("%w: it is long", errSkipped)
	}
	return c.run(b)
}

func resolve(names []string) ([]cpu.Backend, error) {
	if len(names) == 0 {
		return cpu.Available(), nil
	}
	var backends []cpu.Backend
	for _, name := range names {
		b, err := cpu.Resolve(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(backends, b) {
			backends = append(backends, b)
		}
	}
	return backends, nil
}

// reporter counts outcomes and writes those worth a line.
type reporter struct {
	w                       io.Writer
	verbose                 bool
	passed, failed, skipped int
	err                     error
}

func (r *reporter) report(name string, err error) {
	switch {
	case err == nil:
		r.passed++
		if r.verbose {
			r.line("ok   %s", name)
		}
	case errors.Is(err, errSkipped):
		r.skipped++
		r.line("skip %s: %v", name, err)
	default:
		r.failed++
		r.line("FAIL %s: %v", name, err)
	}
}

func (r *reporter) summary() {
	r.line("%d passed, %d failed", r.passed, r.failed)
}

func (r *reporter) line(format string, args ...any) {
	_, err := fmt.Fprintf(r.w, format+"\n", args...)
	r.err = cmp.Or(r.err, err)
}
