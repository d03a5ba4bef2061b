package snapshot

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

// emulated says that the tests run in an emulator, which is slow.
var emulated = os.Getenv("SCHEDGEN_TEST_EMULATED") == "1"

func mustKey(t testing.TB, text string) schedule.Pubkey {
	t.Helper()
	key, err := schedule.ParsePubkey(text)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// tarOf returns an archive without compression.
func tarOf(t testing.TB, a snapshottest.Archive) []byte {
	t.Helper()
	return archiveOf(t, a, "")
}

func archiveOf(t testing.TB, a snapshottest.Archive, compression string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := a.Write(&b, compression); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func small(layout snapshottest.Layout) snapshottest.Archive {
	return snapshottest.Archive{Spec: snapshottest.Small(layout), StatusCache: 700, Accounts: 900}
}

func mustRead(t testing.TB, archive []byte, name string) *list.Set {
	t.Helper()
	set, err := Read(bytes.NewReader(archive), name)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// unpack writes what an archive unpacks to and returns the folder.
func unpack(t *testing.T, a snapshottest.Archive) string {
	t.Helper()
	root := t.TempDir()
	slot := strconv.FormatUint(a.Slot, 10)
	folder := filepath.Join(root, "snapshots", slot)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "version"), []byte("1.2.0"))
	write(t, filepath.Join(root, "snapshots", "status_cache"), nil)
	write(t, filepath.Join(folder, slot), a.Manifest())
	return root
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// sameLists compares sets but for the name that they come from.
func sameLists(t testing.TB, what string, got, want *list.Set) {
	t.Helper()
	if len(got.Lists) != len(want.Lists) {
		t.Fatalf("%s: %d lists, want %d", what, len(got.Lists), len(want.Lists))
	}
	for i := range got.Lists {
		g, w := got.Lists[i], want.Lists[i]
		g.Provenance.Source, w.Provenance.Source = "", ""
		if !reflect.DeepEqual(g, w) {
			t.Errorf("%s: list %d is %+v, want %+v", what, i, g, w)
		}
	}
}

// mustFail checks an error: an *Error of one line that begins with the name.
func mustFail(t testing.TB, err error, name string) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *Error", err)
	}
	if text := err.Error(); !strings.HasPrefix(text, name+": ") || strings.ContainsAny(text, "\r\n") || len(text) > 500 {
		t.Fatalf("%q is no line about %s", text, name)
	}
	return e
}

// wantNotes checks the notes that all lists have.
func wantNotes(t testing.TB, set *list.Set, want ...string) {
	t.Helper()
	for i := range set.Lists {
		notes := set.Lists[i].Provenance.Notes
		if len(notes) != len(want) {
			t.Errorf("list %d has notes %q, want %q", i, notes, want)
			continue
		}
		for j := range want {
			if !strings.Contains(notes[j], want[j]) {
				t.Errorf("list %d has note %q, want one with %q", i, notes[j], want[j])
			}
		}
	}
}

func manifestOf(a snapshottest.Archive) []byte { return a.Manifest() }

// wantErr checks an error as mustFail does, and that it is the one wanted.
func wantErr(t testing.TB, err error, name string, want error) *Error {
	t.Helper()
	e := mustFail(t, err, name)
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", name, err, want)
	}
	return e
}
