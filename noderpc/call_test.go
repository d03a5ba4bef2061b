package noderpc

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadAll(t *testing.T) {
	for _, c := range []struct {
		length int
		want   error
	}{{0, nil}, {9, nil}, {10, nil}, {11, ErrTooLarge}, {1000, ErrTooLarge}} {
		text := strings.Repeat("x", c.length)
		got, err := readAll(iotest.OneByteReader(strings.NewReader(text)), 10)
		if !errors.Is(err, c.want) || c.want == nil && string(got) != text {
			t.Errorf("%d bytes: got %q, %v", c.length, got, err)
		}
	}
	for _, length := range []int{3, 10} {
		r := io.MultiReader(strings.NewReader(strings.Repeat("x", length)), iotest.ErrReader(io.ErrUnexpectedEOF))
		if _, err := readAll(r, 10); err != io.ErrUnexpectedEOF {
			t.Errorf("failure after %d bytes: got %v", length, err)
		}
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"Node is behind":                  "Node is behind",
		"two\nlines":                      `"two\nlines"`,
		"\x1b[31mred":                     `"\x1b[31mred"`,
		strings.Repeat("x", 200):          strings.Repeat("x", 200),
		strings.Repeat("x", 201):          `"` + strings.Repeat("x", 200) + `"...`,
		strings.Repeat("\u00e4", 101)[1:]: `"\xa4` + strings.Repeat("\u00e4", 99) + `\xc3"...`,
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
