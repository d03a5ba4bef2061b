package main

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"
)

// A result is what one measurement, or the median of several, gave.
type result struct {
	rate, bytes float64 // a second
	p50, p99    time.Duration
	cpu         time.Duration // of the server, for each request; 0 where it is not known
}

// mostLatencies bounds what a client remembers.
const mostLatencies = 1 << 20

// measure asks both servers in turns, and returns the medians by rate.
func measure(s settings, l *load, service, plain *child) (ours, theirs result, err error) {
	var all [2][]result
	for round := range s.rounds + 1 {
		for i, to := range []*child{service, plain} {
			seconds := s.seconds
			if round == 0 { // for both to get warm
				seconds = s.seconds / 4
			}
			r, err := once(s, l, to, i == 1, seconds)
			if err != nil {
				return result{}, result{}, err
			}
			if round > 0 {
				all[i] = append(all[i], r)
			}
		}
	}
	return median(all[0]), median(all[1]), nil
}

func median(all []result) result {
	slices.SortFunc(all, func(a, b result) int { return cmp.Compare(a.rate, b.rate) })
	return all[len(all)/2]
}

// once asks one server from all connections for some time.
func once(s settings, l *load, to *child, plain bool, seconds time.Duration) (result, error) {
	var requests [][]byte
	for _, k := range l.kinds {
		for range k.weight {
			request := k.service
			if plain {
				request = k.plain
			}
			requests = append(requests, request)
		}
	}
	var mu sync.Mutex
	var clients sync.WaitGroup
	var latencies []time.Duration
	var bytes int64
	var count int
	var failed error
	start, spent := time.Now(), to.cpu()
	for i := range s.connections {
		clients.Go(func() {
			took, read, n, err := askUntil(to.address, requests, uint64(i), start.Add(seconds))
			mu.Lock()
			defer mu.Unlock()
			latencies, bytes, count = append(latencies, took...), bytes+read, count+n
			if err != nil {
				failed = err
			}
		})
	}
	clients.Wait()
	elapsed, spent := time.Since(start).Seconds(), to.cpu()-spent
	if failed != nil {
		return result{}, failed
	}
	slices.Sort(latencies)
	at := func(part float64) time.Duration {
		return latencies[min(int(part*float64(len(latencies))), len(latencies)-1)].Round(10 * time.Microsecond)
	}
	return result{rate: float64(count) / elapsed, bytes: float64(bytes) / elapsed, p50: at(0.5), p99: at(0.99), cpu: spent / time.Duration(count)}, nil
}

// askUntil asks over one connection, at least once.
func askUntil(address string, requests [][]byte, seed uint64, until time.Time) (took []time.Duration, read int64, count int, err error) {
	c, err := dial(address)
	if err != nil {
		return nil, 0, 0, err
	}
	defer c.close()
	rng := rand.New(rand.NewPCG(seed, 1))
	for begun := time.Now(); count == 0 || begun.Before(until); count++ {
		n, err := c.ask(requests[rng.IntN(len(requests))])
		if err != nil {
			return took, read, count, err
		}
		now := time.Now()
		if len(took) < mostLatencies {
			took = append(took, now.Sub(begun))
		}
		begun = now
		read += int64(n)
	}
	return took, read, count, nil
}

// memory asks the mixed load for a while and prints how the service's memory goes.
func memory(s settings, l *load, service *child) error {
	const parts = 6
	fmt.Printf("\nmemory of the service, under %s:\n\n| after | resident, MB | heap in use, MB | goroutines |\n| ---: | ---: | ---: | ---: |\n", l.name)
	for part := range parts + 1 {
		if part > 0 {
			if _, err := once(s, l, service, false, s.seconds); err != nil {
				return err
			}
		}
		text, err := fetch("http://" + service.address + "/metrics")
		if err != nil {
			return err
		}
		fmt.Printf("| %v | %.0f | %.0f | %.0f |\n", time.Duration(part)*s.seconds,
			metric(text, "process_resident_memory_bytes")/1e6, metric(text, "go_memstats_heap_inuse_bytes")/1e6, metric(text, "go_goroutines"))
	}
	return nil
}

// metric returns the value of a metric without labels, or 0.
func metric(text []byte, name string) float64 {
	for line := range bytes.Lines(text) {
		if value, ok := bytes.CutPrefix(line, []byte(name+" ")); ok {
			x, _ := strconv.ParseFloat(string(bytes.TrimSpace(value)), 64)
			return x
		}
	}
	return 0
}
