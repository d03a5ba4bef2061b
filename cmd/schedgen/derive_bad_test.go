package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	keyNode  = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"
	keyShort = "11111111111111111111111111111112"
	keyVote1 = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"
	keyVote2 = "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8"
	keyVote3 = "GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq"

	votesList = "vote_pubkey,node_pubkey,stake\n" +
		keyVote1 + "," + keyNode + ",10\n" +
		keyVote2 + "," + keyShort + ",20\n" +
		keyVote3 + "," + keyNode + ",30\n"
)

// Every stake list that is wrong is refused, the output file of before stays,
// and nothing else is left beside it.
func TestDeriveBadStakes(t *testing.T) {
	for _, c := range []struct {
		name, list string
		says       []string
	}{
		{"empty file", "", []string{"no stake entries"}},
		{"header only", "pubkey,stake\n", []string{"no stake entries", "header"}},
		{"bad base58", "pubkey,stake\n0" + keyNode[1:] + ",1\n", []string{":2:1", "pubkey", `"0" at position 1`}},
		{"short key", "abc,1\n", []string{":1:1", "pubkey", "32"}},
		{"long key", keyNode + keyNode + ",1\n", []string{":1:1", "pubkey", "44"}},
		{"negative stake", keyNode + ",-1\n", []string{":1:45", "stake", `"-1"`, "negative"}},
		{"fractional stake", keyNode + ",0.5\n", []string{":1:45", "stake", `"0.5"`, "fraction"}},
		{"stake with exponent", keyNode + ",4e17\n", []string{":1:45", "stake", `"4e17"`, "exponent"}},
		{"stake too large", keyNode + ",18446744073709551616\n", []string{":1:45", "18446744073709551615"}},
		{"empty stake", keyNode + ",\n", []string{":1:45", "stake", "empty"}},
		{"stake in words", keyNode + ",lots\n", []string{":1:45", "stake", `"lots"`}},
		{"one field", keyNode + "\n", []string{":1:", "pubkey,stake"}},
		{"four fields", keyNode + ",1,2,3\n", []string{":1:", "pubkey,stake"}},
		{"unknown column", "pubkey,stake,colour\n" + keyNode + ",1,red\n", []string{`"colour"`, "vote_pubkey"}},
		{"overflowing sum", keyNode + ",18446744073709551615\n" + keyShort + ",1\n", []string{"18446744073709551615", keyShort}},
		{"all zero", keyNode + ",0\n" + keyShort + ",0\n", []string{"no stake"}},
		{"duplicate key", keyNode + ",1\n" + keyNode + ",2\n", []string{keyNode, "1", "2", "twice"}},
		{"long line", strings.Repeat("1", 5000) + ",1\n", []string{":1:", "4096"}},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00,\x00\n", []string{"7f 45 4c 46", "CSV", "JSON", "snapshot"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			list, out := filepath.Join(dir, "list.csv"), filepath.Join(dir, "out.txt")
			writeFile(t, list, c.list)
			args := []string{"derive", "--epoch", "1", "-o", out, "--stakes"}
			wantRefused(t, "", append(args, list), append(c.says, list)...)
			wantFiles(t, dir, "list.csv")
			writeFile(t, out, "before")
			wantRefused(t, c.list, append(args, "-"), append(c.says, "standard input")...)
			wantFile(t, out, "before")
			wantFiles(t, dir, "list.csv", "out.txt")
		})
	}
}

