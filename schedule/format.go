package schedule

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format names one of the ways in which [Schedule.Write] prints a schedule.
type Format string

// The formats. A slot is an absolute slot number, a slot index counts from the
// first slot of the epoch, and a leader is an identity.
const (
	// FormatText is the default output of `solana leader-schedule`, byte for
	// byte: one line of slot and leader a slot, then an empty line.
	FormatText Format = "text"

	// FormatJSON is `solana leader-schedule --output json`: an object of epoch
	// and leaderScheduleEntries, indented by two spaces.
	FormatJSON Format = "json"

	// FormatJSONCompact is `solana leader-schedule --output json-compact`: the
	// same object on one line, with sorted names.
	FormatJSONCompact Format = "json-compact"

	// FormatRPC is the result of the JSON-RPC method getLeaderSchedule: for
	// each leader, in byte order of its base58 text, its slot indices,
	// ascending. A leader that has several vote accounts has one array.
	FormatRPC Format = "rpc"

	// FormatCSV has the columns slot, slot_index, leader and vote_account; the
	// last is empty in a schedule keyed by identity.
	FormatCSV Format = "csv"

	// FormatEpochNew is the message epoch.new of Firedancer's WebSocket API:
	// the stake list and one rank a rotation, the smallest of the formats that
	// hold everything. Times are null, since a schedule has none.
	FormatEpochNew Format = "epoch-new"

	// FormatDigest is [Schedule.Digest] in hexadecimal.
	FormatDigest Format = "digest"
)

var (
	// ErrFormat says that a format has no such name.
	ErrFormat = errors.New("unknown format")

	// ErrFormatFilter says that a format covers the whole epoch, so that it
	// cannot be limited to some identities.
	ErrFormatFilter = errors.New("it covers every leader and takes no identity filter")

	// ErrFormatRepeat says that FormatEpochNew was asked for a schedule whose
	// rotations are not four slots long: the message does not say how long a
	// rotation is, and its readers assume four.
	ErrFormatRepeat = errors.New("it has rotations of 4 slots only")
)

// Formats returns every format, in the order of their documentation.
func Formats() []Format {
	return []Format{
		FormatText, FormatJSON, FormatJSONCompact, FormatRPC, FormatCSV, FormatEpochNew, FormatDigest,
	}
}

// ParseFormat returns the format of that name. The error, an [ErrFormat], lists
// the names there are.
func ParseFormat(name string) (Format, error) {
	if f := Format(name); slices.Contains(Formats(), f) {
		return f, nil
	}
	names := make([]string, 0, len(Formats()))
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return "", fmt.Errorf("%w %q, want one of %s", ErrFormat, name, strings.Join(names, ", "))
}

// Absolute reports whether the format prints absolute slots. FormatRPC and
// FormatDigest do not: their output is the same whatever the first slot is.
func (f Format) Absolute() bool {
	return f != FormatRPC && f != FormatDigest
}

// Filters reports whether the format can be limited to some identities.
func (f Format) Filters() bool {
	return f != FormatEpochNew && f != FormatDigest
}

// Write prints the schedule to w. With identities it prints their slots only; an
// identity that leads no slot is no error, and nothing is printed for it.
//
// The output goes to w in pieces of about 64 KiB, so w needs no buffer of its
// own. The error is the first that w returned, an [ErrFormat], an
// [ErrFormatFilter] or an [ErrFormatRepeat]; after one of the last three nothing
// was written.
func (s *Schedule) Write(w io.Writer, f Format, identities ...Pubkey) error {
	if _, err := ParseFormat(string(f)); err != nil {
		return err
	}
	if len(identities) > 0 && !f.Filters() {
		return fmt.Errorf("format %s: %w", f, ErrFormatFilter)
	}
	if f == FormatEpochNew && s.Repeat() != DefaultRepeat {
		return fmt.Errorf("format %s: %w; this schedule's have %d", f, ErrFormatRepeat, s.Repeat())
	}
	p := &printer{s: s, w: w, only: make(map[Pubkey]bool, len(identities))}
	for _, identity := range identities {
		p.only[identity] = true
	}
	switch f {
	case FormatText:
		p.text()
	case FormatJSON:
		p.json()
	case FormatJSONCompact:
		p.jsonCompact()
	case FormatRPC:
		p.rpc()
	case FormatCSV:
		p.csv()
	case FormatEpochNew:
		p.epochNew()
	case FormatDigest:
		digest := s.Digest()
		p.buf = append(hex.AppendEncode(p.buf, digest[:]), '\n')
	}
	p.flush()
	return p.err
}
