package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
)

// changedList is votesList with one stake that grew by a lamport, one identity that
// changed, one vote account less and a new one.
const changedList = "vote_pubkey,node_pubkey,stake\n" +
	keyVote1 + "," + keyNode + ",11\n" +
	keyVote2 + "," + keyNode + ",20\n" +
	keyShort + "," + keyShort + ",5\n"

func TestDiffStakes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new.csv")
	writeFile(t, path, changedList)
	got := wantDiffers(t, votesList, []string{"diff", "-", path})
	want := `differs: 4 vote accounts: 1 with another stake, 1 with another identity, 1 new, 1 gone, 0 the same

A  standard input, 3 vote accounts with 60 lamports
B  ` + path + `, 3 vote accounts with 36 lamports

vote account                                   A   B  change  change %
` + keyVote3 + `  30   0     -30      gone
` + keyShort + `   0   5      +5       new
` + keyVote1 + `  10  11      +1  +10.00 %
` + keyVote2 + `  20  20       0    0.00 %  ` + keyShort + ` -> ` + keyNode + `
total                                         60  36     -24  -40.00 %
`
	if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	wantDiffers(t, votesList, []string{"diff", "-", path, "--top", "1"}, keyVote3, "and 3 more (--top 0 prints all) total 60 36")
	wantDiffers(t, votesList, []string{"diff", "-", path, "--keyed-by", "identity"},
		"2 identities: 2 with another stake", keyShort+" 20 5 -15 -75.00 %", keyNode+" 40 31 -9 -22.50 %")
	wantDiffers(t, votesList, []string{"diff", "-", path, "--identity", keyVote1}, "1 vote account: 1 with another stake", "+1 +10.00 %")
	wantDiffers(t, votesList, []string{"diff", "-", path, "--identity", keyShort}, "2 vote accounts", keyVote2, keyShort)
	code, stdout, stderr := runCommand(t, votesList, "diff", "-", path, "--identity", stranger.String())
	if code != exitDone || !strings.HasPrefix(stdout, "equal: ") || !strings.Contains(stderr, "is in neither list") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}

func TestDiffEqualStakes(t *testing.T) {
	if got := wantDone(t, "", "diff", "example", "example"); got != "equal: 1,400 vote accounts with 400,579,004,744,587,485 lamports\n" {
		t.Errorf("got %s", got)
	}
	// The order of a list, and who has no stake, make no difference.
	path := filepath.Join(t.TempDir(), "b.csv")
	writeFile(t, path, keyVote2+","+keyNode+",2\n"+keyVote3+","+keyNode+",0\n"+keyVote1+","+keyNode+",1\n")
	wantDone(t, keyVote1+","+keyNode+",1\n"+keyVote2+","+keyNode+",2\n", "diff", "-", path)
}

