package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/batch/rankfile"
)

// batchArgs are flags of batch and of derive for votesList: ten slots an epoch.
var batchArgs = []string{"--stakes", "-", "--slots", "10", "--keyed-by", "vote"}

// derived returns what derive prints for an epoch of votesList.
func derived(t *testing.T, epoch int, args ...string) string {
	t.Helper()
	return wantDone(t, votesList, slices.Concat([]string{"derive", "--epoch", strconv.Itoa(epoch)}, batchArgs, args)...)
}

// batched returns what batch prints for epochs of votesList.
func batched(t *testing.T, epochs string, args ...string) string {
	t.Helper()
	return wantDone(t, votesList, slices.Concat([]string{"batch", "--epochs", epochs}, batchArgs, args)...)
}

// A directory gets, for every epoch, the file that derive writes.
func TestBatchDirectory(t *testing.T) {
	for format, extension := range map[string]string{
		"text": ".txt", "json": ".json", "json-compact": ".json", "rpc": ".json", "csv": ".csv", "epoch-new": ".json", "digest": ".digest",
	} {
		t.Run(format, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "made")
			for range 2 { // the second time into a directory that is there
				if out := batched(t, "8..11", "--format", format, "-o", dir, "--workers", "3"); out != "" {
					t.Errorf("standard output %q beside files", out)
				}
				var names []string
				for epoch := 8; epoch <= 11; epoch++ {
					names = append(names, fmt.Sprintf("epoch-%d%s", epoch, extension))
					wantFile(t, filepath.Join(dir, names[epoch-8]), derived(t, epoch, "--format", format))
				}
				slices.Sort(names)
				wantFiles(t, dir, names...)
			}
		})
	}
}

// Standard output gets what derive prints for every epoch, one after another.
func TestBatchStandardOutput(t *testing.T) {
	for _, format := range []string{"text", "json", "json-compact", "rpc", "csv", "epoch-new", "digest"} {
		for _, workers := range []string{"1", "4"} {
			want := ""
			for epoch := 95; epoch <= 105; epoch++ {
				one := derived(t, epoch, "--format", format)
				switch {
				case format == "csv" && epoch > 95:
					_, one, _ = strings.Cut(one, "\n")
				case format == "digest":
					one = strconv.Itoa(epoch) + " " + one
				}
				want += one
			}
			if got := batched(t, "95..105", "--format", format, "--workers", workers); got != want {
				t.Errorf("%s with %s workers: got\n%s\nwant\n%s", format, workers, got, want)
			}
		}
	}
	if got, want := batched(t, "7"), derived(t, 7); got != want {
		t.Errorf("one epoch: got %q, want %q", got, want)
	}
}

// A CSV that is longer than a piece of output still has one header.
func TestBatchLongCSV(t *testing.T) {
	out := wantDone(t, votesList, "batch", "--epochs", "1..3", "--stakes", "-", "--slots", "4000", "--keyed-by", "vote", "--format", "csv")
	if n := strings.Count(out, "\n"); n != 12_001 || strings.Count(out, "slot") != 2 || !strings.Contains(out, "\n15999,3999,") {
		t.Errorf("%d lines", n)
	}
}

