package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// Hypothesis is an account of how the other side may have come about, and how
// well it does.
type Hypothesis struct {
	Mistakes []Mistake       `json:"mistakes"`        // all at once
	Exact    bool            `json:"exact"`           // every slot that was compared agrees
	Compared uint64          `json:"compared"`        // slots
	Equal    uint64          `json:"equal"`           // slots that agree
	First    *schedule.Index `json:"first,omitempty"` // the first that does not
	// Entries are those of MistakeMissing, MistakeExtra and MistakeStake, the
	// latter with the other side's stake.
	Entries []Entry `json:"entries,omitempty"`
	// OneOf are entries of which any one, beside Entries, may be it: which, makes no
	// difference in the slots that are known. Not more than 64 are listed.
	OneOf []Entry `json:"oneOf,omitempty"`
	// Identities are those of MistakeNodes.
	Identities []IdentityChange `json:"identities,omitempty"`
	// Shift is that of MistakeShift and MistakeRotated: the other side has at an
	// index what belongs to index + Shift.
	Shift int64 `json:"shift,omitempty"`
}

// Entry is a schedule.Entry with names for JSON.
type Entry struct {
	Key   schedule.Pubkey `json:"key"`
	Node  schedule.Pubkey `json:"node"`
	Stake uint64          `json:"stake"` // lamports
}

func asEntries(list []schedule.Entry) []Entry {
	var out []Entry
	for _, e := range list {
		out = append(out, Entry(e))
	}
	return out
}

// Text returns the mistakes in words, "with" included.
func (h *Hypothesis) Text() string {
	if len(h.Mistakes) == 0 {
		return "as it is"
	}
	texts := make([]string, len(h.Mistakes))
	for i, m := range h.Mistakes {
		texts[i] = m.Text
	}
	return "with " + strings.Join(texts, " and ")
}

// String returns one line.
func (h *Hypothesis) String() string {
	if h.Exact {
		return fmt.Sprintf("%s, all %d slots agree", h.Text(), h.Compared)
	}
	line := fmt.Sprintf("%s, %d of %d slots agree", h.Text(), h.Equal, h.Compared)
	if h.First != nil {
		line += fmt.Sprintf(", the first that does not is slot index %d", *h.First)
	}
	return line
}

func newHypothesis(s score, mistakes ...Mistake) Hypothesis {
	h := Hypothesis{Mistakes: mistakes, Exact: s.exact(), Compared: uint64(s.compared), Equal: uint64(s.equal)}
	if s.first >= 0 {
		first := schedule.Index(s.first)
		h.First = &first
	}
	return h
}

// rank sorts hypotheses: exact ones first, then by how many slots agree less how
// many do not, then those of fewer mistakes. Otherwise they stay as they are:
// likely ones first.
func rank(all []Hypothesis) {
	net := func(h Hypothesis) int64 { return 2*int64(h.Equal) - int64(h.Compared) }
	slices.SortStableFunc(all, func(a, b Hypothesis) int {
		switch {
		case a.Exact && !b.Exact:
			return -1
		case b.Exact && !a.Exact:
			return 1
		case a.Exact:
			return cmp.Compare(len(a.Mistakes), len(b.Mistakes))
		}
		return cmp.Or(cmp.Compare(net(b), net(a)), cmp.Compare(len(a.Mistakes), len(b.Mistakes)))
	})
}
