package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/stakes/example"
)

// short are the flags of an epoch that is derived quickly and still tells one
// schedule from another.
var short = strings.Fields("--stakes example --epoch 900 --slots 8192 --keyed-by vote")

// with appends to a copy.
func with(args []string, more ...string) []string { return slices.Concat(args, more) }

// wantEqual runs verify, which must find no difference.
func wantEqual(t *testing.T, stdin string, args ...string) (stdout, stderr string) {
	t.Helper()
	code, stdout, stderr := runCommand(t, stdin, with([]string{"verify"}, args...)...)
	if code != exitDone || !strings.HasPrefix(stdout, "equal") {
		t.Errorf("%v: exit code %d\n%s%s", args, code, stdout, stderr)
	}
	return stdout, stderr
}

// wantDiffers runs verify or diff, which must find a difference and mention all of
// says; runs of white space count as one.
func wantDiffers(t *testing.T, stdin string, args []string, says ...string) (stdout string) {
	t.Helper()
	code, stdout, stderr := runCommand(t, stdin, args...)
	if code != exitNo || !strings.HasPrefix(stdout, "differs: ") || strings.Count(stderr, "\n")-strings.Count(stderr, "note: ") != 1 {
		t.Errorf("%v: exit code %d\n%s%s", args, code, stdout, stderr)
	}
	text := strings.Join(strings.Fields(stdout+stderr), " ")
	for _, part := range says {
		if !strings.Contains(text, part) {
			t.Errorf("%v: no %q in\n%s%s", args, part, stdout, stderr)
		}
	}
	return stdout
}

// derivedLeaders returns the leader of every slot that derive prints.
func derivedLeaders(t *testing.T, stdin string, args ...string) []string {
	t.Helper()
	code, out, stderr := runCommand(t, stdin, with([]string{"derive", "--format", "csv"}, args...)...)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if code != exitDone || err != nil || len(rows) < 2 {
		t.Fatalf("%v: exit code %d, %v, %s", args, code, err, stderr)
	}
	leaders := make([]string, len(rows)-1)
	for i, row := range rows[1:] {
		leaders[i] = row[2]
	}
	return leaders
}

// asText is the output of solana leader-schedule.
func asText(first int, leaders []string) string {
	var b strings.Builder
	for i, leader := range leaders {
		fmt.Fprintf(&b, "  %-15d %-44s\n", first+i, leader)
	}
	return b.String()
}

const firstOf900 = 900 * 8192

func TestVerifyEveryFormat(t *testing.T) {
	want := "equal: 8,192 slots, digest "
	digest := strings.TrimSpace(wantDone(t, "", with([]string{"derive", "--format", "digest"}, short...)...))
	for _, format := range []string{"text", "json", "json-compact", "rpc", "csv", "epoch-new", "digest", "parquet"} {
		path := filepath.Join(t.TempDir(), "theirs."+format)
		wantDone(t, "", with([]string{"derive", "--format", format, "-o", path}, short...)...)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, against := range []string{path, "-"} {
			got, _ := wantEqual(t, string(data), with(short, "--against", against)...)
			if !strings.HasPrefix(got, want+digest) {
				t.Errorf("%s from %s: %s", format, against, got)
			}
			if votes := format == "csv" || format == "parquet"; strings.Contains(got, "vote accounts too") != votes {
				t.Errorf("%s from %s: %s", format, against, got)
			}
		}
		other := with(short, "--against", path)
		other[3] = "901"
		code, stdout, stderr := runCommand(t, "", with([]string{"verify"}, other...)...)
		switch format {
		case "rpc", "digest": // without slots
			if code != exitNo || !strings.HasPrefix(stdout, "differs: ") {
				t.Errorf("%s of another epoch: exit code %d\n%s%s", format, code, stdout, stderr)
			}
		default:
			if code != exitError || !strings.Contains(stderr, "none of epoch 901, which has those from 7380992 to 7389183") {
				t.Errorf("%s of another epoch: exit code %d\n%s%s", format, code, stdout, stderr)
			}
		}
	}
}

