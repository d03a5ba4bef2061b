package compare

import (
	"cmp"
	"slices"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/wsample"
)

// weights is a list in the order in which it is drawn from.
type weights struct {
	rows  []schedule.Entry // with Node filled in
	ids   []int32          // number of the identity of each row
	alone []bool           // whether a row is the only one of its identity
	sums  []uint64         // sums[i] is the stake before row i; one more than rows
	table *wsample.Table
}

func (w *weights) total() uint64 { return w.sums[len(w.rows)] }

// stake returns the stake of a row in lamports.
func (w *weights) stake(row int) uint64 { return w.sums[row+1] - w.sums[row] }

// arrange makes the weights of a list. The error says that there are none, or
// too many lamports.
func arrange(entries []schedule.Entry, a arrangement, ids *numbers) (*weights, error) {
	rows := withStake(entries, a.merge)
	if a.most > 0 {
		rows = admit(rows, a.most)
	}
	if a.keying == schedule.KeyedByIdentity {
		rows = byNode(rows, a.merge)
	}
	sortRows(rows, a.order)
	if a.shown {
		for i := range rows {
			rows[i].Node = rows[i].Key
		}
	}
	return weigh(rows, ids)
}

// weigh makes the weights of rows in their order.
func weigh(rows []schedule.Entry, ids *numbers) (*weights, error) {
	w := &weights{rows: rows, ids: make([]int32, len(rows)), sums: make([]uint64, len(rows)+1)}
	stakes := make([]uint64, len(rows))
	for i := range rows {
		w.ids[i], stakes[i] = ids.number(&rows[i].Node), rows[i].Stake
		w.sums[i+1] = w.sums[i] + rows[i].Stake
	}
	w.alone = alone(w.ids)
	var err error
	w.table, err = wsample.NewTable(stakes)
	return w, err
}

// alone says for each of some numbers whether it occurs once.
func alone(ids []int32) []bool {
	count := make(map[int32]int, len(ids))
	for _, id := range ids {
		count[id]++
	}
	once := make([]bool, len(ids))
	for i, id := range ids {
		once[i] = count[id] == 1
	}
	return once
}

// withStake returns a copy of the entries that have stake, with their identities,
// and each of them once.
func withStake(entries []schedule.Entry, m merge) []schedule.Entry {
	rows := make([]schedule.Entry, 0, len(entries))
	seen := make(map[schedule.Pubkey]bool, len(entries))
	for _, e := range entries {
		if e.Stake == 0 || seen[e.Key] && m != keepDuplicates {
			continue
		}
		if e.Node.IsZero() {
			e.Node = e.Key
		}
		seen[e.Key] = true
		rows = append(rows, e)
	}
	return rows
}

// admit keeps those with more stake than the one behind the first most of them:
// SIMD-0357's cut, under which ties with that one go too.
func admit(rows []schedule.Entry, most int) []schedule.Entry {
	if len(rows) <= most {
		return rows
	}
	sorted := slices.Clone(rows)
	sortRows(sorted, byStakeAndKey)
	floor := sorted[most].Stake
	return slices.DeleteFunc(rows, func(e schedule.Entry) bool { return e.Stake <= floor })
}

// byNode makes one row of those of an identity, in place.
func byNode(rows []schedule.Entry, m merge) []schedule.Entry {
	at := make(map[schedule.Pubkey]int, len(rows))
	out := rows[:0]
	for _, e := range rows {
		i, found := at[e.Node]
		switch {
		case !found:
			at[e.Node] = len(out)
			out = append(out, schedule.Entry{Key: e.Node, Node: e.Node, Stake: e.Stake})
		case m == lastOfNode:
			out[i].Stake = e.Stake
		case m != firstOfNode:
			out[i].Stake += e.Stake
		}
	}
	return out
}

// compareRows is the right order: stake, then key, both descending.
func compareRows(a, b *schedule.Entry) int {
	if a.Stake != b.Stake {
		return cmp.Compare(b.Stake, a.Stake)
	}
	return b.Key.Compare(a.Key)
}

// compareBy returns the comparison of an order; nil for the order of the list.
func compareBy(o order) func(a, b *schedule.Entry) int {
	ties := func(f func(a, b *schedule.Entry) int) func(a, b *schedule.Entry) int {
		return func(a, b *schedule.Entry) int {
			if a.Stake != b.Stake {
				return cmp.Compare(b.Stake, a.Stake)
			}
			return f(a, b)
		}
	}
	ascending := func(a, b *schedule.Entry) int { return a.Key.Compare(b.Key) }
	switch o {
	case asListed:
		return nil
	case tiesAscending:
		return ties(ascending)
	case tiesAsListed:
		return ties(func(a, b *schedule.Entry) int { return 0 })
	case tiesByNode:
		return ties(func(a, b *schedule.Entry) int { return b.Node.Compare(a.Node) })
	case tiesByText:
		return ties(func(a, b *schedule.Entry) int { return cmp.Compare(b.Key.String(), a.Key.String()) })
	case stakesAscending:
		return func(a, b *schedule.Entry) int { return cmp.Or(cmp.Compare(a.Stake, b.Stake), ascending(a, b)) }
	case keysAscending:
		return ascending
	case keysDescending:
		return func(a, b *schedule.Entry) int { return b.Key.Compare(a.Key) }
	}
	return compareRows
}

// sortRows sorts rows; what an order does not say stays as listed.
func sortRows(rows []schedule.Entry, o order) {
	compare := compareBy(o)
	if compare == nil {
		return
	}
	places := make([]int32, len(rows)) // lighter to move than rows
	for i := range places {
		places[i] = int32(i)
	}
	slices.SortFunc(places, func(i, j int32) int {
		if c := compare(&rows[i], &rows[j]); c != 0 {
			return c
		}
		return cmp.Compare(i, j)
	})
	sorted := make([]schedule.Entry, len(rows))
	for to, from := range places {
		sorted[to] = rows[from]
	}
	copy(rows, sorted)
}

// numbers numbers the keys that lead.
type numbers struct {
	of   map[schedule.Pubkey]int32
	keys []schedule.Pubkey
}

func (n *numbers) number(k *schedule.Pubkey) int32 {
	id, ok := n.of[*k]
	if !ok {
		id = int32(len(n.keys))
		n.of[*k] = id
		n.keys = append(n.keys, *k)
	}
	return id
}
