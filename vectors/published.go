package vectors

import (
	"encoding/binary"
	"fmt"
	"io/fs"

	"github.com/mr-tron/base58"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/schedule"
)

// publishedSequence is a schedule of a few stakes, leaders by position.
type publishedSequence struct {
	Stakes  []word `json:"stakes"`
	Epoch   word   `json:"epoch"`
	Repeat  int    `json:"repeat"`
	Leaders []int  `json:"leaders"`
}

// publishedHash is a schedule of 65,536 entries, entry i with stake i^power.
type publishedHash struct {
	Epoch  word   `json:"epoch"`
	Slots  uint32 `json:"slots"`
	Power  int    `json:"power"`
	SHA256 string `json:"sha256_base58"`
}

type publishedRolls struct {
	Seed      bytes32 `json:"seed"`
	N         word    `json:"n"`
	Rejection string  `json:"rejection"`
	Rolls     []word  `json:"rolls"`
}

func published(files fs.FS, name string) ([]testCase, error) {
	var file struct {
		Sequences []publishedSequence `json:"sequences"`
		Hashes    []publishedHash     `json:"hashes"`
		Rolls     []publishedRolls    `json:"rolls"`
	}
	if err := decode(files, name, &file); err != nil {
		return nil, err
	}
	var cases []testCase
	for _, v := range file.Sequences {
		name := fmt.Sprintf("published/epoch-%d-n%d-repeat-%d", v.Epoch, len(v.Stakes), v.Repeat)
		cases = append(cases, testCase{name: name, run: v.check})
	}
	for _, v := range file.Hashes {
		name := fmt.Sprintf("published/epoch-%d-n65536-power-%d", v.Epoch, v.Power)
		cases = append(cases, testCase{name: name, heavy: true, run: v.check})
	}
	for _, v := range file.Rolls {
		cases = append(cases, testCase{name: "published/rolls-" + v.Rejection, run: v.check})
	}
	return cases, nil
}

// numberedEntries: the key of entry i is i as two little-endian bytes, then zeros.
func numberedEntries(stakes []uint64) []schedule.Entry {
	list := make([]schedule.Entry, len(stakes))
	for i, stake := range stakes {
		binary.LittleEndian.PutUint16(list[i].Key[:], uint16(i))
		list[i].Stake = stake
	}
	return list
}

func derive(list []schedule.Entry, k schedule.Keying, p schedule.Params) (*schedule.Schedule, error) {
	stakes, err := schedule.NewStakes(list, k)
	if err != nil {
		return nil, err
	}
	return schedule.Derive(stakes, p)
}

func (v publishedSequence) check(b cpu.Backend) error {
	list := numberedEntries(numbers(v.Stakes))
	s, err := derive(list, schedule.KeyedByVote, schedule.Params{
		Epoch: uint64(v.Epoch), Slots: uint64(len(v.Leaders)), Repeat: v.Repeat, Backend: string(b)})
	if err != nil {
		return err
	}
	leaders := make([]int, len(v.Leaders))
	for i := range leaders {
		key, _ := s.Leader(schedule.Index(i))
		leaders[i] = int(binary.LittleEndian.Uint16(key[:]))
	}
	return expectList("leader of slot index", v.Leaders, leaders)
}

func (v publishedHash) check(b cpu.Backend) error {
	stakes := make([]uint64, 1<<16)
	for i := range stakes {
		stakes[i] = 1
		for range v.Power {
			stakes[i] *= uint64(i)
		}
	}
	s, err := derive(numberedEntries(stakes), schedule.KeyedByVote, schedule.Params{
		Epoch: uint64(v.Epoch), Slots: uint64(v.Slots), Repeat: 1, Backend: string(b)})
	if err != nil {
		return err
	}
	digest := s.Digest()
	return expect("digest", v.SHA256, base58.Encode(digest[:]))
}

func (v publishedRolls) check(b cpu.Backend) error {
	rule, err := rejection(v.Rejection)
	if err != nil {
		return err
	}
	r, err := newRNG(20, v.Seed, b)
	if err != nil {
		return err
	}
	rolls := make([]uint64, len(v.Rolls))
	r.FillRolls(rolls, rule.Zone(uint64(v.N)))
	return expectList("roll", numbers(v.Rolls), rolls)
}
