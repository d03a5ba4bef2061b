package genesis

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/schedgen/schedgen/internal/bincode"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// MaxSize is the greatest size in bytes of a genesis.bin, and of all that an
// archive holds. Validators take 10 MiB unless they are told otherwise.
const MaxSize = 1 << 30

// Read reads a genesis.bin; name stands for it in errors and in the provenance.
// The set has one list for each epoch whose schedule is fixed at slot 0. Entries
// are the vote accounts with stake, ascending by address; what is left out is
// told in the provenance's notes.
//
// The file is read once and not held; memory grows with its vote accounts and
// with the vote accounts that stakes are delegated to. An error in the file is an
// [*Error].
func Read(r io.Reader, name string) (*list.Set, error) {
	return read(&limited{r: r, limit: MaxSize}, unknownSize, name, "")
}

const unknownSize = -1

// read reads a genesis of a size, where that is known.
func read(r io.Reader, size int64, name, member string) (*list.Set, error) {
	hash := sha256.New()
	data := bincode.NewReader(io.TeeReader(r, hash))
	if size != unknownSize {
		data.SetSize(size)
	}
	c, from := readConfig(data)
	if err := data.Err(); err != nil {
		located := &Error{Name: name, Member: member, Offset: data.Offset(), Err: err}
		var e *bincode.Error
		if errors.As(err, &e) {
			located.What, located.Err = e.What, e.Err
		}
		return nil, located
	}
	set, err := from.set(c, schedule.Pubkey(hash.Sum(nil)), name)
	if err != nil {
		return nil, &Error{Name: name, Member: member, Offset: data.Offset(), Err: err}
	}
	return set, nil
}

// Matches reports whether a file that begins with head may be a genesis.bin,
// which has no mark of its own: whether it says that it was made at a time from
// 1970 to 2106, and that it has fewer than 2^32 accounts, but some.
func Matches(head []byte) bool {
	const size = 16
	if len(head) < size {
		return false
	}
	made, accounts := binary.LittleEndian.Uint64(head), binary.LittleEndian.Uint64(head[8:])
	return made < 1<<32 && 0 < accounts && accounts < 1<<32
}

// limited fails when more than limit bytes are read.
type limited struct {
	r           io.Reader
	read, limit int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if l.read += int64(n); l.read > l.limit {
		return 0, fmt.Errorf("%w: at most %d bytes", ErrSize, l.limit)
	}
	return n, err
}
