package compare

import (
	"cmp"
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"sort"

	"github.com/schedgen/schedgen/schedule"
)

// A recipe derives schedules by means of its own: numbers of any size, a linear
// search, and a ChaCha that goes by the words of its definition. A field that is
// set is a step done wrongly.
type recipe struct {
	entries  []schedule.Entry
	identity bool
	epoch    uint64
	slots    int
	repeat   int

	prepare func([]schedule.Entry) []schedule.Entry // after zero stakes and repeated entries are gone
	repeats bool                                    // repeated entries stay
	join    func(sum, more uint64) uint64           // of two vote accounts of an identity; nil adds
	before  func(a, b schedule.Entry) bool          // nil is stake, then key, both descending
	seed    func(epoch uint64) [32]byte
	rounds  int
	word    func(uint64) uint64
	roll    func(next func() *big.Int, total *big.Int) *big.Int
	atLeast bool
	extra   int64
	leader  func(schedule.Entry) schedule.Pubkey
}

var twoTo64 = new(big.Int).Lsh(big.NewInt(1), 64)

// leaders returns the leader of every slot.
func (r recipe) leaders() []schedule.Pubkey {
	rows := r.rows()
	total := big.NewInt(r.extra)
	for _, e := range rows {
		total.Add(total, new(big.Int).SetUint64(e.Stake))
	}
	seed := r.seed
	if seed == nil {
		seed = func(epoch uint64) (s [32]byte) {
			binary.LittleEndian.PutUint64(s[:], epoch)
			return s
		}
	}
	next := wordsOf(seed(r.epoch), cmp.Or(r.rounds, 20))
	if r.word != nil {
		plain := next
		next = func() *big.Int { return new(big.Int).SetUint64(r.word(plain().Uint64())) }
	}
	roll := r.roll
	if roll == nil {
		roll = rejectAbove
	}
	var out []schedule.Pubkey
	for len(out) < r.slots {
		leader := r.pick(rows, roll(next, total))
		for range r.repeat {
			if len(out) < r.slots {
				out = append(out, leader)
			}
		}
	}
	return out
}

// rejectAbove is the draw of leader schedules.
func rejectAbove(next func() *big.Int, total *big.Int) *big.Int {
	rest := new(big.Int).Mod(twoTo64, total)
	limit := new(big.Int).Sub(twoTo64, rest)
	for {
		product := next()
		product.Mul(product, total)
		high, low := new(big.Int).DivMod(product, twoTo64, new(big.Int))
		if low.Cmp(limit) < 0 {
			return high
		}
	}
}

func (r recipe) pick(rows []schedule.Entry, draw *big.Int) schedule.Pubkey {
	sum := new(big.Int)
	chosen := rows[len(rows)-1]
	for _, e := range rows {
		sum.Add(sum, new(big.Int).SetUint64(e.Stake))
		if c := sum.Cmp(draw); c > 0 || c == 0 && r.atLeast {
			chosen = e
			break
		}
	}
	if r.leader != nil {
		return r.leader(chosen)
	}
	return chosen.Node
}

func (r recipe) rows() []schedule.Entry {
	var rows []schedule.Entry
	seen := map[schedule.Entry]bool{}
	for _, e := range r.entries {
		if e.Stake > 0 && (!seen[e] || r.repeats) {
			rows = append(rows, e)
		}
		seen[e] = true
	}
	if r.prepare != nil {
		rows = r.prepare(rows)
	}
	if r.identity {
		rows = r.joined(rows)
	}
	before := r.before
	if before == nil {
		before = func(a, b schedule.Entry) bool {
			return a.Stake > b.Stake || a.Stake == b.Stake && a.Key.Compare(b.Key) > 0
		}
	}
	sort.SliceStable(rows, func(i, j int) bool { return before(rows[i], rows[j]) })
	return rows
}

