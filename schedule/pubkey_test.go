package schedule

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParsePubkey(t *testing.T) {
	var ones Pubkey
	for i := range ones {
		ones[i] = 0xFF
	}
	for text, want := range map[string]Pubkey{
		strings.Repeat("1", 32):                        {},
		"JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG": ones,
		strings.Repeat("1", 31) + "2":                  {31: 1},
	} {
		got, err := ParsePubkey(text)
		if err != nil || got != want {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
		if got.String() != text {
			t.Errorf("%s: text is %s", text, got)
		}
	}
}

func TestParsePubkeyErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		is   error
		says string
	}{
		{"", ErrPubkeySize, "the text is empty"},
		{"abc", ErrPubkeySize, "3 bytes, a public key has 32"},
		{strings.Repeat("1", 31), ErrPubkeySize, "31 bytes, a public key has 32"},
		{strings.Repeat("1", 33), ErrPubkeySize, "33 bytes, a public key has 32"},
		{"JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH", ErrPubkeySize, "33 bytes"}, // 2^256
		{strings.Repeat("z", 45), ErrPubkeySize, "45 bytes of text, a public key has at most 44"},
		{strings.Repeat("0", 1<<20), ErrPubkeySize, "1048576 bytes of text"},
		{"1111O", ErrPubkeyDigit, `"O" at position 5`},
		{"0111", ErrPubkeyDigit, `"0" at position 1`},
		{"11 1", ErrPubkeyDigit, `" " at position 3`},
		{"11é1", ErrPubkeyDigit, `"é" at position 3`},
		{"11\xff1", ErrPubkeyDigit, `"\xff" at position 3`},
	} {
		_, err := ParsePubkey(c.text)
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.50q: got %v, want %v saying %s", c.text, err, c.is, c.says)
		}
		if err != nil && len(err.Error()) > 300 {
			t.Errorf("%.50q: error of %d bytes", c.text, len(err.Error()))
		}
	}
}

func TestPubkeyOrder(t *testing.T) {
	low, high := Pubkey{1, 0xFF}, Pubkey{0x80}
	if low.Compare(high) >= 0 || high.Compare(low) <= 0 || low.Compare(low) != 0 {
		t.Error("keys are not ordered as unsigned bytes, first byte first")
	}
	if !(Pubkey{}).IsZero() || low.IsZero() || (Pubkey{31: 1}).IsZero() {
		t.Error("IsZero is wrong")
	}
}

func TestPubkeyJSON(t *testing.T) {
	key := mustKey(t, "GmZ7xFQ4GHDbQw4CSnFT9pAHa15u35qTN8e259UrBh9D")
	type doc struct {
		Key  Pubkey
		List map[Pubkey]int
	}
	const text = `{"Key":"GmZ7xFQ4GHDbQw4CSnFT9pAHa15u35qTN8e259UrBh9D","List":{"GmZ7xFQ4GHDbQw4CSnFT9pAHa15u35qTN8e259UrBh9D":7}}`
	b, err := json.Marshal(doc{key, map[Pubkey]int{key: 7}})
	if err != nil || string(b) != text {
		t.Fatalf("got %s, %v", b, err)
	}
	var back doc
	if err := json.Unmarshal(b, &back); err != nil || back.Key != key || back.List[key] != 7 {
		t.Fatalf("got %v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"Key":"l"}`), &back); !errors.Is(err, ErrPubkeyDigit) || back.Key != key {
		t.Fatalf("bad digit: got %v, key now %v", err, back.Key)
	}
	if b, err := key.AppendText([]byte("key=")); err != nil || string(b) != "key="+key.String() {
		t.Fatalf("AppendText: got %s, %v", b, err)
	}
}

func TestPubkeyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p Pubkey
		zeros := rapid.IntRange(0, 32).Draw(t, "zeros")
		copy(p[zeros:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "bytes"))
		got, err := ParsePubkey(p.String())
		if err != nil || got != p {
			t.Fatalf("%v: got %v, %v", p, got, err)
		}
	})
}

// A text is either refused with one of the two errors or the only text of its
// key.
func FuzzParsePubkey(f *testing.F) {
	for _, text := range []string{
		"", "1", strings.Repeat("1", 31), strings.Repeat("1", 32), strings.Repeat("1", 33), strings.Repeat("1", 44),
		"GmZ7xFQ4GHDbQw4CSnFT9pAHa15u35qTN8e259UrBh9D",
		"XkCriyrNwS3G4rzAXtG5B1nnvb5Ka1JtCku93VqeKAr",
		"JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG",
		"JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH",
		strings.Repeat("z", 44), strings.Repeat("z", 45), "0", "O", "I", "l", " 1", "1\n", "é", "\xff", "\x00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePubkey(text)
		if err != nil {
			if !errors.Is(err, ErrPubkeySize) && !errors.Is(err, ErrPubkeyDigit) || !p.IsZero() {
				t.Fatalf("%q: got %v with error %v", text, p, err)
			}
			return
		}
		if p.String() != text {
			t.Fatalf("%q: written back as %q", text, p)
		}
	})
}
