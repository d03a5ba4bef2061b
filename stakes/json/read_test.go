package json

import (
	"errors"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/internal/text"
	"github.com/schedgen/schedgen/stakes/list"
)

const (
	keyA = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"
	keyB = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"
	keyC = "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8"
	zero = "11111111111111111111111111111111"
)

func key(t testing.TB, text string) schedule.Pubkey {
	t.Helper()
	k, err := schedule.ParsePubkey(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// readOne reads a list, whole and byte by byte.
func readOne(t *testing.T, in string) *list.List {
	t.Helper()
	set, err := Read(strings.NewReader(in), "list.json")
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read(iotest.OneByteReader(strings.NewReader(in)), "list.json")
	if err != nil || !reflect.DeepEqual(again, set) {
		t.Fatalf("byte by byte: %+v, %v, want %+v", again, err, set)
	}
	if len(set.Lists) != 1 {
		t.Fatalf("%d lists", len(set.Lists))
	}
	return &set.Lists[0]
}

// fields makes the text of a row of names and JSON values.
func fields(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + pairs[i] + `":` + pairs[i+1])
	}
	return "{" + b.String() + "}"
}

func quoted(s string) string { return `"` + s + `"` }

func TestReadRows(t *testing.T) {
	a, b, c := key(t, keyA), key(t, keyB), key(t, keyC)
	votes := []schedule.Entry{{Key: a, Node: c, Stake: 1<<64 - 1}, {Key: b, Node: c, Stake: 1<<53 + 1}, {Key: c, Node: a, Stake: 0}}
	nodes := []schedule.Entry{{Key: a, Node: a, Stake: 5}}
	rows := func(vote, node, stake string) string {
		return "[" + fields(vote, quoted(keyA), node, quoted(keyC), stake, "18446744073709551615") + "," +
			fields(stake, quoted("9007199254740993"), node, quoted(keyC), vote, quoted(keyB)) + "," +
			fields(vote, quoted(keyC), "extra", `[{"stake":1},null,true]`, node, quoted(keyA), stake, "0") + "]"
	}
	for _, c := range []struct {
		name, in string
		want     []schedule.Entry
		hasVotes bool
	}{
		{"snake", rows("vote_pubkey", "node_pubkey", "stake"), votes, true},
		{"camel", rows("votePubkey", "nodePubkey", "activatedStake"), votes, true},
		{"validators", `{"averageSkipRate":1.5,"validators":` + rows("voteAccountPubkey", "identityPubkey", "activatedStake") + `,"stakeByVersion":{"1":{"x":[]}}}`, votes, true},
		{"entries", `{"entries":` + rows("vote_account", "identity", "active_stake") + "}", votes, true},
		{"stakes", `{"stakes":` + rows("vote", "node", "lamports") + "}", votes, true},
		{"data", `{"success":true,"data":` + rows("voteAccount", "pubkey", "activated_stake") + "}", votes, true},
		{"result", `{"jsonrpc":"2.0","error":null,"result":` + rows("vote", "node", "activeStake") + "}", votes, true},
		{"identities", "[" + fields("pubkey", quoted(keyA), "stake", "5", "balance", "1.5") + "]\n", nodes, false},
		{"escapes", `[{"\u0070ubkey":"\u0034` + keyA[1:] + `","stake":"5"}]`, nodes, false},
		{"byte order mark", "\xef\xbb\xbf \n[" + fields("identity", quoted(keyA), "stake", "5") + "]", nodes, false},
		{"data that is no list", `{"data":{"a":[1]},"validators":[` + fields("identity", quoted(keyA), "stake", "5") + "]}", nodes, false},
		{"epoch of another kind", `{"epoch":"current","entries":[` + fields("identity", quoted(keyA), "stake", "5") + "]}", nodes, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := readOne(t, c.in)
			if !slices.Equal(l.Entries, c.want) || l.HasVotes != c.hasVotes || l.Accounts != nil {
				t.Errorf("got %+v, want %v", l, c.want)
			}
			p := l.Provenance
			if p.Kind != list.KindRows || p.Source != "list.json" || p.Vintage != list.VintageUnknown || p.Epoch != nil || p.Reason == "" {
				t.Errorf("provenance %+v", p)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	row := func(pairs ...string) string { return "[" + fields(pairs...) + "]" }
	a, b := quoted(keyA), quoted(keyB)
	good := fields("pubkey", a, "stake", "1")
	for _, c := range []struct {
		name, in string
		want     error
		path     string
		offset   int // -1: the end of the input
		says     string
	}{
		{"empty", "", io.ErrUnexpectedEOF, "", 0, "cut short"},
		{"space", " \n", io.ErrUnexpectedEOF, "", 2, "cut short"},
		{"no list", "{}", ErrForm, "", -1, "getVoteAccounts"},
		{"a number", "5", ErrForm, "", 1, "the number 5"},
		{"a string", `"x"`, ErrForm, "", 3, `the string "x"`},
		{"null", "null", ErrForm, "", 4, "null"},
		{"not JSON", "pubkey,stake", ErrSyntax, "", 0, "invalid character"},
		{"UTF-16", "\xff\xfe[\x00", ErrEncoding, "", 0, "UTF-8"},
		{"empty array", "[]", ErrNoEntries, "", -1, "no entry"},
		{"empty list", `{"validators":[]}`, ErrNoEntries, "", -1, "no entry"},
		{"more", good[:0] + "[" + good + "]]", ErrSyntax, "", len(good) + 2, "invalid character"},
		{"two values", "[" + good + "] {}", ErrSyntax, "", len(good) + 4, "more after the end"},
		{"element", "[" + good + ",5]", ErrMember, "[1]", len(good) + 3, "the number 5, want an object"},
		{"pairs", "[[" + a + ",5]]", ErrMember, "[0]", 2, "an array, want an object"},
		{"no stake", row("pubkey", a), ErrMember, "[0]", -2, "no stake"},
		{"no key", row("stake", "1"), ErrMember, "[0]", -2, "no key"},
		{"vote without node", row("stake", "1", "vote_pubkey", a), ErrMember, "[0]", -2, "identity that leads"},
		{"mixed", "[" + good + "," + fields("vote", a, "node", b, "stake", "1") + "]", ErrMember, "[1]", -2, "in all or none"},
		{"mixed the other way", "[" + fields("vote", a, "node", b, "stake", "1") + "," + good + "]", ErrMember, "[1]", -2, "in all or none"},
		{"two spellings", row("activatedStake", "1", "stake", "1", "pubkey", a), ErrMember, "[0].stake", -1, `"activatedStake" and "stake" mean the same`},
		{"twice", row("stake", "1", "stake", "1", "pubkey", a), ErrMember, "[0].stake", -1, "twice"},
		{"two lists", `{"entries":[` + good + `],"data":[` + good + `]}`, ErrForm, "data", -1, "second list"},
		{"two forms", `{"entries":[` + good + `],"current":[]}`, ErrForm, "current", -1, "more than one"},
		{"two forms, one within", `{"entries":[` + good + `],"result":{"current":[]}}`, ErrForm, "", -1, "more than one"},
		{"negative", row("pubkey", a, "stake", "-1"), ErrStake, "[0].stake", -3, `"-1" is negative`},
		{"fraction", row("pubkey", a, "stake", "1.5"), ErrStake, "[0].stake", -3, `"1.5" is a fraction`},
		{"whole fraction", row("pubkey", a, "stake", "1.0"), ErrStake, "[0].stake", -3, `"1.0" is a fraction`},
		{"exponent", row("pubkey", a, "stake", "1e9"), ErrStake, "[0].stake", -3, "exponent"},
		{"too large", row("pubkey", a, "stake", "18446744073709551616"), ErrStake, "[0].stake", -3, "too large"},
		{"too large a string", row("pubkey", a, "stake", quoted("18446744073709551616")), ErrStake, "[0].stake", -3, "too large"},
		{"SOL", row("pubkey", a, "stake", quoted("5 SOL")), ErrStake, "[0].stake", -3, `"5 SOL" is no number`},
		{"no amount", row("pubkey", a, "stake", quoted("")), ErrStake, "[0].stake", -3, "empty"},
		{"null stake", row("pubkey", a, "stake", "null"), ErrStake, "[0].stake", -3, "null"},
		{"list of stakes", row("pubkey", a, "stake", "[1]"), ErrStake, "[0].stake", -1, "an array"},
		{"null key", row("stake", "1", "pubkey", "null"), ErrMember, "[0].pubkey", -3, "null, want a public key"},
		{"base58", row("stake", "1", "pubkey", quoted("0"+keyA[1:])), schedule.ErrPubkeyDigit, "[0].pubkey", -3, `"0" at position 1`},
		{"short key", row("stake", "1", "pubkey", quoted("4vJ9")), schedule.ErrPubkeySize, "[0].pubkey", -3, "32"},
		{"zero identity", row("vote", a, "node", quoted(zero), "stake", "1"), ErrKey, "[0]", -2, "zero"},
		{"RPC error", `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request","data":{"x":[1]}},"id":1}`, ErrForm, "error", -1, `error -32600: "Invalid request"`},
		{"error as text", `{"error":"no such thing"}`, ErrForm, "", -1, `"no such thing"`},
		{"null result", `{"jsonrpc":"2.0","result":null,"id":1}`, ErrForm, "", -1, "result of the reply"},
		{"another result", `{"jsonrpc":"2.0","result":{"value":{"current":[]}},"id":1}`, ErrForm, "", -1, "result of the reply"},
		{"deep", strings.Repeat("[", 1_000), ErrMember, "[0]", 2, "an array"},
		{"deep extra", `{"x":` + strings.Repeat(`[`, 100_000), ErrLimit, "x", 5 + 64, "64"},
		{"long string", `{"x":"` + strings.Repeat("x", 1<<20) + `"}`, ErrLimit, "x", -1, "65536"},
		{"long number", "[" + fields("stake", strings.Repeat("9", 1<<20)), ErrLimit, "[0].stake", -1, "65536"},
		{"long space", strings.Repeat(" ", 1<<20) + "[]", ErrLimit, "", -1, "65536"},
		{"long space at the end", "[" + good + "]" + strings.Repeat(" ", 1<<20), ErrLimit, "", -1, "65536"},
		{"odd name", `{"current":[{"a\nb":}]}`, ErrSyntax, `current[0]["a\nb"]`, -1, "invalid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, err := Read(strings.NewReader(c.in), "list.json")
			var e *Error
			if set != nil || !errors.As(err, &e) {
				t.Fatalf("got %v, %v, want %v", set, err, c.want)
			}
			var rpc *RPCError
			if !errors.Is(err, c.want) && !errors.As(err, &rpc) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if e.Name != "list.json" || e.Path != c.path {
				t.Errorf("%v: path %q, want %q", e, e.Path, c.path)
			}
			if c.offset >= 0 && e.Offset != int64(c.offset) || e.Offset > int64(len(c.in)) {
				t.Errorf("%v: offset %d of %d, want %d", e, e.Offset, len(c.in), c.offset)
			}
			if c.offset < -1 && e.Offset != int64(len(c.in)+c.offset+1) {
				t.Errorf("%v: offset %d of %d, want %d before the end", e, e.Offset, len(c.in), -c.offset-1)
			}
			if msg := err.Error(); !strings.HasPrefix(msg, "list.json: at byte ") || !strings.Contains(msg, c.says) || strings.Contains(msg, "\n") || len(msg) > 500 {
				t.Errorf("%q is no line with %q", msg, c.says)
			}
		})
	}
}

func TestRPCError(t *testing.T) {
	_, err := Read(strings.NewReader(`{"jsonrpc":"2.0","id":1,"error":{"message":"Method not found","code":-32601}}`), "reply.json")
	var rpc *RPCError
	if !errors.As(err, &rpc) || rpc.Code != -32601 || rpc.Message != "Method not found" {
		t.Errorf("got %v", err)
	}
}

func TestReadFails(t *testing.T) {
	r := io.MultiReader(strings.NewReader("[{"), iotest.ErrReader(os.ErrDeadlineExceeded))
	set, err := Read(r, "list.json")
	if !errors.Is(err, os.ErrDeadlineExceeded) || set != nil || !strings.HasPrefix(err.Error(), "list.json: ") {
		t.Errorf("got %v, %v", set, err)
	}
	if _, err := Read(iotest.ErrReader(os.ErrDeadlineExceeded), "list.json"); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// A name that may be meant for the vote account does not make a list by identity.
func TestReadUnknownVoteColumn(t *testing.T) {
	row := func(name string) string {
		return "[" + fields("node_pubkey", quoted(keyA), "stake", "5", name, quoted(keyB)) + "]"
	}
	for _, name := range []string{"vote_account_address", "votePubKeyBase58", "Vote Key"} {
		_, err := Read(strings.NewReader(row(name)), "x")
		if !errors.Is(err, ErrMember) || !strings.Contains(err.Error(), `[0]: bad member: "`+name+`" is not known, want the vote account as vote_pubkey, `) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, name := range []string{"lastVote", "last_vote", "epochVoteAccount", "name"} {
		if l := readOne(t, row(name)); l.HasVotes {
			t.Errorf("%s: by vote account", name)
		}
	}
	// Beside a vote account it may be anything.
	l := readOne(t, "["+fields("vote_pubkey", quoted(keyA), "vote_success", "1", "node", quoted(keyB), "stake", "5")+"]")
	if !l.HasVotes {
		t.Error("by identity")
	}
	for _, name := range strings.Split(strings.Replace(voteNames, " or ", ", ", 1), ", ") {
		if text.ColumnOf(name) != text.Vote {
			t.Errorf("%s is no name of a vote account", name)
		}
	}
}
