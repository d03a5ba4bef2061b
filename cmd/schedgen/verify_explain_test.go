package main

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/compare"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/example"
	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

// explained verifies a schedule of the short epoch with --explain.
func explained(t *testing.T, theirs []string, says ...string) {
	t.Helper()
	wantDiffers(t, asText(firstOf900, theirs), with([]string{"verify"}, with(short, "--against", "-", "--explain")...), says...)
}

// exampleList returns the lines of the example list, after a change of each.
func exampleList(change func(i int, fields []string) []string) string {
	var b strings.Builder
	i := 0
	for line := range strings.Lines(string(example.CSV())) {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "vote_pubkey") {
			b.WriteString(line)
			continue
		}
		if fields := change(i, strings.Split(strings.TrimSpace(line), ",")); fields != nil {
			fmt.Fprintln(&b, strings.Join(fields, ","))
		}
		i++
	}
	return b.String()
}

// exampleEntries returns the example list.
func exampleEntries(t *testing.T) (list []schedule.Entry) {
	t.Helper()
	exampleList(func(_ int, f []string) []string {
		vote, errA := schedule.ParsePubkey(f[0])
		node, errB := schedule.ParsePubkey(f[1])
		stake, errC := strconv.ParseUint(f[2], 10, 64)
		if errA != nil || errB != nil || errC != nil {
			t.Fatal(errA, errB, errC)
		}
		list = append(list, schedule.Entry{Key: vote, Node: node, Stake: stake})
		return f
	})
	return list
}

// fromList are the flags of the short epoch with a list on standard input.
func fromList() []string {
	args := slices.Clone(short)
	args[1] = "-"
	return args
}

// A cache that is filled while its bank moves answers with the leaders of about 100
// slots later.
func TestTrapMisalignedBy100Slots(t *testing.T) {
	leaders := derivedLeaders(t, "", short...)
	explained(t, leaders[100:], "index +100", "all 8,092 slots agree", "slot - first slot of the epoch")
	explained(t, slices.Concat(leaders[100:], leaders[:100]), "index +100", "goes on from the other end", "all 8,192 slots agree")
	explained(t, slices.Concat(leaders[8192-100:], leaders[:8192-100]), "index -100")
}

// Slots are mapped with the identities of today, not with those of the epoch's
// stakes: one validator changed its identity since.
func TestTrapTodaysIdentity(t *testing.T) {
	today := exampleList(func(i int, f []string) []string {
		if i == 3 {
			f[1] = keyNode
		}
		return f
	})
	theirs := derivedLeaders(t, today, fromList()...)
	explained(t, theirs, "1 vote accounts that have other identities", "-> "+keyNode, "not those of today")
}

// The leader is whoever is in the entry of the vote account: comparing by vote
// account tells a changed identity from another schedule.
func TestTrapIdentityOfVoteAccount(t *testing.T) {
	today := exampleList(func(i int, f []string) []string {
		if i == 3 {
			f[1] = keyNode
		}
		return f
	})
	csv := wantDone(t, today, with([]string{"derive", "--format", "csv"}, fromList()...)...)
	wantDiffers(t, csv, with([]string{"verify"}, with(short, "--against", "-")...), "vote accounts 8,192 of 8,192 slots agree", keyNode)
}

// Equal stakes are sorted by the key that they are drawn by. Of the genesis with
// four equal stakes, the two keyings have a quarter of the slots in common.
func TestTrapTiesByKeying(t *testing.T) {
	genesis := dataFile(t, "genesis-mainnet-beta.bin")
	theirs := wantDone(t, "", "derive", "--stakes", genesis, "--epoch", "0", "--format", "rpc")
	wantDiffers(t, theirs, []string{"verify", "--stakes", genesis, "--epoch", "0", "--keyed-by", "vote", "--against", "-", "--explain"},
		"108,740 agree", "keyed by identity, all 432,000 slots agree", "--keyed-by identity")
}

// The keying goes by the epoch, and the other one is a mistake that has a name.
func TestTrapKeyingOfTheEpoch(t *testing.T) {
	byIdentity := derivedLeaders(t, "", with(short, "--keyed-by", "identity")...)
	explained(t, byIdentity, "stakes added up and keyed by identity, all 8,192 slots agree", "(SIMD-0180)")
	text := asText(firstOf900, derivedLeaders(t, "", short...))
	wantDiffers(t, text, with([]string{"verify"}, with(short, "--keyed-by", "identity", "--against", "-", "--explain")...),
		"stakes keyed by vote account, all 8,192 slots agree", "give --keyed-by vote")
}

