package schedule

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sharedFile returns a file of real data, or skips the test where the data is
// not at hand.
func sharedFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "shared", "data", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no ../shared/data/%s beside the repository: this check needs it", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sharedStakes reads a file of the form pubkey,stake.
func sharedStakes(t *testing.T, name string) []Entry {
	t.Helper()
	var entries []Entry
	lines := bufio.NewScanner(strings.NewReader(string(sharedFile(t, name))))
	lines.Scan() // header
	for lines.Scan() {
		key, amount, _ := strings.Cut(lines.Text(), ",")
		stake, err := strconv.ParseUint(amount, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, Entry{Key: mustKey(t, key), Stake: stake})
	}
	return entries
}

func hexDigest(s *Schedule) string {
	d := s.Digest()
	return hex.EncodeToString(d[:])
}

// The schedule of mainnet-beta's epoch 454 as it really was.
func TestRealEpoch454(t *testing.T) {
	es := mustCluster(t, "mainnet-beta")
	st := mustStakes(t, sharedStakes(t, "epoch-454-stakes.csv"), KeyedByIdentity)
	if st.Len() != 3373 || st.Total() != 392_456_937_698_882_662 {
		t.Fatalf("%d identities with %d lamports", st.Len(), st.Total())
	}
	s := mustDerive(t, st, Params{Epoch: 454, FirstSlot: es.FirstSlot(454), Slots: es.SlotsIn(454)})
	if got := hexDigest(s); got != "d36a60f50035f8dc76e9801ba6b27390f670d14abb30339a39340d836f57effa" {
		t.Errorf("digest %s", got)
	}

	text := sha256.New()
	for _, leader := range s.All() {
		text.Write([]byte(leader.String() + "\n"))
	}
	if got := hex.EncodeToString(text.Sum(nil)); got != "abb21c997cd9d0220d6fcdaad166ddd5b0da46a604c8fd85db5c92ea44e8854e" {
		t.Errorf("digest of the text %s", got)
	}

	var first []int
	for rotation, rank := range s.Ranks() {
		if rotation == 12 {
			break
		}
		first = append(first, rank)
	}
	equalSlices(t, "first rotations", first, []int{333, 5, 10, 75, 42, 21, 67, 141, 14, 2, 26, 1574})
	if leader, ok := s.LeaderAt(196_128_000); !ok || leader.String() != "GmZ7xFQ4GHDbQw4CSnFT9pAHa15u35qTN8e259UrBh9D" {
		t.Errorf("first leader %v, %v", leader, ok)
	}

	leaders, slots := 0, 0
	for _, indices := range s.Leaders() {
		leaders++
		for range indices {
			slots++
		}
	}
	if leaders != 1828 || slots != 432_000 {
		t.Errorf("%d leaders with %d slots", leaders, slots)
	}
	checkRecordedRanks(t, s)
}

// checkRecordedRanks compares every slot with a recorded list of ranks.
func checkRecordedRanks(t *testing.T, s *Schedule) {
	ranks := sharedFile(t, "epoch-454-leaders-idx.bin")
	if len(ranks) != 4*432_000 {
		t.Fatalf("%d bytes of ranks", len(ranks))
	}
	for i := range s.Slots() {
		got, ok := s.Rank(Index(i))
		if want := binary.LittleEndian.Uint32(ranks[4*i:]); !ok || uint32(got) != want {
			t.Fatalf("slot index %d: got rank %d, want %d", i, got, want)
		}
	}
}

// The four identities of mainnet-beta's genesis have equal stakes, so that the
// order of ties decides.
func TestRealMainnetGenesis(t *testing.T) {
	var entries []Entry
	for _, key := range []string{
		"7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
		"CakcnaRDHka2gXyfbEd2d3xsvkJkqsLw2akB3zsN1D2S",
		"DE1bawNcRJB9rVm3buyMVfr8mBEoyyu73NBovf2oXJsJ",
		"GdnSyH3YtwcxFvQrVVJMm1JhTS4QVX7MFsX56uJLUfiZ",
	} {
		entries = append(entries, Entry{Key: mustKey(t, key), Stake: 499_999_997_717_120})
	}
	st := mustStakes(t, entries, KeyedByIdentity)
	for epoch, want := range []string{
		"2c63b73f563abae9c7b3af8308b0bcd3d1bf5cb235c85f7085a46b167d5ab2f0",
		"74b996dc2c0168748f196f2b04dc9121a437f5f8f6249bfa969e4fdd123c4f82",
	} {
		s := mustDerive(t, st, Params{Epoch: uint64(epoch), Slots: 432_000})
		if got := hexDigest(s); got != want {
			t.Errorf("epoch %d: digest %s, want %s", epoch, got, want)
		}
	}
}

// A case that the tests of other validators use: 321 slots, so that the last
// rotation is short.
func TestRealRandom100(t *testing.T) {
	var c struct {
		Epoch, Slots uint64
		Repeat       int
		Leaders      []Pubkey
		Stakes       []pair
	}
	if err := json.Unmarshal(sharedFile(t, "agave-random100-epoch123.json"), &c); err != nil {
		t.Fatal(err)
	}
	entries := make([]Entry, len(c.Stakes))
	for i, p := range c.Stakes {
		entries[i] = Entry{Key: p.key, Stake: p.stake}
	}
	s := mustDerive(t, mustStakes(t, entries, KeyedByVote), Params{Epoch: c.Epoch, Slots: c.Slots, Repeat: c.Repeat})
	if len(c.Leaders) != 321 || s.Rotations() != 81 {
		t.Fatalf("%d leaders, %d rotations", len(c.Leaders), s.Rotations())
	}
	equalSlices(t, "leaders", expand(s), c.Leaders)
}

// pair is a JSON array of a key and a stake.
type pair struct {
	key   Pubkey
	stake uint64
}

func (p *pair) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&p.key, &p.stake})
}

// A real list that is not in order gives the schedule of the sorted list.
func TestRealUnsorted(t *testing.T) {
	entries := sharedStakes(t, "testnet-unsorted-stakes.csv")
	byStake := func(a, b Entry) int {
		switch {
		case a.Stake > b.Stake || a.Stake == b.Stake && a.Key.Compare(b.Key) > 0:
			return -1
		default:
			return 1
		}
	}
	if slices.IsSortedFunc(entries, byStake) {
		t.Fatal("the list is sorted: it shows nothing")
	}
	p := Params{Epoch: 1, Slots: 8192}
	got := mustDerive(t, mustStakes(t, entries, KeyedByIdentity), p)
	want := refDerive(entries, KeyedByIdentity, p)
	if got.Digest() != sha256.Sum256(concat(want.leaders())) {
		t.Error("wrong digest")
	}
	slices.SortFunc(entries, byStake)
	if s := mustDerive(t, mustStakes(t, entries, KeyedByIdentity), p); s.Digest() != got.Digest() {
		t.Error("sorting the list changes the schedule")
	}
}
