package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// wantDone runs schedgen, which must have nothing to complain about, and returns
// its standard output.
func wantDone(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	code, stdout, stderr := runCommand(t, stdin, args...)
	if code != exitDone || stderr != "" {
		t.Fatalf("%v: exit code %d, standard error %q", args, code, stderr)
	}
	return stdout
}

// The 10 slots of testdata follow from published draws: stakes 10, 20 and 30
// give the entries 1 1 2 for the rotations of epoch 1.
func TestDeriveFormats(t *testing.T) {
	for _, format := range []string{"text", "json", "json-compact", "rpc", "csv", "epoch-new", "digest"} {
		t.Run(format, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join("testdata", "votes."+format))
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"derive", "--stakes", "-", "--epoch", "1", "--slots", "10", "--keyed-by", "vote", "--format", format}
			if got := wantDone(t, votesList, args...); got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			path := filepath.Join(t.TempDir(), "out")
			if got := wantDone(t, votesList, append(args, "-o", path)...); got != "" {
				t.Errorf("standard output %q beside a file", got)
			}
			wantFile(t, path, string(want))
			wantFiles(t, filepath.Dir(path), "out")
		})
	}
}

func TestDeriveReplacesOutput(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	writeFile(t, out, strings.Repeat("before", 1000))
	args := []string{"derive", "--stakes", "example", "--epoch", "900", "--format", "digest"}
	want := wantDone(t, "", args...)
	wantDone(t, "", append(args, "-o", out)...)
	wantFile(t, out, want)
	wantFiles(t, dir, "out")
	wantDone(t, "", append(args, "-o", os.DevNull)...)
}

func TestDeriveIdentity(t *testing.T) {
	args := []string{"derive", "--stakes", "-", "--epoch", "1", "--slots", "10", "--keyed-by", "vote", "--identity", keyNode}
	text := "  18              " + keyNode + " \n  19              " + keyNode + " \n\n"
	if got := wantDone(t, votesList, args...); got != text {
		t.Errorf("got %q, want %q", got, text)
	}
	rpc := append(args, "--format", "rpc")
	if got, want := wantDone(t, votesList, rpc...), `{"`+keyNode+`":[8,9]}`+"\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	both := append(rpc, "--identity", keyShort)
	if got, want := wantDone(t, votesList, both...), wantDone(t, votesList, append(args[:9:9], "--format", "rpc")...); got != want {
		t.Errorf("both identities: got %s, want %s", got, want)
	}
	for identity, says := range map[string]string{
		keyVote1:                           keyVote1 + " is a vote account, its identity is " + keyNode,
		"11111111111111111111111111111113": "11111111111111111111111111111113 has no stake in the list",
	} {
		none := append(args[:9:9], "--format", "rpc", "--identity", identity)
		if got := wantNoted(t, votesList, says, none...); got != "{}\n" {
			t.Errorf("an identity without slots: got %s, want {}", got)
		}
	}
}

// wantNoted runs schedgen, which must do its work and say one thing about it,
// and returns its standard output.
func wantNoted(t *testing.T, stdin, says string, args ...string) string {
	t.Helper()
	code, stdout, stderr := runCommand(t, stdin, args...)
	if code != exitDone || !strings.HasPrefix(stderr, "schedgen: note: ") || !strings.Contains(stderr, says) || strings.Count(stderr, "\n") != 1 {
		t.Errorf("%v: exit code %d, standard error %q, want a note about %q", args, code, stderr, says)
	}
	return stdout
}

// A list without vote accounts may be one of identities, which does not fit an
// epoch that is drawn by vote account. Whoever names the keying knows.
func TestDeriveNotesKeying(t *testing.T) {
	list := keyNode + ",3\n" + keyShort + ",2\n"
	args := []string{"derive", "--stakes", "-", "--format", "digest", "--epoch"}
	before := wantDone(t, list, append(args, "841")...)
	after := wantNoted(t, list, "epoch 842 is drawn by vote account", append(args, "842")...)
	if before == after {
		t.Error("two epochs have one schedule")
	}
	if got := wantDone(t, list, append(args, "842", "--keyed-by", "vote")...); got != after {
		t.Error("the note changes the schedule")
	}
	batch := []string{"batch", "--stakes", "-", "--format", "digest", "--epochs", "841..842"}
	if got, want := wantNoted(t, list, "epoch 842", batch...), "841 "+before+"842 "+after; got != want {
		t.Errorf("batch: got %q, want %q", got, want)
	}
}

