package csv

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/schedgen/schedgen/schedule"
)

const (
	keyA = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"
	keyB = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"
	keyC = "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8"
)

var (
	a = schedule.Pubkey{0: 1}
	b = schedule.Pubkey{31: 2}
)

func mustKey(t testing.TB, text string) schedule.Pubkey {
	t.Helper()
	k, err := schedule.ParsePubkey(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestRead(t *testing.T) {
	kA, kB, kC := mustKey(t, keyA), mustKey(t, keyB), mustKey(t, keyC)
	two := []schedule.Entry{{Key: kA, Node: kA, Stake: 5}, {Key: kB, Node: kB, Stake: 18446744073709551615}}
	three := []schedule.Entry{{Key: kA, Node: kC, Stake: 5}, {Key: kB, Node: kC, Stake: 0}}
	for _, c := range []struct {
		name, in string
		want     []schedule.Entry
		hasVotes bool
	}{
		{"no header", keyA + ",5\n" + keyB + ",18446744073709551615\n", two, false},
		{"header", "pubkey,stake\n" + keyA + ",5\n" + keyB + ",18446744073709551615\n", two, false},
		{"swapped header", "Stake,Identity\n5," + keyA + "\n18446744073709551615," + keyB, two, false},
		{"no last line end", keyA + ",5\n" + keyB + ",18446744073709551615", two, false},
		{"CRLF and BOM", "\ufeffpubkey,stake\r\n" + keyA + ",5\r\n" + keyB + ",18446744073709551615\r\n", two, false},
		{"CR at the end", keyA + ",5\r\n" + keyB + ",18446744073709551615\r", two, false},
		{"comments and blank lines", "# list\n\n \t \n" + keyA + ",5\n  # a \" comment\n\r\n" + keyB + ",18446744073709551615\n#", two, false},
		{"BOM before a comment", "\ufeff# list\n" + keyA + ",5\n" + keyB + ",18446744073709551615\n", two, false},
		{"space", " pubkey\t, stake \n " + keyA + " ,\t5 \n" + keyB + " , 18446744073709551615", two, false},
		{"quotes", `"pubkey","stake"` + "\n\"" + keyA + "\",\"5\"\n" + keyB + `,"18446744073709551615"`, two, false},
		{"leading zeros", keyA + ",005\n" + keyB + ",018446744073709551615\n", two, false},
		{"three columns", keyA + "," + keyC + ",5\n" + keyB + "," + keyC + ",0\n", three, true},
		{"three named", "vote_pubkey,node_pubkey,stake\n" + keyA + "," + keyC + ",5\n" + keyB + "," + keyC + ",0\n", three, true},
		{"three moved", "activatedStake,nodePubkey,votePubkey\n5," + keyC + "," + keyA + "\n0," + keyC + "," + keyB + "\n", three, true},
		{"words", "Lamports,Vote Account,Identity\n5," + keyA + "," + keyC + "\n0," + keyB + "," + keyC + "\n", three, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in))} {
				got, hasVotes, err := Read(r, "list.csv")
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got, c.want) || hasVotes != c.hasVotes {
					t.Errorf("got %v, %v, want %v, %v", got, hasVotes, c.want, c.hasVotes)
				}
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	long := strings.Repeat("x", MaxLine)
	for _, c := range []struct {
		name, in     string
		want         error
		line, column int
		field        string
		says         string // part of the message
	}{
		{"empty", "", ErrNoEntries, 0, 0, "", "pubkey,stake"},
		{"blank", "\n# nothing\n", ErrNoEntries, 0, 0, "", "pubkey,stake"},
		{"header only", "pubkey,stake\n", ErrNoEntries, 0, 0, "", "after the header"},
		{"one field", keyA + "\n", ErrFields, 1, 0, "", "1, want pubkey,stake or"},
		{"four fields", "# x\n" + keyA + ",1,2,3\n", ErrFields, 2, 0, "", "4, want"},
		{"semicolons", "pubkey;stake\n" + keyA + ";1\n", ErrFields, 1, 0, "", "1, want"},
		{"short row", keyA + ",1\n\n" + keyB + "\n", ErrFields, 3, 0, "", "1, want 2"},
		{"long row", keyA + ",1\n" + keyB + "," + keyC + ",1\n", ErrFields, 2, 0, "", "3, want 2"},
		{"base58", "pubkey,stake\n 0" + keyA[1:] + ",1\n", schedule.ErrPubkeyDigit, 2, 2, "pubkey", `"0" at position 1`},
		{"short key", "1,4vJ9\n", schedule.ErrPubkeySize, 1, 1, "pubkey", "32"},
		{"long key", keyA + keyB + ",1\n", schedule.ErrPubkeySize, 1, 1, "pubkey", "44"},
		{"no key", ",1\n", schedule.ErrPubkeySize, 1, 1, "pubkey", "empty"},
		{"vote", "x,stake,vote\n", ErrHeader, 1, 0, "", `"x"`},
		{"vote key", keyA + "," + keyB + ",1\nl," + keyB + ",1\n", schedule.ErrPubkeyDigit, 2, 1, "vote_pubkey", `"l"`},
		{"node key", keyA + ", I" + keyB[1:] + ",1\n", schedule.ErrPubkeyDigit, 1, len(keyA) + 3, "node_pubkey", `"I"`},
		{"zero node", keyA + ",11111111111111111111111111111111,1\n", ErrKey, 1, len(keyA) + 2, "node_pubkey", "zero"},
		{"negative", keyA + ",-1\n", ErrStake, 1, len(keyA) + 2, "stake", `"-1" is negative`},
		{"fraction", keyA + ",1.5\n", ErrStake, 1, len(keyA) + 2, "stake", `"1.5" is a fraction`},
		{"exponent", keyA + ",1e9\n", ErrStake, 1, len(keyA) + 2, "stake", "exponent"},
		{"too large", keyA + ",18446744073709551616\n", ErrStake, 1, len(keyA) + 2, "stake", "at most 18446744073709551615"},
		{"no stake", keyA + ",\n", ErrStake, 1, len(keyA) + 2, "stake", "empty"},
		{"word", keyA + ",many\n", ErrStake, 1, len(keyA) + 2, "stake", `"many" is no number`},
		{"infinite", keyA + ",Inf\n", ErrStake, 1, len(keyA) + 2, "stake", "is no number"},
		{"hexadecimal", keyA + ",0x10\n", ErrStake, 1, len(keyA) + 2, "stake", "is no number"},
		{"grouped", keyA + ",1_000\n", ErrStake, 1, len(keyA) + 2, "stake", "is no number"},
		{"unknown column", "pubkey,stake,commission\n" + keyA + ",1,0\n", ErrHeader, 1, 0, "", "vote_account"},
		{"no known column", "foo,bar\n" + keyA + ",1\n", ErrHeader, 1, 0, "", `unknown column "foo"`},
		{"column twice", "stake,lamports\n", ErrHeader, 1, 0, "", "same column"},
		{"no stake column", "pubkey\n" + keyA + "\n", ErrHeader, 1, 0, "", "no stake column"},
		{"no key column", "stake\n1\n", ErrHeader, 1, 0, "", "no key column"},
		{"vote without node", "vote_pubkey,stake\n" + keyA + ",1\n", ErrHeader, 1, 0, "", "without the node_pubkey"},
		{"open quote", keyA + ",1\n\"" + keyB + ",1\n" + keyC + ",1\n", ErrLine, 2, 0, "", `"`},
		{"stray quotes", keyA + ",1\nx\"\"," + keyB + "\n", ErrLine, 2, 2, "", `"`},
		{"long line", keyA + ",1\n" + long + "\n", ErrLine, 2, 0, "", "4096"},
		{"endless line", long, ErrLine, 1, 0, "", "4096"},
		{"UTF-16", "\xff\xfep\x00u\x00", ErrEncoding, 1, 0, "", "UTF-8"},
		{"NUL", "\x00\x00\x00,1\n", schedule.ErrPubkeyDigit, 1, 1, "pubkey", `\x00`},
	} {
		t.Run(c.name, func(t *testing.T) {
			entries, _, err := Read(strings.NewReader(c.in), "list.csv")
			var e *Error
			if !errors.Is(err, c.want) || !errors.As(err, &e) {
				t.Fatalf("got %v, %v, want %v", entries, err, c.want)
			}
			if e.Name != "list.csv" || e.Line != c.line || e.Column != c.column || e.Field != c.field {
				t.Errorf("%v: line %d, column %d, field %q, want %d, %d, %q", e, e.Line, e.Column, e.Field, c.line, c.column, c.field)
			}
			if msg := err.Error(); !strings.HasPrefix(msg, "list.csv:") || !strings.Contains(msg, c.says) || strings.Contains(msg, "\n") {
				t.Errorf("%q is no line about list.csv with %q", msg, c.says)
			}
			if len(err.Error()) > 400 {
				t.Errorf("error of %d bytes", len(err.Error()))
			}
		})
	}
}

// A stream without line ends must not be gathered: reading stops within a line.
func TestReadStopsInALongLine(t *testing.T) {
	r := &endless{}
	if _, _, err := Read(r, "endless"); !errors.Is(err, ErrLine) {
		t.Fatalf("got %v, want ErrLine", err)
	}
	if r.read > 4*MaxLine {
		t.Errorf("read %d bytes of one line", r.read)
	}
}

// endless is a quoted field that never ends.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '"'
	}
	e.read += len(p)
	return len(p), nil
}

