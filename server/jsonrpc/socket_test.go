package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/slotfeed"
)

// patience is how long something that must happen may take on a slow machine.
const patience = 30 * time.Second

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// A dialer opens WebSockets of a handler.
type dialer struct {
	t    *testing.T
	url  string
	feed *fakeFeed
	h    *Handler
}

func newDialer(t *testing.T, o Options) *dialer {
	d := &dialer{t: t, feed: feedAt(45, 44, 40)}
	d.h = New(Of(smallCluster(t)), d.feed, o)
	server := httptest.NewServer(d.h)
	d.url = "ws" + strings.TrimPrefix(server.URL, "http")
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := d.h.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		server.Close()
		if n := d.feed.subscribers(); n > 0 || d.h.Sockets() > 0 {
			t.Errorf("%d subscribers and %d sockets are left", n, d.h.Sockets())
		}
	})
	return d
}

// A client is one end of a WebSocket.
type client struct {
	t    *testing.T
	conn *websocket.Conn
	ctx  context.Context
}

func (d *dialer) dial() *client {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	d.t.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, d.url, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { conn.CloseNow() })
	return &client{d.t, conn, ctx}
}

func (c *client) say(text string) {
	c.t.Helper()
	if err := c.conn.Write(c.ctx, websocket.MessageText, []byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) hear(want string) {
	c.t.Helper()
	_, text, err := c.conn.Read(c.ctx)
	if err != nil {
		c.t.Fatal(err)
	}
	if string(text) != want {
		c.t.Fatalf("got  %s\nwant %s", text, want)
	}
}

// closed waits until the other end closes, and returns why.
func (c *client) closed() websocket.StatusCode {
	for {
		if _, _, err := c.conn.Read(c.ctx); err != nil {
			return websocket.CloseStatus(err)
		}
	}
}

func notification(t slotfeed.Tick, id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":%d,"root":%d,"slot":%d},"subscription":%d}}`, t.Parent, t.Root, t.Slot, id)
}

func TestSlotSubscribe(t *testing.T) {
	d := newDialer(t, Options{})
	c := d.dial()
	c.say(`{"id":"0","jsonrpc":"2.0","method":"slotSubscribe","params":[]}`)
	c.hear(`{"jsonrpc":"2.0","result":1,"id":"0"}`)
	eventually(t, "subscribed", func() bool { return d.feed.subscribers() == 1 })
	d.feed.tick(slotfeed.Tick{Slot: 46, Parent: 45, Root: 14})
	d.feed.tick(slotfeed.Tick{Slot: 48, Parent: 46, Root: 15})
	c.hear(notification(slotfeed.Tick{Slot: 46, Parent: 45, Root: 14}, 1))
	c.hear(notification(slotfeed.Tick{Slot: 48, Parent: 46, Root: 15}, 1))

	// A second subscription of the connection, and another connection.
	c.say(`{"jsonrpc":"2.0","method":"slotSubscribe","id":1}`)
	c.hear(`{"jsonrpc":"2.0","result":2,"id":1}`)
	other := d.dial()
	other.say(`{"jsonrpc":"2.0","method":"slotSubscribe","id":7}`)
	other.hear(`{"jsonrpc":"2.0","result":3,"id":7}`)
	eventually(t, "subscribed", func() bool { return d.feed.subscribers() == 2 })
	c.say(`{"jsonrpc":"2.0","method":"getVersion","id":2}`) // the second one counts by then
	c.hear(`{"jsonrpc":"2.0","result":{"feature-set":0,"solana-core":"4.4.0"},"id":2}`)
	tick := slotfeed.Tick{Slot: 49, Parent: 48, Root: 16}
	d.feed.tick(tick)
	c.hear(notification(tick, 1))
	c.hear(notification(tick, 2))
	other.hear(notification(tick, 3))

	c.say(`{"jsonrpc":"2.0","method":"slotUnsubscribe","params":[1],"id":3}`)
	c.hear(`{"jsonrpc":"2.0","result":true,"id":3}`)
	d.feed.tick(tick)
	c.hear(notification(tick, 2))
	other.hear(notification(tick, 3))
	c.say(`{"jsonrpc":"2.0","method":"slotUnsubscribe","params":[2],"id":4}`)
	c.hear(`{"jsonrpc":"2.0","result":true,"id":4}`)
	eventually(t, "unsubscribed", func() bool { return d.feed.subscribers() == 1 })
	if d.h.Sockets() != 2 {
		t.Errorf("%d sockets", d.h.Sockets())
	}
	// And again.
	c.say(`[{"jsonrpc":"2.0","method":"slotSubscribe","id":5},{"jsonrpc":"2.0","method":"slotUnsubscribe","params":[4],"id":6},{"jsonrpc":"2.0","method":"slotSubscribe","id":7}]`)
	c.hear(`[{"jsonrpc":"2.0","result":4,"id":5},{"jsonrpc":"2.0","result":true,"id":6},{"jsonrpc":"2.0","result":5,"id":7}]`)
	eventually(t, "subscribed", func() bool { return d.feed.subscribers() == 2 })
	d.feed.tick(tick)
	c.hear(notification(tick, 5))
	c.conn.Close(websocket.StatusNormalClosure, "")
	eventually(t, "closed", func() bool { return d.feed.subscribers() == 1 && d.h.Sockets() == 1 })
}

func TestSocketErrors(t *testing.T) {
	d := newDialer(t, Options{MaxSubscriptions: 2})
	c := d.dial()
	for _, x := range []struct{ say, hear string }{
		{`{`, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}`},
		{`{"jsonrpc":"2.0","method":"ping","params":null}`, ""}, // web3.js says that every 5 s
		{`{"jsonrpc":"2.0","method":"getSlot","id":1}`, `{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}`},
		{`{"jsonrpc":"2.0","method":"slotSubscribe","params":[{}],"id":1}`, `{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid parameters: No parameters were expected"},"id":1}`},
		{`{"jsonrpc":"2.0","method":"slotUnsubscribe","params":[7],"id":1}`, `{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid subscription id."},"id":1}`},
		{`{"jsonrpc":"2.0","method":"slotUnsubscribe","params":["7"],"id":1}`, `{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params: invalid type: string \"7\", expected u64."},"id":1}`},
		{`{"jsonrpc":"2.0","method":"slotUnsubscribe","params":[],"id":1}`, `{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params: invalid length 0, expected a tuple of size 1."},"id":1}`},
		{`{"jsonrpc":"2.0","method":"slotUnsubscribe","id":1}`, `{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params: invalid type: null, expected a tuple of size 1."},"id":1}`},
		{`{"jsonrpc":"2.0","method":"slotUnsubscribe","params":[1,2],"id":1}`, `{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params: invalid length 2, expected fewer elements in array."},"id":1}`},
		{`{"jsonrpc":"2.0","method":"slotSubscribe","id":1}`, `{"jsonrpc":"2.0","result":1,"id":1}`},
		{`{"jsonrpc":"2.0","method":"slotSubscribe","id":2}`, `{"jsonrpc":"2.0","result":2,"id":2}`},
		{`{"jsonrpc":"2.0","method":"slotSubscribe","id":3}`, `{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal Error: Subscription refused. Node subscription limit reached"},"id":3}`},
	} {
		if c.say(x.say); x.hear != "" {
			c.hear(x.hear)
		}
	}
	// The subscription of another connection is not this one's.
	other := d.dial()
	other.say(`{"jsonrpc":"2.0","method":"slotUnsubscribe","params":[1],"id":1}`)
	other.hear(`{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid subscription id."},"id":1}`)
}

func TestSocketLimits(t *testing.T) {
	d := newDialer(t, Options{MaxSockets: 2, MaxBody: 1000, MaxMessages: 5})
	large, fast := d.dial(), d.dial()
	_, response, err := websocket.Dial(large.ctx, d.url, nil)
	if err == nil || response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
		t.Errorf("a third WebSocket: %v", err)
	}
	large.say(`"` + strings.Repeat("x", 1000) + `"`)
	if code := large.closed(); code != websocket.StatusMessageTooBig {
		t.Errorf("closed with %v", code)
	}
	for range 1000 {
		if fast.conn.Write(fast.ctx, websocket.MessageText, []byte(getSlotCall)) != nil {
			break
		}
	}
	if code := fast.closed(); code != websocket.StatusPolicyViolation {
		t.Errorf("closed with %v", code)
	}
	eventually(t, "closed", func() bool { return d.h.Sockets() == 0 })
	d.dial().say(getSlotCall)

	request, err := http.NewRequest(http.MethodGet, "http"+strings.TrimPrefix(d.url, "ws"), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Upgrade", "h2c, WebSocket")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusUpgradeRequired {
		t.Errorf("half an upgrade: status %d", answer.StatusCode)
	}
	eventually(t, "closed", func() bool { return d.h.Sockets() == 1 })
}

func TestSocketOrigins(t *testing.T) {
	for any, want := range map[bool]int{false: http.StatusForbidden, true: http.StatusSwitchingProtocols} {
		d := newDialer(t, Options{AnyOrigin: any})
		conn, response, _ := websocket.Dial(t.Context(), d.url, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"https://elsewhere.example"}}})
		if response.StatusCode != want {
			t.Errorf("any origin %v: status %d", any, response.StatusCode)
		}
		if conn != nil {
			conn.CloseNow()
		}
	}
}

