package main

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/schedgen/schedgen/batch"
	"github.com/schedgen/schedgen/schedule"
)

const (
	batchEpochs = 2000 // of about a fifth of a millisecond each
	batchRounds = 9
)

// runBatch counts the leaders of many epochs with a number of workers. It
// returns how long it took and what it allocated.
func runBatch(in *input, workers, epochs int) (time.Duration, uint64, error) {
	jobs := func(yield func(batch.Job) bool) {
		for e := range epochs {
			p := params("")
			p.Epoch = uint64(e)
			if !yield(batch.Job{Stakes: in.stakes, Params: p}) {
				return
			}
		}
	}
	pool := batch.Pool{Workers: workers}
	before, start := allocated(), time.Now()
	for _, err := range pool.Derive(context.Background(), jobs, batch.Options{Want: batch.Counts}) {
		if err != nil {
			return 0, 0, err
		}
	}
	return time.Since(start), allocated() - before, nil
}

// allocated returns the bytes that this program has allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// measureBatch returns a table of one worker beside one a core, and one of what
// is allocated.
func measureBatch(rounds int) ([]byte, error) {
	in, cores := newInput(1500), runtime.NumCPU()
	one, all := &measurement{name: "1 worker"}, &measurement{name: fmt.Sprintf("%d workers", cores)}
	for range min(rounds, batchRounds) {
		for _, way := range []struct {
			*measurement
			workers int
		}{{one, 1}, {all, cores}} {
			d, _, err := runBatch(in, way.workers, batchEpochs)
			if err != nil {
				return nil, err
			}
			way.took = append(way.took, d)
		}
	}
	scaling := &group{
		title: fmt.Sprintf("Batch of %d epochs, counts, 1500 validators", batchEpochs),
		unit:  milliseconds,
		ways:  []*measurement{all, one},
	}
	var b bytes.Buffer
	b.Write(tables([]*group{scaling}))
	b.WriteString("\n## Allocated\n\n| | bytes |\n| --- | ---: |\n")
	for _, epochs := range []int{batchEpochs / 10, batchEpochs} {
		_, bytes, err := runBatch(in, cores, epochs)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "| batch of %d epochs, all in all | %d |\n", epochs, bytes)
	}
	bytes, err := deriverBytes(in)
	fmt.Fprintf(&b, "| a schedule from a Deriver in use, the list known | %d |\n", bytes)
	return b.Bytes(), err
}

// deriverBytes returns what a Deriver that is in use allocates for one schedule.
func deriverBytes(in *input) (uint64, error) {
	var d schedule.Deriver
	const times = 100
	var before uint64
	for i := range times + 1 {
		if i == 1 {
			before = allocated()
		}
		if _, err := d.Derive(in.stakes, params("")); err != nil {
			return 0, err
		}
	}
	return (allocated() - before) / times, nil
}
