package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// randomList has every kind of thing that a list can have, or none of it.
func randomList(rng *rand.Rand) *list.List {
	l := &list.List{HasVotes: rng.IntN(2) == 0}
	key := func() (k schedule.Pubkey) {
		for i := range k {
			k[i] = byte(rng.Uint32())
		}
		return k
	}
	withAccounts := rng.IntN(2) == 0
	for range 1 + rng.IntN(20) {
		e := schedule.Entry{Key: key(), Stake: rng.Uint64() >> rng.IntN(64)}
		e.Node = e.Key
		if l.HasVotes {
			e.Node = key()
		}
		l.Entries = append(l.Entries, e)
		if withAccounts {
			l.Accounts = append(l.Accounts, list.Account{Lamports: rng.Uint64() >> rng.IntN(64), BLS: rng.IntN(2) == 0})
		}
	}
	l.Provenance = list.Provenance{Kind: list.KindJSON, Vintage: list.VintageUnknown}
	if rng.IntN(2) == 0 {
		epoch, slot, hash := rng.Uint64(), schedule.Slot(rng.Uint64()), key()
		l.Provenance = list.Provenance{
			Kind: list.KindRPC, Source: "a \"b\" <c>\n", Cluster: "mainnet-beta", GenesisHash: &hash,
			EpochSchedule: &schedule.EpochSchedule{SlotsPerEpoch: rng.Uint64(), FirstNormalSlot: schedule.Slot(rng.Uint64())},
			Epoch:         &epoch, Slot: &slot, Vintage: list.VintageApproximate, Reason: "é",
			Notes: []string{strings.Repeat("long ", rng.IntN(2)*20_000), "short"},
		}
	}
	return l
}

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		want := randomList(rng)
		var out bytes.Buffer
		if err := Write(&out, want); err != nil {
			t.Fatal(err)
		}
		written := bytes.Clone(out.Bytes())
		set, err := Read(&out, "other name")
		if err != nil || !reflect.DeepEqual(&set.Lists[0], want) {
			t.Fatalf("%+v became %+v, %v", want, set, err)
		}

		// Programs that know nothing of the form may print it again, sorted and
		// indented.
		var any map[string]any
		d := json.NewDecoder(bytes.NewReader(written))
		d.UseNumber()
		if err := d.Decode(&any); err != nil {
			t.Fatal(err)
		}
		sorted, err := json.MarshalIndent(any, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if set, err = Read(bytes.NewReader(sorted), "other name"); err != nil || !reflect.DeepEqual(&set.Lists[0], want) {
			t.Fatalf("%+v became %+v, %v", want, set, err)
		}
	}
}

func TestWriteForm(t *testing.T) {
	epoch := uint64(7)
	a, b := key(t, keyA), key(t, keyB)
	l := &list.List{
		Entries:    []schedule.Entry{{Key: a, Node: b, Stake: 1<<64 - 1}, {Key: b, Stake: 0}},
		HasVotes:   true,
		Accounts:   []list.Account{{Lamports: 27, BLS: true}, {}},
		Provenance: list.Provenance{Kind: list.KindGenesis, Source: "g", Epoch: &epoch, Vintage: list.VintageExact},
	}
	want := `{
  "format": "schedgen-stakes",
  "version": 1,
  "keyedBy": "vote",
  "provenance": {"kind":"genesis","source":"g","epoch":7,"vintage":"exact"},
  "stakes": [
    {"vote":"` + keyA + `","node":"` + keyB + `","stake":"18446744073709551615","balance":"27","bls":true},
    {"vote":"` + keyB + `","node":"` + keyB + `","stake":"0","balance":"0","bls":false}
  ]
}
`
	var out strings.Builder
	if err := Write(&out, l); err != nil || out.String() != want {
		t.Errorf("got %s, %v, want %s", out.String(), err, want)
	}
}

// ownForm is our own form with an entry; what is in the place of a member changes
// it.
func ownForm(member, value string) string {
	members := []string{
		"format", quoted(marker), "version", "1", "keyedBy", quoted("identity"),
		"provenance", `{"kind":"x","source":"y","vintage":"exact"}`,
		"stakes", "[" + fields("node", quoted(keyA), "stake", "5", "balance", quoted("7"), "bls", "true") + "]",
	}
	for i := 0; i < len(members); i += 2 {
		if members[i] == member {
			if value == "" {
				return fields(append(members[:i:i], members[i+2:]...)...)
			}
			members[i+1] = value
		}
	}
	return fields(members...)
}

func TestReadOwnForm(t *testing.T) {
	l := readOne(t, ownForm("", ""))
	if len(l.Accounts) != 1 || l.Accounts[0] != (list.Account{Lamports: 7, BLS: true}) || l.Entries[0].Stake != 5 || l.Provenance.Kind != "x" {
		t.Errorf("got %+v", l)
	}
	l = readOne(t, ownForm("provenance", ""))
	if p := l.Provenance; p.Kind != list.KindJSON || p.Source != "list.json" || p.Vintage != list.VintageUnknown {
		t.Errorf("without provenance: %+v", p)
	}
	// Another format's name means nothing.
	l = readOne(t, `{"format":"other","keyedBy":5,"stakes":[`+fields("node", quoted(keyA), "stake", "5", "bls", "1")+"]}")
	if p := l.Provenance; p.Kind != list.KindRows || l.Accounts != nil {
		t.Errorf("another format: %+v", l)
	}
}

