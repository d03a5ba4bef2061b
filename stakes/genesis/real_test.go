package genesis

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"strconv"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// digestOf returns the digest of a list's own schedule, keyed by identity.
func digestOf(t *testing.T, l *list.List) string {
	t.Helper()
	st, err := schedule.NewStakes(l.Entries, schedule.KeyedByIdentity)
	if err != nil {
		t.Fatal(err)
	}
	epoch, es := *l.Provenance.Epoch, l.Provenance.EpochSchedule
	s, err := schedule.Derive(st, schedule.Params{Epoch: epoch, FirstSlot: es.FirstSlot(epoch), Slots: es.SlotsIn(epoch)})
	if err != nil {
		t.Fatal(err)
	}
	sum := s.Digest()
	return hex.EncodeToString(sum[:])
}

// onlyLeader returns the digest of a schedule in which one identity leads all
// slots.
func onlyLeader(node string, slots int) string {
	k := mustKey(node)
	sum := sha256.Sum256(bytes.Repeat(k[:], slots))
	return hex.EncodeToString(sum[:])
}

// real is what is known of a real genesis by other means.
type real struct {
	hash, cluster string
	stakes        map[string]uint64 // by identity
	votes         []string          // ascending
	account       list.Account
	es            schedule.EpochSchedule
	digests       []string // of the schedules, by epoch
}

func (want *real) check(t *testing.T, set *list.Set, err error, name string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Lists) != len(want.digests) {
		t.Fatalf("%d lists, want %d", len(set.Lists), len(want.digests))
	}
	for epoch := range set.Lists {
		l := &set.Lists[epoch]
		p := &l.Provenance
		if p.Kind != list.KindGenesis || p.Source != name || p.Cluster != want.cluster || p.GenesisHash.String() != want.hash ||
			*p.EpochSchedule != want.es || *p.Epoch != uint64(epoch) || *p.Slot != 0 || p.Vintage != list.VintageExact ||
			p.Reason == "" || len(p.Notes) != 0 {
			t.Errorf("epoch %d: %v, hash %v, %+v, notes %q", epoch, p, p.GenesisHash, p.EpochSchedule, p.Notes)
		}
		stakes := map[string]uint64{}
		var votes []string
		for _, e := range l.Entries {
			stakes[e.Node.String()] = e.Stake
			votes = append(votes, e.Key.String())
		}
		if !maps.Equal(stakes, want.stakes) || !l.HasVotes {
			t.Errorf("epoch %d: stakes %v, want %v", epoch, stakes, want.stakes)
		}
		equal(t, "vote accounts", votes, want.votes)
		for _, a := range l.Accounts {
			if a != want.account {
				t.Errorf("epoch %d: account %+v, want %+v", epoch, a, want.account)
			}
		}
		if len(l.Accounts) != len(l.Entries) {
			t.Errorf("epoch %d: %d accounts of %d entries", epoch, len(l.Accounts), len(l.Entries))
		}
		if got := digestOf(t, l); got != want.digests[epoch] {
			t.Errorf("epoch %d: digest %s, want %s", epoch, got, want.digests[epoch])
		}
	}
}

