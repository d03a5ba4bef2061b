package compare

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

const (
	// leastRotations is from how many rotations a stake is looked for.
	leastRotations = 1000
	// mostRejections is the greatest share of words, one in so many, that may be
	// rejected: one that is may fall on its leader by chance.
	mostRejections = 16
	// mostSame bounds how many stakes that give the same are looked for.
	mostSame = 2
)

// tryExtra looks for the one stake that the list lacks, or has another of.
func (x *examiner) tryExtra(ctx context.Context) ([]Hypothesis, error) {
	w, _ := x.weights(x.right.arrangement)
	seen := x.rotations(int(x.right.repeat), x.slots)
	if i := slices.IndexFunc(seen, func(id int32) bool { return id < 0 }); i >= 0 {
		seen = seen[:i]
	}
	if len(seen) < leastRotations || w.total() > math.MaxUint64/mostRejections {
		return nil, ctx.Err()
	}
	words, _ := x.stream(x.right.seeding)
	s := newStakeSearch(w, words, seen)
	if f, ok := x.drift(x.right, len(seen)); ok {
		s.drawn, s.strayed = f.words, f.rotations-f.follow
	}
	switch strange := x.unlisted(w); len(strange) {
	case 1:
		return x.extra(ctx, s, strange[0].Key)
	case 0:
		return x.changed(ctx, s)
	}
	return nil, ctx.Err()
}

// extra looks for the stake of a leader that is not in the list.
func (x *examiner) extra(ctx context.Context, s *stakeSearch, key schedule.Pubkey) ([]Hypothesis, error) {
	s.seek(-1, x.ids.number(&key))
	derive := func(stake uint64) (drawer, bool) {
		rows := append(slices.Clone(s.w.rows), schedule.Entry{Key: key, Node: key, Stake: stake})
		sortRows(rows, byStakeAndKey)
		w, err := weigh(rows, x.ids)
		if err != nil {
			return drawer{}, false
		}
		return newDrawer(w, s.words, rolling{})
	}
	stakes, found := x.stakes(ctx, s, derive)
	if len(stakes) == 0 {
		return nil, ctx.Err()
	}
	text := fmt.Sprintf("identity %v with %s lamports, which the list lacks", key, about(stakes))
	h := newHypothesis(found, Mistake{MistakeExtra, text})
	h.Entries = []Entry{{Key: key, Node: key, Stake: stakes[0]}}
	return []Hypothesis{h}, nil
}

// changed looks for the one row that has another stake on the other side.
func (x *examiner) changed(ctx context.Context, s *stakeSearch) ([]Hypothesis, error) {
	right, _ := x.drawer(x.right)
	for _, row := range s.likelyChanged() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.seek(row, s.w.ids[row])
		stakes, found := x.stakes(ctx, s, func(stake uint64) (drawer, bool) { return right.with(row, stake) })
		if len(stakes) == 0 {
			continue
		}
		e, h := s.w.rows[row], newHypothesis(found)
		text := fmt.Sprintf("%v with %s lamports in the place of %d", e.Key, about(stakes), e.Stake)
		h.Entries = x.asMuch(right, row, stakes[0]-e.Stake)
		if len(h.Entries) > 1 {
			h.Entries, h.OneOf = nil, h.Entries
			text = fmt.Sprintf("a total stake of %d lamports, %+d, by one entry or several: %s of them fit, such as %s",
				s.others+stakes[0], int64(stakes[0]-e.Stake), atLeast(len(h.OneOf)), text)
		}
		h.Mistakes = []Mistake{{MistakeStake, text}}
		return []Hypothesis{h}, nil
	}
	return nil, nil
}

// asMuch returns the rows that give the other side when their stake changes as
// that of one row does, that one first, and mostOneOf of them at most: what is
// sure is the total. The change is modulo 2^64.
func (x *examiner) asMuch(right drawer, row int, more uint64) (entries []Entry) {
	add := func(e schedule.Entry) {
		e.Stake += more
		entries = append(entries, Entry(e))
	}
	add(right.w.rows[row])
	for other, e := range right.w.rows {
		if len(entries) == mostOneOf {
			break
		}
		var s score
		if d, ok := right.with(other, e.Stake+more); ok && other != row && x.gives(&d, &s) {
			add(e)
		}
	}
	return entries
}

// atLeast is the text of a number of entries that were not counted beyond
// mostOneOf.
func atLeast(n int) string {
	if n >= mostOneOf {
		return fmt.Sprintf("%d or more", n)
	}
	return fmt.Sprint(n)
}

// stakes runs a search and returns stakes of the sought row that give the other
// side, mostSame of them at most; derive makes a drawer with such a stake.
func (x *examiner) stakes(ctx context.Context, s *stakeSearch, derive func(uint64) (drawer, bool)) (exact []uint64, found score) {
	r, rejected, ok := s.run(s.totalsByCount())
	if !ok || !s.tells(r, rejected) {
		return nil, found
	}
	derived := 0
	s.totals(ctx, r, rejected, func(total uint64) bool {
		derived++
		if d, ok := derive(total - s.others); ok && x.gives(&d, &found) {
			exact = append(exact, total-s.others)
		}
		return derived < mostDerived && len(exact) < mostSame && ctx.Err() == nil
	})
	return exact, found
}

// gives reports whether a drawer gives the other side.
func (x *examiner) gives(d *drawer, s *score) bool {
	got, ok := x.follow(d, x.right.slotting, toFirst)
	if ok && got.exact() {
		*s = got
		return true
	}
	return false
}

// about is the text of a stake of which there are some that do.
func about(stakes []uint64) string {
	if len(stakes) > 1 {
		return fmt.Sprintf("about %d", stakes[0])
	}
	return fmt.Sprint(stakes[0])
}
