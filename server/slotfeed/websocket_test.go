package slotfeed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
)

// wait is how long something that must happen may take on a slow machine.
const wait = 30 * time.Second

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(wait); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, wait)
		}
	}
}

// A notifier is the WebSocket of a validator.
type notifier struct {
	url    string
	opened atomic.Int32
	serve  atomic.Pointer[func(context.Context, *websocket.Conn)]
}

func newNotifier(t *testing.T, serve func(context.Context, *websocket.Conn)) *notifier {
	n := &notifier{}
	n.serve.Store(&serve)
	ctx, cancel := context.WithCancel(context.Background())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.opened.Add(1)
		serve := *n.serve.Load()
		if serve == nil {
			http.Error(w, "no WebSocket here", http.StatusNotFound)
			return
		}
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer conn.CloseNow()
		if _, text, err := conn.Read(ctx); err != nil || !strings.Contains(string(text), `"slotSubscribe"`) {
			t.Errorf("asked %s, %v", text, err)
		}
		serve(ctx, conn)
	}))
	t.Cleanup(func() {
		cancel()
		server.Close()
	})
	n.url = "ws" + strings.TrimPrefix(server.URL, "http")
	return n
}

func say(ctx context.Context, conn *websocket.Conn, format string, args ...any) bool {
	return conn.Write(ctx, websocket.MessageText, fmt.Appendf(nil, format, args...)) == nil
}

const notification = `{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":%d,"root":%d,"slot":%d},"subscription":0}}`

// A safeLog is a log that may be read meanwhile.
type safeLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *safeLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *safeLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start follows a made-up cluster at slot 1,010, finalized 1,000.
func start(t *testing.T, o NodeOptions) (*Node, *rpctest.Server, *safeLog) {
	log := &safeLog{}
	o.Log = slog.New(slog.NewTextHandler(log, nil))
	if o.PollEvery == 0 {
		o.PollEvery = 5 * time.Millisecond
	}
	o.MostWait = 20 * time.Millisecond
	server := rpctest.New(t, rpctest.Cluster{Slot: 1000, Ahead: 10})
	client, err := noderpc.Dial(server.URL, noderpc.Options{Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	n := NewNode(client, o)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		n.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		client.Close()
	})
	return n, server, log
}

func (n *Node) slotNow() schedule.Slot {
	now, _ := n.Now()
	return now.Slot
}

func TestNodeOfAClient(t *testing.T) {
	n, server, log := start(t, NodeOptions{})
	eventually(t, "first slot", func() bool { return n.slotNow() == 1010 })
	server.Change(func(c *rpctest.Cluster) { c.Slot += 5 })
	eventually(t, "next slot", func() bool { now, _ := n.Now(); return now.Slot == 1015 && now.Finalized == 1005 })
	server.FailAlways("getSlot", rpctest.Dropped())
	eventually(t, "failure", func() bool { return strings.Contains(log.String(), "does not tell its slot") })
	server.FailAlways("getSlot", nil)
	server.Change(func(c *rpctest.Cluster) { c.Slot += 5 })
	eventually(t, "slot after failure", func() bool { return n.slotNow() == 1020 })
}

func TestNotified(t *testing.T) {
	more := make(chan string)
	node := newNotifier(t, func(ctx context.Context, conn *websocket.Conn) {
		say(ctx, conn, `{"jsonrpc":"2.0","result":0,"id":1}`)
		say(ctx, conn, `{"jsonrpc":"2.0","method":"rootNotification","params":{"result":7,"subscription":1}}`+"\n")
		for {
			select {
			case text := <-more:
				say(ctx, conn, "%s", text)
			case <-ctx.Done():
				return
			}
		}
	})
	n, _, log := start(t, NodeOptions{WebSocket: node.url, PollEvery: time.Hour})
	eventually(t, "first slot", func() bool { return n.slotNow() == 1010 })
	ticks, cancel := n.Subscribe()
	defer cancel()
	for i, c := range []struct {
		text string
		want Tick
	}{
		{fmt.Sprintf(notification, 1010, 980, 1011), Tick{1011, 1010, 980}},
		{fmt.Sprintf(notification, 1011, 980, 1014), Tick{1014, 1011, 980}},
		{fmt.Sprintf(notification, 5, uint64(1)<<63, uint64(1)<<63), Tick{}}, // a lie
		{fmt.Sprintf(notification, 1014, 980, 1012), Tick{}},                 // another fork
		{`{"method":"slotNotification","params":{"result":{"slot":1015}}}`, Tick{1015, 1014, 0}},
		{fmt.Sprintf(notification, uint64(1)<<40, uint64(1)<<40, 1016), Tick{1016, 1015, 1000}}, // neither may be ahead
	} {
		more <- c.text
		if c.want == (Tick{}) {
			continue
		}
		if got := <-ticks; got != c.want {
			t.Errorf("notification %d: %+v, want %+v", i, got, c.want)
		}
	}
	now, _ := n.Now()
	if want := "http://127.0.0.1"; now.Slot != 1016 || now.Finalized != 1000 || now.Confirmed != 1010 ||
		!strings.HasPrefix(now.Source, want) || !strings.HasSuffix(now.Source, ", slotSubscribe") {
		t.Errorf("%+v", now)
	}
	if !strings.Contains(log.String(), "the WebSocket notifies of slots") {
		t.Errorf("logged %s", log)
	}
}

