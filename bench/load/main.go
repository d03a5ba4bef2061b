// Load measures the service under load, over the loopback interface alone, and prints
// a table.
//
//	go run ./bench/load                       # about a minute
//	go run ./bench/load -seconds 1 -rounds 1  # that it runs
//
// It starts the service with the example list as a process of its own, and beside it
// a plain net/http server that writes the same bytes. Both are asked in turns, round
// by round, so that a change of the machine's mood meets both; the table shows medians
// and the ratio of the service's rate to the plain server's. Clients share the cores
// with the servers, and read answers without decoding them; one answer of each kind is
// checked first against the schedule derived from the list.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"
)

// Bounds of what may be asked for: the program is to end by itself, and to be no
// burden to what else runs.
const (
	mostSeconds     = 30
	mostRounds      = 20
	mostConnections = 256
)

type settings struct {
	seconds     time.Duration // of each measurement
	rounds      int
	connections int
}

func main() {
	seconds := flag.Int("seconds", 2, "`N` seconds for each measurement")
	rounds := flag.Int("rounds", 5, "`N` turns of each; the table shows the median")
	connections := flag.Int("connections", 16, "`N` clients at a time")
	role := flag.String("role", "", "be one of the servers (`NAME`: service or plain) until standard input ends; for the program itself")
	flag.Parse()
	var err error
	switch {
	case *role != "":
		err = serve(*role)
	case *seconds < 1 || *seconds > mostSeconds || *rounds < 1 || *rounds > mostRounds || *connections < 1 || *connections > mostConnections:
		err = fmt.Errorf("want 1 to %d seconds, 1 to %d rounds, 1 to %d connections", mostSeconds, mostRounds, mostConnections)
	default:
		err = run(settings{time.Duration(*seconds) * time.Second, *rounds, *connections})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(s settings) error {
	service, err := startChild("service", nil)
	if err != nil {
		return err
	}
	defer service.stop()
	loads, err := makeLoads(service.address)
	if err != nil {
		return err
	}
	plain, err := startChild("plain", answersOf(loads))
	if err != nil {
		return err
	}
	defer plain.stop()

	fmt.Printf("%s/%s, %d cores shared with the clients, %s; %d connections, medians of %d turns of %v\n\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), s.connections, s.rounds, s.seconds)
	fmt.Println("| | requests/s | MB/s | p50 | p99 | CPU each | plain net/http, requests/s | p99 | CPU each | ratio of requests/s |")
	fmt.Println("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, l := range loads {
		ours, theirs, err := measure(s, l, service, plain)
		if err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		fmt.Printf("| %s | %.0f | %.0f | %v | %v | %v | %.0f | %v | %v | %.2f |\n", l.name, ours.rate, ours.bytes/1e6,
			ours.p50, ours.p99, ours.cpu.Round(time.Microsecond), theirs.rate, theirs.p99, theirs.cpu.Round(time.Microsecond), ours.rate/theirs.rate)
	}
	return memory(s, loads[len(loads)-1], service)
}
