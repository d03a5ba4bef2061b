package jsonrpc

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"
)

// A sink takes an answer and keeps its length.
type sink struct {
	header http.Header
	status int
	bytes  int64
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(p []byte) (int, error) { s.bytes += int64(len(p)); return len(p), nil }

type body struct{ bytes.Reader }

func (*body) Close() error { return nil }

// benchmark asks for the same again and again, from all processors, without a
// network.
func benchmark(b *testing.B, h http.Handler, call, accept string) {
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		r, _ := http.NewRequest(http.MethodPost, "/", nil)
		r.Header.Set("Content-Type", "application/json")
		if accept != "" {
			r.Header.Set("Accept-Encoding", accept)
		}
		r.ContentLength = int64(len(call))
		in, out := &body{}, &sink{header: http.Header{}}
		r.Body = in
		for pb.Next() {
			in.Reset([]byte(call))
			clear(out.header)
			out.status, out.bytes = 0, 0
			h.ServeHTTP(out, r)
			if out.bytes == 0 {
				b.Error("no answer")
				return
			}
		}
		b.SetBytes(out.bytes)
	})
}

// Two epochs of mainnet-beta's length, with as many validators.
func BenchmarkHandler(b *testing.B) {
	es := mustSchedule(b, 432_000, false)
	registry, all := cluster(b, rand.New(rand.NewPCG(1, 1)), es, 1, func() int { return 1500 })
	first := es.FirstSlot(1)
	options := Options{OnRequest: func(string, int, time.Duration) {}}
	h := New(Of(registry), feedAt(first-50, first-51, first-82), options)
	leader, _ := all[0].Leader(0)
	for _, c := range []struct{ name, call, accept string }{
		{"getSlotLeaders-100", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"getSlotLeaders","params":[%d,100]}`, first-50), "gzip"},
		{"getSlotLeaders-5000", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"getSlotLeaders","params":[%d,5000]}`, first-50), ""},
		{"getSlotLeaders-5000-gzip", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"getSlotLeaders","params":[%d,5000]}`, first-50), "gzip"},
		{"getSlot", `{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"commitment":"processed"}]}`, "gzip"},
		{"getEpochInfo", `{"jsonrpc":"2.0","id":1,"method":"getEpochInfo"}`, "gzip"},
		{"getLeaderSchedule-identity", `{"jsonrpc":"2.0","id":1,"method":"getLeaderSchedule","params":[{"identity":"` + leader.String() + `"}]}`, "gzip"},
		{"getLeaderSchedule", `{"jsonrpc":"2.0","id":1,"method":"getLeaderSchedule"}`, ""},
		{"getLeaderSchedule-gzip", `{"jsonrpc":"2.0","id":1,"method":"getLeaderSchedule"}`, "gzip"},
		{"getLeaderSchedule-zstd", `{"jsonrpc":"2.0","id":1,"method":"getLeaderSchedule"}`, "zstd, gzip"},
		{"getVoteAccounts", `{"jsonrpc":"2.0","id":1,"method":"getVoteAccounts"}`, ""},
		{"getVoteAccounts-gzip", `{"jsonrpc":"2.0","id":1,"method":"getVoteAccounts"}`, "gzip"},
		{"unknown", `{"jsonrpc":"2.0","id":1,"method":"getNothing"}`, "gzip"},
	} {
		b.Run(c.name, func(b *testing.B) { benchmark(b, h, c.call, c.accept) })
	}
}

func BenchmarkWellFormed(b *testing.B) {
	text := []byte(`{"jsonrpc":"2.0","id":"b7c5f6b0-0000-4000-8000-000000000000","method":"getSlotLeaders","params":[450000000,100]}`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, ok := wellFormed(text, 128); !ok {
			b.Fatal("not well-formed")
		}
	}
}