// A WebSocket that does not work, in every way, leaves the feed to ask; when it
// works, it is used.
func TestWebSocketFails(t *testing.T) {
	for name, serve := range map[string]func(context.Context, *websocket.Conn){
		"not there": nil,
		"closes":    func(_ context.Context, conn *websocket.Conn) { conn.Close(websocket.StatusGoingAway, "") },
		"refuses": func(ctx context.Context, conn *websocket.Conn) {
			say(ctx, conn, `{"error":{"code":-32601,"message":"Method not found"},"id":1}`)
		},
		"says no JSON": func(ctx context.Context, conn *websocket.Conn) { say(ctx, conn, `<html>`) },
		"says other":   func(ctx context.Context, conn *websocket.Conn) { say(ctx, conn, `{"params":7}`) },
		"says too much": func(ctx context.Context, conn *websocket.Conn) {
			say(ctx, conn, `"%s"`, strings.Repeat("x", mostMessage))
		},
		"says a lie":     func(ctx context.Context, conn *websocket.Conn) { say(ctx, conn, notification, 0, 0, uint64(1)<<62) },
		"breaks off":     func(ctx context.Context, conn *websocket.Conn) { say(ctx, conn, notification, 1009, 980, 1010) },
		"says -1":        func(ctx context.Context, conn *websocket.Conn) { say(ctx, conn, notification, -1, -1, -1) },
		"says something": func(ctx context.Context, conn *websocket.Conn) { say(ctx, conn, `[]`) },
	} {
		t.Run(name, func(t *testing.T) {
			node := newNotifier(t, serve)
			n, server, log := start(t, NodeOptions{WebSocket: node.url + "/secret?key=secret"})
			eventually(t, "first slot", func() bool { return n.slotNow() == 1010 })
			eventually(t, "tries", func() bool { return node.opened.Load() >= 3 })
			server.Change(func(c *rpctest.Cluster) { c.Slot += 5 })
			eventually(t, "a slot that was asked for", func() bool { return n.slotNow() == 1015 })
			if strings.Contains(log.String(), "secret") {
				t.Errorf("the address is logged: %s", log)
			}
			works := func(ctx context.Context, conn *websocket.Conn) {
				for slot := 1016; say(ctx, conn, notification, slot-1, 980, slot) && slot < 1030; slot++ {
				}
				<-ctx.Done()
			}
			node.serve.Store(&works)
			eventually(t, "notified", func() bool { return n.slotNow() >= 1029 })
		})
	}
}

// What cannot even be reached does not tell the address either.
func TestWebSocketAddressStaysHidden(t *testing.T) {
	_, _, log := start(t, NodeOptions{WebSocket: "ws://127.0.0.1:1/secret?key=secret"})
	eventually(t, "failure", func() bool { return strings.Contains(log.String(), "asking for them") })
	if strings.Contains(log.String(), "secret") {
		t.Errorf("the address is logged: %s", log)
	}
	if err := withoutAddress(errors.New("other")); err.Error() != "other" {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(fmt.Sprintf(notification, 7, 5, 8)))
	f.Add([]byte(`{"jsonrpc":"2.0","result":0,"id":1}`))
	f.Add([]byte(`{"error":{"code":-32601},"id":1}`))
	f.Add([]byte(`{"method":"slotNotification","params":{"result":null}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if tick, ok, err := parse(text); ok && err != nil || !ok && tick != (Tick{}) {
			t.Errorf("%+v, %v, %v", tick, ok, err)
		}
	})
}
