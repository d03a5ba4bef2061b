package compare

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// outliers is how many rows are tried first because of how often they lead.
const outliers = 8

// likelyChanged returns all rows, those first that may well have another stake on
// the other side if one alone has: those that lead far more or less often than
// they ought to, and those that the draws point to.
func (s *stakeSearch) likelyChanged() []int {
	bySurprise := s.bySurprise()
	var rows []int
	listed := make([]bool, len(s.w.rows))
	for _, row := range slices.Concat(bySurprise[:min(len(bySurprise), outliers)], s.turningPoints(), bySurprise) {
		if !listed[row] {
			listed[row] = true
			rows = append(rows, row)
		}
	}
	return rows
}

// bySurprise returns the rows in the order of how surprisingly often or seldom
// they lead.
func (s *stakeSearch) bySurprise() []int {
	surprise, rows := make([]float64, len(s.w.rows)), make([]int, len(s.w.rows))
	for row, id := range s.w.ids {
		expected := float64(s.w.stake(row)) / float64(s.w.total()) * float64(len(s.seen))
		rows[row] = row
		if s.w.alone[row] {
			surprise[row] = math.Abs(s.led[id]-expected) / math.Sqrt(expected+1)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(surprise[b], surprise[a]) })
	return rows
}

// turningPoints returns the rows that may have another stake on the other side,
// given that it follows the draws of the list and one row alone has a somewhat
// other one.
//
// With more stake of a row, sums in front of it are a smaller part of the total,
// and those behind it a greater one: where a draw falls on the neighbour of its
// row, it is the next one in front of the changed row and the one before behind
// it. With less stake it is the other way round.
func (s *stakeSearch) turningPoints() []int {
	if 2*s.strayed > len(s.seen) || s.drawn == nil {
		return nil
	}
	rowOf := make(map[int32]int, len(s.w.ids))
	for row, id := range s.w.ids {
		if s.w.alone[row] {
			rowOf[id] = row
		}
	}
	// later[r] counts the draws on row r that fall one row later on the other
	// side, earlier[r] those that fall one row earlier.
	n := len(s.w.rows)
	later, earlier := make([]int, n), make([]int, n)
	for r, word := range s.drawn {
		high, _ := bits.Mul64(s.words.word(word), s.w.total())
		row := min(s.w.table.Map(high), n-1)
		switch at, ok := rowOf[s.seen[r]]; {
		case ok && at == row+1:
			later[row]++
		case ok && at == row-1:
			earlier[row]++
		}
	}
	return splits(later, earlier)
}

// splits returns the rows at which the two counts change sides, those that leave
// the fewest on the wrong side first.
func splits(later, earlier []int) []int {
	n := len(later)
	type split struct{ row, wrong int }
	all := make([]split, 0, 2*n)
	sum := func(counts []int) (before []int) {
		before = make([]int, n+1)
		for i := range n {
			before[i+1] = before[i] + counts[i]
		}
		return before
	}
	l, e := sum(later), sum(earlier)
	for row := range n {
		// More stake: later in front, earlier behind. Less: the other way round.
		all = append(all, split{row, e[row] + l[n] - l[row+1]}, split{row, l[row] + e[n] - e[row+1]})
	}
	slices.SortStableFunc(all, func(a, b split) int { return a.wrong - b.wrong })
	seen := make(map[int]bool, n)
	var rows []int
	for _, s := range all {
		if s.wrong > all[0].wrong+2 {
			break
		}
		if !seen[s.row] {
			seen[s.row] = true
			rows = append(rows, s.row)
		}
	}
	return rows
}
