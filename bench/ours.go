package main

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/chacha20"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/wsample"
)

// backends returns the names of the backends of this machine, the fastest first.
func backends() []string { return chacha20rng.Backends() }

// perBackend returns a measurement of this module's work on every backend.
func perBackend(make func(backend string) func() error) []*measurement {
	var ways []*measurement
	for _, backend := range backends() {
		ways = append(ways, &measurement{name: "schedgen " + backend, once: timed(make(backend))})
	}
	return ways
}

// newRNG returns the generator of the measured epoch on a backend of this machine.
func newRNG(backend string) *chacha20rng.RNG {
	r := chacha20rng.New([32]byte{epoch & 0xff, epoch >> 8})
	if err := r.SetBackend(backend); err != nil {
		panic(err) // the names are those that the machine has
	}
	return r
}

const streamBytes = 1 << 20

// keystream is 1 MiB of ChaCha20.
func keystream(rust *peer) *group {
	words := make([]uint64, streamBytes/8)
	stream := make([]byte, streamBytes)
	g := &group{title: "ChaCha20 keystream", unit: bytesPerSecond(streamBytes)}
	g.ways = perBackend(func(backend string) func() error {
		r := newRNG(backend)
		return func() error { r.Seek(0); r.Fill(words); return nil }
	})
	if rust != nil {
		g.ways = append(g.ways, rust.work("Rust rand_chacha 0.3.1", fmt.Sprintf("keystream %d", streamBytes), nil))
	}
	g.ways = append(g.ways, &measurement{name: "x/crypto chacha20", once: timed(func() error {
		cipher, err := chacha20.NewUnauthenticatedCipher(make([]byte, chacha20.KeySize), make([]byte, chacha20.NonceSize))
		if err != nil {
			return err
		}
		clear(stream)
		cipher.XORKeyStream(stream, stream)
		return nil
	})})
	if m, ok := openSSL(); ok {
		g.ways = append(g.ways, m)
	}
	std := rand.NewChaCha8([32]byte{})
	return &group{title: g.title, unit: g.unit, ways: append(g.ways, &measurement{
		name: "math/rand/v2 ChaCha8 (8 rounds, another generator)",
		once: timed(func() error { std.Read(stream); return nil }),
	})}
}

// openSSL is OpenSSL's own speed program, where it is installed. It runs for a
// second; its figure is turned into the time for streamBytes.
func openSSL() (*measurement, bool) {
	path, err := exec.LookPath("openssl")
	if err != nil {
		return nil, false
	}
	var known time.Duration // one run is enough: it is a mean over a second
	return &measurement{name: "OpenSSL (openssl speed)", once: func() (time.Duration, error) {
		if known != 0 {
			return known, nil
		}
		out, err := exec.Command(path, "speed", "-mr", "-evp", "chacha20", "-bytes", "16384", "-seconds", "1").Output()
		if err != nil {
			return 0, err
		}
		for line := range strings.Lines(string(out)) { // +F:22:ChaCha20:bytes a second
			if fields := strings.Split(strings.TrimSpace(line), ":"); fields[0] == "+F" && len(fields) == 4 {
				perSecond, err := strconv.ParseFloat(fields[3], 64)
				if err != nil {
					return 0, err
				}
				known = time.Duration(streamBytes / perSecond * 1e9)
				return known, nil
			}
		}
		return 0, fmt.Errorf("openssl speed printed no figure: %q", out)
	}}, true
}

// sampling is an epoch's draws from the sorted list: building what is looked up
// in, and 108,000 ranks.
func sampling(in *input, rust *peer) *group {
	g := &group{title: fmt.Sprintf("An epoch's draws to ranks, table included, %d validators", in.n), unit: milliseconds}
	g.ways = perBackend(func(backend string) func() error {
		var table wsample.Table
		unknown := table.SetBackend(backend)
		r, ranks := newRNG(backend), make([]uint16, rotations)
		return func() error {
			if unknown != nil {
				return unknown
			}
			if err := table.Reset(in.weights); err != nil {
				return err
			}
			r.Seek(0)
			return table.Sample16(r, ranks)
		}
	})
	if rust != nil {
		g.ways = append(g.ways, rust.work("Rust rand 0.8.5 WeightedIndex", fmt.Sprintf("sampling %d", epoch), in))
	}
	ranks := make([]uint32, rotations)
	g.ways = append(g.ways, &measurement{name: "x/crypto and sort.Search",
		once: timed(func() error { searchRanks(in.weights, ranks); return nil })})
	return g
}

// derivation is the way from an unsorted list to a schedule.
func derivation(in *input, rust *peer) *group {
	g := &group{title: fmt.Sprintf("Whole derivation from an unsorted list, %d validators", in.n), unit: milliseconds}
	g.ways = perBackend(func(backend string) func() error {
		var d schedule.Deriver
		return func() error {
			_, err := d.DeriveEntries(in.entries, schedule.KeyedByVote, params(backend))
			return err
		}
	})
	g.ways = append(g.ways, &measurement{name: "schedgen, without a Deriver to keep memory", once: timed(func() error {
		stakes, err := schedule.NewStakes(in.entries, schedule.KeyedByVote)
		if err != nil {
			return err
		}
		_, err = schedule.Derive(stakes, params(""))
		return err
	})})
	if rust != nil {
		g.ways = append(g.ways,
			rust.work("Rust rand 0.8.5, a key for each rotation", fmt.Sprintf("derive %d", epoch), in),
			rust.work("Rust rand 0.8.5, a key for each slot", fmt.Sprintf("derive-slots %d", epoch), in))
	}
	return g
}

// removal is sampling without replacement until nothing is left, as Turbine
// does: the shift zone, ChaCha20.
func removal(n int) *group {
	weights := newInput(n).weights
	g := &group{title: fmt.Sprintf("Sample and remove to the end, %d weights, a draw", n), unit: nanosecondsEach(n)}
	g.ways = perBackend(func(backend string) func() error {
		r, order := newRNG(backend), make([]uint32, n)
		s, err := wsample.NewSampler(weights, wsample.WithRestore(), wsample.WithRejection(chacha20rng.ByShift), wsample.WithBackend(backend))
		return func() error {
			if err != nil {
				return err
			}
			s.SampleAndRemoveMany(r, order)
			return s.RestoreAll()
		}
	})
	return g
}

const lookupsATurn = 100_000

// lookups asks a schedule who leads a slot, and when somebody leads next.
func lookups(in *input) (*group, error) {
	s, err := schedule.Derive(in.stakes, params(""))
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(1, 2))
	asked := make([]schedule.Slot, lookupsATurn)
	for i := range asked {
		asked[i] = schedule.Slot(random.Uint64N(slots))
	}
	leader, _ := s.Leader(slots / 2)
	next := make([]schedule.Slot, 0, 4)
	return &group{title: "Lookups, each", unit: nanosecondsEach(lookupsATurn), ways: []*measurement{
		{name: "Schedule.LeaderAt", once: timed(func() error {
			for _, slot := range asked {
				if _, ok := s.LeaderAt(slot); !ok {
					return fmt.Errorf("slot %d has no leader", slot)
				}
			}
			return nil
		})},
		{name: "Schedule.NextLeaderSlots, 4 slots", once: timed(func() error {
			for _, slot := range asked {
				next = s.NextLeaderSlots(next[:0], leader, slot, 4)
			}
			return nil
		})},
	}}, nil
}
