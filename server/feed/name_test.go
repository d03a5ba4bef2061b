package feed

import (
	"slices"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
)

func TestPassedOver(t *testing.T) {
	for name, want := range map[string]bool{
		"stakes.csv": false, "snapshot-5-abc.tar.zst": false, "a.partly": false, "tmp": false, "a.b.json": false,
		".hidden": true, ".": true, "stakes.csv~": true, "#stakes.csv#": true, "x.tmp": true, "X.TMP": true, "x.part": true,
		"snapshot-5-abc.tar.zst.part": true, "tmp-snapshot-5-abc.tar.zst": true, "x.crdownload": true, ".stakes.csv.swp": true,
	} {
		if got := passedOver(name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestSnapshotSlot(t *testing.T) {
	for _, c := range []struct {
		name string
		slot schedule.Slot
		ok   bool
	}{
		{"snapshot-500-4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi.tar.zst", 500, true},
		{"incremental-snapshot-500-700-4vJ9.tar.zst", 700, true},
		{"snapshot-18446744073709551615-a", 1<<64 - 1, true},
		{"snapshot-18446744073709551616-a", 0, false},
		{"snapshot-500.tar.zst", 0, false},
		{"snapshot--a", 0, false},
		{"snapshot-+5-a", 0, false},
		{"incremental-snapshot-500", 0, false},
		{"snapshot", 0, false},
		{"stakes.csv", 0, false},
	} {
		if slot, ok := snapshotSlot(c.name); ok != c.ok || ok && slot != c.slot {
			t.Errorf("%s: got %d, %v", c.name, slot, ok)
		}
	}
}

func TestByUse(t *testing.T) {
	at := func(minutes int) *file { return &file{modified: time.Unix(int64(60*minutes), 0)} }
	want := []candidate{
		{"incremental-snapshot-500-700-a.tar.zst", at(0)},
		{"snapshot-600-a.tar.zst", at(9)},
		{"snapshot-600-b.tar.zst", at(8)},
		{"snapshot-500-a.tar.zst", at(10)},
		{"z.csv", at(7)},
		{"a.csv", at(6)},
		{"b.csv", at(6)},
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	if slices.SortFunc(got, byUse); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestQuoted(t *testing.T) {
	for name, want := range map[string]string{
		"stakes.csv": "stakes.csv", "mit Leerzeichen und ß": "mit Leerzeichen und ß",
		"a\nlevel=ERROR": `"a\nlevel=ERROR"`, "\xff": `"\xff"`, `a"b`: `"a\"b"`, "\x1b[31m": `"\x1b[31m"`,
	} {
		if got := quoted(name); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestIsPlainText(t *testing.T) {
	for text, want := range map[string]bool{
		"pubkey,stake\n": true, "# schedgen: {}\n": true, "\xef\xbb\xbfpubkey": true, " \r\npubkey": true,
		"{": false, " [": false, "\xef\xbb\xbf{": false, "a\x00": false, "\x28\xb5\x2f\xfdpubkey": false, "": false,
	} {
		if got := isPlainText([]byte(text)); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