// Ranks stand for entries of the list, in a file of many epochs that says so, or
// bare.
func TestVerifyRanks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.ranks")
	wantDone(t, "", "batch", "--stakes", "example", "--epochs", "899..901", "--slots", "8192", "--keyed-by", "vote", "--format", "ranks", "-o", path)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "", with(short, "--against", path)...)
	wantEqual(t, string(data), with(short, "--against", "-")...)
	later := with(short, "--against", path)
	later[3] = "902"
	wantRefused(t, "", with([]string{"verify"}, later...), "not epoch 902", "3 epochs from 899 to 901")
	wantRefused(t, string(data[:len(data)/2]), with([]string{"verify"}, with(short, "--against", "-")...), "standard input")

	var index strings.Builder // ranks of votesList: 30, 20, 10 lamports
	for _, rank := range []byte{1, 1, 0} {
		index.Write([]byte{rank, 0})
	}
	tiny := strings.Fields("--stakes - --epoch 1 --slots 10 --keyed-by vote --against")
	bare := filepath.Join(t.TempDir(), "bare")
	writeFile(t, bare, index.String())
	got, _ := wantEqual(t, votesList, with(tiny, bare)...)
	if want := "equal: 10 slots, digest "; !strings.HasPrefix(got, want) {
		t.Errorf("got %s", got)
	}
	writeFile(t, bare, index.String()+"\x00\x00")
	wantRefused(t, votesList, with([]string{"verify"}, with(tiny, bare)...), bare, "4 of them, want 3", "taken for ranks")
}

// What happened in epoch 454 of mainnet-beta, as an independent record of ranks.
func TestVerifyEpoch454(t *testing.T) {
	stakes, ranks := dataFile(t, "epoch-454-stakes.csv"), dataFile(t, "epoch-454-leaders-idx.bin")
	got := wantDone(t, "", "verify", "--stakes", stakes, "--epoch", "454", "--against", ranks)
	if want := "equal: 432,000 slots, digest d36a60f50035f8dc76e9801ba6b27390f670d14abb30339a39340d836f57effa\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	digest := filepath.Join(t.TempDir(), "digest")
	writeFile(t, digest, "d36a60f50035f8dc76e9801ba6b27390f670d14abb30339a39340d836f57effa\n")
	if again := wantDone(t, "", "verify", "--stakes", stakes, "--epoch", "454", "--against", digest); again != got {
		t.Errorf("got %s, want %s", again, got)
	}
	writeFile(t, digest, strings.Repeat("d3", 32)+"\n")
	wantDiffers(t, "", []string{"verify", "--stakes", stakes, "--epoch", "454", "--against", digest, "--explain"}, "the digest", "d3d3d3", "give the slots to --against")
}

// Real genesis files and a real snapshot give the schedules that were recorded of
// them.
func TestVerifyRealSources(t *testing.T) {
	for _, c := range []struct{ file, epoch, digest string }{
		{"genesis-mainnet-beta.bin", "0", "2c63b73f563abae9c7b3af8308b0bcd3d1bf5cb235c85f7085a46b167d5ab2f0"},
		{"genesis-mainnet-beta.bin", "1", "74b996dc2c0168748f196f2b04dc9121a437f5f8f6249bfa969e4fdd123c4f82"},
	} {
		source := dataFile(t, c.file)
		got := wantDone(t, c.digest+"\n", "verify", "--stakes", source, "--epoch", c.epoch, "--against", "-")
		if got != "equal: 432,000 slots, digest "+c.digest+"\n" {
			t.Errorf("%s: got %s", c.file, got)
		}
	}
	snapshot := dataFile(t, "snapshot-100-HsFVd9m9URPdb2HpZXkxsnYMMrKU3nBFr1SCo2SoQS6W.tar.zst")
	args := []string{"--stakes", snapshot, "--epoch", "1", "--keyed-by", "vote"}
	schedule := wantDone(t, "", with([]string{"derive", "--format", "rpc"}, args...)...)
	wantEqual(t, schedule, with(args, "--against", "-")...)
	wantDone(t, "", "diff", snapshot, snapshot, "--epoch-a", "0", "--epoch-b", "1")
}

// A schedule of one leader is compared in its slots alone.
func TestVerifyOneLeader(t *testing.T) {
	leader := derivedLeaders(t, "", short...)[0]
	for _, format := range []string{"text", "json", "rpc", "csv", "parquet"} {
		path := filepath.Join(t.TempDir(), "one."+format)
		wantDone(t, "", with([]string{"derive", "--format", format, "--identity", leader, "-o", path}, short...)...)
		if code, _, stderr := runCommand(t, "", with([]string{"verify", "--against", path}, short...)...); code != exitNo || !strings.Contains(stderr, "--partial") {
			t.Errorf("%s without --partial: exit code %d, %s", format, code, stderr)
		}
		got, notes := wantEqual(t, "", with(short, "--against", path, "--partial")...)
		if !strings.Contains(got, "as far as it goes: 84 of 8,192 slots compared") || !strings.Contains(notes, "note: ") {
			t.Errorf("%s: %s%s", format, got, notes)
		}
		limited, _ := wantEqual(t, "", with(short, "--against", path, "--identity", leader)...)
		if !strings.Contains(limited, "as far as it goes: 84 of 8,192 slots compared, all of those that it is about") {
			t.Errorf("%s: %s", format, limited)
		}
	}
	whole := asText(firstOf900, derivedLeaders(t, "", short...))
	got, _ := wantEqual(t, whole, with(short, "--against", "-", "--identity", leader)...)
	if !strings.Contains(got, "84 of 8,192 slots compared, all of those") {
		t.Errorf("the slots of one leader in all: %s", got)
	}
	// Silence about a slot of the leader is a difference only with --identity.
	lines := strings.SplitAfter(whole, "\n")
	less := strings.Join(slices.Concat(lines[4:]), "")
	wantEqual(t, less, with(short, "--against", "-", "--partial")...)
	wantDiffers(t, less, with([]string{"verify"}, with(short, "--against", "-", "--identity", leader)...), "4 of 84 slots compared", "none of those that it is about")
}

