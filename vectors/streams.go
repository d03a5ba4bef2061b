package vectors

import (
	"fmt"
	"io/fs"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
)

// streamVector is a run of keystream words from the start of a block.
type streamVector struct {
	Name   string  `json:"name"`
	Rounds int     `json:"rounds"`
	Seed   bytes32 `json:"seed"`
	Block  word    `json:"block"`
	First  []word  `json:"first"`
	Words  int     `json:"words"`
	SHA256 bytes32 `json:"sha256"`
}

func streams(files fs.FS, name string) ([]testCase, error) {
	var file struct {
		Streams []streamVector `json:"streams"`
	}
	if err := decode(files, name, &file); err != nil {
		return nil, err
	}
	var cases []testCase
	for _, v := range file.Streams {
		cases = append(cases, testCase{name: "streams/" + v.Name, heavy: v.Words > 10_000, run: v.check})
	}
	return cases, nil
}

// newRNG returns a stream that the given backend makes.
func newRNG(rounds int, seed [32]byte, b cpu.Backend) (*chacha20rng.RNG, error) {
	var r *chacha20rng.RNG
	switch rounds {
	case 8:
		r = chacha20rng.NewChaCha8(seed)
	case 20:
		r = chacha20rng.New(seed)
	default:
		return nil, fmt.Errorf("no stream has %d rounds", rounds)
	}
	return r, r.SetBackend(string(b))
}

func (v streamVector) check(b cpu.Backend) error {
	r, err := newRNG(v.Rounds, v.Seed, b)
	if err != nil {
		return err
	}
	r.SeekBlock(uint64(v.Block))
	all := make([]uint64, v.Words)
	for i := range all {
		all[i] = r.Uint64()
	}
	return firstError(
		expectFirst("word", numbers(v.First), all),
		expect("SHA-256 of the words", v.SHA256, hashNumbers(all)),
		expect("position after them", uint64(v.Block)*8+uint64(v.Words), r.Pos()),
		v.checkFill(r, all),
		v.checkSeek(r, all),
		v.checkSwitch(r, b, all),
	)
}

// checkFill reads the words again in pieces of many lengths.
func (v streamVector) checkFill(r *chacha20rng.RNG, all []uint64) error {
	lengths := []int{1, 0, 7, 8, 9, 2, 31, 64, 3, 127, 128, 129, 5, 255, 256, 257, 15, 513}
	r.SeekBlock(uint64(v.Block))
	got := make([]uint64, len(all))
	for at, i := 0, 0; at < len(got); i++ {
		n := min(lengths[i%len(lengths)], len(got)-at)
		r.Fill(got[at : at+n])
		at += n
	}
	return firstError(
		expectList("filled word", all, got),
		expect("position after Fill", uint64(v.Block)*8+uint64(v.Words), r.Pos()),
	)
}

// checkSeek jumps to words near the beginning, where carries are, both by block
// and, where 64 bits hold the position, by word.
func (v streamVector) checkSeek(r *chacha20rng.RNG, all []uint64) error {
	for i := 0; i < len(all); i += 1 + i/97 {
		r.SeekBlock(uint64(v.Block) + uint64(i/8))
		for range i % 8 {
			r.Uint64()
		}
		if err := expect(fmt.Sprintf("word %d after SeekBlock to be", i), all[i], r.Uint64()); err != nil {
			return err
		}
		position := uint64(v.Block)*8 + uint64(i)
		if uint64(v.Block) >= 1<<61-uint64(v.Words) {
			continue
		}
		r.Seek(position)
		if err := firstError(
			expect("position after Seek", position, r.Pos()),
			expect(fmt.Sprintf("word %d after Seek to be", i), all[i], r.Uint64()),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkSwitch changes the backend within the stream, which must not move it, and
// starts again by Reseed.
func (v streamVector) checkSwitch(r *chacha20rng.RNG, b cpu.Backend, all []uint64) error {
	r.Reseed(v.Seed)
	r.SeekBlock(uint64(v.Block))
	for i := range min(len(all), 1000) {
		if i%61 == 60 {
			if err := r.SetBackend(string(cpu.Generic)); err != nil {
				return err
			}
		} else if i%61 == 30 {
			if err := r.SetBackend(string(b)); err != nil {
				return err
			}
		}
		if err := expect(fmt.Sprintf("word %d across backends to be", i), all[i], r.Uint64()); err != nil {
			return err
		}
	}
	return nil
}
