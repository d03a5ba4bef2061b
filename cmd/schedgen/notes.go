package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/electorate"
)

// note tells, beside a result that is right for what was given, that something
// else may have been meant.
func note(stderr io.Writer, format string, args ...any) {
	fmt.Fprintf(stderr, "schedgen: note: %s\n", oneLine(fmt.Sprintf(format, args...)))
}

// oneLine makes a text of somebody else's safe to print: one line, and nothing
// that a terminal acts on.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
			return unicode.ReplacementChar
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// noteKeying tells that the keys of a list are those of an epoch only if they
// are vote accounts that lead for themselves.
func (f *epochFlags) noteKeying(stderr io.Writer, hasVotes bool, p epochPlan, epoch uint64) {
	if hasVotes || f.keyedBy != electorate.KeyedByAuto {
		return
	}
	if keying, err := schedule.KeyingFor(p.cluster, epoch); err == nil && keying == schedule.KeyedByVote {
		note(stderr, "epoch %d is drawn by vote account and the list has none: each key is drawn, and leads, as it is", epoch)
	}
}

// noteIdentities tells which keys of --identity lead nothing because the list
// does not have them with stake, and whether they are vote accounts. That is the
// same for every keying.
func noteIdentities(stderr io.Writer, entries []schedule.Entry, identities []schedule.Pubkey) {
	for i, identity := range identities {
		if slices.Contains(identities[:i], identity) {
			continue
		}
		if text := aboutIdentity(entries, identity); text != "" {
			note(stderr, "%s", text)
		}
	}
}

// aboutIdentity returns "" when a key leads.
func aboutIdentity(entries []schedule.Entry, identity schedule.Pubkey) string {
	text := fmt.Sprintf("identity %v has no stake in the list", identity)
	for _, e := range entries {
		if e.Node.IsZero() {
			e.Node = e.Key
		}
		switch {
		case e.Stake == 0:
		case e.Node == identity:
			return ""
		case e.Key == identity:
			text = fmt.Sprintf("%v is a vote account, its identity is %v", identity, e.Node)
		}
	}
	return text
}
