package compare

import (
	"math"
	"math/bits"
	"sort"
)

const (
	// mostSteps bounds the words that searches try.
	mostSteps = 4 << 20
	// recentWords is how many words back a run of rejections is looked for, and
	// mostRecent how many of them may be rejected: more show that a word before
	// was taken for another one.
	recentWords = 16
	mostRecent  = 6
	// goBack is how many words before may be.
	goBack = 48
)

// A stakeSearch looks for the stake of one row, the sought one, when those of all
// others are known: by what the total must be for every word to fall on its
// leader.
//
// A draw is floor(x*t / 2^64) of a word x and the total t. Rows in front of the
// sought one begin and end at the same sums whatever its stake is, those behind
// it at sums that grow with t. So each word that is known to fall on a row leaves
// an interval of t, and a hundred thousand words a narrow one. Where the sought
// row stands follows from its stake; rows that may stand on either side of it
// leave a wider interval.
//
// Which words are rejected goes by all digits of t, and so is not known. A word
// that does not fall on its leader is taken to be rejected, and too many such
// words in a row to show that one before was rejected that seemed to fit.
type stakeSearch struct {
	w      *weights
	words  *stream
	seen   []int32           // leaders of rotations
	led    map[int32]float64 // rotations by leader
	rowsOf map[int32][]int   // by leader
	steps  int               // that are left
	// drawn is the word of each rotation if the other side follows the draws of the
	// list, nil when that cannot be told, and strayed how many leaders are not those
	// of their words.
	drawn   []int
	strayed int

	// The sought row.
	row    int    // in w; -1 when it is not there
	id     int32  // its leader
	others uint64 // stake of all other rows
}

// A reach is how far a search has come: rotations, words, and the totals that are
// left.
type reach struct {
	rotation, word int
	low, high      uint64
	recent         uint16 // of the last words, whether each was rejected
	first, last    int    // rows that may stand on either side of the sought one: [first, last)
}

func newStakeSearch(w *weights, words *stream, seen []int32) *stakeSearch {
	s := &stakeSearch{w: w, words: words, seen: seen, steps: mostSteps,
		led: make(map[int32]float64), rowsOf: make(map[int32][]int, len(w.rows))}
	for _, id := range seen {
		s.led[id]++
	}
	for row, id := range w.ids {
		s.rowsOf[id] = append(s.rowsOf[id], row)
	}
	return s
}

// seek sets the row that is sought: one of w, or -1 for one that is not in it.
func (s *stakeSearch) seek(row int, id int32) {
	s.row, s.id, s.others = row, id, s.w.total()
	if row >= 0 {
		s.others -= s.w.stake(row)
	}
}

// shared reports whether other rows give the same leader as the sought one.
func (s *stakeSearch) shared() bool { return s.row >= 0 && !s.w.alone[s.row] }

// sum returns the stake of the other rows before a row.
func (s *stakeSearch) sum(row int) uint64 {
	if s.row >= 0 && row > s.row {
		return s.w.sums[row] - s.w.stake(s.row)
	}
	return s.w.sums[row]
}

// place sets which rows may stand on either side of the sought one.
func (s *stakeSearch) place(r *reach) {
	least, most := r.low-s.others, r.high-s.others
	r.first = sort.Search(len(s.w.rows), func(i int) bool { return s.w.stake(i) <= most })
	r.last = r.first + sort.Search(len(s.w.rows)-r.first, func(i int) bool { return s.w.stake(r.first+i) < least })
}

// run searches for totals in [low, high]. It returns those that are left and the
// words that are rejected, or false when there are none.
func (s *stakeSearch) run(low, high uint64) (r reach, rejected []int, ok bool) {
	r.low, r.high = low, high
	if low > high || low <= s.others {
		return r, nil, false
	}
	s.place(&r)
	var back []reach
	for r.rotation < len(s.seen) {
		if s.steps--; s.steps < 0 {
			return r, nil, false
		}
		next := r
		if s.take(&next, s.words.word(r.word), s.seen[r.rotation]) {
			if len(back) == 2*goBack {
				back = append(back[:0], back[goBack:]...)
			}
			back = append(back, r)
			r = next
			continue
		}
		for {
			rejected = append(rejected, r.word)
			r.word++
			r.recent = r.recent<<1 | 1
			if bits.OnesCount16(r.recent) <= mostRecent {
				break
			}
			if len(back) == 0 {
				return r, nil, false
			}
			r, back = back[len(back)-1], back[:len(back)-1]
			for len(rejected) > 0 && rejected[len(rejected)-1] >= r.word {
				rejected = rejected[:len(rejected)-1]
			}
		}
	}
	return r, rejected, true
}

// take lets a word fall on a leader, and narrows the totals by that. It is false
// when it cannot.
func (s *stakeSearch) take(r *reach, x uint64, leader int32) bool {
	low, high, fits := uint64(math.MaxUint64), uint64(0), false
	on := func(l, h uint64) {
		l, h = max(l, r.low), min(h, r.high)
		if l <= h {
			low, high, fits = min(low, l), max(high, h), true
		}
	}
	for _, row := range s.rowsOf[leader] {
		if row != s.row {
			on(s.onRow(r, x, row))
		}
	}
	if leader == s.id {
		on(max(fromStart(s.sum(r.first), x), endBehind(s.others-s.sum(r.last), x)), math.MaxUint64)
	}
	if !fits {
		return false
	}
	if low != r.low || high != r.high {
		r.low, r.high = low, high
		s.place(r)
	}
	r.rotation++
	r.word++
	r.recent <<= 1
	return true
}

// onRow returns the totals with which a word falls on a row.
func (s *stakeSearch) onRow(r *reach, x uint64, row int) (low, high uint64) {
	start := s.sum(row)
	end := start + s.w.stake(row)
	switch {
	case row < r.first:
		return fromStart(start, x), toEnd64(end, x)
	case row >= r.last:
		return endBehind(s.others-end, x), startBehind(s.others-start, x)
	}
	return max(fromStart(start, x), endBehind(s.others-end, x)), math.MaxUint64
}

// over returns a * 2^64 / x, and whether there is a remainder; false when it has
// more than 64 bits.
func over(a, x uint64) (q uint64, rest, ok bool) {
	if a >= x {
		return 0, false, false
	}
	q, r := bits.Div64(a, 0, x)
	return q, r != 0, true
}

// fromStart returns the least t with which x falls at or behind a sum.
func fromStart(start, x uint64) uint64 {
	q, rest, ok := over(start, x)
	if start == 0 {
		return 0
	}
	if !ok || rest && q == math.MaxUint64 {
		return math.MaxUint64
	}
	if rest {
		q++
	}
	return q
}

// toEnd64 returns the greatest t with which x falls before a sum.
func toEnd64(end, x uint64) uint64 {
	q, rest, ok := over(end, x)
	if !ok {
		return math.MaxUint64
	}
	if !rest {
		q--
	}
	return q
}

// startBehind is for a sum that is some stake before the total: it returns the
// greatest t with which x falls at or behind it.
func startBehind(before, x uint64) uint64 {
	q, _, ok := over(before, -x)
	if !ok {
		return math.MaxUint64
	}
	return q
}

// endBehind is for such a sum too: it returns the least t with which x falls
// before it.
func endBehind(before, x uint64) uint64 {
	q, _, ok := over(before, -x)
	if !ok || q == math.MaxUint64 {
		return math.MaxUint64
	}
	return q + 1
}
