package vectors

import (
	"fmt"
	"io/fs"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/wsample"
)

// samplerVector is the history of one sampler.
type samplerVector struct {
	Name      string        `json:"name"`
	Rounds    int           `json:"rounds"`
	Seed      bytes32       `json:"seed"`
	Rejection string        `json:"rejection"`
	Weights   []word        `json:"weights"`
	Poison    word          `json:"poison"`
	Steps     []samplerStep `json:"steps"`
	Words     uint64        `json:"words"`
}

type samplerStep struct {
	Op    string `json:"op"`
	Index int    `json:"index"`
	Drawn []word `json:"drawn"`
}

func samplers(files fs.FS, name string) ([]testCase, error) {
	var file struct {
		Sentinels struct {
			Empty         word `json:"empty"`
			Indeterminate word `json:"indeterminate"`
		} `json:"sentinels"`
		Samplers []samplerVector `json:"samplers"`
	}
	if err := decode(files, name, &file); err != nil {
		return nil, err
	}
	sentinels := func(cpu.Backend) error {
		return firstError(
			expect("Empty", uint64(file.Sentinels.Empty), uint64(wsample.Empty)),
			expect("Indeterminate", uint64(file.Sentinels.Indeterminate), uint64(wsample.Indeterminate)),
		)
	}
	cases := []testCase{{name: "samplers/sentinels", run: sentinels}}
	for _, v := range file.Samplers {
		cases = append(cases, testCase{name: "samplers/" + v.Name, run: v.check})
	}
	return cases, nil
}

// rejection returns the rule of a name.
func rejection(name string) (chacha20rng.Rejection, error) {
	for _, rule := range []chacha20rng.Rejection{chacha20rng.ByModulo, chacha20rng.ByShift} {
		if rule.String() == name {
			return rule, nil
		}
	}
	return 0, fmt.Errorf("no rejection rule is called %q", name)
}

func (v samplerVector) check(b cpu.Backend) error {
	for _, many := range []bool{false, true} {
		if err := v.checkSteps(b, many); err != nil {
			return fmt.Errorf("many at once %t: %w", many, err)
		}
	}
	return v.checkTable(b)
}

func (v samplerVector) checkSteps(b cpu.Backend, many bool) error {
	rule, err := rejection(v.Rejection)
	if err != nil {
		return err
	}
	r, err := newRNG(v.Rounds, v.Seed, b)
	if err != nil {
		return err
	}
	s, err := wsample.NewSampler(numbers(v.Weights), wsample.WithRejection(rule),
		wsample.WithPoison(uint64(v.Poison)), wsample.WithRestore(), wsample.WithBackend(string(b)))
	if err != nil {
		return err
	}
	for i, step := range v.Steps {
		if err := step.check(s, r, many); err != nil {
			return fmt.Errorf("step %d, %s: %w", i, step.Op, err)
		}
	}
	return expect("words used", v.Words, r.Pos())
}

func (step samplerStep) check(s *wsample.Sampler, r *chacha20rng.RNG, many bool) error {
	one, all := s.Sample, s.SampleMany
	switch step.Op {
	case "remove":
		return s.Remove(step.Index)
	case "restore":
		return s.RestoreAll()
	case "sample":
	case "sample-and-remove":
		one, all = s.SampleAndRemove, s.SampleAndRemoveMany
	default:
		return fmt.Errorf("no step is called %q", step.Op)
	}
	drawn := make([]uint32, len(step.Drawn))
	if many {
		all(r, drawn)
	} else {
		for i := range drawn {
			drawn[i] = one(r)
		}
	}
	want := make([]uint32, len(step.Drawn))
	for i, w := range step.Drawn {
		want[i] = uint32(w)
	}
	return expectList("draw", want, drawn)
}

// checkTable draws by an immutable table what needs nothing more.
func (v samplerVector) checkTable(b cpu.Backend) error {
	if v.Rejection != chacha20rng.ByModulo.String() || v.Poison != 0 ||
		len(v.Steps) != 1 || v.Steps[0].Op != "sample" {
		return nil
	}
	want := make([]int, len(v.Steps[0].Drawn))
	for i, w := range v.Steps[0].Drawn {
		want[i] = int(w)
	}
	t, err := newTable(numbers(v.Weights), b)
	if err != nil {
		return err
	}
	return checkTableDraws(t, v.Rounds, v.Seed, b, want, v.Words)
}

// checkTableDraws takes the same draws one by one, and many as 16 and as 32 bits.
func checkTableDraws(t *wsample.Table, rounds int, seed [32]byte, b cpu.Backend, want []int, words uint64) error {
	r, err := newRNG(rounds, seed, b)
	if err != nil {
		return err
	}
	got := make([]int, len(want))
	for i := range got {
		got[i] = t.Sample(r)
	}
	if err := firstError(
		expectList("draw of Sample", want, got),
		expect("words used by Sample", words, r.Pos()),
	); err != nil {
		return err
	}

	r.Reseed(seed)
	wide := make([]uint32, len(want))
	t.Sample32(r, wide)
	if err := firstError(
		expectList("draw of Sample32", want, toInts(wide)),
		expect("words used by Sample32", words, r.Pos()),
	); err != nil {
		return err
	}
	if t.Len() > 1<<16 {
		return expectError("Sample16", wsample.ErrTooMany, t.Sample16(r, nil))
	}

	r.Reseed(seed)
	narrow := make([]uint16, len(want))
	return firstError(
		t.Sample16(r, narrow),
		expectList("draw of Sample16", want, toInts(narrow)),
		expect("words used by Sample16", words, r.Pos()),
	)
}

func toInts[T uint16 | uint32](list []T) []int {
	out := make([]int, len(list))
	for i, n := range list {
		out[i] = int(n)
	}
	return out
}
