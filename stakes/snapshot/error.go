package snapshot

import "errors"

// Errors are wrapped in an [*Error]; test for them with errors.Is. Those of
// packages manifest and bincode come the same way, with the byte offset in the
// manifest; so do errors of the stream, such as io.ErrUnexpectedEOF of an archive
// that is cut off.
var (
	// ErrFormat: nothing that snapshots come as.
	ErrFormat = errors.New("no snapshot archive")
	// ErrNoManifest: an archive or a folder without a manifest.
	ErrNoManifest = errors.New("no manifest")
	// ErrVersion: a snapshot in a version that is not known.
	ErrVersion = errors.New("unknown snapshot version")
	// ErrSlot: the manifest lies in a folder of another slot.
	ErrSlot = errors.New("slots disagree")
	// ErrNoStakes: a manifest without stakes of any epoch.
	ErrNoStakes = errors.New("no epoch stakes")
	// ErrLimit: more than any snapshot has.
	ErrLimit = errors.New("too much")
)

// Error says where in a snapshot something is wrong.
type Error struct {
	Name   string // of the archive, folder or manifest, as the caller said
	Member string // in it, or "after" the last one that was whole; "" when it is about the whole
	Err    error  // what is wrong, and what would be right
}

// Error returns one line: name, member, problem.
func (e *Error) Error() string {
	where := e.Name
	if e.Member != "" {
		where += ": " + e.Member
	}
	return where + ": " + e.Err.Error()
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }
