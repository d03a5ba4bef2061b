package vectors

import (
	"encoding/binary"
	"io/fs"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/schedule"
)

// random100Vector is a schedule of random entries, which other validators' tests
// use too.
type random100Vector struct {
	Seed           bytes32           `json:"seed"`
	Entries        int               `json:"entries"`
	Total          string            `json:"total"`
	InputSHA256    bytes32           `json:"input_sha256"`
	Epoch          word              `json:"epoch"`
	Slots          uint32            `json:"slots"`
	Repeat         int               `json:"repeat"`
	Words          uint64            `json:"words"`
	FirstRotations []schedule.Pubkey `json:"first_rotations"`
	SHA256         bytes32           `json:"sha256"`
}

func random100(files fs.FS, name string) ([]testCase, error) {
	var v random100Vector
	if err := decode(files, name, &v); err != nil {
		return nil, err
	}
	return []testCase{{name: "random100/epoch-123", run: v.check}}, nil
}

// list draws the entries from the stream: four words are the key, the next one
// divided by 1000 the stake.
func (v random100Vector) list(b cpu.Backend) ([]schedule.Entry, error) {
	r, err := newRNG(20, v.Seed, b)
	if err != nil {
		return nil, err
	}
	list := make([]schedule.Entry, v.Entries)
	for i := range list {
		for j := 0; j < len(list[i].Key); j += 8 {
			binary.LittleEndian.PutUint64(list[i].Key[j:], r.Uint64())
		}
		list[i].Stake = r.Uint64() / 1000
	}
	return list, nil
}

func (v random100Vector) check(b cpu.Backend) error {
	list, err := v.list(b)
	if err != nil {
		return err
	}
	s, err := derive(list, schedule.KeyedByIdentity, schedule.Params{
		Epoch: uint64(v.Epoch), Slots: uint64(v.Slots), Repeat: v.Repeat, Backend: string(b)})
	if err != nil {
		return err
	}
	var rotations []schedule.Pubkey
	for _, rank := range s.Ranks() {
		rotations = append(rotations, s.Stakes().Entry(rank).Key)
	}
	return firstError(
		expect("total", v.Total, totalOf(list)),
		expect("SHA-256 of the input", v.InputSHA256, inputHash(list)),
		expect("number of rotations", int(v.Words), len(rotations)), // none is rejected
		expectFirst("leader of rotation", v.FirstRotations, rotations),
		expect("digest", v.SHA256, bytes32(s.Digest())),
	)
}