func TestDeriveBadFlags(t *testing.T) {
	list := filepath.Join(t.TempDir(), "votes.csv")
	writeFile(t, list, votesList)
	for _, c := range []struct {
		name string
		args string // after --stakes and --epoch 1, each of which it may repeat
		says []string
	}{
		{"epoch in words", "--epoch one", []string{"--epoch", `"one"`, "18446744073709551615"}},
		{"negative epoch", "--epoch -1", []string{"--epoch", `"-1"`}},
		{"epoch with exponent", "--epoch 1e3", []string{"--epoch", `"1e3"`}},
		{"hexadecimal epoch", "--epoch 0x10", []string{"--epoch", `"0x10"`}},
		{"fractional epoch", "--epoch 1.0", []string{"--epoch", `"1.0"`}},
		{"grouped epoch", "--epoch 1_000", []string{"--epoch", `"1_000"`}},
		{"empty epoch", "--epoch=", []string{"--epoch", `""`}},
		{"epoch too large", "--epoch 18446744073709551616", []string{"--epoch", "18446744073709551615"}},
		{"slots in words", "--slots many", []string{"--slots", `"many"`}},
		{"no slots", "--slots 0", []string{"--slots", `"0"`, "from 1"}},
		{"negative slots", "--slots -4", []string{"--slots", `"-4"`}},
		{"too many slots", "--slots 18446744073709551615 --keyed-by vote --epoch 0 --format digest", []string{"slots", "at most"}},
		{"many slots", "--slots 9000000000000000000 --keyed-by vote", []string{"rotations", "at most"}},
		{"no repeat", "--repeat 0", []string{"--repeat", `"0"`, "from 1"}},
		{"negative repeat", "--repeat -1", []string{"--repeat", `"-1"`}},
		{"repeat too large", "--repeat 2147483648", []string{"--repeat", "2147483647"}},
		{"format", "--format yaml", []string{"--format", `"yaml"`, "text, json, json-compact, rpc, csv, epoch-new, digest"}},
		{"cluster", "--cluster mainnet", []string{"--cluster", `"mainnet"`, "mainnet-beta, testnet, devnet"}},
		{"epoch schedule", "--epoch-schedule slots=many", []string{"--epoch-schedule", `"slots=many"`}},
		{"slots and cluster", "--slots 8 --cluster testnet", []string{"--slots", "--cluster"}},
		{"slots and epoch schedule", "--slots 8 --epoch-schedule 64", []string{"--slots", "--epoch-schedule"}},
		{"cluster and epoch schedule", "--cluster testnet --epoch-schedule 64", []string{"--cluster", "--epoch-schedule"}},
		{"keying", "--keyed-by node", []string{"--keyed-by", `"node"`, "vote", "identity", "auto"}},
		{"keying of devnet", "--cluster devnet", []string{"--keyed-by", "devnet"}},
		{"keying of slots", "--slots 8", []string{"--keyed-by vote", "--slots"}},
		{"keying of an epoch schedule", "--epoch-schedule 64", []string{"--keyed-by identity", "--epoch-schedule"}},
		{"identity", "--identity me", []string{"--identity", `"me"`}},
		{"identity with l", "--identity l" + keyNode[1:], []string{"--identity", `"l"`}},
		{"identity and digest", "--format digest --identity " + keyNode, []string{"--identity", "digest"}},
		{"identity and epoch-new", "--format epoch-new --identity " + keyNode, []string{"--identity", "epoch-new"}},
		{"repeat and epoch-new", "--format epoch-new --repeat 2", []string{"--repeat", "epoch-new"}},
		{"slot over the limit", "--epoch 18446744073709551615", []string{"--epoch 18446744073709551615", "--format text"}},
		{"empty output", "--output=", []string{"--output"}},
		{"no such list", "--stakes none.csv", []string{"none.csv", "no such file"}},
		{"directory for a list", "--stakes .", []string{"directory"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			args := []string{"derive", "--stakes", list, "--epoch", "1", "-o", filepath.Join(dir, "out.txt")}
			wantRefused(t, "", append(args, strings.Fields(c.args)...), c.says...)
			wantFiles(t, dir)
		})
	}
}

func TestDeriveMissingFlags(t *testing.T) {
	wantRefused(t, "", []string{"derive", "--epoch", "1"}, "--stakes", "example")
	wantRefused(t, "", []string{"derive", "--stakes", "example"}, "--epoch")
}

func TestDeriveUnwritableOutput(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "file"), "file")
	for _, out := range []string{dir, dir + "/", filepath.Join(dir, "none", "out.txt"), filepath.Join(dir, "file", "out.txt")} {
		wantRefused(t, "", []string{"derive", "--stakes", "example", "--epoch", "1", "-o", out}, "cannot write "+out)
	}
	wantFiles(t, dir, "file")
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantFile(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s: got %.200q, %v, want %.200q", path, got, err, want)
	}
}

// wantFiles fails if dir holds anything but these.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Name())
	}
	if !slices.Equal(names, want) {
		t.Errorf("%s holds %v, want %v", dir, names, want)
	}
}
