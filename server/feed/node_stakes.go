package feed

import (
	"context"
	"errors"
	"time"

	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/rpc"
)

// wants reports whether the stakes of an epoch are to be read: unless they were, or
// others are held that they could not replace.
func (n *Node) wants(epoch uint64) bool {
	if n.target != nil && *n.target == epoch {
		return false
	}
	if n.wanted != epoch { // those of the epoch before need not be waited for
		n.wanted = epoch
		n.read.worked()
	}
	held, ok := n.feed.o.Registry.Summary(epoch)
	if ok && held.Err == nil && held.Provenance.Vintage == list.VintageExact && held.Provenance.Source != n.client.Address() {
		n.log.Debug("exact stakes are held", "epoch", epoch)
		n.done(epoch)
		return false
	}
	return true
}

// done notes that there is nothing more to read of an epoch's stakes.
func (n *Node) done(epoch uint64) {
	n.target = &epoch
	n.read.worked()
	if len(n.unput) == 0 {
		n.failed(nil)
	}
}

// failed notes why stakes are not there.
func (n *Node) failed(err error) {
	n.mu.Lock()
	before := n.readErr
	n.readErr = err
	n.mu.Unlock()
	if err != nil && before == nil {
		n.log.Warn("stakes of the next epoch are not there yet", "error", err)
	}
}

// readStakes reads the stakes that the validator has, of the epoch that is wanted or by
// now of a further one.
func (n *Node) readStakes(ctx context.Context) {
	asking, cancel := context.WithTimeout(ctx, n.o.ReadTimeout)
	defer cancel()
	var read []*list.List
	in := n.feed.ingest(ctx, Asked, n.client.Address(), func() ([]*list.List, error) {
		set, err := rpc.Read(asking, n.client)
		if err != nil {
			return nil, err
		}
		read, err = chosen(set, nil, "a node that tells its epoch")
		return read, err
	})
	now := n.feed.o.Now()
	switch err := in.Failed(); {
	case ctx.Err() != nil:
	case err == nil:
		n.readDone(in.Lists)
	case in.Err != nil:
		n.read.failed(now)
		n.failed(err)
	case errors.Is(err, store.ErrCluster):
		n.known = nil
		n.read.failed(now)
		n.failed(err)
	case errors.Is(err, electorate.ErrNotExact):
		n.readDone(in.Lists)
		n.failed(err)
	default: // the list is as good as it gets, what it was to go into is not
		n.readDone(in.Lists)
		n.keep(read)
		n.putting.failed(now)
		n.failed(err)
	}
}

func (n *Node) readDone(lists []Outcome) {
	for _, l := range lists {
		n.done(*l.Epoch)
		n.mu.Lock()
		n.status.Read = l.Epoch
		n.mu.Unlock()
	}
}

// keep keeps lists until the registry takes them, the last few.
func (n *Node) keep(lists []*list.List) {
	const most = 4
	n.setUnput(append(n.unput, lists...))
	if len(n.unput) > most {
		n.setUnput(n.unput[len(n.unput)-most:])
	}
}

func (n *Node) setUnput(lists []*list.List) {
	n.unput = lists
	n.mu.Lock()
	n.status.Waiting = len(lists)
	n.mu.Unlock()
}

// putAgain puts the lists into the registry that it refused.
func (n *Node) putAgain(ctx context.Context, now time.Time) {
	if len(n.unput) == 0 || !n.putting.due(now) {
		return
	}
	lists := n.unput
	in := n.feed.ingest(ctx, Asked, n.client.Address(), func() ([]*list.List, error) { return lists, nil })
	var left []*list.List
	for i, l := range in.Lists {
		if l.Result == Refused && !errors.Is(l.Err, store.ErrCluster) {
			left = append(left, lists[i])
		}
	}
	n.setUnput(append(left, lists[len(in.Lists):]...))
	if err := in.Failed(); err != nil {
		n.putting.failed(now)
		n.failed(err)
		return
	}
	n.putting.worked()
	n.failed(nil)
}