// An identity that leads nothing agrees with an answer that has nothing, and an
// answer without slots about nobody in particular is no schedule.
func TestVerifyNobody(t *testing.T) {
	for _, empty := range []string{"\n", "{}", `{"jsonrpc":"2.0","result":{},"id":1}`, "slot,slot_index,leader,vote_account\n"} {
		got, notes := wantEqual(t, empty, with(short, "--against", "-", "--identity", keyNode)...)
		if !strings.Contains(got, "none of those") || !strings.Contains(notes, "no stake in the list") {
			t.Errorf("%q: %s%s", empty, got, notes)
		}
		wantRefused(t, empty, with([]string{"verify"}, with(short, "--against", "-")...), "no slots to compare", "--identity")
	}
}

// Slots with "?" are not known; a schedule of nothing else says nothing.
func TestVerifyUnknownLeaders(t *testing.T) {
	leaders := derivedLeaders(t, "", short...)
	for i := range 100 {
		leaders[1000+i] = "?"
	}
	got, notes := wantEqual(t, asText(firstOf900, leaders), with(short, "--against", "-", "--partial")...)
	if !strings.Contains(got, "8,092 of 8,192 slots compared") || !strings.Contains(notes, "not compared: 100 slots") {
		t.Errorf("%s%s", got, notes)
	}
	for i := range leaders {
		leaders[i] = "?"
	}
	wantRefused(t, asText(firstOf900, leaders), with([]string{"verify"}, with(short, "--against", "-")...), "names nobody")
}

// The whole text of a difference.
func TestVerifyText(t *testing.T) {
	leaders := derivedLeaders(t, votesList, strings.Fields("--stakes - --epoch 1 --slots 10 --keyed-by vote")...)
	leaders[8] = keyShort
	path := filepath.Join(t.TempDir(), "theirs")
	writeFile(t, path, asText(11, leaders[1:]))
	got := wantDiffers(t, votesList, with([]string{"verify"}, strings.Fields("--stakes - --epoch 1 --slots 10 --keyed-by vote --against "+path)...))
	want := `differs: 1 of 9 slots compared

epoch         1, slots 10 to 19, keyed by vote account
stakes        standard input, not known to be exact
against       ` + path + ` (text)
compared      9 slots, matched by number: 8 agree, 88.89 %
not compared  1 slot that theirs does not have
first         slot 18, index 8, rotation 2
derived       ` + keyNode + `
theirs        ` + keyShort + `

leader                                        derived  theirs  change
` + fmt.Sprintf("%-44s", keyShort) + `        7       8      +1
` + fmt.Sprintf("%-44s", keyNode) + `        2       1      -1

--explain looks for the mistake that makes the difference
`
	if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A verdictJSON is what the tests look at in the JSON form.
type verdictJSON struct {
	Equal, Complete bool
	Epoch           uint64
	Digest, KeyedBy string
	Against         struct{ Name, Format string }
	Difference      struct {
		Identities, Votes *struct{ Compared, Equal, Different uint64 }
	}
	Explanation *struct {
		Tried      int
		Hypotheses []struct {
			Exact    bool
			Mistakes []struct{ Name, Text string }
		}
	}
	Remedies []struct{ Mistake, Theirs, Ours string }
	Notes    []string
}

func parseVerdict(t *testing.T, text string) (v verdictJSON) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %.500s", err, text)
	}
	return v
}

