package vectors

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"slices"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/wsample"
)

// scheduleVector is a derived stake list and the schedule of one epoch.
type scheduleVector struct {
	Name        string    `json:"name"`
	Catches     string    `json:"catches"`
	Generator   generator `json:"generator"`
	Entries     int       `json:"entries"`
	Total       string    `json:"total"`
	InputSHA256 bytes32   `json:"input_sha256"`
	Epoch       word      `json:"epoch"`
	Slots       uint32    `json:"slots"`
	Repeat      int       `json:"repeat"`
	// Refused names the error that the list or the epoch must give.
	Refused string `json:"refused"`
	// Schedule is nil when there is nothing to draw from or for.
	Schedule *scheduleOutcome `json:"schedule"`
}

// scheduleOutcome numbers entries by their position in the unsorted list.
type scheduleOutcome struct {
	Words          uint64  `json:"words"`
	Rejected       uint64  `json:"rejected"`
	Distinct       int     `json:"distinct"`
	FirstRotations []int   `json:"first_rotations"`
	LastRotation   int     `json:"last_rotation"`
	SHA256         bytes32 `json:"sha256"`
}

func schedules(files fs.FS, name string) ([]testCase, error) {
	var file struct {
		Schedules []scheduleVector `json:"schedules"`
	}
	if err := decode(files, name, &file); err != nil {
		return nil, err
	}
	var cases []testCase
	for _, v := range file.Schedules {
		cases = append(cases, testCase{name: "schedules/" + v.Name, heavy: v.heavy(), run: v.check})
	}
	return cases, nil
}

func (v scheduleVector) heavy() bool { return v.Slots > 100_000 || v.Entries > 10_000 }

func (v scheduleVector) check(b cpu.Backend) error {
	list, err := v.Generator.entries()
	if err != nil {
		return err
	}
	weighted := list
	if v.Generator.KeyedByIdentity {
		weighted = sumByNode(list)
	}
	if err := firstError(
		expect("number of entries", v.Entries, len(weighted)),
		expect("total", v.Total, totalOf(weighted)),
		expect("SHA-256 of the input", v.InputSHA256, inputHash(weighted)),
	); err != nil {
		return err
	}
	if v.Refused != "" {
		if err := v.checkRefused(list, b); err != nil {
			return err
		}
	}
	if v.Schedule == nil {
		return nil
	}
	order := sortedIndices(weighted)
	ranks, err := v.checkDraws(weighted, order, b)
	if err != nil || v.Refused != "" {
		return err
	}
	keyings := []schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity}
	if v.Generator.KeyedByIdentity {
		keyings = keyings[1:]
	} else if v.Generator.Nodes > 0 {
		keyings = keyings[:1]
	}
	for _, k := range keyings {
		d := derivation{
			entries: list, keying: k, leaders: leadersAt(weighted, order), ranks: ranks, digest: v.Schedule.SHA256,
			params: schedule.Params{Epoch: uint64(v.Epoch), FirstSlot: 1_000_000, Slots: uint64(v.Slots),
				Repeat: v.Repeat, Backend: string(b)},
		}
		if err := d.check(); err != nil {
			return fmt.Errorf("keyed by %v: %w", k, err)
		}
	}
	return nil
}

// checkDraws draws the rotations from a table of the sorted stakes and returns
// them as ranks.
func (v scheduleVector) checkDraws(list []schedule.Entry, order []int, b cpu.Backend) ([]int, error) {
	t, err := newTable(stakesAt(list, order), b)
	if err != nil {
		return nil, err
	}
	r, err := newRNG(20, epochSeed(uint64(v.Epoch)), b)
	if err != nil {
		return nil, err
	}
	drawn := make([]uint32, (int(v.Slots)+v.Repeat-1)/v.Repeat)
	t.Sample32(r, drawn)
	ranks := toInts(drawn)
	rotations := make([]int, len(ranks)) // positions in list
	for i, rank := range ranks {
		if rank < 0 || rank >= len(order) {
			return nil, mismatch(fmt.Sprintf("draw %d to be below", i), len(order), rank)
		}
		rotations[i] = order[rank]
	}
	distinct := slices.Clone(rotations)
	slices.Sort(distinct)
	want := v.Schedule
	return ranks, firstError(
		expectFirst("rotation", want.FirstRotations, rotations),
		expect("last rotation", want.LastRotation, rotations[len(rotations)-1]),
		expect("number of distinct leaders", want.Distinct, len(slices.Compact(distinct))),
		expect("words used", want.Words, r.Pos()),
		expect("words rejected", want.Rejected, r.Pos()-uint64(len(ranks))),
		expect("digest of the draws", want.SHA256, digestOf(leadersAt(list, order), ranks, uint64(v.Slots), v.Repeat)),
	)
}

// newTable returns a table that the given backend makes.
func newTable(weights []uint64, b cpu.Backend) (*wsample.Table, error) {
	t := new(wsample.Table)
	if err := t.SetBackend(string(b)); err != nil {
		return nil, err
	}
	return t, t.Reset(weights)
}

// checkRefused wants the typed error that the vector names.
func (v scheduleVector) checkRefused(list []schedule.Entry, b cpu.Backend) error {
	s, err := schedule.NewStakes(list, schedule.KeyedByVote)
	switch v.Refused {
	case "duplicate key":
		return expectError("the list", schedule.ErrDuplicateKey, err)
	case "no stake":
		want := wsample.ErrZeroWeight
		if len(list) == 0 {
			want = wsample.ErrEmpty
		}
		_, tableErr := wsample.NewTable(stakesAt(list, sortedIndices(list)))
		return firstError(
			expectError("the list", schedule.ErrNoStake, err),
			expectError("the table", want, tableErr),
		)
	case "overflow":
		_, tableErr := wsample.NewTable(stakesAt(list, sortedIndices(list)))
		return firstError(
			expectError("the list", schedule.ErrStakeOverflow, err),
			expectError("the table", wsample.ErrOverflow, tableErr),
		)
	case "no slots":
		if err != nil {
			return err
		}
		_, err = schedule.Derive(s, schedule.Params{Epoch: uint64(v.Epoch), Slots: uint64(v.Slots),
			Repeat: v.Repeat, Backend: string(b)})
		return expectError("the epoch", schedule.ErrSlots, err)
	}
	return fmt.Errorf("no refusal is called %q", v.Refused)
}

// leadersAt returns the leader of each rank.
func leadersAt(list []schedule.Entry, order []int) []schedule.Pubkey {
	leaders := make([]schedule.Pubkey, len(order))
	for rank, i := range order {
		leaders[rank] = leader(list[i])
	}
	return leaders
}

// digestOf is the SHA-256 over the raw leader of every slot.
func digestOf(leaders []schedule.Pubkey, ranks []int, slots uint64, repeat int) bytes32 {
	h := sha256.New()
	for rotation, rank := range ranks {
		left := slots - uint64(rotation)*uint64(repeat)
		for range min(uint64(repeat), left) {
			h.Write(leaders[rank][:])
		}
	}
	return bytes32(h.Sum(nil))
}
