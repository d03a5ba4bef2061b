package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

const (
	ingestEpochs = 12
	// maxEntries makes lists of up to 60 pages, so that the file grows, pages are
	// freed and taken again, and the map of it moves.
	maxEntries = 3000
)

// ingested returns the list that the child puts as number n.
func ingested(n uint64) (epoch, version uint64, entries int) {
	rng := rand.New(rand.NewPCG(n, 77))
	return rng.Uint64N(ingestEpochs), n, 1 + rng.IntN(maxEntries)
}

// ingest puts list after list, from the number after the latest that is there, and
// says after each that it has it.
func ingest(dir string) error {
	s, err := Open(dir, Options{Timeout: time.Minute})
	if err != nil {
		return err
	}
	metas, err := s.Epochs()
	if err != nil {
		return err
	}
	next := uint64(1)
	for _, m := range metas {
		next = max(next, uint64(*m.Provenance.Slot)+1)
	}
	for n := next; ; n++ {
		if _, err := s.Put(made(ingested(n))); err != nil {
			return err
		}
		fmt.Println("have", n)
	}
}

// Whenever the process is killed, every list that it had said to have is there, and
// none by half. What it was just putting may be there or not.
func TestKilled(t *testing.T) {
	rounds := 25
	if testing.Short() {
		rounds = 5
	}
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(5, 6))
	latest := map[uint64]uint64{} // number of the last list by epoch
	highest, whole := uint64(0), 0
	for round := range rounds {
		cmd, lines := child(t, "ingest", dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Some are killed while they start, others after some lists.
		wait := rng.IntN(9) - 2
		for range wait {
			if !lines.Scan() {
				break
			}
			note(t, lines.Text(), latest, &highest)
		}
		time.Sleep(time.Duration(rng.IntN(8000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			note(t, lines.Text(), latest, &highest)
		}
		cmd.Wait()
		whole += checkIngested(t, dir, latest, &highest)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	t.Logf("%d processes killed, %d lists put, %d found whole", rounds, highest, whole)
	if highest < uint64(rounds) {
		t.Errorf("only %d lists were put in %d rounds: this shows little", highest, rounds)
	}
}

// note takes down what the child says that it has.
func note(t *testing.T, line string, latest map[uint64]uint64, highest *uint64) {
	t.Helper()
	var n uint64
	if _, err := fmt.Sscanf(line, "have %d", &n); err != nil {
		t.Fatalf("the child says %q", line)
	}
	epoch, _, _ := ingested(n)
	latest[epoch], *highest = n, max(*highest, n)
}

// checkIngested opens the store that a killed process left. Of the list after the
// highest it is not known whether it was put.
func checkIngested(t *testing.T, dir string, latest map[uint64]uint64, highest *uint64) int {
	t.Helper()
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Damage(); err != nil {
		t.Fatal(err)
	}
	unsure := *highest + 1
	unsureEpoch, _, _ := ingested(unsure)
	whole := 0
	for epoch := range uint64(ingestEpochs) {
		l, meta, err := s.Get(epoch)
		n, has := latest[epoch]
		switch {
		case errors.Is(err, ErrNone) && !has:
			continue
		case err != nil:
			t.Errorf("epoch %d: number %d is lost: %v", epoch, n, err)
			continue
		}
		got := uint64(*meta.Provenance.Slot)
		if got != n && !(epoch == unsureEpoch && got == unsure) {
			t.Errorf("epoch %d: got number %d, want %d", epoch, got, n)
			continue
		}
		wantSame(t, l, made(ingested(got)))
		whole++
		if got == unsure {
			latest[epoch], *highest = got, got
		}
	}
	return whole
}

// A second process is refused, and taken when the first is gone.
func TestLocked(t *testing.T) {
	dir := filled(t, 0, 1, 3)
	cmd, lines := child(t, "hold", dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	if !lines.Scan() || lines.Text() != "held" {
		t.Fatalf("the child says %q", lines.Text())
	}
	for _, readOnly := range []bool{false, true} {
		s, err := Open(dir, Options{Timeout: 60 * time.Millisecond, ReadOnly: readOnly})
		if !errors.Is(err, ErrLocked) {
			t.Fatalf("got %v, %v, want ErrLocked", s, err)
		}
		if want := file(dir) + ": in use by another process: timeout; stop that one or name another directory"; err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	wantList(t, mustOpen(t, dir, Options{}), made(0, 0, 3))
}

// Two processes that make a store at once make one.
func TestCreatedTwice(t *testing.T) {
	dir := t.TempDir()
	done := make(chan error)
	const openers = 8
	for i := range uint64(openers) {
		go func() {
			s, err := Open(dir, Options{Timeout: time.Minute})
			if err == nil {
				_, err = s.Put(made(i, 0, 20))
				err = errors.Join(err, s.Close())
			}
			done <- err
		}()
	}
	for range openers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	s := mustOpen(t, dir, Options{})
	for i := range uint64(openers) {
		wantList(t, s, made(i, 0, 20))
	}
}
