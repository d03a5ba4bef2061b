package noderpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
)

// How often a request is sent, and what comes out of it.
func TestFaults(t *testing.T) {
	short := quick
	short.Timeout = 50 * time.Millisecond
	short.Retries = -1
	bounded := quick
	bounded.MaxReply = 1 << 20
	once := quick
	once.Retries = -1
	other := rpctest.New(t, rpctest.Cluster{})
	good := rpctest.Fault(nil)
	for _, c := range []struct {
		name    string
		faults  []rpctest.Fault
		options noderpc.Options
		calls   int   // 0 where a slow machine may not have noticed the request
		want    error // nil: the call succeeds
		says    string
	}{
		{"good", nil, quick, 1, nil, ""},
		{"429 then good", []rpctest.Fault{rpctest.Status(429), good}, quick, 2, nil, ""},
		{"429 with Retry-After then good", []rpctest.Fault{rpctest.Status(429, "Retry-After", "0"), good}, quick, 2, nil, ""},
		{"429 for long", []rpctest.Fault{rpctest.Status(429, "Retry-After", "3600")}, quick, 1, new429, "asks to wait 1h0m0s"},
		{"429 for ever", []rpctest.Fault{rpctest.Status(429), rpctest.Status(429), rpctest.Status(429)}, quick, 3, new429, "want fewer requests or another node (after 3 attempts)"},
		{"429 once", []rpctest.Fault{rpctest.Status(429)}, once, 1, new429, "429 Too Many Requests"},
		{"500", []rpctest.Fault{rpctest.Status(500)}, quick, 1, newStatus, "status 500 Internal Server Error"},
		{"503 then good", []rpctest.Fault{rpctest.Status(503), good}, quick, 2, nil, ""},
		{"502 and 504 then good", []rpctest.Fault{rpctest.Status(502), rpctest.Status(504), good}, quick, 3, nil, ""},
		{"503 with an error", []rpctest.Fault{rpctest.ErrorStatus(503, -32005, "Node is\nunhealthy")}, once, 1, newStatus, `Unavailable "Node is\nunhealthy"`},
		{"403", []rpctest.Fault{rpctest.ErrorStatus(403, 403, "Access forbidden")}, quick, 1, newStatus, "status 403 Forbidden Access forbidden, want an address with the right credentials"},
		{"404", []rpctest.Fault{rpctest.Status(404)}, quick, 1, newStatus, "want the address of a JSON-RPC server"},
		{"redirect", []rpctest.Fault{rpctest.Redirect(307, other.URL+"/?api-key=secret")}, quick, 1, newStatus, "a redirect to " + other.URL + "?***"},
		{"redirect inside", []rpctest.Fault{rpctest.Redirect(302, "/other")}, quick, 1, newStatus, "/other, want the address where it ends"},
		{"page", []rpctest.Fault{rpctest.Page()}, quick, 1, noderpc.ErrReply, "a page instead of JSON"},
		{"text", []rpctest.Fault{rpctest.Body("application/json", "busy")}, quick, 1, noderpc.ErrReply, "it is no JSON: invalid character 'b' looking for beginning of value at byte 1"},
		{"nothing", []rpctest.Fault{rpctest.Body("application/json", "")}, quick, 1, noderpc.ErrReply, "unexpected end of JSON input"},
		{"half", []rpctest.Fault{rpctest.Body("application/json", `{"jsonrpc":"2.0","result":{"cur`)}, quick, 1, noderpc.ErrReply, "unexpected end"},
		{"list", []rpctest.Fault{rpctest.Body("application/json", `[]`)}, quick, 1, noderpc.ErrReply, "the result is an array, want an object"},
		{"two", []rpctest.Fault{rpctest.Body("application/json", `{}{}`)}, quick, 1, noderpc.ErrReply, "after top-level value"},
		{"empty", []rpctest.Fault{rpctest.Body("application/json", `{}`)}, quick, 1, noderpc.ErrReply, "it has id , want"},
		{"wrong id", []rpctest.Fault{rpctest.WrongID()}, quick, 1, noderpc.ErrReply, `it has id "\"other\"", want`},
		{"no result", []rpctest.Fault{noResult}, quick, 1, noderpc.ErrReply, "neither result nor error"},
		{"null", []rpctest.Fault{rpctest.Result("null")}, quick, 1, noderpc.ErrReply, "the result is null"},
		{"bad parameters", []rpctest.Fault{rpctest.Error(-32602, "Invalid params")}, quick, 1, newAnswer, "the node answers error -32602: Invalid params"},
		{"internal error", []rpctest.Fault{rpctest.Error(-32603, "Internal error")}, quick, 1, newAnswer, "-32603"},
		{"behind then good", []rpctest.Fault{rpctest.Error(-32005, "Node is behind by 200 slots"), good}, quick, 2, nil, ""},
		{"behind for ever", []rpctest.Fault{rpctest.Error(-32005, "Node is behind"), rpctest.Error(-32005, "Node is behind"), rpctest.Error(-32005, "Node is behind by 7 slots")}, quick, 3, newAnswer, "by 7 slots"},
		{"long message", []rpctest.Fault{rpctest.Error(-1, strings.Repeat("x\n", 10_000))}, quick, 1, newAnswer, `"...`},
		{"truncated then good", []rpctest.Fault{rpctest.Truncated(), good}, quick, 2, nil, ""},
		{"truncated for ever", []rpctest.Fault{rpctest.Truncated(), rpctest.Truncated(), rpctest.Truncated()}, quick, 3, io.ErrUnexpectedEOF, "the connection closed within the reply: unexpected EOF (after 3 attempts)"},
		{"dropped once", []rpctest.Fault{rpctest.Dropped()}, once, 1, io.ErrUnexpectedEOF, "closed within the reply"},
		{"dropped then good", []rpctest.Fault{rpctest.Dropped(), good}, quick, 2, nil, ""},
		{"silent", []rpctest.Fault{rpctest.Silent()}, short, 0, noderpc.ErrTimeout, "no reply in time, 50ms"},
		{"stalled", []rpctest.Fault{rpctest.Stalled()}, short, 0, noderpc.ErrTimeout, "no reply in time"},
		{"endless", []rpctest.Fault{rpctest.Endless()}, bounded, 1, noderpc.ErrTooLarge, "want at most 1048576 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			node := rpctest.New(t, small())
			node.Fail("getVoteAccounts", c.faults...)
			accounts, err := dial(t, node, c.options).VoteAccounts(t.Context())
			if n := len(node.Calls("")); n != c.calls && c.calls > 0 {
				t.Errorf("%d calls, want %d", n, c.calls)
			}
			if c.want == nil {
				if err != nil || len(accounts) != 3 {
					t.Errorf("got %v, %v", accounts, err)
				}
				return
			}
			wantLine(t, c.name, err, node.URL+": getVoteAccounts: ")
			if err == nil {
				return
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
			if !sameKind(err, c.want) {
				t.Errorf("got %T %v, want %T %v", err, err, c.want, c.want)
			}
		})
	}
	if n := len(other.Calls("")); n != 0 {
		t.Errorf("%d calls followed a redirect", n)
	}
}

