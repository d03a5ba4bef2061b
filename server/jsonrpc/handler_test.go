package jsonrpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/slotfeed"
)

const getSlotCall = `{"jsonrpc":"2.0","method":"getSlot","id":1}`

func small(t testing.TB, o Options) *Handler { return New(Of(smallCluster(t)), feedAt(45, 44, 40), o) }

func TestHTTP(t *testing.T) {
	h := small(t, Options{})
	for _, c := range []struct {
		method, path, contentType, body string
		status                          int
		want                            string
	}{
		{"POST", "/", "application/json", getSlotCall, 200, `{"jsonrpc":"2.0","result":40,"id":1}`},
		{"POST", "/any/path", "Application/JSON ; charset=UTF-8", getSlotCall, 200, `{"jsonrpc":"2.0","result":40,"id":1}`},
		{"POST", "/", "application/json; charset", getSlotCall, 200, `{"jsonrpc":"2.0","result":40,"id":1}`},
		{"POST", "/", "text/plain", getSlotCall, 415, "Supplied content type is not allowed. Content-Type: application/json is required"},
		{"POST", "/", "", getSlotCall, 415, "Supplied content type is not allowed. Content-Type: application/json is required"},
		{"POST", "/", "application/jsonx", getSlotCall, 415, "Supplied content type is not allowed. Content-Type: application/json is required"},
		{"GET", "/", "", "", 405, "Used HTTP Method is not allowed. POST or OPTIONS is required"},
		{"PUT", "/", "application/json", getSlotCall, 405, "Used HTTP Method is not allowed. POST or OPTIONS is required"},
		{"HEAD", "/", "", "", 405, "Used HTTP Method is not allowed. POST or OPTIONS is required"},
		{"GET", "/health", "", "", 200, "ok"},
		{"GET", "/health/", "", "", 405, "Used HTTP Method is not allowed. POST or OPTIONS is required"},
	} {
		r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.contentType)
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		if got := strings.TrimSuffix(rec.Body.String(), "\n"); rec.Code != c.status || got != c.want {
			t.Errorf("%s %s: %d %s, want %d %s", c.method, c.path, rec.Code, got, c.status, c.want)
		}
		if allow := rec.Header().Get("Allow"); (c.status == 405) != (allow == "POST") {
			t.Errorf("%s %s: Allow %q", c.method, c.path, allow)
		}
	}
}

// failing is a body that breaks off.
type failing struct{ text string }

