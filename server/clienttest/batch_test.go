package clienttest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/schedgen/schedgen/noderpc"
)

// post sends a body with an Accept-Encoding, and returns the status and the body
// that comes back, decoded.
func post(t *testing.T, s service, encoding, body string) (status int, text []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.HTTP, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept-Encoding", encoding)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var in io.Reader = response.Body
	switch got := response.Header.Get("Content-Encoding"); got {
	case "":
	case "gzip":
		if in, err = gzip.NewReader(in); err != nil {
			t.Fatal(err)
		}
	case "zstd":
		d, err := zstd.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		in = d
	default:
		t.Fatalf("content coding %q to one who takes %q", got, encoding)
	}
	if text, err = io.ReadAll(in); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, text
}

// ids are what requests are called, in turn.
func ids(i int) string {
	return []string{fmt.Sprint(i), fmt.Sprintf(`"%d"`, i), fmt.Sprintf(`"6f1c-%d"`, i), "null"}[i%4]
}

// Batches ask everything, with ids of every kind, in every content coding.
func TestBatch(t *testing.T) {
	for name, cluster := range clusters(t) {
		s := serve(t, cluster, 0)
		all := asks(t, cluster, noderpc.Finalized)
		var requests []string
		for i, a := range all {
			params, err := json.Marshal(a.Params)
			if err != nil {
				t.Fatal(err)
			}
			member := fmt.Sprintf(`,"params":%s`, params)
			if len(a.Params) == 0 {
				member = []string{"", member, `,"params":null`}[i%3]
			}
			requests = append(requests, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q%s}`, ids(i), a.Method, member))
		}
		encodings, size := []string{"identity", "gzip", "zstd"}, 100
		if name == "boundary" {
			encodings = encodings[1:2] // it is much to compare
			size = 5                   // whole schedules of 3 MB, of which a reply holds 16 MiB
		}
		for _, encoding := range encodings {
			t.Run(name+"/"+encoding, func(t *testing.T) {
				var answers []answer
				for batch := range slices.Chunk(requests, size) {
					answers = append(answers, batched(t, s, encoding, batch, len(answers))...)
				}
				check(t, all, answers, false)
			})
		}
	}
}

// batched sends requests as a batch, of which the first has id number from, and
// checks the form of what comes back.
func batched(t *testing.T, s service, encoding string, requests []string, from int) (answers []answer) {
	t.Helper()
	status, text := post(t, s, encoding, "["+strings.Join(requests, ",")+"]")
	var replies []struct {
		JSONRPC string
		ID      json.RawMessage
		Result  *json.RawMessage
		Error   *failure
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&replies); err != nil || status != http.StatusOK {
		t.Fatalf("status %d, %v: %s", status, err, short(text))
	}
	for i, r := range replies {
		if r.JSONRPC != "2.0" || string(r.ID) != ids(from+i) {
			t.Errorf("reply %d: version %q, id %s", from+i, r.JSONRPC, r.ID)
		}
		a := answer{Error: r.Error, Value: json.RawMessage("null")}
		if r.Result != nil { // nil for null as well
			a.Value = *r.Result
		}
		answers = append(answers, a)
	}
	return answers
}

// Notifications get no answer, what is no request an error, and neither spoils the
// rest of a batch.
func TestBatchOfSorts(t *testing.T) {
	s := serve(t, warmUp(t, 4), 0)
	for _, c := range []struct {
		body, want string
		status     int
	}{
		{`[{"jsonrpc":"2.0","id":1,"method":"getSlot"},{"jsonrpc":"2.0","method":"getSlot"},{"jsonrpc":"2.0","id":"x","method":"getHealth"}]`,
			`[{"jsonrpc":"2.0","result":74,"id":1},{"jsonrpc":"2.0","result":"ok","id":"x"}]`, 200},
		{`[1,{"jsonrpc":"2.0","id":2,"method":"getHealth","params":[]}]`,
			`[{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":null},{"jsonrpc":"2.0","result":"ok","id":2}]`, 200},
		{`{"jsonrpc":"2.0","id":"6","method":"getSlot","params":[{"commitment":"processed"}]}`, `{"jsonrpc":"2.0","result":106,"id":"6"}`, 200},
		{`{"jsonrpc":"2.0","id":1,`, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}`, 200},
	} {
		status, text := post(t, s, "identity", c.body)
		if got := strings.TrimSuffix(string(text), "\n"); status != c.status || got != c.want {
			t.Errorf("%s: status %d, %s", c.body, status, got)
		}
	}
	response, err := http.Get(s.HTTP + "health")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if text, err := io.ReadAll(response.Body); err != nil || response.StatusCode != 200 || string(text) != "ok" {
		t.Errorf("/health: status %d, %s, %v", response.StatusCode, text, err)
	}
}