// Entries without stake, and the order of a list, change nothing.
func TestTrapZeroStakesAndOrder(t *testing.T) {
	text := asText(firstOf900, derivedLeaders(t, "", short...))
	path := filepath.Join(t.TempDir(), "theirs")
	writeFile(t, path, text)
	zeros := exampleList(func(_ int, f []string) []string { return f }) +
		keyVote1 + "," + keyNode + ",0\n" + keyVote2 + "," + keyShort + ",0\n"
	wantEqual(t, zeros, with(fromList(), "--against", path)...)
	lines := strings.Split(strings.TrimSpace(exampleList(func(_ int, f []string) []string { return f })), "\n")
	slices.Reverse(lines[3:])
	wantEqual(t, strings.Join(lines, "\n")+"\n", with(fromList(), "--against", path)...)
}

// severalEpochs writes a snapshot's manifest with the stakes of epochs 900 to 902,
// in which every vote account has other stakes.
func severalEpochs(t *testing.T) string {
	t.Helper()
	s := snapshottest.Small(snapshottest.New)
	s.GenesisCreationTime = 1 // of no public cluster
	s.EpochSchedule = schedule.EpochSchedule{SlotsPerEpoch: 8192, LeaderScheduleSlotOffset: 8192}
	s.Slot = 901 * 8192
	for i := range s.New {
		st := &s.New[i]
		st.Votes = snapshottest.Votes(st.Epoch, 60)
		for j := range st.Votes {
			st.Votes[j].Stake += st.Votes[j].Stake / 1000 * ((st.Epoch * uint64(j)) % 7)
		}
	}
	path := filepath.Join(t.TempDir(), "manifest")
	writeFile(t, path, string(s.Manifest()))
	return path
}

// staleSchedule is epoch 902 derived from the stakes of another epoch.
func staleSchedule(t *testing.T, source, epoch string) string {
	t.Helper()
	list := filepath.Join(t.TempDir(), epoch+".json")
	wantDone(t, "", "stakes", "convert", source, "--epoch", epoch, "-o", list)
	code, out, stderr := runCommand(t, "", "derive", "--stakes", list, "--epoch", "902", "--keyed-by", "vote", "--force-epoch")
	if code != exitDone {
		t.Fatal(stderr)
	}
	return out
}

// The stakes that were recorded at the first block of an epoch lead the next one:
// to take those of an epoch before is the commonest mistake of all.
func TestTrapStakesOfAnotherEpoch(t *testing.T) {
	source := severalEpochs(t)
	args := []string{"verify", "--stakes", source, "--epoch", "902", "--keyed-by", "vote", "--against", "-"}
	code, stdout, stderr := runCommand(t, staleSchedule(t, source, "902"), args...)
	if code != exitDone {
		t.Fatalf("exit code %d, %s%s", code, stdout, stderr)
	}
	wantDiffers(t, staleSchedule(t, source, "901"), with(args, "--explain"),
		"with the stakes of epoch 901, one epoch too old, all 8,192 slots agree", "those recorded at the first block")
	wantDiffers(t, staleSchedule(t, source, "900"), with(args, "--explain"), "of epoch 900, 2 epochs too old, all")
	// The number of the epoch alone, with the right stakes.
	right := filepath.Join(t.TempDir(), "902.json")
	wantDone(t, "", "stakes", "convert", source, "--epoch", "902", "-o", right)
	_, text, _ := runCommand(t, "", "derive", "--stakes", right, "--epoch", "901", "--keyed-by", "vote", "--force-epoch", "--format", "rpc")
	wantDiffers(t, text, with(args, "--explain"), "with the number of epoch 901 in the place of 902", "seed the generator")
}

// Lists of several epochs may come from several files.
func TestTrapStaleAccounts(t *testing.T) {
	source, dir := severalEpochs(t), t.TempDir()
	a, b := filepath.Join(dir, "901.csv"), filepath.Join(dir, "902.csv")
	wantDone(t, "", "stakes", "convert", source, "--epoch", "901", "--to", "csv", "-o", a)
	wantDone(t, "", "stakes", "convert", source, "--epoch", "902", "--to", "csv", "-o", b)
	args := []string{"verify", "--stakes", a, "--stakes", b, "--epoch", "902", "--keyed-by", "vote", "--against", "-", "--explain"}
	wantDiffers(t, staleSchedule(t, source, "901"), args, "one epoch too old")
	args[6] = "901"
	first := asText(901*8192, derivedLeaders(t, "", "--stakes", b, "--epoch", "901", "--keyed-by", "vote", "--force-epoch"))
	wantDiffers(t, first, args, "with the stakes of epoch 902, one epoch too new, all 8,192 slots agree", "labelled epoch 902 are those that lead epoch 901")
}

