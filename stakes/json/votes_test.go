package json

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// voteAccount is an element as a node prints it.
func voteAccount(vote, node, stake, credits, lastVote string) string {
	return fields("activatedStake", stake, "commission", "100", "epochCredits", credits, "epochVoteAccount", "true",
		"lastVote", lastVote, "nodePubkey", quoted(node), "rootSlot", "1", "votePubkey", quoted(vote))
}

func TestReadVoteAccounts(t *testing.T) {
	a, b, c := key(t, keyA), key(t, keyB), key(t, keyC)
	result := `{"current":[` +
		voteAccount(keyA, keyC, "18446744073709551615", "[[898,5,0],[899,9,5]]", "388368017") + "," +
		voteAccount(keyB, keyC, "9007199254740993", "[[900,1,0,7]]", "388800005") + `],"delinquent":[` +
		voteAccount(keyC, keyA, quoted("1"), "[]", "0") + "," +
		voteAccount(zero, keyA, "0", "[]", "null") + "]}"
	want := []schedule.Entry{{Key: a, Node: c, Stake: 1<<64 - 1}, {Key: b, Node: c, Stake: 1<<53 + 1}, {Key: c, Node: a, Stake: 1}}
	for name, in := range map[string]string{
		"reply":                `{"jsonrpc":"2.0","result":` + result + `,"id":"x"}`,
		"result":               result,
		"id before the result": `{"id":1,"result":` + result + `,"jsonrpc":"2.0"}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			l := readOne(t, in)
			if !slices.Equal(l.Entries, want) || !l.HasVotes || l.Accounts != nil {
				t.Errorf("got %+v, want %v", l, want)
			}
			p := l.Provenance
			if p.Kind != list.KindVoteAccounts || p.Source != "list.json" || p.Vintage != list.VintageApproximate || p.Epoch == nil || *p.Epoch != 901 || p.Slot != nil {
				t.Errorf("provenance %+v", p)
			}
			if want := "taken within epoch 900, at or after slot 388800005; exact only if read at the epoch's first slot"; p.Reason != want {
				t.Errorf("reason %q, want %q", p.Reason, want)
			}
			if !slices.Equal(p.Notes, []string{"left out without stake: 1"}) {
				t.Errorf("notes %q", p.Notes)
			}
		})
	}
}

// Without delinquent vote accounts a list is short; without credits it does not say
// which epoch it leads.
func TestReadVoteAccountsNotes(t *testing.T) {
	l := readOne(t, `{"current":[`+voteAccount(keyA, keyB, "1", "[]", "5")+"]}")
	if p := l.Provenance; p.Epoch != nil || p.Vintage != list.VintageApproximate || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "no delinquent") {
		t.Errorf("provenance %+v", p)
	}
}

func TestReadVoteAccountsErrors(t *testing.T) {
	one := func(stake, credits, lastVote string) string {
		return `{"result":{"delinquent":[],"current":[` + voteAccount(keyA, keyB, "1", "[]", "1") + "," + voteAccount(keyC, keyB, stake, credits, lastVote) + "]}}"
	}
	for _, c := range []struct {
		name, in string
		want     error
		path     string
		says     string
	}{
		{"stake", one("1.5", "[]", "1"), ErrStake, "result.current[1].activatedStake", "fraction"},
		{"credits", one("1", "5", "1"), ErrMember, "result.current[1].epochCredits", "array"},
		{"credits of numbers", one("1", "[5]", "1"), ErrMember, "result.current[1].epochCredits[0]", "array"},
		{"epoch", one("1", "[[1,2,3],[-1,2,3]]", "1"), ErrMember, "result.current[1].epochCredits[1][0]", `"-1"`},
		{"epoch of another type", one("1", "[[true,2,3]]", "1"), ErrMember, "result.current[1].epochCredits[0][0]", "true"},
		{"last epoch", one("1", "[[18446744073709551615,2,3]]", "1"), ErrMember, "", "none follows"},
		{"last vote", one("1", "[]", "1e3"), ErrMember, "result.current[1].lastVote", `"1e3"`},
		{"no vote account", `{"current":[` + fields("nodePubkey", quoted(keyA), "activatedStake", "1") + "]}", ErrMember, "current[0]", "votePubkey"},
		{"no array", `{"current":{}}`, ErrMember, "current", "an object"},
		{"twice", `{"current":[],"current":[]}`, ErrMember, "current", "twice"},
		{"credits twice", `{"current":[{"epochCredits":[],"epochCredits":[]}]}`, ErrMember, "current[0].epochCredits", "twice"},
		{"no stake at all", `{"current":[` + voteAccount(keyA, keyB, "0", "[]", "1") + `],"delinquent":[]}`, ErrNoEntries, "", "with stake"},
		{"none", `{"current":[],"delinquent":[]}`, ErrNoEntries, "", "with stake"},
	} {
		_, err := Read(strings.NewReader(c.in), "x")
		var e *Error
		if !errors.Is(err, c.want) || !errors.As(err, &e) || e.Path != c.path || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %v at %q with %q", c.name, err, c.want, c.path, c.says)
		}
	}
}

// sharedFile returns a file of real data, or skips the test where the data is not
// at hand.
func sharedFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no ../shared/data/%s beside the repository: this check needs it", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A reply as mainnet-beta gave it in epoch 45, beside what a decoder that keeps
// everything makes of it.
func TestRealVoteAccounts(t *testing.T) {
	b := sharedFile(t, "mainnet-45-getVoteAccounts.json")
	type account struct {
		VotePubkey, NodePubkey schedule.Pubkey
		ActivatedStake         uint64
	}
	var reply struct {
		Result struct{ Current, Delinquent []account }
	}
	if err := json.Unmarshal(b, &reply); err != nil {
		t.Fatal(err)
	}
	var want []schedule.Entry
	votes := map[schedule.Pubkey]int{}
	var total uint64
	for _, a := range slices.Concat(reply.Result.Current, reply.Result.Delinquent) {
		if a.ActivatedStake > 0 {
			want = append(want, schedule.Entry{Key: a.VotePubkey, Node: a.NodePubkey, Stake: a.ActivatedStake})
			votes[a.NodePubkey]++
			total += a.ActivatedStake
		}
	}
	l := readOne(t, string(b))
	if !reflect.DeepEqual(l.Entries, want) || len(want) != 97 || !l.HasVotes {
		t.Errorf("%d entries, want %d", len(l.Entries), len(want))
	}
	if len(votes) != 96 {
		t.Errorf("%d identities of 97 vote accounts, want one with two", len(votes))
	}
	if p := l.Provenance; *p.Epoch != 46 || !strings.Contains(p.Reason, "epoch 45, at or after slot 19561707") {
		t.Errorf("provenance %+v", p)
	}
	for k, entries := range map[schedule.Keying]int{schedule.KeyedByVote: 97, schedule.KeyedByIdentity: 96} {
		s, err := schedule.NewStakes(l.Entries, k)
		if err != nil || s.Len() != entries || s.Total() != total {
			t.Errorf("keyed by %v: %v, %v", k, s, err)
		}
	}
}
