package leaders

import "github.com/schedgen/schedgen/schedule"

// Quiet is the answer of [Book.Quiet]. Its windows are the longest ranges of
// slots that none of the keys leads.
type Quiet struct {
	From     schedule.Slot `json:"from"`
	MinSlots uint64        `json:"minSlots"`
	// Windows are those of at least MinSlots known slots, ascending.
	Windows []Span `json:"windows"`
	// Now is the one that From is in, Longest the longest one, the first of several,
	// and Tail the one after which nothing is known; all of any length. They are nil
	// when there is none.
	Now     *Span `json:"now,omitempty"`
	Longest *Span `json:"longest,omitempty"`
	Tail    *Span `json:"tail,omitempty"`
	// AnyTime: the keys have no slot in any epoch from that of From to the last one
	// that is known. Reason says why.
	AnyTime bool   `json:"anyTime,omitempty"`
	Reason  Reason `json:"reason,omitempty"`
	// KnownTo is the last slot up to which everything is known; nil when not even
	// From is.
	KnownTo *schedule.Slot `json:"knownTo,omitempty"`
	// Unknown says what comes after KnownTo; nil where slot numbers end.
	Unknown *UnknownError `json:"unknown,omitempty"`
}

// Next returns the first window that is long enough, which may be in progress;
// nil when there is none.
func (q *Quiet) Next() *Span {
	if len(q.Windows) == 0 {
		return nil
	}
	return &q.Windows[0]
}

// Quiet returns the windows of at least minSlots slots that none of the keys
// leads, from a slot to the first one that is not known, across epochs. The one in
// progress counts from From. One that reaches what is not known is as long as it
// is known to be, with AtLeast; if that is not long enough only Tail has it.
//
// That there is no window is no error. An *UnknownError comes, beside the result,
// when it is not even known who leads the slot from; ErrNoKey without one.
//
// See [MinSlots] for windows of at least some duration.
func (b *Book) Quiet(keys []Key, from schedule.Slot, minSlots uint64) (*Quiet, error) {
	if len(keys) == 0 {
		return nil, ErrNoKey
	}
	q := &Quiet{From: from, MinSlots: minSlots, Windows: []Span{}}
	var first, last stretch // of those that are known
	leads := false
	for s := range b.stretches(keys, from) {
		switch s.kind {
		case unknown:
			q.Unknown = s.error(keys)
			if s.first == from {
				return q, q.Unknown
			}
			continue
		case led:
			leads = true
		case quiet:
			q.add(s.span(from))
		}
		if last = s; s.first == from {
			first = s
		}
	}
	q.KnownTo = &last.last
	if !leads {
		q.AnyTime, q.Reason = b.anyTime(keys, first.epoch, last.lastEpoch)
	}
	return q, nil
}

func (q *Quiet) add(w Span) {
	if w.Slots >= q.MinSlots {
		q.Windows = append(q.Windows, w)
	}
	if w.Current {
		q.Now = w.copy()
	}
	if q.Longest == nil || w.Slots > q.Longest.Slots {
		q.Longest = w.copy()
	}
	if w.AtLeast {
		q.Tail = w.copy()
	}
}

// anyTime reports whether the epochs first to last, which are held, are without a
// slot of the keys, and why.
func (b *Book) anyTime(keys []Key, first, last uint64) (bool, Reason) {
	why := NotStaked
	for epoch := first; ; epoch++ {
		p := b.presence(keys, epoch)
		if p.Status != Absent {
			return false, ""
		}
		for _, k := range p.Keys {
			why = weaker(why, k.Reason)
		}
		if epoch == last {
			return true, why
		}
	}
}