// Stakes that grew since they were recorded, as a node's live accounts did, give the
// same draws and other leaders.
func TestTrapLiveAccounts(t *testing.T) {
	live := exampleList(func(i int, f []string) []string {
		stake, err := strconv.ParseUint(f[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		f[2] = strconv.FormatUint(stake+stake/3000+uint64(i), 10)
		return f
	})
	explained(t, derivedLeaders(t, live, fromList()...),
		"no known mistake explains it", "schedules tried", "the draws are the same and the stakes differ somewhat", "schedgen diff")
}

// heavy skips a test that explains a whole epoch of 432,000 slots.
func heavy(t *testing.T) {
	t.Helper()
	if testing.Short() || os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" {
		t.Skip("derives a whole epoch some thousand times: not with -short or on an emulated processor")
	}
}

// One lamport more in the total moves a rejection, and all slots behind it.
func TestTrapOneLamport(t *testing.T) {
	heavy(t)
	stakes := dataFile(t, "epoch-454-stakes.csv")
	text, err := os.ReadFile(stakes)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	key, amount, _ := strings.Cut(lines[1], ",")
	lamports, err := strconv.ParseUint(amount, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	lines[1] = fmt.Sprintf("%s,%d", key, lamports+1)
	more := wantDone(t, strings.Join(lines, "\n"), "derive", "--stakes", "-", "--epoch", "454", "--format", "rpc")
	wantDiffers(t, more, []string{"verify", "--stakes", stakes, "--epoch", "454", "--against", "-", "--explain"},
		"slot 196169092, index 41,092, rotation 10,273", "a total of one lamport more, all 432,000 slots agree", "to the lamport")
}

// A list without its smallest entry looks right for thousands of slots.
func TestTrapMissingEntry(t *testing.T) {
	heavy(t)
	stakes := dataFile(t, "epoch-454-stakes.csv")
	text, err := os.ReadFile(stakes)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	least := slices.MinFunc(lines[1:], func(a, b string) int { return compareStakes(t, a, b) })
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == least })
	fewer := wantDone(t, strings.Join(lines, "\n")+"\n", "derive", "--stakes", "-", "--epoch", "454", "--format", "rpc")
	wantDiffers(t, fewer, []string{"verify", "--stakes", stakes, "--epoch", "454", "--against", "-", "--explain"},
		"26,684 agree", "index 6,252", "one entry missing, of which", "all 432,000 slots agree", "take it out of the stakes")
}

func compareStakes(t *testing.T, a, b string) int {
	of := func(line string) uint64 {
		_, amount, _ := strings.Cut(line, ",")
		n, err := strconv.ParseUint(amount, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return cmp.Compare(of(a), of(b))
}

// Turbine's rejection zone in the place of the schedule's.
func TestTrapShiftZone(t *testing.T) {
	explained(t, shifted(exampleEntries(t), 900, 8192/4), "rejection zone of gen_range (shift)", "all 8,192 slots agree", "2^64-1 - (2^64 mod total)")
}

// shifted draws rotations of four slots with the zone of gen_range.
func shifted(list []schedule.Entry, epoch uint64, rotations int) (leaders []string) {
	slices.SortFunc(list, func(a, b schedule.Entry) int {
		return cmp.Or(cmp.Compare(b.Stake, a.Stake), b.Key.Compare(a.Key))
	})
	total := uint64(0)
	for _, e := range list {
		total += e.Stake
	}
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], epoch)
	rng, zone := chacha20rng.New(seed), chacha20rng.Shift(total)
	for range rotations {
		draw := rng.Roll(zone)
		i := 0
		for ; draw >= list[i].Stake; i++ {
			draw -= list[i].Stake
		}
		leaders = append(leaders, slices.Repeat([]string{list[i].Node.String()}, 4)...)
	}
	return leaders
}