func TestRealMainnet(t *testing.T) {
	data := sharedFile(t, "genesis-mainnet-beta.bin")
	var known struct {
		Genesis struct {
			Stakes         map[string]string
			Epoch0, Epoch1 string
		} `json:"mainnet_beta_genesis"`
	}
	text := sharedFile(t, "real_clusters.json")
	text = bytes.ReplaceAll(text, []byte("_schedule_sha256"), nil)
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	stakes := map[string]uint64{}
	for node, lamports := range known.Genesis.Stakes {
		n, err := strconv.ParseUint(lamports, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		stakes[node] = n
	}
	if len(stakes) != 4 {
		t.Fatalf("%d known identities", len(stakes))
	}
	want := real{
		hash:    "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
		cluster: "mainnet-beta",
		stakes:  stakes,
		votes: []string{
			"sCtiJieP8B3SwYnXemiLpRFRR8KJLMtsMVN25fAFWjW",
			"4785anyR2rYSas6cQGHtykgzwYEtChvFYhcEgdDw3gGL",
			"8XgHUtBRY6qePVYERxosyX3MUq8NQkjtmFDSzQ2WpHTJ",
			"9bRDrYShoQ77MZKYTMoAsoCkU7dAR24mxYCBjXLpfEJx",
		},
		account: list.Account{Lamports: 26_858_640},
		es:      public,
		digests: []string{known.Genesis.Epoch0, known.Genesis.Epoch1},
	}
	set, err := Read(bytes.NewReader(data), "genesis.bin")
	want.check(t, set, err, "genesis.bin")
	set, err = ReadArchive(bytes.NewReader(archiveOf(member{"genesis.bin", data})), "genesis.tar")
	want.check(t, set, err, "genesis.tar")
}

// The only vote account of testnet's genesis has the layout without version.
func TestRealTestnet(t *testing.T) {
	const node = "5D1fNXzvv5NjV1ysLjirC4WY92RNsVH18vjmcszZd8on"
	es, err := schedule.ClusterSchedule("testnet")
	if err != nil {
		t.Fatal(err)
	}
	want := real{
		hash:    "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY",
		cluster: "testnet",
		stakes:  map[string]uint64{node: 499_999_997_717_120},
		votes:   []string{"5rhxGv2XgBZCfo5u5hSXE1g5w7vrYSviwTfKc2rs23Av"},
		account: list.Account{Lamports: 27_714_720},
		es:      es,
		digests: []string{onlyLeader(node, 32), onlyLeader(node, 64)},
	}
	set, err := Read(bytes.NewReader(sharedFile(t, "genesis-testnet.bin")), "genesis.bin")
	want.check(t, set, err, "genesis.bin")
}

// A ledger of solana-test-validator, as it packs its genesis.
func TestRealTestLedger(t *testing.T) {
	const node = "8MBL9kAC9wMQoLu2pq138qgX5oKwRyrcweBb9kWV3Lt1"
	want := real{
		hash:    "39XNwNdGAiRka2guzqyca6hsLV9tUVC1c4wJczoQFz23",
		stakes:  map[string]uint64{node: 999_999_997_717_120},
		votes:   []string{"9FuCgci4yAzji2XuMHFP14CD7WBtVYxiavog2AYisETv"},
		account: list.Account{Lamports: 1_000_000_000_000_000},
		es:      public,
		digests: []string{onlyLeader(node, 432_000), onlyLeader(node, 432_000)},
	}
	data := sharedFile(t, "test-ledger-genesis.tar.bz2")
	set, err := ReadArchive(bytes.NewReader(data), "genesis.tar.bz2")
	want.check(t, set, err, "genesis.tar.bz2")

	// Damage behind genesis.bin shows, too.
	data[len(data)-len(data)/20] ^= 1
	_, err = ReadArchive(bytes.NewReader(data), "genesis.tar.bz2")
	wantError(t, err, ErrArchive, "genesis.tar.bz2: archive cannot be unpacked: ")
}

// A small archive that bzip2 made of the genesis that small describes and two
// members that are passed over.
func TestBzip2(t *testing.T) {
	data, err := os.ReadFile("testdata/small.tar.bz2")
	if err != nil {
		t.Fatal(err)
	}
	set, err := ReadArchive(bytes.NewReader(data), "small.tar.bz2")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "entries", set.Lists[0].Entries, smallEntries)
	for n := range data {
		if _, err := ReadArchive(bytes.NewReader(data[:n]), "cut"); err == nil {
			t.Errorf("no error with %d of %d bytes", n, len(data))
		}
	}
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 1 << (i % 8)
		// The level of compression, and the bits that fill the last byte, say nothing.
		if set, err := ReadArchive(bytes.NewReader(bad), "bad"); err == nil && !bytes.Equal(set.Lists[0].Provenance.GenesisHash[:], hashOf(small())) {
			t.Errorf("byte %d: another genesis and no error", i)
		}
	}
}