func (f *failing) Read(p []byte) (int, error) {
	if f.text == "" {
		return 0, io.ErrUnexpectedEOF
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}

func TestBodies(t *testing.T) {
	h := small(t, Options{MaxBody: 100})
	padded := func(n int) string { return getSlotCall + strings.Repeat(" ", n-len(getSlotCall)) }
	const tooLarge = `{"jsonrpc":"2.0","error":{"code":-32600,"message":"request body size exceeds allowed maximum"},"id":null}` + "\n"
	for _, c := range []struct {
		name   string
		body   io.Reader
		length int64
		status int
		want   string
	}{
		{"as large as may be", strings.NewReader(padded(100)), 100, 200, `{"jsonrpc":"2.0","result":40,"id":1}` + "\n"},
		{"as large, length unknown", strings.NewReader(padded(100)), -1, 200, `{"jsonrpc":"2.0","result":40,"id":1}` + "\n"},
		{"too large", strings.NewReader(padded(101)), 101, 413, tooLarge},
		{"too large, length unknown", strings.NewReader(padded(101)), -1, 413, tooLarge},
		{"much too large, length unknown", strings.NewReader(padded(1 << 20)), -1, 413, tooLarge},
		{"breaks off", &failing{getSlotCall[:20]}, -1, 400, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}` + "\n"},
	} {
		r := httptest.NewRequest("POST", "/", c.body)
		r.ContentLength = c.length
		r.Header.Set("Content-Type", "application/json")
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		if rec.Code != c.status || rec.Body.String() != c.want {
			t.Errorf("%s: %d %s", c.name, rec.Code, rec.Body)
		}
	}
	big := New(Of(smallCluster(t)), feedAt(45, 44, 40), Options{})
	if response, _ := ask(t, big, padded(50<<10)); response.StatusCode != 200 {
		t.Errorf("50 KiB: status %d", response.StatusCode)
	}
	if response, _ := ask(t, big, padded(50<<10+1)); response.StatusCode != 413 {
		t.Errorf("over 50 KiB: status %d", response.StatusCode)
	}
}

func TestLimits(t *testing.T) {
	h := small(t, Options{MaxBatch: 3, MaxDepth: 3, MaxReply: 400})
	batch := func(calls ...string) string { return "[" + strings.Join(calls, ",") + "]" }
	const whole = `{"jsonrpc":"2.0","method":"getLeaderSchedule","id":2}`
	for _, c := range []struct{ body, want string }{
		{batch(getSlotCall, "1", "1", "1"), `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Batch of 4 requests; max 3"},"id":null}`},
		{`{"jsonrpc":"2.0","method":"getSlot","id":1,"params":[{}]}`, `{"jsonrpc":"2.0","result":40,"id":1}`},
		{`{"jsonrpc":"2.0","method":"getSlot","id":1,"params":[{"a":[]}]}`, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}`},
		// A whole schedule fits once; what is small still fits after it.
		{batch(whole, whole, getSlotCall), `[{"jsonrpc":"2.0","result":` + string(wholeResult(smallCluster(t).held[1].s, false)) + `,"id":2},` +
			`{"jsonrpc":"2.0","error":{"code":-32603,"message":"Batch reply would be over 400 bytes"},"id":2},` +
			`{"jsonrpc":"2.0","result":40,"id":1}]`},
	} {
		if _, got := ask(t, h, c.body); got != c.want+"\n" {
			t.Errorf("%s:\ngot  %swant %s", c.body, got, c.want)
		}
	}
	deep := strings.Repeat("[", 1<<20)
	if _, got := ask(t, small(t, Options{MaxBody: 1 << 30}), deep); !strings.Contains(got, "-32700") {
		t.Errorf("deep nesting: %s", got)
	}
}

// failure returns the error that a method is answered with.
func failure(t testing.TB, h http.Handler, method, params string) (code int, message, data string) {
	t.Helper()
	_, got := ask(t, h, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params))
	var reply struct {
		Error *struct {
			Code    int
			Message string
			Data    json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(got), &reply); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	if reply.Error == nil {
		return 0, got, ""
	}
	return reply.Error.Code, reply.Error.Message, string(reply.Error.Data)
}

func TestHealth(t *testing.T) {
	feed, healthy := feedAt(45, 44, 40), true
	h := New(Of(smallCluster(t)), feed, Options{Healthy: func() bool { return healthy }})
	for _, c := range []struct {
		name    string
		now     slotfeed.Now
		known   bool
		healthy bool
		text    string
		code    int
		message string
		data    string
	}{
		{"well", slotfeed.Now{Slot: 45}, true, true, "ok", 0, `{"jsonrpc":"2.0","result":"ok","id":1}` + "\n", ""},
		{"no slot", slotfeed.Now{}, false, true, "unknown", -32005, "Node is unhealthy", `{"numSlotsBehind":null}`},
		{"behind", slotfeed.Now{Slot: 45, Stale: true, Behind: 150}, true, true, "behind", -32005, "Node is behind by 150 slots", `{"numSlotsBehind":150}`},
		{"stale", slotfeed.Now{Slot: 45, Stale: true}, true, true, "unknown", -32005, "Node is unhealthy", `{"numSlotsBehind":null}`},
		{"not healthy", slotfeed.Now{Slot: 45}, true, false, "unknown", -32005, "Node is unhealthy", `{"numSlotsBehind":null}`},
	} {
		feed.set(c.now, c.known)
		healthy = c.healthy
		code, message, data := failure(t, h, "getHealth", "[]")
		if code != c.code || message != c.message || data != c.data {
			t.Errorf("%s: %d %s %s", c.name, code, message, data)
		}
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest("GET", "/health", nil))
		if rec.Code != 200 || rec.Body.String() != c.text || !strings.HasPrefix(rec.Header().Get("Content-Type"), "text/plain") {
			t.Errorf("%s: GET /health: %d %s", c.name, rec.Code, rec.Body)
		}
	}
}

// Without a slot, what does not need one is answered all the same.
func TestWithoutSlot(t *testing.T) {
	feed := feedAt(0, 0, 0)
	feed.set(slotfeed.Now{}, false)
	h := New(Of(smallCluster(t)), feed, Options{})
	for _, method := range []string{"getSlot", "getEpochInfo", "getSlotLeader", "getVoteAccounts", "getLeaderSchedule"} {
		if code, message, data := failure(t, h, method, "[]"); code != -32005 || message != "Node is unhealthy" || data != `{"numSlotsBehind":null}` {
			t.Errorf("%s: %d %s %s", method, code, message, data)
		}
	}
	for method, params := range map[string]string{
		"getLeaderSchedule": "[40]", "getSlotLeaders": "[40,3]", "getEpochSchedule": "[]", "getGenesisHash": "[]", "getVersion": "[]",
	} {
		if code, message, _ := failure(t, h, method, params); code != 0 {
			t.Errorf("%s: %d %s", method, code, message)
		}
	}
	// A slot that is out of date is still the answer, as of a node that is behind.
	feed.set(slotfeed.Now{Slot: 45, Confirmed: 44, Finalized: 40, Stale: true}, true)
	if _, got := ask(t, h, getSlotCall); got != `{"jsonrpc":"2.0","result":40,"id":1}`+"\n" {
		t.Errorf("got %s", got)
	}
}

// What the service does not know, or cannot read, is an error and never a wrong
// answer.
func TestBrokenEpochs(t *testing.T) {
	var log strings.Builder
	epochs := smallCluster(t)
	feed := feedAt(45, 44, 40)
	h := New(Of(epochs), feed, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	check := func(what, method, params string, wantCode int, wantMessage string) {
		t.Helper()
		if code, message, _ := failure(t, h, method, params); code != wantCode || message != wantMessage {
			t.Errorf("%s: %s%s: %d %s, want %d %s", what, method, params, code, message, wantCode, wantMessage)
		}
	}
	epochs.genesis = nil
	check("no genesis hash", "getGenesisHash", "[]", -32603, "Genesis hash is not known")

	epochs.held[1].broken = errors.New("out of memory")
	check("cannot print", "getLeaderSchedule", "[40]", -32603, "Internal error")
	epochs.broken[1] = errors.New("damaged")
	check("damaged", "getLeaderSchedule", "[40]", -32603, "Internal error")
	check("damaged", "getSlotLeaders", "[40,1]", -32603, "Internal error")
	check("damaged", "getSlotLeader", "[]", -32603, "Internal error")
	check("damaged", "getVoteAccounts", "[]", -32603, "Internal error")
	delete(epochs.broken, 1)
	epochs.broken[2] = errors.New("damaged")
	check("damaged", "getVoteAccounts", "[]", -32603, "Internal error")
	delete(epochs.broken, 2)
	if n := strings.Count(log.String(), "level=ERROR"); n != 6 || strings.Contains(log.String(), "genesis") {
		t.Errorf("%d errors logged:\n%s", n, &log)
	}

	feed.set(slotfeed.Now{Slot: 1000, Confirmed: 1000, Finalized: 1000}, true)
	check("no epoch", "getVoteAccounts", "[]", -32600, "Invalid request")
	check("no epoch", "getSlotLeader", "[]", -32602, "Invalid slot range: leader schedule for epoch 31 is unavailable")
	check("no epoch", "getLeaderSchedule", "[]", 0, `{"jsonrpc":"2.0","result":null,"id":1}`+"\n")

	epochs.es = schedule.EpochSchedule{}
	for method, params := range map[string]string{
		"getEpochInfo": "[]", "getEpochSchedule": "[]", "getSlotLeader": "[]", "getSlotLeaders": "[40,1]", "getLeaderSchedule": "[40]", "getVoteAccounts": "[]",
	} {
		check("no epoch schedule", method, params, -32005, "Node is unhealthy")
	}
}

func TestOnRequest(t *testing.T) {
	type seen struct {
		method string
		code   int
	}
	var all []seen
	h := small(t, Options{MaxBatch: 10, OnRequest: func(method string, code int, took time.Duration) {
		if took < 0 {
			t.Errorf("took %v", took)
		}
		all = append(all, seen{method, code})
	}})
	for _, c := range []struct {
		body string
		want []seen
	}{
		{getSlotCall, []seen{{"getSlot", 0}}},
		{"{", []seen{{"", -32700}}},
		{"[]", []seen{{"", -32600}}},
		{"{}", []seen{{"", -32600}}},
		{`{"jsonrpc":"2.0","method":"getSlot"}`, nil},
		{`{"jsonrpc":"2.0","method":"made-up","id":1}`, []seen{{"unknown", -32601}}},
		{`{"jsonrpc":"1.0","method":"made-up","id":1}`, []seen{{"unknown", -32600}}},
		{`[` + getSlotCall + `,7,{"jsonrpc":"2.0","method":"getSlotLeaders","params":[96,1],"id":1}]`, []seen{{"getSlot", 0}, {"", -32600}, {"getSlotLeaders", -32602}}},
	} {
		all = nil
		ask(t, h, c.body)
		if !slices.Equal(all, c.want) {
			t.Errorf("%s: %v, want %v", c.body, all, c.want)
		}
	}
}

// What is long and not kept is compressed where the client takes it.
func TestCompressed(t *testing.T) {
	h := small(t, Options{})
	long := `{"jsonrpc":"2.0","id":1,"method":"getSlotLeaders","params":[32,64]}`
	for _, c := range []struct {
		above  int
		accept string
		coding string
	}{
		{0, "gzip", ""}, // below the default
		{1000, "gzip", "gzip"},
		{1000, "gzip, deflate, br, zstd", "gzip"},
		{1000, "zstd", ""},
		{1000, "", ""},
		{1000, "gzip;q=0", ""},
	} {
		response, got := ask(t, small(t, Options{CompressAbove: c.above}), long, "Accept-Encoding", c.accept)
		if coding := response.Header.Get("Content-Encoding"); coding != c.coding || response.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("above %d, accepted %q: coding %q, headers %v", c.above, c.accept, coding, response.Header)
		}
		if _, want := ask(t, h, long); got != want {
			t.Errorf("above %d, accepted %q: got %s", c.above, c.accept, got)
		}
	}
	whole := `{"jsonrpc":"2.0","id":1,"method":"getLeaderSchedule"}`
	for body, want := range map[string]string{whole: "zstd", "[" + whole + "]": "gzip", "[" + whole + "," + whole + "]": "gzip"} {
		if response, _ := ask(t, h, body, "Accept-Encoding", "gzip, deflate, br, zstd"); response.Header.Get("Content-Encoding") != want {
			t.Errorf("%s: headers %v", body, response.Header)
		}
	}
}
