package clienttest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// An answer is what a client returned for a request.
type answer struct {
	Value json.RawMessage `json:"value"`
	Error *failure        `json:"error"`
	Own   bool            `json:"own"` // the client has a method of its own for it
}

// everyMethod is what every client has to have asked.
var everyMethod = []string{
	"getEpochInfo", "getEpochSchedule", "getGenesisHash", "getHealth", "getLeaderSchedule", "getSlot",
	"getSlotLeader", "getSlotLeaders", "getVersion", "getVoteAccounts",
}

// check compares answers with what they should be. floats says that the client
// has nothing but float64 for numbers.
func check(t *testing.T, asks []ask, answers []answer, floats bool) {
	t.Helper()
	if len(answers) != len(asks) {
		t.Fatalf("%d answers to %d questions", len(answers), len(asks))
	}
	for i := range asks {
		a, got := &asks[i], answers[i]
		switch {
		case a.fail != nil && got.Error == nil:
			t.Errorf("%v: answered with %s, not with the error %v", a, short(got.Value), a.fail)
		case a.fail != nil:
			checkFailure(t, a, got.Error)
		case got.Error != nil:
			t.Errorf("%v: %v", a, got.Error)
		default:
			checkValue(t, a, got.Value, floats)
		}
	}
}

func checkFailure(t *testing.T, a *ask, got *failure) {
	t.Helper()
	if got.Code != a.fail.Code || !strings.HasSuffix(got.Message, a.fail.Message) {
		t.Errorf("%v: error %v, not %v", a, got, a.fail)
	}
	if a.fail.Data != nil {
		if g, w := canonical(t, a.Method, got.Data, false), canonical(t, a.Method, a.fail.Data, false); !bytes.Equal(g, w) {
			t.Errorf("%v: data of the error %s, not %s", a, g, w)
		}
	}
}

func checkValue(t *testing.T, a *ask, got json.RawMessage, floats bool) {
	t.Helper()
	if text, err := json.Marshal(a.want); err == nil && bytes.Equal(got, text) {
		return // soon found out about a whole schedule, from most clients
	}
	g, w := canonical(t, a.Method, got, false), canonical(t, a.Method, a.want, floats)
	if bytes.Equal(g, w) {
		return
	}
	at := 0
	for at < min(len(g), len(w)) && g[at] == w[at] {
		at++
	}
	at = max(at-20, 0)
	t.Errorf("%v: …%s, not …%s", a, short(g[at:]), short(w[at:]))
}

func short(b []byte) string {
	if len(b) > 200 {
		return fmt.Sprintf("%s… (%d bytes)", b[:200], len(b))
	}
	return string(b)
}

// canonical returns what a value means as text: names sorted, vote accounts sorted,
// integers in digits, as float64 with floats.
func canonical(t *testing.T, method string, v any, floats bool) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v in %s", method, err, short(text))
	}
	v = plain(v, floats)
	if kinds, ok := v.(map[string]any); ok && method == "getVoteAccounts" {
		for _, accounts := range kinds {
			sortAccounts(accounts)
		}
	}
	if text, err = json.Marshal(v); err != nil {
		t.Fatal(err)
	}
	return text
}

var bigint = regexp.MustCompile(`^[0-9]+n$`)

func plain(v any, floats bool) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = plain(member, floats)
		}
	case []any:
		for i, element := range v {
			v[i] = plain(element, floats)
		}
	case string:
		if len(v) <= 21 && bigint.MatchString(v) {
			return json.Number(strings.TrimSuffix(v, "n"))
		}
	case json.Number:
		if f, err := v.Float64(); err == nil && floats {
			return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
		}
	}
	return v
}

func sortAccounts(v any) {
	accounts, _ := v.([]any)
	key := func(v any) string {
		account, _ := v.(map[string]any)
		key, _ := account["votePubkey"].(string)
		return key
	}
	slices.SortFunc(accounts, func(a, b any) int { return cmp.Compare(key(a), key(b)) })
}

// checkOwn fails unless the client asked every method, with methods of its own but
// for those without.
func checkOwn(t *testing.T, asks []ask, answers []answer, without ...string) {
	t.Helper()
	own := map[string]bool{}
	for i := range answers {
		own[asks[i].Method] = own[asks[i].Method] || answers[i].Own
	}
	for _, method := range everyMethod {
		called, asked := own[method]
		if !asked {
			t.Errorf("%s was not asked", method)
		}
		if called == slices.Contains(without, method) {
			t.Errorf("%s: asked by the client's own method: %v", method, called)
		}
	}
}
