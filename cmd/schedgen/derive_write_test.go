package main

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedulefile"
)

const votesArgs = "derive --stakes - --epoch 1 --slots 10 --keyed-by vote "

func TestDeriveColumns(t *testing.T) {
	plain := wantDone(t, votesList, strings.Fields(votesArgs+"--format csv")...)
	same := wantDone(t, votesList, strings.Fields(votesArgs+"--format csv --columns slot,slot_index,leader,vote_account")...)
	if same != plain {
		t.Errorf("the default columns by name: got\n%s\nwant\n%s", same, plain)
	}
	all := wantDone(t, votesList, strings.Fields(votesArgs+"--format csv --columns all")...)
	lines := strings.Split(all, "\n")
	if lines[0] != "slot,slot_index,rotation,leader,vote_account,time" || !strings.HasPrefix(lines[5], "14,4,1,") || !strings.HasSuffix(lines[5], ",") {
		t.Errorf("all columns: got\n%s", all)
	}
}

// Times are estimates: what they rest on is said, beside the output.
func TestDeriveTimes(t *testing.T) {
	args := strings.Fields(votesArgs + "--format csv --columns slot,time --anchor 12@2026-01-01T00:00:00Z --slot-duration 350ms")
	code, stdout, stderr := runCommand(t, votesList, args...)
	if code != exitDone || !strings.Contains(stderr, "assumed: 350 ms a slot") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	if want := "slot,time\n10,2025-12-31T23:59:59.300Z\n11,2025-12-31T23:59:59.650Z\n12,2026-01-01T00:00:00.000Z\n"; !strings.HasPrefix(stdout, want) {
		t.Errorf("got\n%s\nwant it to begin\n%s", stdout, want)
	}
	for args, says := range map[string]string{
		"--format text --anchor 1@now --slot-duration 400ms":      "text has no times",
		"--format csv --anchor 1@now":                             "--slot-duration",
		"--format csv --slot-duration 400ms":                      "--anchor",
		"--format csv --anchor 1@now --slot-duration -1s":         "negative",
		"--format csv --anchor x --slot-duration 1s":              "--anchor",
		"--format csv --rpc ftp://x":                              "--rpc",
		"--format csv --rpc http://x --anchor 1@now":              "one of them",
		"--format text --columns slot":                            "--columns",
		"--format csv --columns slot,colour":                      `"colour"`,
		"--format csv --columns=":                                 "--columns",
		"--format parquet --stakes example --epoch 1 --columns x": "--columns",
	} {
		wantRefused(t, votesList, strings.Fields(votesArgs+args), says)
	}
}

func TestDeriveParquet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "1.parquet")
	wantDone(t, votesList, append(strings.Fields(votesArgs+"--format parquet -o"), path)...)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := schedulefile.Read(bytes.NewReader(b), path)
	if err != nil {
		t.Fatal(err)
	}
	digest, complete := got.Digest()
	want := wantDone(t, votesList, strings.Fields(votesArgs+"--format digest")...)
	if !complete || want != hex.EncodeToString(digest[:])+"\n" {
		t.Errorf("digest %x, complete %v, want %s", digest, complete, want)
	}
	for _, part := range []string{"schedgen.vintage", "unknown", "schedgen.provenance", "standard input"} {
		if !bytes.Contains(b, []byte(part)) {
			t.Errorf("no %q in the metadata", part)
		}
	}
	piped := wantDone(t, votesList, strings.Fields(votesArgs+"--format parquet")...)
	if piped != string(b) {
		t.Errorf("standard output has %d bytes, the file %d", len(piped), len(b))
	}
}
