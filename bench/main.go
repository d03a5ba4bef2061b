// Bench measures this module beside its peers, in one run, and prints one table.
//
//	make bench                        # builds the Rust peer too, writes bench/RESULTS.md
//	go run ./bench -rounds 5 -o -     # a quick look
//
// The peers are a Rust program on the crates whose behaviour the network keeps
// (bench/peers/rand), golang.org/x/crypto with a binary search, the standard
// library's ChaCha8 for context, and OpenSSL where it is installed. All of them
// take turns, round by round, so that a change of the machine's mood meets all
// alike; the table shows medians and, beside each, the ratio to ours. Where the
// system allows, everything runs on one core.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
)

func main() {
	rounds := flag.Int("rounds", 31, "`N` turns of each measurement; the table shows the median")
	output := flag.String("o", "bench/RESULTS.md", "`FILE` for the table; - for standard output only")
	peer := flag.String("peer", "bench/peers/rand/target/release/peer-rand", "`PATH` of the Rust peer; left out when it is not there")
	flag.Parse()
	if err := run(*rounds, *output, *peer); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(rounds int, output, peerPath string) error {
	if rounds < 1 {
		return fmt.Errorf("-rounds %d: at least one", rounds)
	}
	// On all cores first: threads that start later would inherit the one core.
	fmt.Fprintln(os.Stderr, "bench: batch")
	scaling, err := measureBatch(rounds)
	if err != nil {
		return fmt.Errorf("batch: %w", err)
	}

	// One core, and one thread at a time on it: the garbage collector's share too.
	runtime.GOMAXPROCS(1)
	runtime.LockOSThread()
	core, err := pin()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: not pinned to a core:", err)
	}
	rust, err := startPeer(peerPath)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: without the Rust peer:", err)
	}
	defer rust.close()

	groups, err := allGroups(rust)
	if err != nil {
		return err
	}
	for _, g := range groups {
		fmt.Fprintln(os.Stderr, "bench:", g.title)
		if err := g.measure(rounds); err != nil {
			return fmt.Errorf("%s: %w", g.title, err)
		}
	}
	report := append(heading(core, rounds, rust), tables(groups)...)
	report = append(report, scaling...)
	if _, err := os.Stdout.Write(report); err != nil || output == "-" {
		return err
	}
	return os.WriteFile(output, report, 0o644)
}

// allGroups returns everything that runs on one core.
func allGroups(rust *peer) ([]*group, error) {
	groups := []*group{keystream(rust)}
	for _, n := range []int{1500, 5000} {
		in := newInput(n)
		if err := sameDigest(in, rust); err != nil {
			return nil, err
		}
		groups = append(groups, sampling(in, rust), derivation(in, rust))
	}
	for _, n := range []int{1000, 2000, 5000} {
		groups = append(groups, removal(n))
	}
	lookups, err := lookups(newInput(1500))
	if err != nil {
		return nil, err
	}
	return append(groups, lookups), nil
}
