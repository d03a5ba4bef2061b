package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each kind of source goes to a schedule by one command. Digests of the genesis
// are those of an independent program; that of epoch 454 is what happened.
func TestDeriveFromEveryKind(t *testing.T) {
	for _, c := range []struct {
		file, args, digest string
	}{
		{"epoch-454-stakes.csv", "--epoch 454", "d36a60f50035f8dc76e9801ba6b27390f670d14abb30339a39340d836f57effa"},
		{"genesis-mainnet-beta.bin", "--epoch 0", "2c63b73f563abae9c7b3af8308b0bcd3d1bf5cb235c85f7085a46b167d5ab2f0"},
		{"genesis-mainnet-beta.bin", "--epoch 1", "74b996dc2c0168748f196f2b04dc9121a437f5f8f6249bfa969e4fdd123c4f82"},
	} {
		args := append([]string{"derive", "--format", "digest", "--stakes", dataFile(t, c.file)}, strings.Fields(c.args)...)
		if got := wantDone(t, "", args...); got != c.digest+"\n" {
			t.Errorf("%s %s: got %s, want %s", c.file, c.args, got, c.digest)
		}
	}
}

// A cluster with one validator has one leader; the length of its epochs is what
// the genesis or the snapshot says.
func TestDeriveFromSingleValidators(t *testing.T) {
	for _, c := range []struct {
		file, leader, args string
		slots              int
	}{
		{"genesis-testnet.bin", "", "--epoch 0", 32},
		{"genesis-testnet.bin", "", "--epoch 1", 64},
		{"test-ledger-genesis.tar.bz2", "8MBL9kAC9wMQoLu2pq138qgX5oKwRyrcweBb9kWV3Lt1", "--epoch 0 --keyed-by vote", 432_000},
		{"snapshot-100-HsFVd9m9URPdb2HpZXkxsnYMMrKU3nBFr1SCo2SoQS6W.tar.zst", "2a8YH1dXEubWL6TNDHwDxdzqeTPTC5Y5YtBgSWahosoR", "--epoch 1 --keyed-by vote", 432_000},
		{"snapshot-2300-7rokPwXP7odY3X9jjrjV2B22bZJNY5kRExuJdqpFPtUg.tar.zst", "", "--epoch 1 --keyed-by vote", 432_000},
	} {
		args := append([]string{"derive", "--format", "rpc", "--stakes", dataFile(t, c.file)}, strings.Fields(c.args)...)
		var leaders map[string][]int
		if err := json.Unmarshal([]byte(wantDone(t, "", args...)), &leaders); err != nil {
			t.Fatal(err)
		}
		for leader, slots := range leaders {
			if len(leaders) != 1 || len(slots) != c.slots || c.leader != "" && leader != c.leader {
				t.Errorf("%s %s: %s leads %d slots, of %d leaders; want %s with %d", c.file, c.args, leader, len(slots), len(leaders), c.leader, c.slots)
			}
		}
	}
}

// What a node says of the stakes of its epoch is labelled, and refused where exact
// stakes are asked for.
func TestDeriveFromSavedVoteAccounts(t *testing.T) {
	path := dataFile(t, "mainnet-45-getVoteAccounts.json")
	args := []string{"derive", "--stakes", path, "--format", "digest", "--cluster", "mainnet-beta", "--epoch"}
	code, stdout, stderr := runCommand(t, "", append(args, "46")...)
	if code != exitDone || len(stdout) != 65 || !strings.Contains(stderr, "approximate") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
	wantRefused(t, "", append(args, "46", "--exact"), "--exact", "approximate", path)
	wantRefused(t, "", append(args, "45"), "only for epoch 46", "--force-epoch")
}

// A flag that contradicts the source is an error where both name a cluster.
func TestSourceNamesItsCluster(t *testing.T) {
	genesis := dataFile(t, "genesis-testnet.bin")
	wantRefused(t, "", []string{"derive", "--stakes", genesis, "--epoch", "0", "--cluster", "mainnet-beta"}, "--cluster mainnet-beta", "testnet")
	code, _, stderr := runCommand(t, "", "derive", "--stakes", genesis, "--epoch", "0", "--slots", "8", "--keyed-by", "identity", "--format", "digest")
	if code != exitDone || !strings.Contains(stderr, "--slots goes before") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	ledger := dataFile(t, "test-ledger-genesis.tar.bz2")
	wantRefused(t, "", []string{"derive", "--stakes", ledger, "--epoch", "0"}, "--keyed-by vote", "the cluster of "+ledger)
}

