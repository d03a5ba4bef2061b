package feed

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// NodeOptions say how a validator is followed. A zero value of a field is its
// default.
type NodeOptions struct {
	// PollEvery is the time between two questions where the validator is, 10 s, and
	// PollFast that when the epoch is about to turn: 200 ms.
	PollEvery, PollFast time.Duration
	// Timeout limits such a question: 10 s.
	Timeout time.Duration
	// ReadTimeout limits the reading of stakes, and of a schedule: 1 min.
	ReadTimeout time.Duration
	// MostWait limits the waits after failures, which double: 1 min.
	MostWait time.Duration
	// Settle is how long a validator has to keep to an epoch that does not follow
	// from the one before, until it is believed: 30 s.
	Settle time.Duration
	// StaleAfter is after how long without a new finalized slot a validator counts
	// as standing: 1 min.
	StaleAfter time.Duration
	// CheckEvery is the time between two comparisons of a schedule that nothing has
	// changed about: 1 h.
	CheckEvery time.Duration
}

func (o NodeOptions) withDefaults() NodeOptions {
	for _, d := range []struct {
		field   *time.Duration
		whenNot time.Duration
	}{
		{&o.PollEvery, 10 * time.Second},
		{&o.PollFast, 200 * time.Millisecond},
		{&o.Timeout, 10 * time.Second},
		{&o.ReadTimeout, time.Minute},
		{&o.MostWait, time.Minute},
		{&o.Settle, 30 * time.Second},
		{&o.StaleAfter, time.Minute},
		{&o.CheckEvery, time.Hour},
	} {
		if *d.field <= 0 {
			*d.field = d.whenNot
		}
	}
	return o
}

// NodeStatus says how it stands with a validator.
type NodeStatus struct {
	Address string // without credentials
	Known   bool   // where it is
	Epoch   uint64 // of its finalized bank
	Slot    schedule.Slot
	RoseAt  time.Time // when the slot last rose
	Read    *uint64   // epoch whose stakes were read last
	Waiting int       // lists that were read and could not be put into the registry
	Err     error     // why it is of no use at present; nil when it is
}

// A Node follows a validator while [Node.Run] runs: whenever its finalized bank
// comes to where the network records the stakes of a further epoch, usually the
// first slot of the one before, it reads these stakes; and it compares the
// validator's schedules of the current and the next epoch with those that are held.
//
// The validator is believed as far as it does no harm. One of another cluster is
// refused. Its stakes never replace others that are exact. An epoch that does not
// follow from the one before is left out of account until the validator has kept to
// it for a while. What it says of schedules is told and nothing else.
type Node struct {
	feed   *Feed
	client *noderpc.Client
	o      NodeOptions
	log    *slog.Logger

	// Of the loop that follows.
	known   *schedule.EpochSchedule // the validator's, once it is known to be of the cluster
	wait    backoff                 // after failures to tell where it is
	target  *uint64                 // epoch whose stakes were read, or need not be
	wanted  uint64                  // epoch whose stakes are to be read
	read    attempt                 // of reading them
	unput   []*list.List            // read, and refused by the registry for a reason that may pass
	putting attempt

	checks map[uint64]*comparison // of the loop that compares, by epoch

	mu        sync.Mutex
	genesis   *schedule.Pubkey // the validator's, as it said first
	place     place
	status    NodeStatus // Err of the question where it is
	readErr   error      // of the stakes
	upstreams []Upstream
}

// An attempt is something that is tried until it works.
type attempt struct {
	wait backoff
	next time.Time
}

func (a *attempt) due(now time.Time) bool { return !now.Before(a.next) }

func (a *attempt) failed(now time.Time) { a.next = now.Add(a.wait.failed()) }

func (a *attempt) worked() {
	a.wait.worked()
	a.next = time.Time{}
}

// NewNode returns what follows the validator that a client asks. Calls are repeated
// as the client's options say; a few times are enough, as they are made again.
func (f *Feed) NewNode(client *noderpc.Client, o NodeOptions) *Node {
	o = o.withDefaults()
	again := backoff{least: time.Second, most: o.MostWait}
	return &Node{
		feed: f, client: client, o: o, log: f.log.With("node", client.Address()),
		wait: backoff{least: time.Second, most: o.MostWait},
		read: attempt{wait: again}, putting: attempt{wait: again},
		checks: map[uint64]*comparison{},
		place:  place{settle: o.Settle},
		status: NodeStatus{Address: client.Address()},
	}
}

// Run follows the validator until the context ends, and returns why it did. It is
// called once.
func (n *Node) Run(ctx context.Context) error {
	var loops sync.WaitGroup
	loops.Go(func() { n.follow(ctx) })
	loops.Go(func() { n.compareAll(ctx) })
	loops.Wait()
	return context.Cause(ctx)
}

// Status returns how it stands.
func (n *Node) Status() NodeStatus {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := n.status
	s.Known, s.Epoch, s.Slot, s.RoseAt = n.place.known, n.place.epoch, n.place.slot, n.place.rose
	if s.Err == nil {
		s.Err = n.readErr
	}
	if s.Err == nil && s.Known && n.feed.o.Now().Sub(s.RoseAt) > n.o.StaleAfter {
		s.Err = ErrStands
	}
	return s
}

// Upstreams returns how the schedules of the current and the next epoch compare with
// the validator's, as far as was looked, ascending by epoch.
func (n *Node) Upstreams() []Upstream {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]Upstream(nil), n.upstreams...)
}

// Upstream returns the one of Upstreams that there is most to say about: the first
// that differs, or else that of the current epoch; false before the first is there.
func (n *Node) Upstream() (Upstream, bool) {
	all := n.Upstreams()
	for _, u := range all {
		if u.Differs() {
			return u, true
		}
	}
	if len(all) == 0 {
		return Upstream{}, false
	}
	return all[0], true
}
