package vectors

import (
	"io/fs"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
)

// rollsVector is runs of rolls on one stream, by both rules.
type rollsVector struct {
	Name   string  `json:"name"`
	Rounds int     `json:"rounds"`
	Seed   bytes32 `json:"seed"`
	Runs   []struct {
		N     word `json:"n"`
		Rolls int  `json:"rolls"`
	} `json:"runs"`
	Modulo rollsOutcome `json:"modulo"`
	Shift  rollsOutcome `json:"shift"`
}

type rollsOutcome struct {
	First  []word  `json:"first"`
	SHA256 bytes32 `json:"sha256"`
	Words  uint64  `json:"words"`
}

// iteratedVector is rolls each of which bounds the next one: n becomes 3 roll + 3.
type iteratedVector struct {
	Name       string  `json:"name"`
	Rounds     int     `json:"rounds"`
	Seed       bytes32 `json:"seed"`
	Start      word    `json:"start"`
	Iterations int     `json:"iterations"`
	End        word    `json:"end"`
}

func rolls(files fs.FS, name string) ([]testCase, error) {
	var file struct {
		Rolls    []rollsVector    `json:"rolls"`
		Iterated []iteratedVector `json:"iterated"`
	}
	if err := decode(files, name, &file); err != nil {
		return nil, err
	}
	var cases []testCase
	for _, v := range file.Rolls {
		cases = append(cases, testCase{name: "rolls/" + v.Name, run: v.check})
	}
	for _, v := range file.Iterated {
		cases = append(cases, testCase{name: "rolls/" + v.Name, heavy: true, run: v.check})
	}
	return cases, nil
}

func (v rollsVector) check(b cpu.Backend) error {
	return firstError(
		v.checkRule(b, chacha20rng.ByModulo, v.Modulo),
		v.checkRule(b, chacha20rng.ByShift, v.Shift),
	)
}

func (v rollsVector) checkRule(b cpu.Backend, rule chacha20rng.Rejection, want rollsOutcome) error {
	single, err := newRNG(v.Rounds, v.Seed, b)
	if err != nil {
		return err
	}
	bulk, err := newRNG(v.Rounds, v.Seed, b)
	if err != nil {
		return err
	}
	var singles, bulks []uint64
	for _, run := range v.Runs {
		zone := rule.Zone(uint64(run.N))
		for range run.Rolls {
			singles = append(singles, single.Roll(zone))
		}
		dst := make([]uint64, run.Rolls)
		bulk.FillRolls(dst[:run.Rolls/3], zone)
		bulk.FillRolls(dst[run.Rolls/3:], zone)
		bulks = append(bulks, dst...)
	}
	by := " (" + rule.String() + ")"
	return firstError(
		expectFirst("roll"+by, numbers(want.First), singles),
		expect("SHA-256 of the rolls"+by, want.SHA256, hashNumbers(singles)),
		expect("words used by Roll"+by, want.Words, single.Pos()),
		expectList("roll of FillRolls"+by, singles, bulks),
		expect("words used by FillRolls"+by, want.Words, bulk.Pos()),
	)
}

func (v iteratedVector) check(b cpu.Backend) error {
	r, err := newRNG(v.Rounds, v.Seed, b)
	if err != nil {
		return err
	}
	n := uint64(v.Start)
	for range v.Iterations {
		n = 3*r.Roll(chacha20rng.Modulo(n)) + 3
	}
	return expect("last bound", uint64(v.End), n)
}
