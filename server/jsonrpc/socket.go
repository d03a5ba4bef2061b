package jsonrpc

import (
	"context"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"github.com/schedgen/schedgen/server/slotfeed"
)

// socketMethods are those over a WebSocket, as nodes have them.
var socketMethods = map[string]method{
	"getVersion":      getVersion,
	"slotSubscribe":   slotSubscribe,
	"slotUnsubscribe": slotUnsubscribe,
}

// A socket is a WebSocket. It takes ticks of the feed while it has subscriptions.
type socket struct {
	h     *Handler
	conn  *websocket.Conn
	end   func() // breaks the connection off, even while it closes
	limit *rate.Limiter
	work  sync.WaitGroup // goroutines beside the one that reads

	mu     sync.Mutex
	subs   []uint64             // what is notified
	added  []uint64             // by the message being answered; its client does not know them yet
	ticks  <-chan slotfeed.Tick // of the feed, while subs has any
	cancel func()               // ends them
}

// serve answers messages until the connection ends.
func (k *socket) serve(ctx context.Context) {
	k.work.Go(func() { k.ping(ctx) })
	defer k.stop()
	for {
		_, text, err := k.conn.Read(ctx)
		if err != nil {
			return
		}
		if !k.limit.Allow() {
			k.conn.Close(websocket.StatusPolicyViolation, "too many messages")
			return
		}
		if err := k.reply(ctx, text); err != nil {
			return
		}
		k.begin(ctx)
	}
}

// reply answers one message.
func (k *socket) reply(ctx context.Context, text []byte) error {
	w := k.h.newWork(socketMethods)
	defer w.free()
	w.socket = k
	w.in = append(w.in, text...)
	w.answer()
	if len(w.out) == 0 {
		return nil
	}
	return k.write(ctx, w.out)
}

// write sends a message, or closes the connection when that takes too long.
func (k *socket) write(ctx context.Context, text []byte) error {
	ctx, cancel := context.WithTimeout(ctx, k.h.o.WriteTimeout)
	defer cancel()
	return k.conn.Write(ctx, websocket.MessageText, text)
}

// ping finds out whether the client is there.
func (k *socket) ping(ctx context.Context) {
	every := time.NewTicker(k.h.o.PingEvery)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		answer, cancel := context.WithTimeout(ctx, k.h.o.WriteTimeout)
		err := k.conn.Ping(answer)
		cancel()
		if err != nil {
			k.end()
			return
		}
	}
}

func slotSubscribe(w *work, params value) *rpcError {
	if err := noParams(params); err != nil {
		return err
	}
	k := w.socket
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.subs)+len(k.added) >= k.h.o.MaxSubscriptions {
		return errSubscriptions
	}
	id := k.h.sockets.ids.Add(1)
	k.added = append(k.added, id)
	w.uint(id)
	return nil
}

func slotUnsubscribe(w *work, params value) *rpcError {
	if !params.is('[') {
		return serdeError("invalid type: %s, expected a tuple of size 1", unexpected(params))
	}
	args, n := params.list()
	if n == 0 {
		return serdeError("invalid length 0, expected a tuple of size 1")
	}
	id, err := readU64(args[0])
	if err != nil {
		return err
	}
	if n > 1 {
		return serdeError("invalid length %d, expected fewer elements in array", n)
	}
	if !w.socket.remove(id) {
		return errSubscription
	}
	w.out = append(w.out, "true"...)
	return nil
}

// begin notifies from now on of subscriptions whose answer is sent.
func (k *socket) begin(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.subs = append(k.subs, k.added...); len(k.subs) > 0 && k.ticks == nil {
		ticks, cancel := k.h.feed.Subscribe()
		k.ticks, k.cancel = ticks, cancel
		k.work.Go(func() { k.notify(ctx, ticks) })
	}
	k.added = k.added[:0]
}

// remove ends a subscription, and reports whether there was one.
func (k *socket) remove(id uint64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, ids := range []*[]uint64{&k.subs, &k.added} {
		for i, other := range *ids {
			if other == id {
				*ids = append((*ids)[:i], (*ids)[i+1:]...)
				k.rest()
				return true
			}
		}
	}
	return false
}

// rest ends the feed's subscription when nobody is to be notified.
func (k *socket) rest() {
	if len(k.subs) == 0 && k.ticks != nil {
		k.cancel()
		k.ticks, k.cancel = nil, nil
	}
}

// stop ends all subscriptions.
func (k *socket) stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.subs, k.added = nil, nil
	k.rest()
}

// notify sends ticks to every subscription until there are no more.
func (k *socket) notify(ctx context.Context, ticks <-chan slotfeed.Tick) {
	var w work
	var ids []uint64
	for t := range ticks {
		k.mu.Lock()
		if k.ticks != ticks { // what is left of subscriptions that ended
			k.mu.Unlock()
			return
		}
		ids = append(ids[:0], k.subs...)
		k.mu.Unlock()
		for _, id := range ids {
			w.out = w.out[:0]
			w.field(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":`, uint64(t.Parent))
			w.field(`,"root":`, uint64(t.Root))
			w.field(`,"slot":`, uint64(t.Slot))
			w.field(`},"subscription":`, id)
			w.out = append(w.out, "}}"...)
			if err := k.write(ctx, w.out); err != nil {
				k.end()
				return
			}
		}
	}
}
