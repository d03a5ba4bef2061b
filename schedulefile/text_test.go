package schedulefile

import (
	"errors"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

// Identities, the second with a short text form, and a vote account.
const (
	textA    = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"
	textB    = "11111111111111111111111111111112"
	textVote = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"
)

func key(t fataler, text string) schedule.Pubkey {
	t.Helper()
	k, err := schedule.ParsePubkey(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// checkLeaders compares o with the texts of leaders from a slot on; "" is one
// that is not known.
func checkLeaders(t fataler, o *Observed, first schedule.Slot, leaders ...string) {
	t.Helper()
	if o.FirstSlot == nil || *o.FirstSlot != first || o.Slots != uint64(len(leaders)) {
		t.Fatalf("%d slots from %v, want %d from %d", o.Slots, o.FirstSlot, len(leaders), first)
	}
	for i, want := range leaders {
		got := ""
		if k, ok := o.LeaderAt(first + schedule.Slot(i)); ok {
			got = k.String()
		}
		if got != want {
			t.Fatalf("slot %d: leader %q, want %q", uint64(first)+uint64(i), got, want)
		}
	}
}

// What people and tools make of the lines.
func TestTextTolerance(t *testing.T) {
	for name, in := range map[string]string{
		"as printed":     "  10              " + textA + " \n  11              " + textB + "            \n\n",
		"CRLF":           "  10              " + textA + " \r\n  11              " + textB + "\r\n\r\n",
		"tabs":           "10\t" + textA + "\n11\t" + textB + "\n",
		"byte order":     "\ufeff10 " + textA + "\n11 " + textB + "\n",
		"blank before":   "\n\n  10 " + textA + "\n\n11 " + textB + "\n",
		"comments":       "# epoch 0\n10 " + textA + "\n  # more\n11 " + textB + "\n",
		"times":          "  10 " + textA + "  2026-10-08T12:00:00Z (~3 s)\n  11 " + textB + " ,2026\n",
		"out of order":   "11 " + textB + "\n10 " + textA + "\n",
		"twice the same": "10 " + textA + "\n11 " + textB + "\n10 " + textA + "\n11 ?\n",
		"leading zeros":  "0010 " + textA + "\n0011 " + textB + "\n",
	} {
		o, err := read([]byte(in))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkLeaders(t, o, 10, textA, textB)
		if o.Format != schedule.FormatText || o.Partial || o.AtStart || o.AtEnd || o.Epoch != nil || o.Votes != nil {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

// The network's tool prints ? where nobody leads; a filter leaves slots out.
func TestTextGaps(t *testing.T) {
	o := mustRead(t, []byte("10 "+textA+"\n11 ?\n12 ?\n14 "+textA+"\n15 ?\n"))
	checkLeaders(t, o, 10, textA, "", "", "", textA, "")
	if !o.Partial || o.Known() != 2 || len(o.Keys) != 1 {
		t.Errorf("%+v", o)
	}
	if sum, ok := o.Digest(); ok {
		t.Errorf("digest %x of a schedule with gaps", sum)
	}
	o = mustRead(t, []byte("\n"))
	if o.Format != schedule.FormatText || o.Slots != 0 || !o.Partial || o.FirstSlot != nil {
		t.Errorf("%+v", o)
	}
}

// A last line without its end is taken when it can only be whole.
func TestTextLastLine(t *testing.T) {
	whole := "10 " + textA + "\n11 " + textB + "\n"
	for in, want := range map[string]bool{
		whole + "12 " + textA:      true,
		whole + "12 " + textB:      true,
		whole + "12 ?":             true,
		whole + "13 " + textA:      false, // not the next slot
		whole + "12 " + textVote:   false, // not seen before
		"10 " + textA:              false,
		whole + "12 " + textA[:42]: false,
	} {
		o, err := read([]byte(in))
		if (err == nil) != want {
			t.Errorf("%q: %v", in, err)
		}
		if err == nil && o.Slots != 3 {
			t.Errorf("%q: %d slots", in, o.Slots)
		}
	}
	if _, err := read([]byte("10 " + textA)); !errors.Is(err, ErrCutShort) {
		t.Errorf("got %v, want ErrCutShort", err)
	}
}

// Errors name the file, the line and what is wrong there.
func TestTextErrors(t *testing.T) {
	line := "10 " + textA + "\n"
	for _, c := range []struct {
		name, in string
		want     error
		says     string
	}{
		{"empty", "", ErrFormat, "file: not a schedule: the file is empty"},
		{"space", "   ", ErrFormat, "file is empty"},
		{"only comments", "# nothing\n", ErrFormat, "only comments"},
		{"prose", "Error: no schedule\n", ErrFormat, `file:1: not a schedule: "Error: no schedule"`},
		{"prose later", line + "Error\n", ErrLine, `file:2: bad line: "Error"`},
		{"prose of words", line + "Error: it ended\n", ErrSlot, `file:2: bad slot: "Error:"`},
		{"negative", line + "-1 " + textA + "\n", ErrSlot, `"-1"`},
		{"too large", line + "18446744073709551616 " + textA + "\n", ErrSlot, "too large"},
		{"digit", "10 " + textA[:40] + "0Ki\n", schedule.ErrPubkeyDigit, "file:1: public key"},
		{"size", "\n10 " + textA[:20] + "\n", schedule.ErrPubkeySize, "file:2: public key"},
		{"long key", "10 " + strings.Repeat("1", 50) + "\n", schedule.ErrPubkeySize, "50 bytes"},
		{"conflict", line + "10 " + textB + "\n", ErrConflict, "file:2: a slot with two leaders: the leaders " + textA + " and " + textB + " of slot 10"},
		{"far apart", line + "10000000 " + textB + "\n", ErrSpan, "file:2: too many slots"},
		{"UTF-16", "\xff\xfe1\x000\x00", ErrEncoding, "UTF-8"},
		{"long line", "10 " + textA + strings.Repeat(" ", MaxLine) + "\n", ErrLine, "file:1: bad line: over 4096 bytes long"},
		{"endless line", "10 " + strings.Repeat("x", 1<<17), ErrLine, "over 4096 bytes long"},
		{"rank file", "SGRANKS\n\x01\x00", ErrRankFile, "many epochs"},
		{"zeros", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\n", ErrFormat, `"\x00\x00`},
	} {
		o, err := read([]byte(c.in))
		checkError(t, c.name, o, err, c.want, c.says)
	}
}

// checkError checks that an error is one line and has all that it should.
func checkError(t *testing.T, name string, o *Observed, err, want error, says string) {
	t.Helper()
	var located *Error
	if o != nil || !errors.Is(err, want) || !errors.As(err, &located) || located.Name != "file" {
		t.Errorf("%s: got %v, %v, want %v", name, o, err, want)
		return
	}
	if msg := err.Error(); !strings.HasPrefix(msg, "file") || !strings.Contains(msg, says) || strings.ContainsAny(msg, "\r\n") {
		t.Errorf("%s: got %q, want one line that says %q", name, msg, says)
	}
}

func TestDigestFile(t *testing.T) {
	hex := strings.Repeat("0123456789abcdef", 4)
	for _, in := range []string{hex, hex + "\n", "\n" + strings.ToUpper(hex) + "\r\n\r\n", "# sha256\n" + hex} {
		o := mustRead(t, []byte(in))
		sum, ok := o.Digest()
		if !ok || sum[0] != 0x01 || sum[31] != 0xef || !o.DigestOnly() || o.Format != schedule.FormatDigest || o.Slots != 0 || o.Partial {
			t.Errorf("%q: %+v", in, o)
		}
		if _, err := o.Place(0, 32); !errors.Is(err, ErrDigestOnly) {
			t.Errorf("got %v, want ErrDigestOnly", err)
		}
	}
	for name, in := range map[string]string{"short": hex[1:], "long": hex + "0", "no digit": hex[1:] + "g", "prose": hex[:63] + " "} {
		o, err := read([]byte(in + "\n"))
		checkError(t, name, o, err, ErrFormat, "file:1: ")
	}
	o, err := read([]byte(hex + "\n" + hex + "\n"))
	checkError(t, "two", o, err, ErrLine, "file:2: ")
}
