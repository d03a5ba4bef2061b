package schedulefile

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/schedgen/schedgen/schedule"
)

// wanted is what Read could have read, for errors.
const wanted = "want the output of solana leader-schedule (text, json or json-compact), " +
	"an answer to getLeaderSchedule, CSV or Parquet with slot and leader, an epoch.new message or a digest"

// Read reads a schedule in any format of schedule.Schedule.Write, in CSV or in
// Parquet; name stands for it in errors. The content tells the format:
//
//   - text: a slot and a leader a line; what comes after the leader is ignored
//   - json, json-compact: an object with leaderScheduleEntries; both are reported
//     as json
//   - rpc: a result of getLeaderSchedule, or the whole answer with one
//   - csv: a header with leader and slot, slot_index or both, in any order;
//     vote_account is read too, other columns are ignored
//   - epoch-new: a message of Firedancer's WebSocket API
//   - parquet: as csv
//   - digest: 64 hexadecimal digits, see [Observed.DigestOnly]
//
// Slots may be in any order. Lines may end in LF or CRLF; blank ones and those
// that begin with # are skipped. An error in the content is an [*Error].
//
// Memory grows with what was read: a schedule spans at most 4 slots for each that
// it lists, or 1,048,576 where that is more, and at most [MaxSlots]. A Parquet
// file is held in memory as a whole.
func Read(r io.Reader, name string) (*Observed, error) {
	source := &errorKeeper{r: r}
	o, err := readAny(bufio.NewReaderSize(source, 64<<10))
	if source.err != nil {
		return nil, fmt.Errorf("%s: %w", name, source.err)
	}
	if err != nil {
		var located *Error
		if !errors.As(err, &located) {
			located = &Error{Err: err}
		}
		located.Name = name
		return nil, located
	}
	o.Source = name
	return o, nil
}

// An errorKeeper remembers the error that ended a reader.
type errorKeeper struct {
	r   io.Reader
	err error // other than io.EOF
}

func (k *errorKeeper) Read(p []byte) (int, error) {
	n, err := k.r.Read(p)
	if err != nil && err != io.EOF {
		k.err = err
	}
	return n, err
}

const (
	parquetMagic  = "PAR1"
	rankFileMagic = "SGRANKS\n"
)

func readAny(r *bufio.Reader) (*Observed, error) {
	head, _ := r.Peek(len(rankFileMagic))
	switch {
	case bytes.HasPrefix(head, []byte(parquetMagic)):
		return readParquet(r)
	case string(head) == rankFileMagic:
		return nil, ErrRankFile
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return nil, fmt.Errorf("%w: UTF-16, save the file as UTF-8", ErrEncoding)
	case bytes.HasPrefix(head, []byte(byteOrderMark)):
		_, _ = r.Discard(len(byteOrderMark))
	}
	blank, err := skipBlank(r)
	if err != nil {
		return nil, err
	}
	next, err := r.Peek(1)
	if err != nil {
		if blank.lines == 0 {
			return nil, fmt.Errorf("%w: the file is empty, %s", ErrFormat, wanted)
		}
		// What the network's tool prints of a leader without slots.
		return &Observed{Format: schedule.FormatText, Partial: true}, nil
	}
	switch next[0] {
	case '{', '[', 'n', '"':
		return readJSON(r, blank.bytes)
	}
	return readLines(&lines{r: r, line: blank.lines})
}

// readLines reads the formats that are made of lines.
func readLines(l *lines) (*Observed, error) {
	first, err := l.next()
	if err != nil {
		return nil, err
	}
	switch {
	case first == nil:
		return nil, fmt.Errorf("%w: only comments, %s", ErrFormat, wanted)
	case bytes.IndexByte(first, ',') >= 0:
		return readCSV(l, first)
	case '0' <= first[0] && first[0] <= '9' && bytes.ContainsAny(first, " \t"):
		return readText(l, first)
	case isDigest(first):
		return readDigest(l, first)
	}
	return nil, l.fail(fmt.Errorf("%w: %s, %s", ErrFormat, quote(first), wanted))
}

func isDigest(line []byte) bool {
	_, err := hex.DecodeString(string(line[:min(len(line), 65)]))
	return err == nil && len(line) == 64
}

func readDigest(l *lines, line []byte) (*Observed, error) {
	var sum [32]byte
	if _, err := hex.Decode(sum[:], line); err != nil {
		return nil, l.fail(fmt.Errorf("%w: %w", ErrFormat, err))
	}
	more, err := l.next()
	if err != nil {
		return nil, err
	}
	if more != nil {
		return nil, l.fail(fmt.Errorf("%w: %s after a digest", ErrLine, quote(more)))
	}
	return &Observed{Format: schedule.FormatDigest, sum: &sum}, nil
}