func TestDeriveRepeat(t *testing.T) {
	args := []string{"derive", "--stakes", "-", "--epoch", "1", "--slots", "12", "--keyed-by", "vote", "--format", "csv", "--repeat"}
	for repeat, want := range map[string]string{ // Agave's published indices of this list
		"1": "1 1 2 1 1 0 0 1 2 1 0 1",
		"2": "1 1 1 1 2 2 1 1 1 1 0 0",
		"5": "1 1 1 1 1 1 1 1 1 1 2 2",
	} {
		var got []string
		for row := range strings.Lines(wantDone(t, votesList, append(args, repeat)...)) {
			fields := strings.Split(strings.TrimSpace(row), ",")
			if i := slices.Index([]string{keyVote1, keyVote2, keyVote3}, fields[3]); i >= 0 {
				got = append(got, strconv.Itoa(i))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("--repeat %s: vote accounts %v, want %s", repeat, got, want)
		}
	}
}

// deriveDigest returns the digest with some more flags.
func deriveDigest(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	return wantDone(t, stdin, append([]string{"derive", "--format", "digest"}, args...)...)
}

// --keyed-by auto changes with SIMD-0180, unless there are no vote accounts.
func TestDeriveKeyedByAuto(t *testing.T) {
	for _, c := range []struct{ cluster, epoch, want string }{
		{"mainnet-beta", "841", "identity"},
		{"mainnet-beta", "842", "vote"},
		{"testnet", "829", "identity"},
		{"testnet", "830", "vote"},
	} {
		args := []string{"--stakes", "example", "--epoch", c.epoch, "--cluster", c.cluster}
		auto := deriveDigest(t, "", args...)
		byVote := deriveDigest(t, "", append(args, "--keyed-by", "vote")...)
		byIdentity := deriveDigest(t, "", append(args, "--keyed-by", "identity")...)
		if byVote == byIdentity {
			t.Fatal("the example list cannot tell one keying from the other")
		}
		if want := map[string]string{"vote": byVote, "identity": byIdentity}[c.want]; auto != want {
			t.Errorf("%s epoch %s is not keyed by %s", c.cluster, c.epoch, c.want)
		}
	}
	two := keyNode + ",3\n" + keyShort + ",2\n"
	args := []string{"--stakes", "-", "--epoch", "842", "--slots", "400"}
	auto := deriveDigest(t, two, args...)
	for _, keying := range []string{"vote", "identity"} {
		if deriveDigest(t, two, append(args, "--keyed-by", keying)...) != auto {
			t.Errorf("a list without vote accounts is another with --keyed-by %s", keying)
		}
	}
	votes := wantDone(t, two, "derive", "--stakes", "-", "--epoch", "1", "--slots", "1", "--keyed-by", "vote", "--format", "csv")
	if !strings.Contains(votes, ","+keyNode+","+keyNode+"\n") && !strings.Contains(votes, ","+keyShort+","+keyShort+"\n") {
		t.Errorf("keys are no vote accounts that lead themselves: %s", votes)
	}
}

// firstSlot returns the first slot of the text format, and how many there are.
func firstSlot(t *testing.T, args ...string) (first string, count int) {
	t.Helper()
	out := wantDone(t, keyNode+",3\n", append([]string{"derive", "--stakes", "-"}, args...)...)
	return strings.Fields(out)[0], strings.Count(out, "\n") - 1
}

func TestDeriveSlots(t *testing.T) {
	for _, c := range []struct {
		args  string
		first string
		slots int
	}{
		{"--epoch 0 --cluster devnet", "0", 432_000},
		{"--epoch 454", "196128000", 432_000},
		{"--epoch 0 --cluster testnet", "0", 32},
		{"--epoch 13 --cluster testnet", "262112", 262_144},
		{"--epoch 14 --cluster testnet", "524256", 432_000},
		{"--epoch 763 --cluster testnet", "324092256", 432_000},
		{"--epoch 3 --epoch-schedule 8192", "24576", 8_192},
		{"--epoch 3 --epoch-schedule slots=8192,offset=8192,warmup", "224", 256},
		{"--epoch 9 --epoch-schedule slots=8192,warmup=true", "16352", 8_192},
		{"--epoch 3 --slots 5", "15", 5},
		{"--epoch 18446744073709551615 --slots 1", "18446744073709551615", 1},
	} {
		first, slots := firstSlot(t, strings.Fields(c.args)...)
		if first != c.first || slots != c.slots {
			t.Errorf("%s: %d slots from %s, want %d from %s", c.args, slots, first, c.slots, c.first)
		}
	}
}

// An epoch whose slots have no number still has leaders.
func TestDeriveEpochOverTheLimit(t *testing.T) {
	list := keyNode + ",3\n" + keyShort + ",2\n"
	for _, epoch := range []string{
		"18446744073709551615 --cluster testnet",
		"18446744073709551615 --slots 432000",
		"18446744073709551615 --epoch-schedule 432000",
		"1844674407370955161 --slots 10", // the first slots have numbers, the last have not
		"18446744073709551 --epoch-schedule 1000",
	} {
		args := append([]string{"derive", "--stakes", "-", "--epoch"}, strings.Fields(epoch)...)
		for _, format := range []string{"rpc", "digest"} {
			if got := wantDone(t, list, append(args, "--format", format, "--keyed-by", "vote")...); len(got) < 3 {
				t.Errorf("%s: got %q", epoch, got)
			}
		}
		for _, format := range []string{"text", "json", "json-compact", "csv", "epoch-new"} {
			wantRefused(t, list, append(args, "--format", format), "18446744073709551615", format)
		}
	}
}

func TestDeriveMainnetEpoch454(t *testing.T) {
	list := filepath.Join("..", "..", "..", "shared", "data", "epoch-454-stakes.csv")
	if _, err := os.Stat(list); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no %s: the stakes of epoch 454 are not part of the repository", list)
	}
	args := []string{"--stakes", list, "--keyed-by", "identity", "--epoch", "454"}
	if got, want := deriveDigest(t, "", args...), "d36a60f50035f8dc76e9801ba6b27390f670d14abb30339a39340d836f57effa\n"; got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
	text := wantDone(t, "", append([]string{"derive"}, args...)...)
	if first, _, _ := strings.Cut(text, "\n"); first != "  196128000       GmZ7xFQ4GHDbQw4CSnFT9pAHa15u35qTN8e259UrBh9D" {
		t.Errorf("first line %q", first)
	}
	if len(text) != 432_000*63+1 {
		t.Errorf("%d bytes, want 63 a slot and an empty line", len(text))
	}
	leaders := sha256.New()
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) == 2 {
			leaders.Write([]byte(fields[1] + "\n"))
		}
	}
	if got, want := hex.EncodeToString(leaders.Sum(nil)), "abb21c997cd9d0220d6fcdaad166ddd5b0da46a604c8fd85db5c92ea44e8854e"; got != want {
		t.Errorf("leaders %s, want %s", got, want)
	}
}
