package schedulefile

import (
	"bytes"
	"io"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

// benchSchedule has the 432,000 slots of an epoch with 1,500 vote accounts.
func benchSchedule(b *testing.B) *schedule.Schedule {
	return derive(b, testStakes(b, 1500, schedule.KeyedByVote), schedule.Params{Epoch: 900, FirstSlot: 388_800_000, Slots: 432_000})
}

func BenchmarkRead(b *testing.B) {
	s := benchSchedule(b)
	for _, f := range formats(s, false) {
		in := write(b, s, f)
		b.Run(string(f), func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(bytes.NewReader(in), "bench"); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(in)), "bytes")
		})
	}
}

func BenchmarkFromSchedule(b *testing.B) {
	s := benchSchedule(b)
	for b.Loop() {
		FromSchedule(s)
	}
}

func BenchmarkWrite(b *testing.B) {
	s := benchSchedule(b)
	for _, c := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"csv", func(w io.Writer) error { return WriteCSV(w, s, DefaultColumns(), Options{}) }},
		{"csv-all", func(w io.Writer) error { return WriteCSV(w, s, Columns(), Options{TimeOf: clock}) }},
		{"parquet", func(w io.Writer) error { return WriteParquet(w, s, Options{}) }},
		{"parquet-time", func(w io.Writer) error { return WriteParquet(w, s, Options{TimeOf: clock}) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			var size counter
			b.ReportAllocs()
			for b.Loop() {
				size = 0
				if err := c.write(&size); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}

// A counter takes everything and counts it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
