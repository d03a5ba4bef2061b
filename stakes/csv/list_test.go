package csv

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/internal/text"
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
	l.Provenance = list.Provenance{Kind: list.KindCSV, Vintage: list.VintageUnknown}
	if rng.IntN(2) == 0 {
		epoch, slot, hash := rng.Uint64(), schedule.Slot(rng.Uint64()), key()
		l.Provenance = list.Provenance{
			Kind: list.KindSnapshot, Source: "a, \"b\" # c\n", Cluster: "testnet", GenesisHash: &hash,
			EpochSchedule: &schedule.EpochSchedule{SlotsPerEpoch: rng.Uint64(), Warmup: true},
			Epoch:         &epoch, Slot: &slot, Vintage: list.VintageExact, Reason: "é",
			Notes: []string{strings.Repeat("long ", rng.IntN(2)*2_000), "short"},
		}
	}
	return l
}

func TestListRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		want := randomList(rng)
		var out bytes.Buffer
		if err := WriteList(&out, want); err != nil {
			t.Fatal(err)
		}
		written := bytes.Clone(out.Bytes())
		got, err := ReadList(&out, "other name")
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v became %+v, %v", want, got, err)
		}
		// To what knows entries alone, the rest is a comment.
		entries, hasVotes, err := Read(bytes.NewReader(written), "entries")
		if err != nil || hasVotes != want.HasVotes || !reflect.DeepEqual(entries, want.Entries) {
			t.Fatalf("entries %v, %v", entries, err)
		}
	}
}

func TestWriteListForm(t *testing.T) {
	epoch := uint64(7)
	l := &list.List{
		Entries:    []schedule.Entry{{Key: a, Node: b, Stake: 5}},
		HasVotes:   true,
		Accounts:   []list.Account{{Lamports: 27, BLS: true}},
		Provenance: list.Provenance{Kind: list.KindGenesis, Source: "g", Epoch: &epoch, Vintage: list.VintageExact},
	}
	want := `# schedgen: {"kind":"genesis","source":"g","epoch":7,"vintage":"exact"}
vote_pubkey,node_pubkey,stake,balance,bls
` + a.String() + "," + b.String() + ",5,27,true\n"
	var out strings.Builder
	if err := WriteList(&out, l); err != nil || out.String() != want {
		t.Errorf("got %q, %v, want %q", out.String(), err, want)
	}
}

// A list that nobody annotated is as it ever was: of unknown epoch and vintage.
func TestReadListPlain(t *testing.T) {
	l, err := ReadList(strings.NewReader("# schedgen: made by hand\n"+keyA+",1\n# schedgen: later\n"), "list.csv")
	if err != nil {
		t.Fatal(err)
	}
	p := l.Provenance
	if p.Kind != list.KindCSV || p.Source != "list.csv" || p.Vintage != list.VintageUnknown || p.Reason == "" || p.Epoch != nil || l.Accounts != nil {
		t.Errorf("%+v", l)
	}
}

func TestReadListAccounts(t *testing.T) {
	in := "BLS,stake,balance,identity,vote account\r\nTRUE,5,18446744073709551615," + keyA + "," + keyB + "\r\nfalse,6,0," + keyA + "," + keyC + "\r\n"
	l, err := ReadList(strings.NewReader(in), "list.csv")
	want := []list.Account{{Lamports: 1<<64 - 1, BLS: true}, {}}
	if err != nil || !reflect.DeepEqual(l.Accounts, want) || !l.HasVotes || l.Entries[1].Stake != 6 {
		t.Errorf("got %+v, %v", l, err)
	}
}

func TestReadListErrors(t *testing.T) {
	const good = `# schedgen: {"kind":"csv","source":"x","vintage":"exact"}` + "\n"
	head := "pubkey,stake,balance,bls\n"
	for _, c := range []struct {
		name, in string
		want     error
		line     int
		field    string
		says     string
	}{
		{"one of two", "pubkey,stake,balance\n" + keyA + ",1,2\n", ErrHeader, 1, "", "both or none"},
		{"the other", "pubkey,stake,bls\n" + keyA + ",1,true\n", ErrHeader, 1, "", "both or none"},
		{"twice", "pubkey,stake,bls,BLS\n", ErrHeader, 1, "", "same column"},
		{"balance", head + keyA + ",1,1.5,true\n", ErrAccount, 2, "balance", "fraction"},
		{"bls", head + keyA + ",1,2,1\n", ErrAccount, 2, "bls", "true or false"},
		{"short", head + keyA + ",1\n", ErrFields, 2, "", "2, want 4"},
		{"provenance twice", good + good + keyA + ",1\n", ErrProvenance, 2, "", "one list a file"},
		{"provenance late", keyA + ",1\n" + good, ErrProvenance, 2, "", "before the first row"},
		{"provenance cut", "# schedgen: {\"kind\"\n" + keyA + ",1\n", ErrProvenance, 1, "", "JSON"},
		{"provenance twice a member", "\n# schedgen: {\"kind\":\"a\",\"kind\":\"b\"}\n" + keyA + ",1\n", ErrProvenance, 2, "", "twice"},
		{"provenance too long", "# schedgen: {" + strings.Repeat(" ", text.MaxProvenance) + "}\n" + keyA + ",1\n", ErrLine, 1, "", "long"},
		{"comment too long", "# schedgen, " + strings.Repeat("x", MaxLine) + "\n" + keyA + ",1\n", ErrLine, 1, "", "4096"},
		{"provenance only", good, ErrNoEntries, 0, "", "rows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := ReadList(strings.NewReader(c.in), "list.csv")
			var e *Error
			if !errors.Is(err, c.want) || !errors.As(err, &e) || l != nil {
				t.Fatalf("got %v, %v, want %v", l, err, c.want)
			}
			if e.Line != c.line || e.Field != c.field || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v: line %d, field %q, want %d, %q and %q", e, e.Line, e.Field, c.line, c.field, c.says)
			}
		})
	}
}

// A line that says where a list comes from must not be gathered without end.
func TestProvenanceWithoutEnd(t *testing.T) {
	r := &endless{}
	in := io.MultiReader(strings.NewReader(marker+"{"), r)
	if _, err := ReadList(in, "endless"); !errors.Is(err, ErrLine) {
		t.Fatalf("got %v, want ErrLine", err)
	}
	if r.read > text.MaxProvenance+4*MaxLine {
		t.Errorf("read %d bytes of one line", r.read)
	}
}

func TestWriteListErrors(t *testing.T) {
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
		if err := WriteList(&out, &c.l); !errors.Is(err, c.want) || out.Len() > 0 {
			t.Errorf("%s: got %v and %d bytes, want %v and none", c.name, err, out.Len(), c.want)
		}
	}
	if err := WriteList(full{}, &list.List{Entries: one}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("full: got %v", err)
	}
}

// A list that is cut anywhere is an error or a shorter list, never a panic.
func TestReadListCut(t *testing.T) {
	var out bytes.Buffer
	l := randomList(rand.New(rand.NewPCG(3, 4)))
	l.Provenance.Notes = []string{"a note"}
	if err := WriteList(&out, l); err != nil {
		t.Fatal(err)
	}
	for n := range out.Len() {
		l, err := ReadList(bytes.NewReader(out.Bytes()[:n]), "cut")
		if (l == nil) == (err == nil) {
			t.Fatalf("at %d: %v, %v", n, l, err)
		}
	}
}