// Stakes are exact, whatever their size.
func TestDiffOneLamport(t *testing.T) {
	list := func(lamports uint64) string { return fmt.Sprintf("%s,%d\n%s,7\n", keyVote1, lamports, keyVote2) }
	path := filepath.Join(t.TempDir(), "b.csv")
	writeFile(t, path, list(1<<63+1))
	wantDiffers(t, list(1<<63), []string{"diff", "-", path}, "1 identity: 1 with another stake, 1 the same",
		"9,223,372,036,854,775,808 9,223,372,036,854,775,809 +1 +0.00 %")
	code, stdout, _ := runCommand(t, list(1<<63), "diff", "-", path, "--format", "json")
	var v struct {
		Kind       string
		Equal      bool
		Difference struct {
			Changes []struct {
				Key    string
				A, B   uint64
				Change *big.Int
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &v); err != nil || code != exitNo || v.Kind != "stakes" || v.Equal ||
		len(v.Difference.Changes) != 1 || v.Difference.Changes[0].B != 1<<63+1 || v.Difference.Changes[0].Change.Int64() != 1 {
		t.Errorf("exit code %d, %v, %s", code, err, stdout)
	}
}

// One source may be given twice, for two of its epochs.
func TestDiffEpochsOfASnapshot(t *testing.T) {
	source := severalEpochs(t)
	wantDiffers(t, "", []string{"diff", source, source, "--epoch-a", "901", "--epoch-b", "902", "--top", "3"},
		"60 vote accounts", "stakes of epoch 901", "stakes of epoch 902", "and 57 more")
	wantDone(t, "", "diff", source, source, "--epoch", "902")
	data, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	wantDiffers(t, string(data), []string{"diff", "-", source, "--epoch", "902", "--epoch-a", "900"}, "standard input, stakes of epoch 900")
	wantRefused(t, "", []string{"diff", source, source}, "several epochs", "900, 901, 902")
	wantRefused(t, "", []string{"diff", source, source, "--epoch", "899"}, "--epoch", "only for epoch 900, 901, 902")
	wantRefused(t, "", []string{"diff", source, source, "--epoch", "900", "--epoch-b", "903"}, "--epoch-b", "903")
}

// A list with vote accounts and one without have identities in common.
func TestDiffOfTwoForms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.csv")
	writeFile(t, path, keyNode+",40\n"+keyShort+",20\n")
	code, stdout, stderr := runCommand(t, votesList, "diff", "-", path)
	if code != exitDone || stdout != "equal: 2 identities with 60 lamports\n" || !strings.Contains(stderr, "compared by identity") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	wantRefused(t, votesList, []string{"diff", "-", path, "--keyed-by", "vote"}, path, "no vote accounts")
}

func TestDiffSchedules(t *testing.T) {
	leaders := derivedLeaders(t, votesList, strings.Fields("--stakes - --epoch 1 --slots 10 --keyed-by vote")...)
	leaders[8], leaders[9] = keyShort, keyVote1
	path := filepath.Join(t.TempDir(), "b.txt")
	writeFile(t, path, asText(10, leaders))
	text := wantDone(t, votesList, strings.Fields("derive --stakes - --epoch 1 --slots 10 --keyed-by vote")...)
	got := wantDiffers(t, text, []string{"diff", "-", path})
	want := `differs: 2 of 10 slots compared, 20.00 %

A      standard input (text), 10 slots from 10
B      ` + path + ` (text), 10 slots from 10
first  slot 18, index 8
       ` + keyNode + ` in A
       ` + keyShort + ` in B

identity                                      A  B  change   change %
` + keyNode + `  2  0      -2       gone
` + keyShort + `  8  9      +1   +12.50 %
` + keyVote1 + `  0  1      +1        new

2 identities gained slots, 1 lost some, 0 lead as many others
`
	if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	wantDiffers(t, text, []string{"diff", "-", path, "--identity", keyShort}, "1 of 9 slots compared", "+1", "1 identity gained")
	code, stdout, stderr := runCommand(t, text, "diff", "-", path, "--identity", keyVote2)
	if code != exitDone || !strings.Contains(stdout, "none of those") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	if got := wantDone(t, text, "diff", "-", path, "--identity", keyVote2, "--format", "json"); !strings.Contains(got, `"equal": true`) {
		t.Errorf("got %s", got)
	}
}

// Any two formats can be compared.
func TestDiffFormats(t *testing.T) {
	dir := t.TempDir()
	formats := []string{"text", "json", "json-compact", "rpc", "csv", "epoch-new", "digest", "parquet"}
	for _, format := range formats {
		wantDone(t, "", with([]string{"derive", "--format", format, "-o", filepath.Join(dir, format)}, short...)...)
	}
	wantDone(t, "", "batch", "--stakes", "example", "--epochs", "900..901", "--slots", "8192", "--keyed-by", "vote", "--format", "ranks", "-o", filepath.Join(dir, "ranks"))
	for _, a := range append(formats, "ranks") {
		args := []string{"diff", filepath.Join(dir, a), filepath.Join(dir, "csv")}
		if a == "ranks" {
			args = append(args, "--epoch", "900")
		}
		code, stdout, stderr := runCommand(t, "", args...)
		if code != exitDone || !strings.HasPrefix(stdout, "equal: ") {
			t.Errorf("%s: exit code %d, %s%s", a, code, stdout, stderr)
		}
	}
	later := filepath.Join(dir, "901")
	args := with([]string{"derive", "--format", "digest", "-o", later}, short...)
	args[8] = "901"
	wantDone(t, "", args...)
	wantDiffers(t, "", []string{"diff", later, filepath.Join(dir, "csv")}, "the digests are not the same")
	wantDiffers(t, "", []string{"diff", later, filepath.Join(dir, "digest"), "--format", "text"}, "the digests are not the same")
	ranks := filepath.Join(dir, "ranks")
	wantRefused(t, "", []string{"diff", ranks, ranks}, "2 epochs from 900 to 901", "--epoch")
	wantDiffers(t, "", []string{"diff", ranks, ranks, "--epoch-a", "900", "--epoch-b", "901", "--top", "3"}, "epoch 900, 8,192 slots", "epoch 901, 8,192 slots", "compared by index", "more (--top 0")
	wantRefused(t, "", []string{"diff", later, filepath.Join(dir, "csv"), "--identity", keyNode}, "--identity", "digest")
	wantRefused(t, "", []string{"diff", filepath.Join(dir, "json"), ranks, "--epoch-a", "901", "--epoch-b", "900"}, "--epoch-a 901", "is of epoch 900")
}

// A schedule with fewer slots is compared as far as it goes.
func TestDiffPartOfASchedule(t *testing.T) {
	leaders := derivedLeaders(t, "", short...)
	path := filepath.Join(t.TempDir(), "b.txt")
	writeFile(t, path, asText(firstOf900+4000, leaders[4000:5000]))
	code, _, refused := runCommand(t, asText(firstOf900, leaders), "diff", "-", path)
	if code != exitNo || !strings.Contains(refused, "--partial") {
		t.Errorf("without --partial: exit code %d, %s", code, refused)
	}
	code, stdout, stderr := runCommand(t, asText(firstOf900, leaders), "diff", "-", path, "--partial")
	if code != exitDone || stdout != "equal as far as they go: 1,000 slots compared\n" || !strings.Contains(stderr, "begins 4000 slots after") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	writeFile(t, path, asText(firstOf900, []string{"?", "?"}))
	wantRefused(t, asText(firstOf900, leaders), []string{"diff", "-", path}, "nothing to compare")
}

func TestDiffNodes(t *testing.T) {
	node, other := exampleNode(t), exampleNode(t)
	path := filepath.Join(t.TempDir(), "a")
	args := with([]string{"derive", "--format", "text", "-o", path}, short...)
	wantDone(t, "", args...)
	// The slots of the file tell which epoch to ask for.
	wantAsked(t, exitDone, "", []string{"diff", path, node.URL}, "equal: 8,192 slots")
	wantAsked(t, exitDone, "", []string{"diff", node.URL, other.URL, "--epoch", "900"}, "equal: 8,192 slots")
	// Without --epoch two nodes are compared in the present one.
	wantAsked(t, exitError, "", []string{"diff", node.URL, other.URL}, "slot 7364608", "not available")
	other.Change(func(c *rpctest.Cluster) { c.Leaders[900] = noderpc.Leaders{stranger: {0, 1, 2, 3}} })
	wantAsked(t, exitNo, "", []string{"diff", path, other.URL}, "differs: 4 of 4 slots compared", stranger.String())
	wantAsked(t, exitDone, "", []string{"diff", "--stakes", node.URL, other.URL}, "equal: 1,400 vote accounts")
	wantAsked(t, exitDone, "", []string{"diff", node.URL, "example"}, "equal: 1,400 vote accounts")
	rpc := filepath.Join(t.TempDir(), "b")
	wantDone(t, "", with([]string{"derive", "--format", "rpc", "-o", rpc}, short...)...)
	wantAsked(t, exitError, "", []string{"diff", rpc, node.URL}, rpc, "give --epoch")
	wantAsked(t, exitDone, "", []string{"diff", rpc, node.URL, "--epoch", "900"}, "equal: 8,192 slots")
	other.Change(func(c *rpctest.Cluster) { c.Genesis = schedule.Pubkey{8} })
	wantAsked(t, exitError, "", []string{"diff", node.URL, other.URL, "--epoch", "900"}, "genesis hash")
	wantAsked(t, exitDone, "", []string{"diff", "--stakes", node.URL, other.URL}, "different clusters")
	node.FailAlways("getLeaderSchedule", rpctest.Page())
	wantAsked(t, exitError, "", []string{"diff", path, node.URL}, "bad reply")
	node.FailAlways("getVoteAccounts", rpctest.Truncated())
	wantAsked(t, exitError, "", []string{"diff", "example", node.URL}, "getVoteAccounts")
}

// Standard input is recognised as well, though it is read once.
func TestDiffStandardInput(t *testing.T) {
	genesis := dataFile(t, "genesis-mainnet-beta.bin")
	data, err := os.ReadFile(genesis)
	if err != nil {
		t.Fatal(err)
	}
	if got := wantDone(t, string(data), "diff", "-", genesis, "--epoch", "1"); got != "equal: 4 vote accounts with 1,999,999,990,868,480 lamports\n" {
		t.Errorf("got %s", got)
	}
	text := wantDone(t, "", with([]string{"derive", "--format", "json"}, short...)...)
	if got := wantDone(t, text, "diff", "-", writeTemp(t, text)); got != "equal: 8,192 slots\n" {
		t.Errorf("got %s", got)
	}
	votes := dataFile(t, "mainnet-45-getVoteAccounts.json")
	data, err = os.ReadFile(votes)
	if err != nil {
		t.Fatal(err)
	}
	wantDone(t, string(data), "diff", "-", votes)
}

func writeTemp(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	writeFile(t, path, text)
	return path
}

// An epoch.new message holds a schedule and stakes; what it is taken for can be
// said.
func TestDiffEpochNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "epoch-new.json")
	wantDone(t, "", append(with([]string{"derive", "--format", "epoch-new", "-o", path}, short...), "--keyed-by", "identity")...)
	if got := wantDone(t, "", "diff", path, path); got != "equal: 8,192 slots\n" {
		t.Errorf("got %s", got)
	}
	if got := wantDone(t, "", "diff", path, path, "--stakes"); !strings.HasPrefix(got, "equal: 1,394 identities with ") {
		t.Errorf("got %s", got)
	}
}