// A client that reads nothing is cut off, and does not delay others.
func TestSlowSocket(t *testing.T) {
	if testing.Short() || os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" {
		t.Skip("fills the buffers of a connection, which takes long under emulation")
	}
	d := newDialer(t, Options{WriteTimeout: time.Second})
	slow, quick := d.dial(), d.dial()
	for _, c := range []*client{slow, quick} {
		c.say(`{"jsonrpc":"2.0","method":"slotSubscribe","id":1}`)
		if _, _, err := c.conn.Read(c.ctx); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "subscribed", func() bool { return d.feed.subscribers() == 2 })
	var last atomic.Uint64
	go func() {
		for {
			_, text, err := quick.conn.Read(quick.ctx)
			if err != nil {
				return
			}
			var m struct {
				Params struct{ Result slotfeed.Tick }
			}
			if json.Unmarshal(text, &m) == nil {
				last.Store(uint64(m.Params.Result.Slot))
			}
		}
	}()
	for slot := schedule.Slot(1); d.feed.subscribers() == 2; slot++ {
		d.feed.tick(slotfeed.Tick{Slot: slot})
		if slot%500 == 0 { // the quick one is to keep up with a channel of 1,000
			eventually(t, "the quick one has all", func() bool { return last.Load() == uint64(slot) })
		}
		if slot > 10_000_000 {
			t.Fatal("the slow one is not cut off")
		}
	}
	eventually(t, "cut off", func() bool { return d.h.Sockets() == 1 })
}

