package vectors

import (
	"fmt"
	"io/fs"
	"math/bits"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/wsample"
)

// boundarySchedule is a stake list whose first entries hold exactly the first
// draw: the draw goes to the entry after them.
type boundarySchedule struct {
	Epoch           word    `json:"epoch"`
	Total           word    `json:"total"`
	Head            evenly  `json:"head"`
	Tail            evenly  `json:"tail"`
	FirstDraw       word    `json:"first_draw"`
	FirstRank       int     `json:"first_rank"`
	FirstLeader     bytes32 `json:"first_leader"`
	LeaderIfAtLeast bytes32 `json:"leader_if_at_least"`
	Slots           uint32  `json:"slots"`
	Repeat          int     `json:"repeat"`
	SHA256          bytes32 `json:"sha256"`
}

// evenly is a number of entries that share a sum, the first with the remainder.
type evenly struct {
	Number int  `json:"number"`
	Sum    word `json:"sum"`
}

func (e evenly) stakes() []uint64 {
	stakes := make([]uint64, e.Number)
	for i := range stakes {
		stakes[i] = uint64(e.Sum) / uint64(e.Number)
	}
	stakes[0] += uint64(e.Sum) % uint64(e.Number)
	return stakes
}

// boundaryTable is weights whose cumulative sums are the draws of the stream.
type boundaryTable struct {
	Seed    bytes32 `json:"seed"`
	Total   word    `json:"total"`
	Weights []word  `json:"weights"`
	Picked  []int   `json:"picked"`
	Words   uint64  `json:"words"`
}

// boundaryZone is a bound for which the first word is the last one accepted.
type boundaryZone struct {
	Rejection string  `json:"rejection"`
	Seed      bytes32 `json:"seed"`
	N         word    `json:"n"`
	Limit     word    `json:"limit"`
	Rolls     []word  `json:"rolls"`
	Words     uint64  `json:"words"`
}

func boundaries(files fs.FS, name string) ([]testCase, error) {
	var file struct {
		Schedules []boundarySchedule `json:"schedules"`
		Tables    []boundaryTable    `json:"tables"`
		Zones     []boundaryZone     `json:"zones"`
	}
	if err := decode(files, name, &file); err != nil {
		return nil, err
	}
	var cases []testCase
	for _, v := range file.Schedules {
		if v.Head.Number < 1 || v.Tail.Number < 1 || v.Head.Number+v.Tail.Number > 255 {
			return nil, fmt.Errorf("epoch %d: head and tail must have 1 to 254 entries", v.Epoch)
		}
		name := fmt.Sprintf("boundary/epoch-%d-total-%d-n%d", v.Epoch, v.Total, v.Head.Number+v.Tail.Number)
		cases = append(cases, testCase{name: name, run: v.check})
	}
	for _, v := range file.Tables {
		name := fmt.Sprintf("boundary/table-total-%d-n%d", v.Total, len(v.Weights))
		cases = append(cases, testCase{name: name, run: v.check})
	}
	for _, v := range file.Zones {
		name := fmt.Sprintf("boundary/zone-%s-%d", v.Rejection, bits.LeadingZeros64(uint64(v.N)))
		cases = append(cases, testCase{name: name, run: v.check})
	}
	return cases, nil
}

// entries: the key of entry i is the byte i+1, 32 times.
func (v boundarySchedule) entries() []schedule.Entry {
	var list []schedule.Entry
	for i, stake := range append(v.Head.stakes(), v.Tail.stakes()...) {
		e := schedule.Entry{Stake: stake}
		for j := range e.Key {
			e.Key[j] = byte(i + 1)
		}
		list = append(list, e)
	}
	return list
}

