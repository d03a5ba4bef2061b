package genesis

import (
	"errors"
	"fmt"

	"github.com/schedgen/schedgen/internal/bincode"
)

// Errors are wrapped in an [*Error], with what was found; test for them with
// errors.Is. A genesis whose accounts have no stake is schedule.ErrNoStake, one
// whose stakes overflow schedule.ErrStakeOverflow.
var (
	// ErrTruncated: the data ends inside a value.
	ErrTruncated = bincode.ErrTruncated
	// ErrTrailing: the data goes on after its last value.
	ErrTrailing = bincode.ErrTrailing
	// ErrLength: a length that no data can have.
	ErrLength = bincode.ErrLength
	// ErrValue: a value that its field cannot have.
	ErrValue = bincode.ErrValue
	// ErrOrder: accounts that are not in ascending order of their addresses.
	ErrOrder = errors.New("accounts are not ascending by address")
	// ErrEpochSchedule: fields of the epoch schedule that contradict each other.
	ErrEpochSchedule = errors.New("impossible epoch schedule")
	// ErrSize: more than MaxSize bytes.
	ErrSize = errors.New("too large")
	// ErrArchive: what is no archive, or a damaged one.
	ErrArchive = errors.New("archive cannot be unpacked")
	// ErrNoGenesis: an archive without genesis.bin.
	ErrNoGenesis = errors.New("archive has no file genesis.bin")
)

// Error says where in a genesis something is wrong.
type Error struct {
	Name   string // file name, or what else the caller of Read said
	Member string // of the archive; "" for a bare file, and for the archive as a whole
	Offset int64  // in the file or member, of the value's first byte; -1 for the archive as a whole
	What   string // path of the value, as in accounts[3].lamports; "" when it is about none
	Err    error  // what is wrong, and what would be right
}

// Error returns one line: name, member, offset, value, problem.
func (e *Error) Error() string {
	text := e.Name
	if e.Member != "" {
		text += ": " + e.Member
	}
	if e.Offset >= 0 {
		text += fmt.Sprintf(": byte %d", e.Offset)
	}
	if e.What != "" {
		text += ": " + e.What
	}
	return text + ": " + e.Err.Error()
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }
