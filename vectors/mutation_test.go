package vectors

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mr-tron/base58"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/schedule"
)

// A problem is a vector that states a whole schedule.
type problem struct {
	name    string
	heavy   bool
	entries []schedule.Entry
	epoch   uint64
	slots   uint64
	repeat  int
	digest  string // hexadecimal or base58
}

func (p problem) rotations() int { return int((p.slots + uint64(p.repeat) - 1) / uint64(p.repeat)) }

// derive returns the leaders of the first n rotations.
func (p problem) derive(n int, m mistakes) []schedule.Pubkey {
	return plainDerive(p.entries, p.epoch, n, m)
}

// perSlot returns the raw leaders of every slot.
func (p problem) perSlot(rotations []schedule.Pubkey) []byte {
	var raw []byte
	for slot := range p.slots {
		raw = append(raw, rotations[slot/uint64(p.repeat)][:]...)
	}
	return raw
}

// problems collects the vectors that state a whole schedule.
func problems(t *testing.T) []problem {
	t.Helper()
	var all []problem
	all = append(all, scheduleProblems(t)...)
	all = append(all, boundaryProblems(t)...)
	all = append(all, publishedProblems(t)...)
	all = append(all, clusterProblems(t)...)
	return slices.DeleteFunc(all, func(p problem) bool { return p.heavy && testing.Short() })
}

func mustDecode(t *testing.T, file string, dst any) {
	t.Helper()
	if err := decode(embedded(), file, dst); err != nil {
		t.Fatal(err)
	}
}

func scheduleProblems(t *testing.T) (all []problem) {
	var file struct{ Schedules []scheduleVector }
	mustDecode(t, "schedules.json", &file)
	for _, v := range file.Schedules {
		if v.Schedule == nil {
			continue
		}
		list, err := v.Generator.entries()
		if err != nil {
			t.Fatal(err)
		}
		if v.Generator.KeyedByIdentity {
			list = sumByNode(list)
		}
		all = append(all, problem{"schedules/" + v.Name, v.heavy(), list, uint64(v.Epoch),
			uint64(v.Slots), v.Repeat, v.Schedule.SHA256.String()})
	}
	return all
}

func boundaryProblems(t *testing.T) (all []problem) {
	var file struct {
		Schedules     []boundarySchedule
		Tables, Zones []any
	}
	mustDecode(t, "boundary.json", &file)
	for _, v := range file.Schedules {
		name := fmt.Sprintf("boundary/epoch-%d-total-%d-n%d", v.Epoch, v.Total, v.Head.Number+v.Tail.Number)
		all = append(all, problem{name, false, v.entries(), uint64(v.Epoch),
			uint64(v.Slots), v.Repeat, v.SHA256.String()})
	}
	return all
}

func publishedProblems(t *testing.T) (all []problem) {
	var file struct {
		Sequences, Rolls []any
		Hashes           []publishedHash
	}
	mustDecode(t, "published.json", &file)
	for _, v := range file.Hashes {
		stakes := make([]uint64, 1<<16)
		for i := range stakes {
			stakes[i] = 1
			for range v.Power {
				stakes[i] *= uint64(i)
			}
		}
		name := fmt.Sprintf("published/epoch-%d-power-%d", v.Epoch, v.Power)
		all = append(all, problem{name, true, numberedEntries(stakes), uint64(v.Epoch), uint64(v.Slots), 1, v.SHA256})
	}
	var random random100Vector
	mustDecode(t, "random100.json", &random)
	list, err := random.list(cpu.Generic)
	if err != nil {
		t.Fatal(err)
	}
	return append(all, problem{"random100", false, list, uint64(random.Epoch), uint64(random.Slots),
		random.Repeat, random.SHA256.String()})
}

func clusterProblems(t *testing.T) (all []problem) {
	var file struct {
		Listed   []listedCluster
		External []any
	}
	mustDecode(t, "clusters.json", &file)
	for _, c := range file.Listed {
		for _, v := range c.Schedules {
			var list []schedule.Entry
			for _, e := range c.Entries {
				list = append(list, schedule.Entry{Key: e.Vote, Node: e.Node, Stake: uint64(e.Stake)})
			}
			if v.KeyedBy == schedule.KeyedByIdentity.String() {
				list = sumByNode(list)
			}
			name := fmt.Sprintf("clusters/%s-epoch-%d-by-%s", c.Name, v.Epoch, v.KeyedBy)
			all = append(all, problem{name, true, list, uint64(v.Epoch), uint64(v.Slots), v.Repeat, v.SHA256.String()})
		}
	}
	return all
}

