package stakes

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/json"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

const (
	keyA  = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"
	keyB  = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"
	plain = "pubkey,stake\n" + keyA + ",5\n"
)

// A source is a file of some kind.
type source struct {
	name    string
	content []byte
	kind    list.Kind
	lists   int
}

// sources are files of every kind.
func sources(t testing.TB) []source {
	archive := &snapshottest.Archive{Spec: snapshottest.Small(snapshottest.New)}
	genesisArchive := readFile(t, "genesis/testdata/small.tar.bz2")
	all := []source{
		{"plain", []byte(plain), list.KindCSV, 1},
		{"byte order mark", []byte("\xef\xbb\xbf" + plain), list.KindCSV, 1},
		{"no header", []byte("BZh" + keyA[3:] + ",5\n"), list.KindCSV, 1},
		{"annotated", []byte(`# schedgen: {"kind":"rpc","source":"x","vintage":"exact"}` + "\n" + plain), list.KindRPC, 1},
		{"rows", []byte("\xef\xbb\xbf \r\n\t" + `[{"pubkey":"` + keyA + `","stake":5}]`), list.KindRows, 1},
		{"own form", []byte(`{"format":"schedgen-stakes","version":1,"keyedBy":"identity","stakes":[{"node":"` + keyA + `","stake":"5"}]}`), list.KindJSON, 1},
		{"reply", []byte(`{"result":{"current":[{"votePubkey":"` + keyA + `","nodePubkey":"` + keyB + `","activatedStake":5}],"delinquent":[]}}`), list.KindVoteAccounts, 1},
		{"epoch.new", []byte(`{"topic":"epoch","key":"new","value":{"epoch":5,"staked_pubkeys":["` + keyA + `"],"staked_lamports":["5"]}}`), list.KindEpochNew, 1},
		{"genesis.bin", memberOf(t, genesisArchive, genesisName), list.KindGenesis, 2},
		{"genesis.tar.bz2", genesisArchive, list.KindGenesis, 2},
		{"genesis.tar", unbzip(t, genesisArchive), list.KindGenesis, 2},
		{"manifest", archive.Manifest(), list.KindSnapshot, 3},
		{"older manifest", oldManifest(), list.KindSnapshot, 3},
	}
	for compression := range snapshottest.Compressors {
		var b bytes.Buffer
		if err := archive.Write(&b, compression); err != nil {
			t.Fatal(err)
		}
		all = append(all, source{"snapshot.tar" + compression, b.Bytes(), list.KindSnapshot, 3})
	}
	return append(all, source{"snapshot.tar.bz2", readFile(t, "snapshot/testdata/small.tar.bz2"), list.KindSnapshot, 3})
}

func oldManifest() []byte {
	spec := snapshottest.Small(snapshottest.Old)
	return spec.Manifest()
}