var (
	new429    = &noderpc.HTTPError{Status: 429}
	newStatus = &noderpc.HTTPError{}
	newAnswer = &noderpc.RPCError{}
)

func noResult(_ *rpctest.Server, w http.ResponseWriter, _ *http.Request, id json.RawMessage, _ []byte) {
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"note":"a field that nobody knows"}`, id)
}

// sameKind reports whether err wraps an error like want: the same sentinel, or
// type, and status where want has one.
func sameKind(err, want error) bool {
	switch want := want.(type) {
	case *noderpc.HTTPError:
		var got *noderpc.HTTPError
		return errors.As(err, &got) && got.Method == "getVoteAccounts" && (want.Status == 0 || want.Status == got.Status)
	case *noderpc.RPCError:
		var got *noderpc.RPCError
		return errors.As(err, &got) && got.Method == "getVoteAccounts"
	}
	return errors.Is(err, want)
}

func TestRefused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://user:secret@" + l.Addr().String() + "/?api-key=secret"
	l.Close()
	c, err := noderpc.Dial(address, quick)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Slot(t.Context(), noderpc.Finalized)
	wantLine(t, "refused", err, "http://***@"+l.Addr().String()+"?***: getSlot: dial tcp")
	if strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "(after 3 attempts)") {
		t.Errorf("got %q", err)
	}
}

// A context ends a call that waits for a node or for its next attempt.
func TestContext(t *testing.T) {
	node := rpctest.New(t, small())
	patient := quick
	patient.RetryWait, patient.MaxRetryWait = time.Hour, time.Hour
	c := dial(t, node, patient)

	node.FailAlways("getSlot", rpctest.Silent())
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := c.Slot(ctx, "")
	wantLine(t, "silent node", err, node.URL+": getSlot: context deadline exceeded")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("silent node: got %v", err)
	}

	enough, before := errors.New("enough"), len(node.Calls(""))
	busy, stop := context.WithCancelCause(t.Context())
	node.FailAlways("getSlot", func(s *rpctest.Server, w http.ResponseWriter, r *http.Request, id json.RawMessage, reply []byte) {
		rpctest.Status(http.StatusServiceUnavailable)(s, w, r, id, reply)
		time.AfterFunc(10*time.Millisecond, func() { stop(enough) })
	})
	_, err = c.Slot(busy, "")
	wantLine(t, "busy node", err, node.URL+": getSlot: enough")
	if !errors.Is(err, enough) {
		t.Errorf("busy node: got %v", err)
	}
	after := len(node.Calls(""))
	if after-before > 2 {
		t.Errorf("%d calls", after-before)
	}
	if _, err := c.Slot(busy, ""); !errors.Is(err, enough) || len(node.Calls("")) != after {
		t.Errorf("ended before the call: got %v after %d calls", err, len(node.Calls(""))-after)
	}
}

func TestHeaders(t *testing.T) {
	node := rpctest.New(t, small())
	o := quick
	o.Header = http.Header{"X-Token": {"secret"}, "Content-Type": {"text/plain"}}
	c, err := noderpc.Dial(strings.Replace(node.URL, "://", "://user:word@", 1), o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Slot(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	h := node.Calls("")[0].Header
	if h.Get("X-Token") != "secret" || h.Get("Content-Type") != "application/json" || h.Get("Authorization") != "Basic dXNlcjp3b3Jk" {
		t.Errorf("headers %v", h)
	}
}

// A certificate that nobody vouches for stays so.
func TestCertificate(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":7}`)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	c, err := noderpc.Dial(server.URL, quick)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Slot(t.Context(), "")
	wantLine(t, "unknown certificate", err, server.URL+": getSlot: tls: failed to verify certificate: ")
	var call *noderpc.CallError
	if errors.As(err, &call) && call.Attempts != 1 {
		t.Errorf("%d attempts", call.Attempts)
	}
	trusting := quick
	trusting.Transport = server.Client().Transport
	known, err := noderpc.Dial(server.URL, trusting)
	if err != nil {
		t.Fatal(err)
	}
	defer known.Close()
	if slot, err := known.Slot(t.Context(), ""); err != nil || slot != 7 {
		t.Errorf("known certificate: got %d, %v", slot, err)
	}
}