func (v boundarySchedule) check(b cpu.Backend) error {
	list := v.entries()
	order := sortedIndices(list)
	t, err := newTable(stakesAt(list, order), b)
	if err != nil {
		return err
	}
	r, err := newRNG(20, epochSeed(uint64(v.Epoch)), b)
	if err != nil {
		return err
	}
	draw := r.Roll(chacha20rng.Modulo(t.Total()))
	r.Seek(0)
	drawn := make([]uint32, (int(v.Slots)+v.Repeat-1)/v.Repeat)
	t.Sample32(r, drawn)
	ranks := toInts(drawn)
	leaders := leadersAt(list, order)
	if err := firstError(
		expect("total", uint64(v.Total), t.Total()),
		expect("first draw", uint64(v.FirstDraw), draw),
		expect("rank of the first draw", v.FirstRank, t.Map(draw)),
		expect("first rank", v.FirstRank, ranks[0]),
	); err != nil {
		return err
	}
	if err := firstError(
		expect("first leader", v.FirstLeader, bytes32(leaders[v.FirstRank])),
		expect("leader before it", v.LeaderIfAtLeast, bytes32(leaders[v.FirstRank-1])),
	); err != nil {
		return err
	}
	return derivation{
		entries: list, keying: schedule.KeyedByVote, leaders: leaders, ranks: ranks, digest: v.SHA256,
		params: schedule.Params{Epoch: uint64(v.Epoch), Slots: uint64(v.Slots), Repeat: v.Repeat, Backend: string(b)},
	}.check()
}

func (v boundaryTable) check(b cpu.Backend) error {
	weights := numbers(v.Weights)
	t, err := newTable(weights, b)
	if err != nil {
		return err
	}
	s, err := wsample.NewSampler(weights, wsample.WithRejection(chacha20rng.ByModulo), wsample.WithBackend(string(b)))
	if err != nil {
		return err
	}
	if err := checkMap(t, s, weights); err != nil {
		return err
	}
	r, err := newRNG(20, v.Seed, b)
	if err != nil {
		return err
	}
	drawn := make([]uint32, len(v.Picked))
	s.SampleMany(r, drawn)
	return firstError(
		expect("total", uint64(v.Total), t.Total()),
		expectList("draw of the sampler", v.Picked, toInts(drawn)),
		expect("words used by the sampler", v.Words, r.Pos()),
		checkTableDraws(t, 20, v.Seed, b, v.Picked, v.Words),
	)
}

// checkMap asks for every cumulative weight and for the number before it.
func checkMap(t *wsample.Table, s *wsample.Sampler, weights []uint64) error {
	var sum uint64
	for i, w := range weights {
		last := sum + w - 1
		if err := firstError(
			expect(fmt.Sprintf("table's index of %d", sum), i, t.Map(sum)),
			expect(fmt.Sprintf("table's index of %d", last), i, t.Map(last)),
			expect(fmt.Sprintf("sampler's index of %d", sum), i, s.Map(sum)),
			expect(fmt.Sprintf("sampler's index of %d", last), i, s.Map(last)),
		); err != nil {
			return err
		}
		sum += w
	}
	return nil
}

func (v boundaryZone) check(b cpu.Backend) error {
	rule, err := rejection(v.Rejection)
	if err != nil {
		return err
	}
	r, err := newRNG(20, v.Seed, b)
	if err != nil {
		return err
	}
	zone := rule.Zone(uint64(v.N))
	_, low := bits.Mul64(r.Uint64(), zone.N())
	r.Seek(0)
	singles := make([]uint64, len(v.Rolls))
	for i := range singles {
		singles[i] = r.Roll(zone)
	}
	single := r.Pos()
	r.Seek(0)
	bulk := make([]uint64, len(v.Rolls))
	r.FillRolls(bulk, zone)
	return firstError(
		expect("limit", uint64(v.Limit), zone.Limit()),
		expect("low half of the first product", uint64(v.Limit), low),
		expectList("roll", numbers(v.Rolls), singles),
		expect("words used by Roll", v.Words, single),
		expectList("roll of FillRolls", numbers(v.Rolls), bulk),
		expect("words used by FillRolls", v.Words, r.Pos()),
	)
}