func readFile(t testing.TB, path string) []byte {
	b, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func unbzip(t testing.TB, b []byte) []byte {
	b, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(b)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func memberOf(t testing.TB, archive []byte, name string) []byte {
	r := tar.NewReader(bytes.NewReader(unbzip(t, archive)))
	for {
		header, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if header.Name == name {
			b, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
	}
}

func write(t *testing.T, path string, content []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The content tells the kind, whatever a file is called, and a pipe does as well.
func TestOpenByContent(t *testing.T) {
	ctx := context.Background()
	for _, s := range sources(t) {
		t.Run(s.name, func(t *testing.T) {
			path := write(t, filepath.Join(t.TempDir(), "stakes.txt"), s.content)
			got, err := Open(ctx, path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Lists) != s.lists {
				t.Errorf("%d lists, want %d", len(got.Lists), s.lists)
			}
			for _, l := range got.Lists {
				if l.Name != path {
					t.Errorf("name %q, want %q", l.Name, path)
				}
				if p := l.Provenance; p.Kind != s.kind || p.Source != path && p.Source != "x" || len(l.Entries) == 0 {
					t.Errorf("provenance %+v, want kind %s", p, s.kind)
				}
			}
			piped, err := Open(ctx, Stdin, Options{Stdin: iotest.OneByteReader(bytes.NewReader(s.content))})
			if err != nil {
				t.Fatal(err)
			}
			for i := range piped.Lists {
				if p := &piped.Lists[i].Provenance; p.Source != "standard input" && p.Source != "x" {
					t.Errorf("source %q", p.Source)
				}
				if piped.Lists[i].Name != "standard input" {
					t.Errorf("name %q", piped.Lists[i].Name)
				}
				piped.Lists[i].Name = path
				piped.Lists[i].Provenance.Source = got.Lists[i].Provenance.Source
			}
			if !reflect.DeepEqual(piped, got) {
				t.Errorf("piped: %+v, want %+v", piped, got)
			}
		})
	}
}

// A source that is cut anywhere is an error, or text of another meaning.
func TestOpenCut(t *testing.T) {
	for _, s := range sources(t) {
		step := 1 + len(s.content)/100
		for n := 0; n < len(s.content); n += step {
			got, err := Open(context.Background(), Stdin, Options{Stdin: bytes.NewReader(s.content[:n])})
			if (got == nil) == (err == nil) || err != nil && strings.Contains(err.Error(), "\n") {
				t.Fatalf("%s cut at %d: %v, %v", s.name, n, got, err)
			}
		}
	}
}

func TestOpenExample(t *testing.T) {
	set, err := Open(context.Background(), Example, Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := set.Lists[0]
	if p := l.Provenance; len(l.Entries) != 1_400 || !l.HasVotes || p.Kind != list.KindExample || p.Source != "the example stake list" || p.Vintage != list.VintageUnknown || p.Epoch != nil {
		t.Errorf("%d entries, provenance %+v", len(l.Entries), p)
	}
}

// A file may have the name of a source, if its path says that it is a file.
func TestOpenFileNamedExample(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "example", []byte(plain))
	got, err := Open(context.Background(), "./example", Options{})
	if err != nil || len(got.Lists[0].Entries) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestOpenNode(t *testing.T) {
	es, err := schedule.ClusterSchedule("testnet")
	if err != nil {
		t.Fatal(err)
	}
	entries := []schedule.Entry{{Key: schedule.Pubkey{1}, Node: schedule.Pubkey{2}, Stake: 7}}
	node := rpctest.New(t, rpctest.Cluster{EpochSchedule: es, Slot: es.FirstSlot(900) + 5, VoteAccounts: rpctest.VoteAccountsOf(entries, 1)})
	address := strings.Replace(node.URL, "http://", "HTTP://user:secret@", 1)
	set, err := Open(context.Background(), address, Options{RPC: noderpc.Options{Retries: -1}})
	if err != nil {
		t.Fatal(err)
	}
	p := set.Lists[0].Provenance
	if p.Kind != list.KindRPC || *p.Epoch != 901 || strings.Contains(p.Source, "secret") || set.Lists[0].Entries[0] != entries[0] {
		t.Errorf("got %+v", set.Lists[0])
	}
	node.Close()
	if _, err := Open(context.Background(), address, Options{RPC: noderpc.Options{Retries: -1}}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("no node: %v", err)
	}
}

func TestOpenFolder(t *testing.T) {
	archive := &snapshottest.Archive{Spec: snapshottest.Small(snapshottest.New)}
	genesisArchive := readFile(t, "genesis/testdata/small.tar.bz2")
	genesisBin := memberOf(t, genesisArchive, genesisName)
	const manifestPath = "snapshots/9/9"
	archive.Slot = 9
	for _, c := range []struct {
		name  string
		files map[string][]byte
		kind  list.Kind // "" for an error
		says  string    // the source, or part of the error
	}{
		{"genesis", map[string][]byte{genesisName: genesisBin, "rocksdb/1": nil}, list.KindGenesis, genesisName},
		{"genesis archive", map[string][]byte{genesisArchiveName: genesisArchive}, list.KindGenesis, genesisArchiveName},
		{"snapshot", map[string][]byte{manifestPath: archive.Manifest()}, list.KindSnapshot, ""},
		{"ledger", map[string][]byte{genesisName: genesisBin, manifestPath: archive.Manifest()}, list.KindSnapshot, ""},
		{"empty", nil, "", genesisName},
		{"archives", map[string][]byte{"snapshot-9-" + keyA + ".tar.zst": nil}, "", "want one of them, such as"},
		{"damaged", map[string][]byte{genesisName: genesisBin, manifestPath: archive.Manifest()[:100]}, "", "9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			for name, content := range c.files {
				write(t, filepath.Join(folder, filepath.FromSlash(name)), content)
			}
			set, err := Open(context.Background(), folder, Options{})
			if c.kind == "" {
				if err == nil || !strings.Contains(err.Error(), folder) || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %v, %v, want %q", set, err, c.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if p := set.Lists[0].Provenance; p.Kind != c.kind || p.Source != filepath.Join(folder, c.says) {
				t.Errorf("got %+v", p)
			}
		})
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	empty := write(t, filepath.Join(dir, "empty.csv"), nil)
	file := func(name, content string) string { return write(t, filepath.Join(dir, name), []byte(content)) }
	for _, c := range []struct {
		name, path string
		want       error
		says       string
	}{
		{"missing", filepath.Join(dir, "none.csv"), ErrSource, "no such file"},
		{"no name", "", ErrSource, "no such file"},
		{"through a file", filepath.Join(empty, "x.csv"), ErrSource, "x.csv"},
		{"empty", empty, csv.ErrNoEntries, empty},
		{"no standard input", Stdin, ErrSource, "standard input"},
		{"a program", file("elf", "\x7fELF\x02\x01\x01\x00\x00\x00"), ErrSource, "7f 45 4c 46 02 01 01 00, want CSV, JSON, a genesis.bin"},
		{"three bytes", file("three", "\x00\x01\x02"), ErrSource, "bytes 00 01 02, want"},
		{"zeros", file("zeros", strings.Repeat("\x00", 10_000)), ErrSource, "00 00 00 00 00 00 00 00"},
		{"UTF-16", file("utf16", "\xff\xfep\x00u\x00b\x00"), csv.ErrEncoding, "UTF-8"},
		{"JSON", file("json", "{}"), json.ErrForm, "getVoteAccounts"},
		{"no address", "https://", noderpc.ErrAddress, "host"},
	} {
		set, err := Open(context.Background(), c.path, Options{})
		if set != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %v with %q", c.name, err, c.want, c.says)
		}
	}
	if _, err := Open(context.Background(), Stdin, Options{Stdin: strings.NewReader("")}); !errors.Is(err, csv.ErrNoEntries) || !strings.Contains(err.Error(), "standard input") {
		t.Errorf("empty standard input: got %v", err)
	}
	if _, err := Open(context.Background(), Stdin, Options{Stdin: iotest.ErrReader(os.ErrDeadlineExceeded)}); !errors.Is(err, os.ErrDeadlineExceeded) || !strings.Contains(err.Error(), "standard input") {
		t.Errorf("standard input that fails: got %v", err)
	}
}

// A context that ends stops reading, also in the midst of a file.
func TestOpenCanceled(t *testing.T) {
	for _, s := range sources(t) {
		ctx, cancel := context.WithCancel(context.Background())
		half := min(len(s.content)/2, headSize) // what follows a manifest is not read
		r := io.MultiReader(bytes.NewReader(s.content[:half]), canceling{cancel}, bytes.NewReader(s.content[half:]))
		set, err := Open(ctx, Stdin, Options{Stdin: r})
		cancel()
		if set != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, %v", s.name, set, err)
		}
	}
}

// canceling gives nothing, and ends a context.
type canceling struct{ cancel func() }

func (c canceling) Read([]byte) (int, error) {
	c.cancel()
	return 0, nil
}

// FuzzOpen: any input is read or refused with one line.
func FuzzOpen(f *testing.F) {
	for _, s := range sources(f) {
		f.Add(s.content)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		set, err := Open(context.Background(), Stdin, Options{Stdin: bytes.NewReader(in)})
		switch {
		case err == nil && len(set.Lists) == 0:
			t.Fatal("no list and no error")
		case err != nil && (set != nil || strings.ContainsAny(err.Error(), "\r\n")):
			t.Fatalf("%v, %q is no line", set, err)
		}
	})
}