func TestVerifyJSON(t *testing.T) {
	text := wantDone(t, "", with([]string{"derive", "--format", "text"}, short...)...)
	args := with([]string{"verify"}, with(short, "--against", "-", "--format", "json", "--explain")...)
	code, stdout, _ := runCommand(t, text, args...)
	v := parseVerdict(t, stdout)
	if code != exitDone || !v.Equal || !v.Complete || v.Epoch != 900 || v.KeyedBy != "vote" || v.Against.Format != "text" ||
		v.Difference.Identities.Equal != 8192 || v.Explanation != nil || v.Notes == nil {
		t.Errorf("exit code %d, %.500s", code, stdout)
	}
	args[4], args[6] = "922", "8000" // so that the epochs share slots
	code, stdout, stderr := runCommand(t, text, args...)
	v = parseVerdict(t, stdout)
	if code != exitNo || v.Equal || v.Complete || v.Explanation == nil || v.Explanation.Tried < 2 || len(v.Notes) == 0 {
		t.Errorf("exit code %d, %.500s%s", code, stdout, stderr)
	}
}

// --keyed-by auto follows the clusters.
func TestVerifyChoosesKeyingByEpoch(t *testing.T) {
	for epoch, keying := range map[int]string{841: "identity", 842: "vote"} {
		digest := wantDone(t, "", "derive", "--stakes", "example", "--epoch", strconv.Itoa(epoch), "--keyed-by", keying, "--format", "digest")
		wantEqual(t, digest, "--stakes", "example", "--epoch", strconv.Itoa(epoch), "--against", "-")
	}
}

func TestVerifyRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "theirs")
	writeFile(t, file, "hello\n")
	for _, c := range []struct{ args, says string }{
		{"--epoch 1 --against x", "no stake list"},
		{"--stakes example --against x", "--epoch"},
		{"--stakes example --epoch 1", "--against"},
		{"--stakes - --epoch 1 --against -", "give - once"},
		{"--stakes example --epoch 1 --against none", "no such file"},
		{"--stakes example --epoch 1 --against " + filepath.Dir(file), "directory"},
		{"--stakes example --epoch 1 --against " + file, "not a schedule"},
		{"--stakes example --epoch 1 --against " + file + " --by-vote", "--by-vote"},
		{"--stakes example --epoch 1 --against " + file + " --format xml", `"xml"`},
		{"--stakes example --epoch 1 --against " + file + " --keyed-by key", "--keyed-by"},
		{"--stakes example --epoch 1 --against " + file + " --admission top", "--admission"},
		{"--stakes example --epoch 1 --against " + file + " --exact", "--exact"},
		{"--stakes example --epoch 18446744073709551615 --against " + file, "slots are over"},
		{"--stakes example --stakes example --epoch 1 --against " + file, "does not say which epoch"},
		{"--stakes example --epoch 1 --against " + file + " more", `"more"`},
		{"--stakes example --epoch 1 --against ftp://host", "no such file"},
	} {
		wantRefused(t, "", with([]string{"verify"}, strings.Fields(c.args)...), c.says)
	}
}

// Other sides that are damaged, or no schedules at all, are refused with their name
// and with little read.
func TestVerifyRefusesOtherSides(t *testing.T) {
	leaders := derivedLeaders(t, "", short...)
	text := asText(firstOf900, leaders)
	compact := wantDone(t, "", with([]string{"derive", "--format", "json-compact"}, short...)...)
	for name, c := range map[string]struct{ data, says string }{
		"empty":             {"", "the file is empty"},
		"cut in a line":     {text[:len(text)-20], "wrong size"},
		"cut JSON":          {compact[:len(compact)/2], "ends early"},
		"two leaders":       {text + asText(firstOf900, []string{keyNode}), "two leaders"},
		"two slots apart":   {text + asText(1<<30, []string{keyNode}), "too many slots"},
		"long line":         {strings.Repeat("1 ", 1<<20), "4096 bytes"},
		"null":              {"null", "not available"},
		"an error":          {`{"jsonrpc":"2.0","error":{"code":-32005,"message":"Node is behind"},"id":1}`, "Node is behind"},
		"a page":            {"<!DOCTYPE html><html></html>", "not a schedule"},
		"a stake list":      {string(example.CSV()[:4000]), "columns"},
		"zeros":             {strings.Repeat("\x00", 1<<22), "taken for ranks"},
		"UTF-16":            {"\xff\xfe1\x00 \x00", "UTF-16"},
		"deep JSON":         {strings.Repeat("[", 1<<16), "not a schedule"},
		"index beyond":      {`{"` + keyNode + `":[1000000000]}`, "too many slots"},
		"index twice":       {`{"` + keyNode + `":[1],"` + keyShort + `":[1]}`, "two leaders"},
		"parquet cut short": {"PAR1", "not a schedule"},
		"rank file cut":     {"SGRANKS\n", "standard input"},
	} {
		t.Run(name, func(t *testing.T) {
			wantRefused(t, c.data, with([]string{"verify"}, with(short, "--against", "-")...), "standard input", c.says)
		})
	}
}
