package slotfeed

import "sync"

// tickBuffer is how many ticks a subscriber may be late: half a minute of the
// fastest slots.
const tickBuffer = 128

// A hub hands ticks to subscribers and waits for none.
type hub struct {
	mu     sync.Mutex
	subs   map[chan Tick]struct{}
	closed bool
}

// subscribe returns a channel and what closes it.
func (h *hub) subscribe() (<-chan Tick, func()) {
	ticks := make(chan Tick, tickBuffer)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		close(ticks)
		return ticks, func() {}
	}
	if h.subs == nil {
		h.subs = map[chan Tick]struct{}{}
	}
	h.subs[ticks] = struct{}{}
	return ticks, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if _, ok := h.subs[ticks]; ok {
			delete(h.subs, ticks)
			close(ticks)
		}
	}
}

// send gives a tick to all, in place of the oldest where a channel is full.
func (h *hub) send(t Tick) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for ticks := range h.subs {
		select {
		case ticks <- t:
			continue
		default:
		}
		select {
		case <-ticks:
		default: // its reader was faster
		}
		ticks <- t // nobody else sends
	}
}

// close ends all subscriptions, and those to come.
func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for ticks := range h.subs {
		close(ticks)
	}
	clear(h.subs)
}