// joined has an entry an identity, in the order in which they are named first.
func (r recipe) joined(rows []schedule.Entry) (out []schedule.Entry) {
	for _, e := range rows {
		at := -1
		for i := range out {
			if out[i].Key == e.Node {
				at = i
			}
		}
		switch {
		case at < 0:
			out = append(out, schedule.Entry{Key: e.Node, Node: e.Node, Stake: e.Stake})
		case r.join != nil:
			out[at].Stake = r.join(out[at].Stake, e.Stake)
		default:
			out[at].Stake += e.Stake
		}
	}
	return out
}

// wordsOf gives the words of a ChaCha stream.
func wordsOf(seed [32]byte, rounds int) func() *big.Int {
	var queue []uint32
	block := uint32(0)
	return func() *big.Int {
		if len(queue) == 0 {
			state := []uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0, 0, 0, 0, 0, 0, 0, 0, block, 0, 0, 0}
			for i := range 8 {
				state[4+i] = binary.LittleEndian.Uint32(seed[4*i:])
			}
			block++
			mixed := append([]uint32(nil), state...)
			for round := range rounds {
				for c := range 4 {
					d := [4]int{c, 4 + c, 8 + c, 12 + c}
					if round%2 == 1 {
						d = [4]int{c, 4 + (c+1)%4, 8 + (c+2)%4, 12 + (c+3)%4}
					}
					for step, by := range []int{16, 12, 8, 7} {
						add, with, to := d[0], d[1], d[3]
						if step%2 == 1 {
							add, with, to = d[2], d[3], d[1]
						}
						mixed[add] += mixed[with]
						mixed[to] ^= mixed[add]
						mixed[to] = mixed[to]<<by | mixed[to]>>(32-by)
					}
				}
			}
			for i := range mixed {
				queue = append(queue, mixed[i]+state[i])
			}
		}
		low, high := uint64(queue[0]), uint64(queue[1])
		queue = queue[2:]
		return new(big.Int).SetUint64(high<<32 + low)
	}
}

// listed is a side that lists leaders.
type listed struct {
	leaders []schedule.Pubkey
	votes   []schedule.Pubkey
	gap     func(i int) bool
}

func (l listed) Slots() uint64 { return uint64(len(l.leaders)) }

func (l listed) Leader(i schedule.Index) (schedule.Pubkey, bool) { return l.at(l.leaders, i) }

func (l listed) Vote(i schedule.Index) (schedule.Pubkey, bool) { return l.at(l.votes, i) }

func (l listed) at(keys []schedule.Pubkey, i schedule.Index) (schedule.Pubkey, bool) {
	if uint64(i) >= uint64(len(keys)) || l.gap != nil && l.gap(int(i)) {
		return schedule.Pubkey{}, false
	}
	return keys[i], true
}

// A stakeShape says how great stakes are.
type stakeShape func(rng *rand.Rand, i int) uint64

var (
	likeACluster stakeShape = func(rng *rand.Rand, i int) uint64 { return 1e17/uint64(i+10) + rng.Uint64N(1e13) }
	small        stakeShape = func(rng *rand.Rand, i int) uint64 { return 1 + rng.Uint64N(30) }
	huge         stakeShape = func(rng *rand.Rand, i int) uint64 { return 3<<55 + rng.Uint64N(1<<56) }
)

// someEntries returns vote accounts, every fifth with the identity of the one
// before, in no order, with ties and some without stake.
func someEntries(rng *rand.Rand, n int, shape stakeShape) []schedule.Entry {
	entries := make([]schedule.Entry, n)
	for i := range entries {
		e := schedule.Entry{Key: someKey(rng), Node: someKey(rng), Stake: shape(rng, i)}
		switch {
		case i%5 == 4:
			e.Node = entries[i-1].Node
		case i%3 == 2:
			e.Stake = entries[i-1].Stake // a tie
		case i%31 == 30:
			e.Stake = 0
		}
		entries[i] = e
	}
	rng.Shuffle(n, func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return entries
}

func someKey(rng *rand.Rand) (k schedule.Pubkey) {
	for i := range k {
		k[i] = byte(rng.Uint32())
	}
	return k
}
