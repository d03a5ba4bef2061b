package rest

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/example"
)

// exampleService holds the epoch 950 of mainnet-beta, drawn with the example list.
func exampleService(b *testing.B) *service {
	b.Helper()
	registry, err := epochs.New(epochs.Options{Cluster: "mainnet-beta", Terms: electorate.Terms{KeyedBy: "vote"}})
	if err != nil {
		b.Fatal(err)
	}
	l, err := csv.ReadList(bytes.NewReader(example.CSV()), "example")
	if err != nil {
		b.Fatal(err)
	}
	epoch := uint64(950)
	l.Provenance.Epoch = &epoch
	mustPut(b, registry, l)
	s := serviceOf(b, registry)
	s.clock.now.Slot = schedule.Slot(950 * 432000)
	return s
}

// plainHandler writes bytes with the header that they had.
func plainHandler(w *httptest.ResponseRecorder) http.Handler {
	body, header := w.Body.Bytes(), w.Header()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, values := range header {
			w.Header()[name] = values
		}
		w.Write(body)
	})
}

// sink takes an answer and forgets it.
type sink struct {
	header http.Header
	buf    []byte
	n      int64
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(int)     {}
func (s *sink) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; rest = rest[copy(s.buf, rest):] {
	}
	s.n += int64(len(p))
	return len(p), nil
}

// Whole schedules beside a handler that writes the same bytes, into memory.
func BenchmarkWhole(b *testing.B) {
	s := exampleService(b)
	for _, c := range []struct{ format, coding string }{
		{"rpc", "gzip"}, {"rpc", "zstd"}, {"epoch-new", "gzip"}, {"text", "gzip"}, {"rpc", "identity"},
	} {
		target := "/v1/epochs/950/schedule?format=" + c.format
		answer := s.get(target, "Accept-Encoding", c.coding)
		for name, handler := range map[string]http.Handler{"service": s.handler, "plain": plainHandler(answer)} {
			b.Run(c.format+"/"+c.coding+"/"+name, func(b *testing.B) {
				r := httptest.NewRequest(http.MethodGet, target, nil)
				r.Header.Set("Accept-Encoding", c.coding)
				w := &sink{buf: make([]byte, 64<<10)}
				b.SetBytes(int64(answer.Body.Len()))
				b.ReportAllocs()
				for b.Loop() {
					w.header = http.Header{}
					handler.ServeHTTP(w, r)
				}
			})
		}
	}
}

// The same over a loopback connection.
func BenchmarkWholeLoopback(b *testing.B) {
	s := exampleService(b)
	const target = "/v1/epochs/950/schedule?format=rpc"
	answer := s.get(target, "Accept-Encoding", "gzip")
	for name, handler := range map[string]http.Handler{"service": s.handler, "plain": plainHandler(answer)} {
		b.Run(name, func(b *testing.B) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			server := &http.Server{Handler: handler}
			go server.Serve(listener)
			defer server.Close()
			client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
			b.SetBytes(int64(answer.Body.Len()))
			for b.Loop() {
				r, err := http.NewRequest(http.MethodGet, "http://"+listener.Addr().String()+target, nil)
				if err != nil {
					b.Fatal(err)
				}
				r.Header.Set("Accept-Encoding", "gzip")
				resp, err := client.Do(r)
				if err != nil {
					b.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, resp.Body); err != nil || n != int64(answer.Body.Len()) {
					b.Fatal(n, err)
				}
				resp.Body.Close()
			}
		})
	}
}

func BenchmarkSmall(b *testing.B) {
	s := exampleService(b)
	leader, _ := s.epoch(950).LeaderText(7)
	for name, target := range map[string]string{
		"status": "/v1/status", "epoch": "/v1/epochs/950", "leaders": "/v1/epochs/950/leaders", "slot": "/v1/slots/410400123",
		"key": "/v1/leaders/" + leader, "next": "/v1/leaders/" + leader + "/next", "windows": "/v1/leaders/" + leader + "/windows?min=1m",
		"range": "/v1/epochs/950/schedule?format=rpc&from=410400000&to=410400999", "identity": "/v1/epochs/950/schedule?format=text&identity=" + leader,
	} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, target, nil)
			w := &sink{buf: make([]byte, 64<<10)}
			b.ReportAllocs()
			for b.Loop() {
				w.header = http.Header{}
				s.handler.ServeHTTP(w, r)
			}
		})
	}
}
