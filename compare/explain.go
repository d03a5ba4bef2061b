package compare

import (
	"context"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

// mostHypotheses is how many are returned that are not exact.
const mostHypotheses = 5

// Explain says which mistake makes the schedule of c the other side. It looks at
// the first 1,048,576 slots of an epoch.
//
// It derives the schedule in every wrong way that people have gone, one mistake
// at a time and then two at once, and without each of the entries in turn. It
// looks for slots counted from elsewhere, for vote accounts that other identities
// lead for, and for the stake of the one entry that the list lacks or has another
// of. A mistake that changes no slot that the other side has cannot be told from
// none, and is not named.
//
// It takes less than a second for an epoch of a public cluster, and stops with
// ctx.Err when ctx ends. Other errors are those of schedule.NewStakes and Derive
// for the case's lists and parameters, those of a side, and ErrDigestOnly.
func Explain(ctx context.Context, c Case) (*Explanation, error) {
	x, err := newExaminer(c)
	if err != nil {
		return nil, err
	}
	s, ok := x.run(x.right, toEnd)
	if !ok {
		return nil, schedule.ErrStakeOverflow // of the total, found by newExaminer before
	}
	w, _ := x.weights(x.right.arrangement)
	x.evidence = weighEvidence(&x.seen, w, x.right.repeat)
	e := &Explanation{
		Alignment: x.alignment, AsIs: newHypothesis(s), Hypotheses: []Hypothesis{},
		Chance: uint64(x.evidence.chance), Weak: x.evidence.bits < enoughBits,
	}
	defer func() { e.Tried = x.tried }()
	if s.exact() {
		x.equal(e, s)
		return e, nil
	}
	if s.compared > 0 && !e.Weak {
		if err := x.explain(ctx, e); err != nil {
			return nil, err
		}
	}
	x.facts(e, w)
	return e, nil
}

// equal says what is left to say when all leaders agree.
func (x *examiner) equal(e *Explanation, s score) {
	e.Equal = !x.alignment.OtherSlots
	if x.alignment.OtherSlots {
		m := Mistake{MistakeNumbers, "slots numbered differently: " + x.alignment.Notes[0]}
		e.Hypotheses = append(e.Hypotheses, newHypothesis(s, m))
	}
}

// explain goes from the cheap and likely to the dear and unlikely, and stops
// where something is exact.
func (x *examiner) explain(ctx context.Context, e *Explanation) error {
	near := []Hypothesis{}
	for _, step := range []func(context.Context) ([]Hypothesis, error){
		x.trySingles, x.tryMissing, x.tryMoved, x.tryRenamed, x.tryExtra, x.tryPairs, x.tryInputs,
	} {
		found, err := step(ctx)
		if err != nil {
			return err
		}
		near = append(near, found...)
		rank(near)
		if len(near) > 0 && near[0].Exact {
			e.Hypotheses = slices.DeleteFunc(near, func(h Hypothesis) bool { return !h.Exact })
			return nil
		}
	}
	near = slices.DeleteFunc(near, func(h Hypothesis) bool { return !x.beatsChance(h, e.AsIs) })
	e.Hypotheses = near[:min(len(near), mostHypotheses)]
	return nil
}

// beatsChance reports whether a hypothesis says more than that the schedule as it
// is agrees in some slots.
func (x *examiner) beatsChance(h, asIs Hypothesis) bool {
	lucky := 1.2*x.evidence.chance + 40*float64(x.right.repeat)
	return h.Equal > asIs.Equal && float64(h.Equal) > lucky
}
