package snapshot

import (
	"bytes"
	"compress/bzip2"
	"flag"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

var layouts = []snapshottest.Layout{snapshottest.Old, snapshottest.New}

// The lists are the same whatever a snapshot comes as, and in both layouts.
func TestSameListsFromEveryForm(t *testing.T) {
	want := mustRead(t, tarOf(t, small(snapshottest.New)), "a.tar")
	if got := want.Epochs(); !slices.Equal(got, []uint64{900, 901, 902}) {
		t.Fatalf("epochs %v", got)
	}
	wantNotes(t, want)
	for _, layout := range layouts {
		a := small(layout)
		for _, end := range slices.Sorted(maps.Keys(snapshottest.Compressors)) {
			archive := archiveOf(t, a, end)
			sameLists(t, string(layout)+end, mustRead(t, archive, "a"), want)
			if !IsArchive(archive[:HeadSize]) {
				t.Errorf("%s%s is not recognised", layout, end)
			}
		}
		manifest := a.Manifest()
		got, err := ReadManifest(bytes.NewReader(manifest), "manifest")
		if err != nil {
			t.Fatal(err)
		}
		sameLists(t, string(layout)+" manifest", got, want)
		if !IsManifest(manifest[:HeadSize]) || IsArchive(manifest[:HeadSize]) {
			t.Errorf("the %s manifest is not recognised", layout)
		}
		root := unpack(t, a)
		for _, folder := range []string{"", "snapshots", filepath.Join("snapshots", strconv.FormatUint(a.Slot, 10))} {
			got, err := ReadDir(filepath.Join(root, folder))
			if err != nil {
				t.Fatal(err)
			}
			sameLists(t, string(layout)+" folder "+folder, got, want)
		}
	}
}

var update = flag.Bool("update", false, "write testdata/small.tar.bz2 with the program bzip2")

// Nothing at hand writes bzip2: testdata/small.tar.bz2 is what
//
//	go test ./stakes/snapshot -run Bzip2 -update
//
// made, and must stay the archive that the generator makes.
func TestBzip2(t *testing.T) {
	const name = "testdata/small.tar.bz2"
	want := tarOf(t, small(snapshottest.New))
	if *update {
		c := exec.Command("bzip2", "-9")
		c.Stdin = bytes.NewReader(want)
		archive, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		write(t, name, archive)
	}
	archive, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(archive)))
	if err != nil || !bytes.Equal(content, want) {
		t.Fatalf("%s is not the archive of the generator (%v): run the test with -update", name, err)
	}
	set := mustRead(t, archive, name)
	sameLists(t, name, set, mustRead(t, want, "small.tar"))
}

func TestNotAnArchive(t *testing.T) {
	for name, content := range map[string]string{
		"empty":           "",
		"text":            "pubkey,stake\n",
		"long text":       strings.Repeat("pubkey,stake\n", 100),
		"zeros":           strings.Repeat("\x00", 4096),
		"short magic":     "\x28\xb5",
		"a bare manifest": string(manifestOf(small(snapshottest.New))),
	} {
		_, err := Read(strings.NewReader(content), name)
		wantErr(t, err, name, ErrFormat)
	}
	for end, compressor := range snapshottest.Compressors {
		if end == "" {
			continue
		}
		var b bytes.Buffer
		w, err := compressor(&b)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, strings.Repeat("no tar archive ", 100))
		w.Close()
		_, err = Read(&b, "text"+end)
		wantErr(t, err, "text"+end, ErrFormat)
	}
}
