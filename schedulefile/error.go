package schedulefile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Errors are wrapped with what was found; test for them with errors.Is. A bad
// key is one of schedule.ErrPubkeyDigit and ErrPubkeySize.
var (
	// ErrFormat: not a schedule in a format that Read knows, or damaged.
	ErrFormat = errors.New("not a schedule")
	// ErrEncoding: text in UTF-16.
	ErrEncoding = errors.New("bad text encoding")
	// ErrLine: a line that is too long, or is not what the lines of its format are.
	ErrLine = errors.New("bad line")
	// ErrHeader: a table without the columns that a schedule needs, or with one
	// of them twice.
	ErrHeader = errors.New("bad columns")
	// ErrSlot: no slot number, or one that cannot be.
	ErrSlot = errors.New("bad slot")
	// ErrConflict: a slot with two leaders, or two vote accounts.
	ErrConflict = errors.New("a slot with two leaders")
	// ErrSpan: more slots, or longer gaps between them, than an epoch has.
	ErrSpan = errors.New("too many slots")
	// ErrCutShort: a last line without its end that may be a part of one.
	ErrCutShort = errors.New("the last line has no line end, the file may have been cut short")
	// ErrUnavailable: a validator's answer null: it does not have the schedule.
	ErrUnavailable = errors.New("the leader schedule is not available: the answer is null")
	// ErrReply: a validator's answer is an error. The value is a *ReplyError.
	ErrReply = errors.New("the answer is an error")
	// ErrRankFile: a rank file, which holds many epochs, see the package's
	// documentation.
	ErrRankFile = errors.New("a rank file holds the schedules of many epochs, open it as such")
	// ErrDigest: leaders that do not have the digest that their file names.
	ErrDigest = errors.New("wrong digest")
	// ErrDigestOnly: a digest, where slots are needed.
	ErrDigestOnly = errors.New("it has a digest and no slots")
	// ErrFit: slots that are not those of the epoch.
	ErrFit = errors.New("the slots are not those of the epoch")
	// ErrColumn: the name of a column that WriteCSV does not have.
	ErrColumn = errors.New("unknown column")
	// ErrSlotRange: a slot over 2^63-1, which Parquet's readers have no number for.
	ErrSlotRange = errors.New("slot is greater than 9223372036854775807")
)

// Error says where in a file something is wrong.
type Error struct {
	Name   string // of the file, or what else the caller said
	Line   int    // of a text, from 1; otherwise 0
	Offset int64  // in bytes, of JSON; otherwise 0
	Path   string // of JSON, as a JSON pointer; of Parquet, the column; otherwise ""
	Err    error  // what is wrong, and what would be right
}

// Error returns one line: name, place, problem.
func (e *Error) Error() string {
	where := e.Name
	if e.Line > 0 {
		where += ":" + strconv.Itoa(e.Line)
	}
	if e.Offset > 0 {
		where += fmt.Sprintf(": at byte %d", e.Offset)
	}
	if e.Path != "" {
		where += ": " + clip(e.Path)
	}
	return where + ": " + e.Err.Error()
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// ReplyError is the error of a JSON-RPC answer. It matches ErrReply.
type ReplyError struct {
	Code    int64
	Message string
}

func (e *ReplyError) Error() string {
	return fmt.Sprintf("%v: %s (code %d)", ErrReply, clip(e.Message), e.Code)
}

// Is reports whether target is ErrReply.
func (e *ReplyError) Is(target error) bool { return target == ErrReply }

// clip makes text from a file fit for one line of a message.
func clip(s string) string {
	const most = 200
	if len(s) > most {
		s = s[:most] + "..."
	}
	if strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

// quote is clip in quotes.
func quote[T ~string | ~[]byte](text T) string {
	const most = 60
	s := string(text[:min(len(text), most+1)])
	if len(s) > most {
		return strconv.Quote(s[:most]) + "..."
	}
	return strconv.Quote(s)
}