// A client that does not answer a ping is gone.
func TestSilentSocket(t *testing.T) {
	d := newDialer(t, Options{PingEvery: 10 * time.Millisecond, WriteTimeout: 50 * time.Millisecond})
	host := strings.TrimPrefix(d.url, "ws://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", host)
	eventually(t, "open", func() bool { return d.h.Sockets() == 1 })
	eventually(t, "cut off", func() bool { return d.h.Sockets() == 0 })
}

func TestAnsweringSocket(t *testing.T) {
	d := newDialer(t, Options{PingEvery: 5 * time.Millisecond, WriteTimeout: patience})
	var pings atomic.Int32
	conn, _, err := websocket.Dial(t.Context(), d.url, &websocket.DialOptions{
		OnPingReceived: func(context.Context, []byte) bool { pings.Add(1); return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	open := conn.CloseRead(t.Context()) // reads, and so answers
	eventually(t, "pings", func() bool { return pings.Load() >= 3 })
	if open.Err() != nil || d.h.Sockets() != 1 {
		t.Error("cut off")
	}
}

func TestShutdown(t *testing.T) {
	d := newDialer(t, Options{})
	c := d.dial()
	c.say(`{"jsonrpc":"2.0","method":"slotSubscribe","id":1}`)
	c.hear(`{"jsonrpc":"2.0","result":1,"id":1}`)
	closed := make(chan websocket.StatusCode)
	go func() { closed <- c.closed() }()
	if err := d.h.Shutdown(c.ctx); err != nil {
		t.Error(err)
	}
	if code := <-closed; code != websocket.StatusGoingAway {
		t.Errorf("closed with %v", code)
	}
	if _, response, err := websocket.Dial(c.ctx, d.url, nil); err == nil || response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a WebSocket after the end: %v", err)
	}
	if _, got := ask(t, d.h, getSlotCall); got != `{"jsonrpc":"2.0","result":40,"id":1}`+"\n" {
		t.Errorf("got %s", got)
	}
	if err := d.h.Shutdown(c.ctx); err != nil {
		t.Error(err)
	}
}

// A client that does not take part in closing does not hold up the end.
func TestShutdownInTime(t *testing.T) {
	d := newDialer(t, Options{})
	d.dial() // does not read
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	if err := d.h.Shutdown(ctx); err != enough {
		t.Errorf("got %v", err)
	}
	eventually(t, "broken off", func() bool { return d.h.Sockets() == 0 })
}
