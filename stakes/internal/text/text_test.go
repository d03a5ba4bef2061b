package text

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

func TestColumnOf(t *testing.T) {
	for name, want := range map[string]Column{
		"vote_pubkey": Vote, "votePubkey": Vote, "Vote Account": Vote, "vote_account": Vote, "voteAccountPubkey": Vote, "vote-identity": Vote,
		"node_pubkey": Node, "nodePubkey": Node, "IDENTITY": Node, "identityPubkey": Node, "node": Node, "pubkey": Node,
		"stake": Stake, "activatedStake": Stake, "activated_stake": Stake, "activeStake": Stake, "lamports": Stake,
		"balance": Balance, "BLS": BLS,
		"": NoColumn, "_": NoColumn, "stakes": NoColumn, "vote_account_pubkeys": NoColumn, "commission": NoColumn,
		"______________________stake______________________": Stake,
		strings.Repeat("v", 1_000):                          NoColumn,
	} {
		if got := ColumnOf(name); got != want {
			t.Errorf("%q: column %d, want %d", name, got, want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { ColumnOf("voteAccountPubkey") }); n != 0 {
		t.Errorf("%v allocations a name", n)
	}
}

func TestLamports(t *testing.T) {
	bad := errors.New("bad")
	for s, want := range map[string]uint64{"0": 0, "007": 7, "18446744073709551615": 1<<64 - 1, "9007199254740993": 1<<53 + 1} {
		if got, err := Lamports(s, bad); err != nil || got != want {
			t.Errorf("%s: %d, %v", s, got, err)
		}
	}
	for s, says := range map[string]string{
		"": "empty", "-1": "negative", "-0": "negative", "1.5": "fraction", "1.0": "fraction", "1e9": "exponent", "-1E9": "exponent",
		"18446744073709551616": "too large", "+1": "no number", " 1": "no number", "0x1": "no number", "1_0": "no number", "Inf": "no number",
		strings.Repeat("9", 1_000): "too large",
	} {
		_, err := Lamports(s, bad)
		if !errors.Is(err, bad) || !strings.Contains(err.Error(), says) || len(err.Error()) > 200 {
			t.Errorf("%q: %v, want %q", s, err, says)
		}
	}
}

func full() list.Provenance {
	epoch, slot := uint64(1<<64-1), schedule.Slot(1<<64-1)
	hash := schedule.Pubkey{0: 1, 31: 9}
	return list.Provenance{
		Kind: list.KindSnapshot, Source: "C:\\a \"b\"\n<&>\u2028é \x00", Cluster: "testnet",
		GenesisHash:   &hash,
		EpochSchedule: &schedule.EpochSchedule{SlotsPerEpoch: 432_000, LeaderScheduleSlotOffset: 1<<64 - 1, Warmup: true, FirstNormalEpoch: 14, FirstNormalSlot: 524_256},
		Epoch:         &epoch, Slot: &slot, Vintage: list.VintageExact, Reason: "why\r\n", Notes: []string{"", "a", strings.Repeat("n", 10_000)},
	}
}

func TestProvenance(t *testing.T) {
	for _, want := range []list.Provenance{full(), {Kind: list.KindCSV, Vintage: list.VintageUnknown}} {
		line, err := AppendProvenance([]byte("# "), want, list.KindJSON)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(line), "# {") || strings.ContainsAny(string(line), "\r\n") {
			t.Errorf("%q is not one line", line)
		}
		if got, err := ParseProvenance(line[2:]); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v became %+v, %v", want, got, err)
		}
	}
	line, err := AppendProvenance(nil, list.Provenance{}, list.KindJSON)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ParseProvenance(line); err != nil || got.Kind != list.KindJSON || got.Vintage != list.VintageUnknown {
		t.Errorf("blank provenance became %+v, %v", got, err)
	}
}

func TestProvenanceErrors(t *testing.T) {
	for in, says := range map[string]string{
		`{}`:                             "no kind",
		`{"kind":"csv"}`:                 "vintage",
		`{"kind":"csv","vintage":"old"}`: `"old", want unknown, exact or approximate`,
		`{"kind":"csv","vintage":"exact","Kind":"x"}`:         "twice",
		`{"kind":"csv","vintage":"exact","epoch":-1}`:         "epoch",
		`{"kind":"csv","vintage":"exact","epoch":1.5}`:        "epoch",
		`{"kind":"csv","vintage":"exact","genesisHash":"0"}`:  "base58",
		`{"kind":"csv","vintage":"exact","x":{"a":1,"a":2}}`:  "twice",
		`{"kind":"csv","vintage":"exact","\u212aind":"csv"}`:  "twice", // the kelvin sign is a k
		`{"kind":"csv","vintage":"exact"`:                     "end of JSON",
		`{"kind":"csv","vintage":"exact"} {"kind":"csv"}`:     "after top-level",
		`{"kind":"csv","vintage":"exact","epochSchedule":[]}`: "epochSchedule",
		`[]`: "array",
		`5`:  "number",
		``:   "end of JSON",
	} {
		_, err := ParseProvenance([]byte(in))
		if !errors.Is(err, ErrProvenance) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", in, err, says)
		}
	}
	if _, err := AppendProvenance(nil, list.Provenance{Vintage: "old"}, list.KindJSON); !errors.Is(err, ErrProvenance) {
		t.Errorf("unknown vintage: %v", err)
	}
	p := list.Provenance{Notes: []string{strings.Repeat("n", MaxProvenance)}}
	if _, err := AppendProvenance(nil, p, list.KindJSON); !errors.Is(err, ErrProvenance) {
		t.Errorf("long note: %v", err)
	}
}

// FuzzProvenance: what is read can be written and read back.
func FuzzProvenance(f *testing.F) {
	line, _ := AppendProvenance(nil, full(), "")
	f.Add(line)
	f.Add([]byte(`{"kind":"csv","vintage":"exact","x":[{},{"a":[]}]}`))
	f.Add([]byte(`{"kind":"csv","vintage":"exact","notes":[]}`))
	f.Add([]byte(`[[[{"a`))
	f.Fuzz(func(t *testing.T, in []byte) {
		p, err := ParseProvenance(in)
		if err != nil {
			if !errors.Is(err, ErrProvenance) {
				t.Fatal(err)
			}
			return
		}
		if len(p.Notes) == 0 {
			p.Notes = nil
		}
		line, err := AppendProvenance(nil, p, "")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseProvenance(line); err != nil || !reflect.DeepEqual(again, p) {
			t.Fatalf("%+v became %+v, %v", p, again, err)
		}
	})
}
