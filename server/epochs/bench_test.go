package epochs

import (
	"fmt"
	"io"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/splice"
)

func benchRegistry(b *testing.B) *Registry {
	r := mustNew(b, Options{EpochSchedule: mustSchedule(432_000, false)})
	for epoch := range uint64(2) {
		mustPut(b, r, made(epoch, 0, 1500))
	}
	return r
}

func BenchmarkLeaderAt(b *testing.B) {
	r := benchRegistry(b)
	b.RunParallel(func(pb *testing.PB) {
		for slot := schedule.Slot(0); pb.Next(); slot = (slot + 12345) % 864_000 {
			if _, err := r.LeaderAt(slot); err != nil {
				b.Error(err)
			}
		}
	})
}

func BenchmarkLeaderTexts100(b *testing.B) {
	r := benchRegistry(b)
	var buf []string
	for slot := schedule.Slot(0); b.Loop(); slot = (slot + 12345) % 863_900 {
		var err error
		if buf, err = r.AppendLeaderTexts(buf[:0], slot, 100); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReply puts a reply around the kept result.
func BenchmarkReply(b *testing.B) {
	r := benchRegistry(b)
	for _, enc := range splice.Encodings() {
		b.Run(enc.String(), func(b *testing.B) {
			for id := 0; b.Loop(); id++ {
				e, err := r.Epoch(1)
				if err != nil {
					b.Fatal(err)
				}
				result, err := e.Result(false, enc)
				if err != nil {
					b.Fatal(err)
				}
				reply, err := splice.Join(enc, splice.Literal(`{"jsonrpc":"2.0","result":`), result,
					splice.Literal(fmt.Sprintf(`,"id":%d}`, id)))
				if err != nil {
					b.Fatal(err)
				}
				reply.WriteTo(io.Discard)
			}
		})
	}
}

func BenchmarkMake(b *testing.B) {
	r := benchRegistry(b)
	e := mustEpoch(b, r, 1)
	for _, k := range Kinds() {
		f, err := formOf(k)
		if err != nil {
			b.Fatal(err)
		}
		for _, enc := range splice.Encodings() {
			b.Run(string(k)+"/"+enc.String(), func(b *testing.B) {
				for b.Loop() {
					block, err := splice.Make(enc, splice.Options{Near: f.near}, func(w io.Writer) error { return f.write(w, e) })
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(block.Size()), "size")
				}
			})
		}
	}
}
