package feed

import (
	"fmt"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
)

// A place is where a node is believed to be: its epoch is the first that it says, and
// then each that follows. The finalized slot of one node never goes back, and that
// of several behind one address by little. A node that says another epoch is believed
// when it has kept to that, and to those that follow from it, for a while: it was
// reset, or nobody looked for long.
type place struct {
	settle time.Duration

	known bool
	epoch uint64
	slot  schedule.Slot
	rose  time.Time // when the slot last did

	rival struct {
		known bool
		epoch uint64
		since time.Time
	}
}

// report takes in where a node says it is. The error is an ErrAstray when that is
// not believed.
func (p *place) report(i noderpc.EpochInfo, now time.Time) error {
	if !p.known || follows(p.epoch, i.Epoch) {
		if !p.known || i.AbsoluteSlot > p.slot {
			p.set(i, now)
		}
		p.rival.known = false
		return nil
	}
	r := &p.rival
	if !r.known || !follows(r.epoch, i.Epoch) {
		r.known, r.since = true, now
	}
	r.epoch, r.since = i.Epoch, earlier(r.since, now)
	if now.Sub(r.since) >= p.settle {
		p.set(i, now)
		r.known = false
		return nil
	}
	return fmt.Errorf("%w: epoch %d after epoch %d", ErrAstray, i.Epoch, p.epoch)
}

func (p *place) set(i noderpc.EpochInfo, now time.Time) {
	p.known, p.epoch, p.slot, p.rose = true, i.Epoch, i.AbsoluteSlot, now
}

func follows(epoch, next uint64) bool { return next == epoch || next == epoch+1 }
