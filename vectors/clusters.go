package vectors

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/schedule"
)

// listedCluster is a public cluster's stake list and schedules of it.
type listedCluster struct {
	Name    string `json:"name"`
	Entries []struct {
		Vote  schedule.Pubkey `json:"vote"`
		Node  schedule.Pubkey `json:"node"`
		Stake word            `json:"stake"`
	} `json:"entries"`
	Schedules []clusterSchedule `json:"schedules"`
}

type clusterSchedule struct {
	KeyedBy    string  `json:"keyed_by"`
	Epoch      word    `json:"epoch"`
	Slots      uint32  `json:"slots"`
	Repeat     int     `json:"repeat"`
	SHA256     bytes32 `json:"sha256"`
	TextSHA256 bytes32 `json:"text_sha256"`
}

// externalCluster is an epoch that really happened, with a stake list that is
// too long to embed.
type externalCluster struct {
	Name                  string  `json:"name"`
	StakesFile            string  `json:"stakes_file"`
	StakesSHA256          bytes32 `json:"stakes_sha256"`
	FirstSlot             word    `json:"first_slot"`
	Entries               int     `json:"entries"`
	Total                 word    `json:"total"`
	Words                 uint64  `json:"words"`
	Rejected              uint64  `json:"rejected"`
	FirstRejectedRotation int     `json:"first_rejected_rotation"`
	Distinct              int     `json:"distinct"`
	FirstRotations        []int   `json:"first_rotations"` // ranks
	clusterSchedule
}

func clusters(files fs.FS, name, dir string) ([]testCase, error) {
	var file struct {
		Listed   []listedCluster   `json:"listed"`
		External []externalCluster `json:"external"`
	}
	if err := decode(files, name, &file); err != nil {
		return nil, err
	}
	var cases []testCase
	for _, c := range file.Listed {
		var list []schedule.Entry
		for _, e := range c.Entries {
			list = append(list, schedule.Entry{Key: e.Vote, Node: e.Node, Stake: uint64(e.Stake)})
		}
		for _, v := range c.Schedules {
			cases = append(cases, testCase{
				name:  fmt.Sprintf("clusters/%s-epoch-%d-by-%s", c.Name, v.Epoch, v.KeyedBy),
				heavy: true,
				run: func(b cpu.Backend) error {
					_, err := v.check(list, 0, b)
					return err
				},
			})
		}
	}
	for _, v := range file.External {
		cases = append(cases, testCase{name: "clusters/" + v.Name, heavy: true,
			run: func(b cpu.Backend) error { return v.check(dir, b) }})
	}
	return cases, nil
}

func (v clusterSchedule) check(list []schedule.Entry, first schedule.Slot, b cpu.Backend) (*schedule.Schedule, error) {
	keying, err := schedule.ParseKeying(v.KeyedBy)
	if err != nil {
		return nil, err
	}
	s, err := derive(list, keying, schedule.Params{Epoch: uint64(v.Epoch), FirstSlot: first,
		Slots: uint64(v.Slots), Repeat: v.Repeat, Backend: string(b)})
	if err != nil {
		return nil, err
	}
	return s, firstError(
		expect("digest", v.SHA256, bytes32(s.Digest())),
		expect("digest of the text", v.TextSHA256, textDigest(s)),
	)
}

// textDigest is the SHA-256 over a line of base58 a slot.
func textDigest(s *schedule.Schedule) bytes32 {
	h := sha256.New()
	lines := make(map[schedule.Pubkey]string)
	for _, key := range s.All() {
		line, known := lines[key]
		if !known {
			line = key.String() + "\n"
			lines[key] = line
		}
		io.WriteString(h, line)
	}
	return bytes32(h.Sum(nil))
}

func (v externalCluster) check(dir string, b cpu.Backend) error {
	list, err := v.read(dir)
	if err != nil {
		return err
	}
	s, err := v.clusterSchedule.check(list, schedule.Slot(v.FirstSlot), b)
	if err != nil {
		return err
	}
	var ranks []int
	for _, rank := range s.Ranks() {
		ranks = append(ranks, rank)
	}
	distinct := slices.Clone(ranks)
	slices.Sort(distinct)
	return firstError(
		expect("number of entries", v.Entries, s.Stakes().Len()),
		expect("total", uint64(v.Total), s.Stakes().Total()),
		expectFirst("rank of rotation", v.FirstRotations, ranks),
		expect("number of distinct leaders", v.Distinct, len(slices.Compact(distinct))),
		v.checkWords(len(ranks), b),
	)
}

// checkWords counts the words of the epoch's draws, and those up to the first
// rejection.
func (v externalCluster) checkWords(rotations int, b cpu.Backend) error {
	r, err := newRNG(20, epochSeed(uint64(v.Epoch)), b)
	if err != nil {
		return err
	}
	zone := chacha20rng.Modulo(uint64(v.Total))
	draws := make([]uint64, rotations)
	first := min(max(v.FirstRejectedRotation, 0), rotations-1)
	r.FillRolls(draws[:first], zone)
	before := r.Pos()
	r.FillRolls(draws[first:first+1], zone)
	after := r.Pos()
	r.FillRolls(draws[first+1:], zone)
	return firstError(
		expect("words before the first rejection", uint64(first), before),
		expect("a word rejected at the first rejection", true, after > before+1),
		expect("words used", v.Words, r.Pos()),
		expect("words rejected", v.Rejected, r.Pos()-uint64(rotations)),
	)
}

// read returns the stake list. It is checked as a whole by its digest, so its
// lines need no lenient reading.
func (v externalCluster) read(dir string) ([]schedule.Entry, error) {
	if dir == "" {
		return nil, fmt.Errorf("%w: it needs the folder that holds %s", errSkipped, v.StakesFile)
	}
	text, err := os.ReadFile(filepath.Join(dir, v.StakesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: there is no %s in %s", errSkipped, v.StakesFile, dir)
	}
	if err != nil {
		return nil, err
	}
	if err := expect("SHA-256 of "+v.StakesFile, v.StakesSHA256, sha256.Sum256(text)); err != nil {
		return nil, err
	}
	var list []schedule.Entry
	for line := range bytes.Lines(text) {
		address, stake, _ := strings.Cut(strings.TrimSpace(string(line)), ",")
		if address == "pubkey" {
			continue
		}
		key, err := schedule.ParsePubkey(address)
		if err != nil {
			return nil, err
		}
		lamports, err := strconv.ParseUint(stake, 10, 64)
		if err != nil {
			return nil, err
		}
		list = append(list, schedule.Entry{Key: key, Node: key, Stake: lamports})
	}
	return list, nil
}