func TestReadOwnFormErrors(t *testing.T) {
	row := func(pairs ...string) string { return "[" + fields(pairs...) + "]" }
	for _, c := range []struct {
		member, value string
		want          error
		path          string
		says          string
	}{
		{"version", "2", ErrForm, "version", `"2" of our own form, want 1`},
		{"version", quoted("1"), ErrMember, "version", "want the number 1"},
		{"version", "", ErrMember, "", "no version"},
		{"keyedBy", "", ErrMember, "", "no keyedBy"},
		{"keyedBy", quoted("stake"), schedule.ErrKeying, "keyedBy", "vote or identity"},
		{"keyedBy", "null", ErrMember, "keyedBy", "null"},
		{"keyedBy", quoted("vote"), ErrMember, "", "keyed by identity"},
		{"stakes", "", ErrMember, "", "no stakes"},
		{"stakes", "{}", ErrMember, "stakes", "an object"},
		{"stakes", "[]", ErrNoEntries, "", "no entry"},
		{"stakes", row("node", quoted(keyA), "stake", "5", "bls", "true"), ErrMember, "stakes[0]", "balance and bls"},
		{"stakes", row("node", quoted(keyA), "stake", "5", "balance", "5"), ErrMember, "stakes[0]", "balance and bls"},
		{"stakes", row("node", quoted(keyA), "stake", "5", "balance", "5.5", "bls", "true"), ErrAccount, "stakes[0].balance", "fraction"},
		{"stakes", row("node", quoted(keyA), "stake", "5", "balance", "5", "bls", "1"), ErrMember, "stakes[0].bls", "true or false"},
		{"stakes", "[" + fields("node", quoted(keyA), "stake", "5") + "," + fields("node", quoted(keyB), "stake", "5", "balance", "5", "bls", "true") + "]", ErrMember, "stakes[1]", "in all rows or none"},
		{"provenance", "{}", ErrProvenance, "provenance", "no kind"},
		{"provenance", `{"epoch":-1}`, ErrProvenance, "provenance.epoch", `a JSON number -1, want a whole number of at most 18446744073709551615`},
		{"provenance", `{"epochSchedule":{"warmup":1}}`, ErrProvenance, "provenance.epochSchedule.warmup", "a JSON number, want true or false"},
		{"provenance", `{"genesisHash":5}`, ErrProvenance, "provenance.genesisHash", "want a hash in base58"},
		{"provenance", `{"notes":5}`, ErrProvenance, "provenance.notes", "want an array"},
		{"provenance", "5", ErrProvenance, "provenance", "want an object"},
		{"provenance", `{"kind":"x","vintage":"exact","kind":"y"}`, ErrProvenance, "provenance", "twice"},
		{"provenance", `{"kind":"x","vintage":"exact","notes":["` + strings.Repeat("x", 2<<20) + `"]}`, ErrLimit, "provenance", "long"},
		{"provenance", `{"kind":}`, ErrSyntax, "provenance", "invalid"},
	} {
		_, err := Read(strings.NewReader(ownForm(c.member, c.value)), "x")
		var e *Error
		if !errors.Is(err, c.want) || !errors.As(err, &e) || e.Path != c.path || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %.80s: got %v, want %v at %q with %q", c.member, c.value, err, c.want, c.path, c.says)
		}
	}
	late := `{"stakes":[` + fields("node", quoted(keyA), "stake", "5") + `],"format":"` + marker + `"}`
	if _, err := Read(strings.NewReader(late), "x"); !errors.Is(err, ErrMember) || !strings.Contains(err.Error(), "format before stakes") {
		t.Errorf("late format: %v", err)
	}
	twice := `{"format":"` + marker + `","format":"` + marker + `"}`
	if _, err := Read(strings.NewReader(twice), "x"); !errors.Is(err, ErrMember) || !strings.Contains(err.Error(), "twice") {
		t.Errorf("format twice: %v", err)
	}
}

func TestWriteErrors(t *testing.T) {
	a, b := schedule.Pubkey{1}, schedule.Pubkey{2}
	one := []schedule.Entry{{Key: a, Node: a, Stake: 1}}
	for _, c := range []struct {
		name string
		l    list.List
		want error
	}{
		{"empty", list.List{}, ErrNoEntries},
		{"accounts", list.List{Entries: one, Accounts: make([]list.Account, 2)}, ErrAccount},
		{"no accounts", list.List{Entries: one, Accounts: []list.Account{}}, ErrAccount},
		{"two keys", list.List{Entries: []schedule.Entry{{Key: a, Node: b}}}, ErrKey},
		{"nobody leads", list.List{Entries: make([]schedule.Entry, 1), HasVotes: true}, ErrKey},
		{"vintage", list.List{Entries: one, Provenance: list.Provenance{Vintage: "old"}}, ErrProvenance},
	} {
		var out bytes.Buffer
		if err := Write(&out, &c.l); !errors.Is(err, c.want) || out.Len() > 0 {
			t.Errorf("%s: got %v and %d bytes, want %v and none", c.name, err, out.Len(), c.want)
		}
	}
	if err := Write(full{}, &list.List{Entries: one}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("full: got %v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
