package main

import (
	"fmt"
	"io"

	"github.com/schedgen/schedgen/schedule"
)

// note tells, beside a result that is right for what was given, that something
// else may have been meant.
func note(stderr io.Writer, format string, args ...any) {
	fmt.Fprintf(stderr, "schedgen: note: "+format+"\n", args...)
}

// noteKeying tells that the keys of a list are those of an epoch only if they
// are vote accounts that lead for themselves.
func (f *epochFlags) noteKeying(stderr io.Writer, hasVotes bool, p epochPlan, epoch uint64) {
	if hasVotes || f.keyedBy != keyedByAuto {
		return
	}
	if keying, err := schedule.KeyingFor(p.cluster, epoch); err == nil && keying == schedule.KeyedByVote {
		note(stderr, "epoch %d is drawn by vote account and the list has none: each key is drawn, and leads, as it is", epoch)
	}
}

// noteIdentities tells which keys of --identity lead nothing because the list
// does not have them, and whether they are vote accounts.
func noteIdentities(stderr io.Writer, st *schedule.Stakes, identities []schedule.Pubkey) {
	for _, identity := range identities {
		text := fmt.Sprintf("identity %v has no stake in the list", identity)
		for _, e := range st.All() {
			if e.Node == identity {
				text = ""
				break
			}
			if e.Key == identity {
				text = fmt.Sprintf("%v is a vote account, its identity is %v", identity, e.Node)
			}
		}
		if text != "" {
			note(stderr, "%s", text)
		}
	}
}