// What is wrong in a reply is told in the words of the RPC interface, with the
// element of a list that has it.
func TestWrongTypes(t *testing.T) {
	good := `{"votePubkey":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","nodePubkey":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","activatedStake":1},`
	for result, says := range map[string]string{
		`{"current":[` + good + `{"votePubkey":5}],"delinquent":[]}`:         "current[1].votePubkey is a number, want a key in base58",
		`{"current":[],"delinquent":[{"votePubkey":"0"}]}`:                   "delinquent[0]: ",
		`{"current":[{"activatedStake":-1}],"delinquent":[]}`:                "current[0].activatedStake is the number -1, want a whole number of at most 18446744073709551615",
		`{"current":[{"activatedStake":"1"}],"delinquent":[]}`:               "current[0].activatedStake is a string, want a whole number",
		`{"current":[{"lastVote":1,"epochVoteAccount":[]}],"delinquent":[]}`: "current[0].epochVoteAccount is an array, want true or false",
		`{"current":[7],"delinquent":[]}`:                                    "current[0] is a number, want an object",
		`{"current":{},"delinquent":[]}`:                                     "current is an object, want an array",
		`{"current":[],"delinquent":true}`:                                   "delinquent is true or false, want an array",
	} {
		node := rpctest.New(t, small())
		node.Fail("getVoteAccounts", rpctest.Result(result))
		_, err := dial(t, node, quick).VoteAccounts(t.Context())
		if !errors.Is(err, noderpc.ErrReply) || !strings.Contains(err.Error(), ": bad reply: "+says) {
			t.Errorf("%s: got %v, want %q", result, err, says)
		}
	}
	node := rpctest.New(t, small())
	node.Fail("getMultipleAccounts", rpctest.Result(`{"context":{"slot":1},"value":[null,{"lamports":1,"owner":5}]}`))
	_, err := dial(t, node, quick).Accounts(t.Context(), make([]schedule.Pubkey, 2), 0, 1)
	if !errors.Is(err, noderpc.ErrReply) || !strings.Contains(err.Error(), "value[1].owner is a number, want a key in base58") {
		t.Errorf("got %v", err)
	}
}