func TestBatchIdentity(t *testing.T) {
	args := []string{"--format", "rpc", "--identity", keyNode}
	if got, want := batched(t, "1..2", args...), derived(t, 1, args...)+derived(t, 2, args...); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A range that crosses the activation of SIMD-0180 has both keyings.
func TestBatchKeyedByAuto(t *testing.T) {
	args := []string{"--stakes", "example", "--format", "digest"}
	var want string
	for epoch := 841; epoch <= 842; epoch++ {
		want += fmt.Sprint(epoch) + " " + deriveDigest(t, "", "--stakes", "example", "--epoch", strconv.Itoa(epoch))
	}
	if got := wantDone(t, "", append([]string{"batch", "--epochs", "841..842"}, args...)...); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Warm-up epochs have their own lengths and first slots.
func TestBatchWarmup(t *testing.T) {
	args := []string{"--stakes", "-", "--cluster", "testnet", "--format", "csv"}
	list := keyNode + ",3\n" + keyShort + ",2\n"
	got := wantDone(t, list, append([]string{"batch", "--epochs", "0..5"}, args...)...)
	if n := strings.Count(got, "\n"); n != 1+32+64+128+256+512+1024 {
		t.Errorf("%d lines", n)
	}
	_, last, _ := strings.Cut(wantDone(t, list, append([]string{"derive", "--epoch", "5"}, args...)...), "\n")
	if !strings.HasSuffix(got, last) {
		t.Error("the last epoch is not as derive prints it")
	}
}

func TestBatchRanks(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "all.ranks")
	args := []string{"batch", "--epochs", "841..842", "--stakes", "example", "--format", "ranks"}
	if got := wantDone(t, "", append(args, "-o", out)...); got != "" {
		t.Errorf("standard output %q", got)
	}
	wantFiles(t, dir, "all.ranks")
	wantFile(t, out, wantDone(t, "", args...))
	f, err := rankfile.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Len() != 2 || f.Lists() != 2 {
		t.Errorf("%d epochs, %d lists", f.Len(), f.Lists())
	}
	for epoch := uint64(841); epoch <= 842; epoch++ {
		s, err := f.Schedule(epoch)
		if err != nil {
			t.Fatal(err)
		}
		want := deriveDigest(t, "", "--stakes", "example", "--epoch", fmt.Sprint(epoch))
		if got := fmt.Sprintf("%x\n", s.Digest()); got != want || uint64(s.FirstSlot()) != 432_000*epoch {
			t.Errorf("epoch %d: digest %s, want %s", epoch, got, want)
		}
	}
}

// wantCounts compares lines of --counts with what derive prints as CSV.
func wantCounts(t *testing.T, got string, epochs []int, header string, total bool) {
	t.Helper()
	type validator struct{ identity, vote, stake string }
	validators := []validator{{keyNode, keyVote3, "30"}, {keyShort, keyVote2, "20"}, {keyNode, keyVote1, "10"}}
	count := func(v validator, epochs ...int) (rotations, slots int) {
		for _, epoch := range epochs {
			rotation := -1
			for line := range strings.Lines(derived(t, epoch, "--format", "csv")) {
				f := strings.Split(strings.TrimSpace(line), ",")
				if f[3] != v.vote {
					continue
				}
				slots++
				if index, _ := strconv.Atoi(f[1]); index/4 != rotation {
					rotation = index / 4
					rotations++
				}
			}
		}
		return rotations, slots
	}
	want := header + "\n"
	if total {
		for _, v := range validators {
			rotations, slots := count(v, epochs...)
			want += fmt.Sprintf("%s,%s,%s,%d,%d,%d\n", v.identity, v.vote, v.stake, len(epochs), rotations, slots)
		}
	}
	for _, epoch := range epochs {
		for _, v := range validators {
			if rotations, slots := count(v, epoch); !total {
				want += fmt.Sprintf("%d,%s,%s,%s,%d,%d\n", epoch, v.identity, v.vote, v.stake, rotations, slots)
			}
		}
	}
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBatchCounts(t *testing.T) {
	epochs := []int{1, 2, 3, 4, 5, 6}
	const total, byEpoch = "identity,vote_account,stake,epochs,rotations,slots", "epoch,identity,vote_account,stake,rotations,slots"
	wantCounts(t, batched(t, "1..6", "--counts"), epochs, total, true)
	wantCounts(t, batched(t, "1..6", "--counts=total", "--workers=3"), epochs, total, true)
	wantCounts(t, batched(t, "1..6", "--counts=epoch"), epochs, byEpoch, false)

	out := filepath.Join(t.TempDir(), "counts.csv")
	if got := batched(t, "1..6", "--counts", "-o", out); got != "" {
		t.Errorf("standard output %q", got)
	}
	wantFile(t, out, batched(t, "1..6", "--counts"))
	wantFiles(t, filepath.Dir(out), "counts.csv")
	for _, flag := range []string{"--counts", "--counts=epoch"} {
		if got := batched(t, "1..6", flag, "-o", os.DevNull); got != "" {
			t.Errorf("%s to a device: standard output %q", flag, got)
		}
	}

	one := batched(t, "1..6", "--counts", "--identity", keyShort)
	if lines := strings.Split(one, "\n"); len(lines) != 3 || !strings.HasPrefix(lines[1], keyShort+","+keyVote2+",20,6,") {
		t.Errorf("one identity: %s", one)
	}
}

// Where keyings change, the identities come before the vote accounts, each with
// the number of its epochs.
func TestBatchCountsOfBothKeyings(t *testing.T) {
	out := wantDone(t, votesList, "batch", "--epochs", "841..843", "--stakes", "-", "--counts")
	want := []string{keyNode + ",,40,1,", keyShort + ",,20,1,", keyNode + "," + keyVote3 + ",30,2,", keyShort + "," + keyVote2 + ",20,2,", keyNode + "," + keyVote1 + ",10,2,"}
	lines := strings.Split(strings.TrimSpace(out), "\n")[1:]
	slots := uint64(0)
	for i, line := range lines {
		if i >= len(want) || !strings.HasPrefix(line, want[i]) {
			t.Errorf("line %d is %s", i+2, line)
		}
		n, err := strconv.ParseUint(line[strings.LastIndex(line, ",")+1:], 10, 64)
		if err != nil {
			t.Error(err)
		}
		slots += n
	}
	if len(lines) != len(want) || slots != 3*432_000 {
		t.Errorf("%d lines, %d slots", len(lines), slots)
	}
}

// Where keyings change there is still one thing to say about a key, and nothing
// about one that leads.
func TestBatchNotesIdentities(t *testing.T) {
	const idle = "11111111111111111111111111111113"
	list := votesList + keyVote1[:len(keyVote1)-1] + "S," + idle + ",0\n"
	args := []string{"batch", "--stakes", "-", "--counts", "--epochs", "841..842", "--identity"}
	wantNoted(t, list, keyVote1+" is a vote account, its identity is "+keyNode, append(args, keyVote1)...)
	wantNoted(t, list, keyVote1+" is a vote account", append(args, keyVote1, "--identity", keyVote1)...)
	wantNoted(t, list, idle+" has no stake in the list", append(args, idle)...)
	wantDone(t, list, append(args, keyNode)...)

	none := []string{"derive", "--stakes", "-", "--format", "rpc", "--epoch", "841", "--identity"}
	wantNoted(t, list, keyVote1+" is a vote account, its identity is "+keyNode, append(none, keyVote1)...)
	wantNoted(t, list, idle+" has no stake in the list", append(none, idle)...)
	wantDone(t, list, append(none, keyNode)...)
}

func TestBatchHelpOfWorkers(t *testing.T) {
	help := wantDone(t, "", "batch", "--help")
	if !strings.Contains(help, fmt.Sprintf("up to %d (default: one for each core); memory grows with N", maxWorkers)) {
		t.Errorf("help is\n%s", help)
	}
}

func TestBatchLastEpochs(t *testing.T) {
	out := wantDone(t, votesList, "batch", "--epochs", "18446744073709551613..18446744073709551615", "--stakes", "-", "--format", "digest")
	if strings.Count(out, "\n") != 3 || !strings.HasPrefix(lastLine(out), "18446744073709551615 ") {
		t.Errorf("got %s", out)
	}
}

func TestBatchBadFlags(t *testing.T) {
	list := filepath.Join(t.TempDir(), "votes.csv")
	writeFile(t, list, votesList)
	for _, c := range []struct {
		name string
		args string // after --stakes and --epochs 1..3, each of which it may repeat
		says []string
	}{
		{"epochs in words", "--epochs all", []string{"--epochs", `"all"`, "A..B"}},
		{"no last epoch", "--epochs 5..", []string{"--epochs", `"5.."`, "A..B"}},
		{"no first epoch", "--epochs ..5", []string{"--epochs", `"..5"`}},
		{"epochs backwards", "--epochs 5..4", []string{"--epochs", "4 comes before 5"}},
		{"three dots", "--epochs 1...4", []string{"--epochs", `"1...4"`}},
		{"dash", "--epochs 1-4", []string{"--epochs", `"1-4"`}},
		{"negative epoch", "--epochs -1..4", []string{"--epochs", `"-1..4"`}},
		{"hexadecimal epoch", "--epochs 0x1..4", []string{"--epochs", `"0x1..4"`}},
		{"empty epochs", "--epochs=", []string{"--epochs", `""`}},
		{"epoch too large", "--epochs 1..18446744073709551616", []string{"--epochs", "18446744073709551615"}},
		{"no workers", "--workers 0", []string{"--workers", `"0"`, "from 1 to 256"}},
		{"too many workers", "--workers 257", []string{"--workers", `"257"`, "from 1 to 256"}},
		{"workers in words", "--workers many", []string{"--workers", `"many"`}},
		{"format", "--format yaml", []string{"--format", `"yaml"`, "text, json, json-compact, rpc, csv, epoch-new, digest", "ranks"}},
		{"counts", "--counts=all", []string{"--counts", `"all"`, "total", "epoch"}},
		{"empty counts", "--counts=", []string{"--counts", `""`}},
		{"counts and format", "--counts --format csv", []string{"--counts", "--format"}},
		{"cluster", "--cluster mainnet", []string{"--cluster", `"mainnet"`}},
		{"slots and cluster", "--slots 8 --cluster testnet", []string{"--slots", "--cluster"}},
		{"too many slots", "--slots 9000000000000000 --keyed-by vote", []string{"rotations", "at most"}},
		{"too many slots in the last epoch", "--epochs 1..60 --epoch-schedule slots=1152921504606846976,warmup --keyed-by vote --counts", []string{"epoch", "at most"}},
		{"no repeat", "--repeat 0", []string{"--repeat", `"0"`}},
		{"keying", "--keyed-by node", []string{"--keyed-by", `"node"`}},
		{"keying of devnet", "--cluster devnet", []string{"--keyed-by", "devnet"}},
		{"identity", "--identity me", []string{"--identity", `"me"`}},
		{"identity and digest", "--format digest --identity " + keyNode, []string{"--identity", "digest"}},
		{"identity and ranks", "--format ranks --identity " + keyNode, []string{"--identity", "ranks"}},
		{"repeat and epoch-new", "--format epoch-new --repeat 2", []string{"--repeat", "epoch-new"}},
		{"slot over the limit", "--epochs 1..18446744073709551615", []string{"--epochs", "epoch 18446744073709551615", "--format text", "only rpc, digest and --counts can"}},
		{"slot of ranks over the limit", "--epochs 1..18446744073709551615 --format ranks", []string{"--epochs", "--format ranks"}},
		{"empty output", "--output=", []string{"--output"}},
		{"no such list", "--stakes none.csv", []string{"none.csv", "no such file"}},
		{"argument", "1..5", []string{`"1..5"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			args := []string{"batch", "--stakes", list, "--epochs", "1..3", "-o", filepath.Join(dir, "out")}
			wantRefused(t, "", append(args, strings.Fields(c.args)...), c.says...)
			wantFiles(t, dir)
		})
	}
	wantRefused(t, "", []string{"batch", "--epochs", "1..2"}, "--stakes", "example")
	wantRefused(t, "", []string{"batch", "--stakes", "example"}, "--epochs A..B")
}

func TestBatchBadStakes(t *testing.T) {
	for _, list := range []string{"", keyNode + ",0\n", keyNode + ",1\n" + keyNode + ",2\n", keyNode + ",-1\n"} {
		for _, output := range []string{"--format=text", "--format=ranks", "--counts"} {
			dir := t.TempDir()
			wantRefused(t, list, []string{"batch", "--stakes", "-", "--epochs", "1..3", "-o", filepath.Join(dir, "out"), output}, "standard input")
			wantFiles(t, dir)
		}
	}
}

func TestBatchUnwritableOutput(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "file"), "file")
	args := []string{"batch", "--stakes", "example", "--epochs", "1..3", "-o"}
	for _, c := range []struct{ out, format, says string }{
		{filepath.Join(dir, "file"), "text", "no directory"},
		{filepath.Join(dir, "none", "out"), "text", "cannot write into"},
		{filepath.Join(dir, "file", "out"), "text", "cannot write into"},
		{dir, "ranks", "is a directory"},
		{filepath.Join(dir, "none", "out"), "ranks", "cannot write"},
	} {
		wantRefused(t, "", append(args, c.out, "--format", c.format), c.says, c.out)
	}
	wantRefused(t, "", append(args, dir, "--counts"), "is a directory")
	wantFiles(t, dir, "file")
}

// An epoch that cannot be written ends the batch, and what it left is whole.
func TestBatchFailsInTheMiddle(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "epoch-3.digest"), 0o777); err != nil {
		t.Fatal(err)
	}
	args := slices.Concat([]string{"batch", "--epochs", "1..500"}, batchArgs, []string{"--format", "digest", "-o", dir, "--workers", "1"})
	wantRefused(t, votesList, args, "epoch 3", "epoch-3.digest", "is a directory")
	found, err := os.ReadDir(dir)
	if err != nil || len(found) < 3 || len(found) > 20 {
		t.Errorf("%d files, %v", len(found), err)
	}
	for _, f := range found {
		var epoch int
		if _, err := fmt.Sscanf(f.Name(), "epoch-%d.digest", &epoch); err != nil {
			t.Errorf("%s is left", f.Name())
		} else if epoch != 3 {
			wantFile(t, filepath.Join(dir, f.Name()), derived(t, epoch, "--format", "digest"))
		}
	}
}

func TestBatchStandardOutputFails(t *testing.T) {
	var errs strings.Builder
	args := []string{"batch", "--stakes", "example", "--epochs", "1..9", "--format", "csv"}
	code := run(args, strings.NewReader(""), &brokenWriter{left: 1 << 17, err: errors.New("no space left")}, &errs)
	if code != exitError || errs.String() != "schedgen: cannot write standard output: no space left\n" {
		t.Errorf("exit code %d, standard error %q", code, errs.String())
	}
}

func TestEpochInterval(t *testing.T) {
	for _, c := range []struct {
		text               string
		first, last, count uint64
	}{
		{"7", 7, 7, 1},
		{"0..0", 0, 0, 1},
		{"10..19", 10, 19, 10},
		{"0..18446744073709551614", 0, 1<<64 - 2, 1<<64 - 1},
		{"0..18446744073709551615", 0, 1<<64 - 1, 1<<64 - 1},
	} {
		var e epochInterval
		if err := e.Set(c.text); err != nil || e.first != c.first || e.last != c.last || e.count() != c.count || e.String() != c.text {
			t.Errorf("%s: %+v, count %d, %v", c.text, e, e.count(), err)
		}
	}
}