func TestReadFails(t *testing.T) {
	r := io.MultiReader(strings.NewReader(keyA+",1\n"+keyB), iotest.ErrReader(os.ErrDeadlineExceeded))
	entries, _, err := Read(r, "list.csv")
	if !errors.Is(err, os.ErrDeadlineExceeded) || !strings.HasPrefix(err.Error(), "list.csv: ") || entries != nil {
		t.Errorf("got %v, %v", entries, err)
	}
}

func TestWrite(t *testing.T) {
	for _, c := range []struct {
		name     string
		entries  []schedule.Entry
		hasVotes bool
		want     string
	}{
		{"identities", []schedule.Entry{{Key: a, Node: a, Stake: 7}, {Key: b, Stake: 0}}, false,
			"pubkey,stake\n" + a.String() + ",7\n" + b.String() + ",0\n"},
		{"votes", []schedule.Entry{{Key: a, Node: b, Stake: 7}, {Key: b, Stake: 1}}, true,
			"vote_pubkey,node_pubkey,stake\n" + a.String() + "," + b.String() + ",7\n" + b.String() + "," + b.String() + ",1\n"},
	} {
		var out strings.Builder
		if err := Write(&out, c.entries, c.hasVotes); err != nil || out.String() != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.name, out.String(), err, c.want)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	var out strings.Builder
	if err := Write(&out, []schedule.Entry{{Key: a, Node: b}}, false); !errors.Is(err, ErrKey) {
		t.Errorf("two keys in the form of one: got %v, want ErrKey", err)
	}
	if err := Write(&out, []schedule.Entry{{}}, true); !errors.Is(err, ErrKey) {
		t.Errorf("zero identity: got %v, want ErrKey", err)
	}
	if err := Write(full{}, []schedule.Entry{{Key: a}}, false); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("full: got %v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
