package slotfeed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/coder/websocket"

	"github.com/schedgen/schedgen/schedule"
)

// ErrAddress: no address that a WebSocket follows from.
var ErrAddress = errors.New("bad RPC address")

// WebSocketAddress returns where a validator notifies of slots, by the convention
// that holds for all: one port above that of RPC, or the same where the scheme's
// own port is meant. The error is an ErrAddress and does not repeat the address.
func WebSocketAddress(rpc string) (string, error) {
	u, err := url.Parse(rpc)
	if err != nil || u.Hostname() == "" {
		return "", fmt.Errorf("%w: it is no URL with a host, want such as http://127.0.0.1:8899", ErrAddress)
	}
	own := ""
	switch u.Scheme {
	case "http":
		u.Scheme, own = "ws", "80"
	case "https":
		u.Scheme, own = "wss", "443"
	default:
		return "", fmt.Errorf("%w: it does not begin with http:// or https://", ErrAddress)
	}
	if text := u.Port(); text != "" && text != own {
		port, err := strconv.ParseUint(text, 10, 16)
		if err != nil || port == 65535 {
			return "", fmt.Errorf("%w: no port follows %s", ErrAddress, text)
		}
		u.Host = u.Host[:len(u.Host)-len(text)] + strconv.FormatUint(port+1, 10)
	}
	return u.String(), nil
}

const (
	// silence is for how long slots may not come before the WebSocket counts as
	// dead, however the connection is.
	silence = 15 * time.Second
	// mostMessage is far beyond any notification.
	mostMessage = 64 << 10
)

var (
	errSubscribe = errors.New("slotSubscribe is refused")
	errNoSlot    = errors.New("notification without a slot")
)

// listen keeps a WebSocket open until the context ends.
func (n *Node) listen(ctx context.Context) {
	wait := backoff{least: n.o.PollEvery, most: n.o.MostWait}
	failing := false
	for {
		got, err := n.notified(ctx)
		n.mu.Lock()
		n.push = false
		n.mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		if got {
			wait.worked()
			failing = false
		}
		if !failing {
			n.log.Warn("the WebSocket does not notify of slots: asking for them", "error", withoutAddress(err))
			failing = true
		}
		if !sleep(ctx, wait.failed()) {
			return
		}
	}
}

// withoutAddress keeps what a URL holds out of an error.
func withoutAddress(err error) error {
	var sent *url.Error
	if errors.As(err, &sent) {
		return sent.Err
	}
	return err
}

// notified takes notifications from one connection until it ends, and reports
// whether there was one.
func (n *Node) notified(ctx context.Context) (got bool, err error) {
	opening, cancel := context.WithTimeout(ctx, n.o.Timeout)
	defer cancel()
	conn, _, err := websocket.Dial(opening, n.o.WebSocket, &websocket.DialOptions{
		HTTPHeader: n.o.Header,
		// A redirect may lead to another host, which is not to get the header.
		HTTPClient: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	})
	if err != nil {
		return false, err
	}
	defer conn.CloseNow()
	conn.SetReadLimit(mostMessage)
	const subscribe = `{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}`
	if err := conn.Write(opening, websocket.MessageText, []byte(subscribe)); err != nil {
		return false, err
	}
	for {
		t, ok, err := next(ctx, conn)
		if err != nil {
			return got, err
		}
		if !ok {
			continue
		}
		if !got {
			n.log.Info("the WebSocket notifies of slots")
			got = true
		}
		at := n.o.Now()
		n.mu.Lock()
		n.push, n.heard = true, at
		n.mu.Unlock()
		n.report(t, at, at)
	}
}

// A message is an answer or a notification.
type message struct {
	Method string `json:"method"`
	Params struct {
		Result json.RawMessage `json:"result"`
	} `json:"params"`
	Error *struct {
		Code int `json:"code"`
	} `json:"error"`
}

// next reads a message.
func next(ctx context.Context, conn *websocket.Conn) (t Tick, ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	_, text, err := conn.Read(ctx)
	if err != nil {
		return t, false, err
	}
	return parse(text)
}

// parse reports whether a message is a notification of a slot, and of which.
func parse(text []byte) (t Tick, ok bool, err error) {
	var m message
	if err := json.Unmarshal(text, &m); err != nil {
		return t, false, err
	}
	if m.Error != nil {
		return t, false, fmt.Errorf("%w, code %d", errSubscribe, m.Error.Code)
	}
	if m.Method != "slotNotification" {
		return t, false, nil
	}
	var r struct {
		Parent *schedule.Slot `json:"parent"`
		Root   schedule.Slot  `json:"root"`
		Slot   *schedule.Slot `json:"slot"`
	}
	if err := json.Unmarshal(m.Params.Result, &r); err != nil {
		return t, false, err
	}
	if r.Slot == nil {
		return t, false, errNoSlot
	}
	t = Tick{Slot: *r.Slot, Parent: before(*r.Slot, 1), Root: r.Root}
	if r.Parent != nil {
		t.Parent = *r.Parent
	}
	return t, true, nil
}
