package compare

import (
	"context"
	"fmt"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// trySingles derives with one mistake at a time.
func (x *examiner) trySingles(ctx context.Context) (found []Hypothesis, err error) {
	for _, c := range x.changes() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t := x.and(try{way: x.right}, c)
		if t.way == x.right {
			continue
		}
		if s, ok := x.run(t.way, whileNear); ok {
			found = append(found, newHypothesis(s, t.mistakes...))
		}
	}
	return found, nil
}

// tryPairs derives with two mistakes at once. Only those that are exact count.
func (x *examiner) tryPairs(ctx context.Context) (found []Hypothesis, err error) {
	changes := x.changes()
	singles := make([]try, len(changes))
	for i, c := range changes {
		singles[i] = x.and(try{way: x.right}, c)
	}
	kept := len(x.arrangements)
	for i, a := range singles {
		for j, b := range singles[i+1:] {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if a.way == x.right || b.way == x.right || a.mistakes[0].Name == b.mistakes[0].Name {
				continue
			}
			both := x.and(a, changes[i+1+j])
			if both.way == a.way || both.way == b.way {
				continue
			}
			if s, ok := x.run(both.way, toFirst); ok {
				found = append(found, newHypothesis(s, both.mistakes...))
			}
		}
		x.forget(kept)
	}
	return found, nil
}

// tryMissing leaves out entries.
func (x *examiner) tryMissing(ctx context.Context) ([]Hypothesis, error) {
	return x.missingFrom(ctx, try{way: x.right})
}

func (x *examiner) missingFrom(ctx context.Context, t try) ([]Hypothesis, error) {
	l, err := x.missing(ctx, t.way)
	if l == nil || err != nil {
		return nil, err
	}
	h := newHypothesis(l.score, append(t.mistakes[:len(t.mistakes):len(t.mistakes)], Mistake{MistakeMissing, l.text()})...)
	h.Entries, h.OneOf = asEntries(l.removed), asEntries(l.oneOf)
	if len(h.OneOf) == 1 {
		h.Entries, h.OneOf = append(h.Entries, h.OneOf...), nil
	}
	return []Hypothesis{h}, nil
}

// text says which entries are missing.
func (l *lack) text() string {
	var parts []string
	switch n := len(l.removed); {
	case n > 1:
		parts = append(parts, fmt.Sprintf("%d entries missing that never lead, %v with %d lamports first", n, l.removed[0].Key, l.removed[0].Stake))
	case n == 1:
		parts = append(parts, fmt.Sprintf("entry %v with %d lamports missing", l.removed[0].Key, l.removed[0].Stake))
	}
	switch n := len(l.oneOf); {
	case n > 1:
		parts = append(parts, fmt.Sprintf("one entry missing, of which %s may be it, such as %v with %d lamports", atLeast(n), l.oneOf[0].Key, l.oneOf[0].Stake))
	case n == 1:
		parts = append(parts, fmt.Sprintf("entry %v with %d lamports missing", l.oneOf[0].Key, l.oneOf[0].Stake))
	}
	return strings.Join(parts, " and ")
}

// tryMoved counts slots from elsewhere.
func (x *examiner) tryMoved(ctx context.Context) (found []Hypothesis, err error) {
	return x.movedFrom(try{way: x.right}), ctx.Err()
}

func (x *examiner) movedFrom(t try) []Hypothesis {
	m := x.moved(t.way)
	if m == nil {
		return nil
	}
	mistake := Mistake{MistakeShift, fmt.Sprintf("slots counted from elsewhere: it has at an index what belongs to index %+d", m.by)}
	if m.turns {
		mistake = Mistake{MistakeRotated, mistake.Text + ", and goes on from the other end"}
	}
	h := newHypothesis(m.score, append(t.mistakes[:len(t.mistakes):len(t.mistakes)], mistake)...)
	h.Shift = int64(m.by)
	// Few slots may be left to compare.
	if x.evidence.bits*float64(m.score.compared) < enoughBits*float64(max(1, x.known())) {
		return nil
	}
	return []Hypothesis{h}
}

// known returns the number of slots with a leader.
func (x *examiner) known() (n int) {
	for _, id := range x.seen.slots {
		if id >= 0 {
			n++
		}
	}
	return n
}

// tryRenamed looks for other identities.
func (x *examiner) tryRenamed(ctx context.Context) (found []Hypothesis, err error) {
	return x.renamedFrom(try{way: x.right}), ctx.Err()
}

func (x *examiner) renamedFrom(t try) []Hypothesis {
	changes, s, ok := x.renamed(t.way)
	if !ok {
		return nil
	}
	what := "vote accounts that have other identities"
	if t.keying == schedule.KeyedByIdentity {
		what = "identities that others lead for"
	}
	text := fmt.Sprintf("%d %s, such as %v for %v", len(changes), what, to(changes[0]), changes[0].From)
	h := newHypothesis(s, append(t.mistakes[:len(t.mistakes):len(t.mistakes)], Mistake{MistakeNodes, text})...)
	h.Exact, h.Equal, h.First = true, h.Compared, nil // under those identities
	h.Identities = changes
	return []Hypothesis{h}
}

func to(c IdentityChange) string {
	if c.To == nil {
		return "somebody else"
	}
	return c.To.String()
}

// tryInputs does what was done with the right way with other lists, keyings and
// epochs.
func (x *examiner) tryInputs(ctx context.Context) (found []Hypothesis, err error) {
	for _, t := range x.inputs()[1:] {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		missing, err := x.missingFrom(ctx, t)
		if err != nil {
			return nil, err
		}
		found = append(found, missing...)
		found = append(found, x.renamedFrom(t)...)
		if len(t.mistakes) == 1 && t.epochShift == 0 {
			found = append(found, x.movedFrom(t)...)
		}
	}
	return found, nil
}