func TestDiffRefuses(t *testing.T) {
	junk, list := writeTemp(t, "hello\n"), writeTemp(t, votesList)
	text := writeTemp(t, asText(5, []string{keyNode}))
	broken := writeTemp(t, asText(5, []string{keyNode})+asText(5, []string{keyShort}))
	for _, c := range []struct {
		args string
		says []string
	}{
		{"", []string{"two schedules"}},
		{"example", []string{"two schedules"}},
		{"example example example", []string{"two schedules"}},
		{"- -", []string{"give - once"}},
		{"example none", []string{"none", "no such file"}},
		{"example " + junk, []string{junk, "neither a schedule nor a stake list"}},
		{"example " + text, []string{"two of a kind"}},
		{list + " " + text, []string{"two of a kind"}},
		{text + " " + broken, []string{broken, "two leaders"}},
		{"--schedules " + list + " " + text, []string{list, "columns"}},
		{"--schedules example example", []string{"--schedules"}},
		{"--stakes " + list + " " + text, []string{text}},
		{"--stakes --schedules a b", []string{"give one of them"}},
		{"--schedules --keyed-by vote a b", []string{"--keyed-by"}},
		{"--keyed-by key a b", []string{"--keyed-by"}},
		{"--format xml example example", []string{`"xml"`}},
		{"--top -1 example example", []string{"--top"}},
		{"--identity x example example", []string{"--identity"}},
	} {
		wantRefused(t, "", append([]string{"diff"}, strings.Fields(c.args)...), c.says...)
	}
	wantRefused(t, "hello", []string{"diff", "-", list}, "standard input", "neither")
	wantRefused(t, strings.Repeat("\x00", 1<<20), []string{"diff", "-", list}, "standard input", "neither")
}

func TestPercentChange(t *testing.T) {
	for _, c := range []struct {
		change, was int64
		want        string
	}{
		{1, 3, "+33.33 %"},
		{-1, 3, "-33.33 %"},
		{2, 3, "+66.67 %"},
		{1, 20_000, "+0.01 %"},
		{1, 20_001, "+0.00 %"},
		{0, 5, "0.00 %"},
		{0, 0, "0.00 %"},
		{5, 0, "new"},
		{-5, 5, "gone"},
		{10_000, 1, "+1,000,000.00 %"},
	} {
		if got := percentChange(big.NewInt(c.change), big.NewInt(c.was)); got != c.want {
			t.Errorf("%d of %d: got %s, want %s", c.change, c.was, got, c.want)
		}
	}
}