func TestTermsFlags(t *testing.T) {
	wantRefused(t, "", []string{"derive", "--stakes", "example", "--epoch", "1", "--admission", "top"}, "--admission", `"top"`, "top-2000")
	wantRefused(t, "", []string{"derive", "--stakes", "example", "--epoch", "1", "--exact"}, "--exact", "not exact")
	wantRefused(t, "", []string{"batch", "--stakes", "example", "--epochs", "1", "--admission", "top"}, "--admission")
	wantRefused(t, "", []string{"batch", "--stakes", "example", "--epochs", "1", "--exact"}, "--exact")
	code, _, stderr := runCommand(t, "", "derive", "--stakes", "example", "--epoch", "1", "--admission", "top-2000", "--format", "digest")
	if code != exitDone || !strings.Contains(stderr, "SIMD-0357") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

// Each epoch of a batch has the stakes that lead it.
func TestBatchOfSeveralLists(t *testing.T) {
	genesis := dataFile(t, "genesis-mainnet-beta.bin")
	got := wantDone(t, "", "batch", "--stakes", genesis, "--epochs", "0..1", "--format", "digest")
	want := "0 2c63b73f563abae9c7b3af8308b0bcd3d1bf5cb235c85f7085a46b167d5ab2f0\n" +
		"1 74b996dc2c0168748f196f2b04dc9121a437f5f8f6249bfa969e4fdd123c4f82\n"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	wantRefused(t, "", []string{"batch", "--stakes", genesis, "--epochs", "0..2", "--format", "digest"}, "epoch 2", "only for epoch 0, 1", "--force-epoch")
	code, forced, _ := runCommand(t, "", "batch", "--stakes", genesis, "--epochs", "0..2", "--format", "digest", "--force-epoch")
	if code != exitDone || !strings.HasPrefix(forced, want) {
		t.Errorf("forced: exit code %d, %s", code, forced)
	}
}

// A directory of a ledger, and the files in it, are sources too.
func TestDeriveFromFolder(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile(dataFile(t, "genesis-mainnet-beta.bin"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "genesis.bin"), string(data))
	got := wantDone(t, "", "derive", "--stakes", dir, "--epoch", "0", "--format", "digest")
	if got != "2c63b73f563abae9c7b3af8308b0bcd3d1bf5cb235c85f7085a46b167d5ab2f0\n" {
		t.Errorf("got %s", got)
	}
}

// An epoch in the middle of a range that cannot be taken is an error, not a gap.
func TestBatchMissesNoEpoch(t *testing.T) {
	genesis := dataFile(t, "genesis-mainnet-beta.bin")
	wantRefused(t, "", []string{"batch", "--stakes", genesis, "--epochs", "0..5", "--format", "digest", "--force-epoch", "--exact"}, "--exact", "another epoch")
}

// What is not the network's own in any epoch of a batch is said, and once.
func TestBatchLabelsEveryEpoch(t *testing.T) {
	genesis := dataFile(t, "genesis-mainnet-beta.bin")
	code, _, stderr := runCommand(t, "", "batch", "--stakes", genesis, "--epochs", "0..5", "--format", "digest", "--force-epoch")
	if code != exitDone || strings.Count(stderr, "stakes of another epoch") != 1 || !strings.Contains(stderr, "epoch 2: ") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// The cluster of a saved reply is assumed, and that is said.
func TestAssumedCluster(t *testing.T) {
	path := dataFile(t, "mainnet-45-getVoteAccounts.json")
	args := []string{"derive", "--stakes", path, "--epoch", "46", "--format", "digest"}
	if _, _, stderr := runCommand(t, "", args...); !strings.Contains(stderr, "does not name its cluster: it is taken for mainnet-beta") {
		t.Errorf("got %s", stderr)
	}
	if _, _, stderr := runCommand(t, "", append(args, "--cluster", "mainnet-beta")...); strings.Contains(stderr, "its cluster") {
		t.Errorf("with --cluster: got %s", stderr)
	}
}

// The times of another cluster's slots are no times.
func TestDeriveTimesOfAnotherCluster(t *testing.T) {
	genesis := dataFile(t, "genesis-mainnet-beta.bin")
	node := exampleNode(t)
	args := []string{"derive", "--stakes", genesis, "--epoch", "0", "--format", "csv", "--rpc", node.URL}
	wantRefused(t, "", args, "--rpc", "another cluster", genesis)
}

// Texts of a file that are printed cannot move a terminal's cursor.
func TestNotesAreSafeToPrint(t *testing.T) {
	list := `{"format":"schedgen-stakes","version":1,"keyedBy":"identity","provenance":{"kind":"csv","source":"a\u001b[2Jb\nc","epoch":5,"vintage":"approximate","reason":"x\u001b]0;y\u0007"},"stakes":[{"node":"` + keyNode + `","stake":"1"}]}`
	for _, args := range [][]string{
		{"derive", "--stakes", "-", "--epoch", "5", "--format", "digest"},
		{"derive", "--stakes", "-", "--epoch", "6", "--format", "digest"},
		{"stakes", "show", "-"},
	} {
		_, stdout, stderr := runCommand(t, list, args...)
		if strings.ContainsAny(stdout+stderr, "\x1b\x07") || strings.Count(stderr, "\n") > 1 {
			t.Errorf("%v: %q %q", args, stdout, stderr)
		}
	}
}