// The same leaders under other numbers: indices in the place of slots, or another
// epoch's number.
func TestTrapSlotsAndIndices(t *testing.T) {
	leaders := derivedLeaders(t, "", short...)
	args := with([]string{"verify"}, with(short, "--against", "-", "--explain")...)
	wantDiffers(t, asText(0, leaders), args, "the same leaders under other slot numbers", "counts slots from 0", "number the slots of the epoch")
	wantDiffers(t, asText(firstOf900-8192, leaders), args, "the same leaders under other slot numbers", "share no slot")
	json := strings.Replace(wantDone(t, "", with([]string{"derive", "--format", "json"}, short...)...), "900", "899", 1)
	wantDiffers(t, json, args, "the same leaders under other slot numbers", "standard input of epoch 899")
	leaders[0], leaders[1] = keyNode, keyNode
	wantRefused(t, asText(firstOf900-8192, leaders), args, "none of epoch 900")
}

// Few slots fit many mistakes: none is named then.
func TestExplainTooFewSlots(t *testing.T) {
	leaders := derivedLeaders(t, "", short...)
	wantDiffers(t, asText(firstOf900, []string{leaders[4], leaders[5]}), with([]string{"verify"}, with(short, "--against", "-", "--explain")...),
		"too few slots are known")
}

// Admission is a mistake of either side.
func TestExplainAdmission(t *testing.T) {
	var b strings.Builder
	b.WriteString("vote_pubkey,node_pubkey,stake\n")
	for i := range 2100 {
		vote, node := schedule.Pubkey{1, byte(i), byte(i >> 8)}, schedule.Pubkey{2, byte(i), byte(i >> 8)}
		fmt.Fprintf(&b, "%v,%v,%d\n", vote, node, uint64(1_000_000_007)*uint64(3000-i))
	}
	args := with(fromList(), "--admission", "top-2000")
	admitted, all := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	writeFile(t, admitted, asText(firstOf900, derivedLeaders(t, b.String(), args...)))
	writeFile(t, all, asText(firstOf900, derivedLeaders(t, b.String(), fromList()...)))
	for _, c := range []struct{ rule, against, says, todo string }{
		{"top-2000", all, "also those that SIMD-0357 does not admit, all 8,192", "give --admission none"},
		{"none", admitted, "that SIMD-0357 admits, all 8,192", "give --admission top-2000"},
	} {
		code, stdout, stderr := runCommand(t, b.String(), with([]string{"verify"}, with(fromList(), "--admission", c.rule, "--against", c.against, "--explain")...)...)
		text := strings.Join(strings.Fields(stdout), " ")
		if code != exitNo || !strings.Contains(text, c.says) || !strings.Contains(text, c.todo) {
			t.Errorf("%s: exit code %d\n%s%s", c.rule, code, stdout, stderr)
		}
	}
}

// The JSON form has the explanation and what to do.
func TestExplainJSON(t *testing.T) {
	text := asText(firstOf900, derivedLeaders(t, "", with(short, "--keyed-by", "identity")...))
	code, stdout, stderr := runCommand(t, text, with([]string{"verify"}, with(short, "--against", "-", "--explain", "--format", "json")...)...)
	v := parseVerdict(t, stdout)
	if code != exitNo || v.Explanation == nil || len(v.Explanation.Hypotheses) == 0 || !v.Explanation.Hypotheses[0].Exact ||
		v.Explanation.Hypotheses[0].Mistakes[0].Name != "keyed-by-identity" || len(v.Remedies) == 0 || v.Remedies[0].Ours != "give --keyed-by identity" {
		t.Errorf("exit code %d, %s, %.600s", code, stderr, stdout)
	}
}

// Every mistake that can be found has something to do about it.
func TestRemedies(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "compare", "catalogue.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Mistake") {
			return true
		}
		name, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		names++
		r, ok := remedyOf(compare.Mistake{Name: name}, nil)
		if name != compare.MistakeList && (!ok || r.Theirs == "") {
			t.Errorf("nothing to do about %s", name)
		}
		return true
	})
	if names != len(remedies)+1 {
		t.Errorf("%d mistakes, %d remedies", names, len(remedies))
	}
}

// What a node says is the network's own: then this side is to be changed.
func TestRemedyText(t *testing.T) {
	r := remedy{Theirs: "do this", Ours: "give that"}
	if got := r.text(true); got != "give that" {
		t.Errorf("got %q", got)
	}
	if got := r.text(false); got != "do this; if theirs is the network's own: give that" {
		t.Errorf("got %q", got)
	}
	r.Ours = ""
	if got := r.text(true); got != "do this" {
		t.Errorf("got %q", got)
	}
}