// mutations are the mistakes that the vectors must notice. The two numbers are
// what each does to the schedule of mainnet-beta's epoch 454: the first wrong
// slot (-1: none) and how many of the 432,000 slots stay right. About 2,200 stay
// right by chance; those that show nothing at all there are what the constructed
// vectors are for.
var mutations = []struct {
	name       string
	mistake    mistakes
	killer     string // the beginning of the name of a vector that must notice
	firstWrong int
	equal      int
}{
	{"at least instead of above", mistakes{atLeast: true}, "boundary/", -1, 432_000},
	{"no rejection", mistakes{acceptAll: true}, "schedules/11-", 41_092, 43_056},
	{"limit of the zone rejected", mistakes{exclusiveZone: true}, "schedules/26-", -1, 432_000},
	{"low end rejected", mistakes{rejectLow: true}, "schedules/11-", 10_876, 94_264},
	{"shift zone", mistakes{shiftZone: true}, "schedules/", 0, 2_192},
	{"plain modulo", mistakes{remainder: true}, "schedules/", 0, 2_384},
	{"total off by one", mistakes{totalPlusOne: true}, "schedules/11-", 41_092, 153_972},
	{"smallest dropped", mistakes{dropSmallest: true}, "schedules/", 6_252, 26_684},
	{"ties ascending", mistakes{tiesAscending: true}, "schedules/02-", 316, 420_640},
	{"not sorted", mistakes{unsorted: true}, "schedules/", -1, 432_000},
	{"seed big-endian", mistakes{bigEndianSeed: true}, "schedules/", 0, 2_196},
	{"epoch cut to 32 bits", mistakes{truncatedEpoch: true}, "schedules/03-", -1, 432_000},
	{"halves of words exchanged", mistakes{bigEndianStream: true}, "schedules/", 0, 2_312},
	{"8 rounds", mistakes{rounds: 8}, "schedules/", 0, 2_212},
	{"12 rounds", mistakes{rounds: 12}, "schedules/", 0, 2_296},
}

// enoughRotations is how far a wrong derivation is compared.
const enoughRotations = 20_000

// TestMutations derives every schedule vector plainly: rightly, which must give
// what the vector states, and with each mistake, which some vector must notice.
func TestMutations(t *testing.T) {
	t.Parallel()
	all := problems(t)
	right := make([][]schedule.Pubkey, len(all))
	t.Run("none", func(t *testing.T) {
		for i, p := range all {
			right[i] = p.derive(p.rotations(), mistakes{})
			sum := sha256.Sum256(p.perSlot(right[i]))
			if p.digest != hex.EncodeToString(sum[:]) && p.digest != base58.Encode(sum[:]) {
				t.Errorf("%s: expected digest %s, got %x", p.name, p.digest, sum)
			}
		}
	})
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			var noticed []string
			for i, p := range all {
				n := min(len(right[i]), enoughRotations)
				if !slices.Equal(p.derive(n, m.mistake), right[i][:n]) {
					noticed = append(noticed, p.name)
				}
			}
			t.Logf("noticed by %d of %d: %s", len(noticed), len(all), strings.Join(noticed, " "))
			if !slices.ContainsFunc(noticed, func(name string) bool { return strings.HasPrefix(name, m.killer) }) {
				t.Errorf("no vector %s… notices", m.killer)
			}
		})
	}
}

// TestMutationsEpoch454 measures how far each mistake shows in a schedule that
// really happened.
func TestMutationsEpoch454(t *testing.T) {
	t.Parallel()
	var file struct {
		Listed   []any
		External []externalCluster
	}
	mustDecode(t, "clusters.json", &file)
	v := file.External[0]
	dir := dirWith(v.StakesFile)
	if dir == "" {
		t.Skipf("%s is absent from %s", v.StakesFile, recordedDir)
	}
	if testing.Short() {
		t.Skip("heavy")
	}
	list, err := v.read(dir)
	if err != nil {
		t.Fatal(err)
	}
	p := problem{v.Name, true, list, uint64(v.Epoch), uint64(v.Slots), v.Repeat, v.SHA256.String()}
	right := p.derive(p.rotations(), mistakes{})
	if sum := sha256.Sum256(p.perSlot(right)); hex.EncodeToString(sum[:]) != p.digest {
		t.Fatalf("expected digest %s, got %x", p.digest, sum)
	}
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			wrong := p.derive(p.rotations(), m.mistake)
			first, equal := -1, 0
			for i := range right {
				if right[i] == wrong[i] {
					equal += p.repeat
				} else if first < 0 {
					first = i * p.repeat
				}
			}
			if first != m.firstWrong || equal != m.equal {
				t.Errorf("first wrong slot %d, %d slots equal; want %d, %d", first, equal, m.firstWrong, m.equal)
			}
		})
	}
}

// TestRecordedLeaders compares two derivations with leaders that others recorded.
func TestRecordedLeaders(t *testing.T) {
	const file = "agave-random100-epoch123.json"
	dir := dirWith(file)
	if dir == "" {
		t.Skipf("%s is absent from %s", file, recordedDir)
	}
	text, err := os.ReadFile(dir + "/" + file)
	if err != nil {
		t.Fatal(err)
	}
	leaders := jsonStrings(t, text, "leaders")
	for _, p := range publishedProblems(t) {
		if p.name != "random100" {
			continue
		}
		rotations := p.derive(p.rotations(), mistakes{})
		if uint64(len(leaders)) != p.slots {
			t.Fatalf("%d leaders are recorded, want %d", len(leaders), p.slots)
		}
		for i, want := range leaders {
			if got := rotations[i/p.repeat].String(); got != want {
				t.Errorf("slot index %d: expected %s, got %s", i, want, got)
			}
		}
	}
}

func jsonStrings(t *testing.T, text []byte, field string) (list []string) {
	t.Helper()
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(whole[field], &list); err != nil {
		t.Fatal(err)
	}
	return list
}
