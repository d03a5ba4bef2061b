package stakes

import (
	"bytes"

	"github.com/schedgen/schedgen/stakes/genesis"
	"github.com/schedgen/schedgen/stakes/snapshot"
)

// kinds is what a file may be, for errors.
const kinds = "CSV, JSON, a genesis.bin, a snapshot's manifest, or the archive of a genesis or a snapshot"

// headSize is how much of a file tells what kind it is of, in bytes. The longest
// that is needed is a tar header; more of a file makes it surer that it is text.
const headSize = 4096

// A kind is what a file holds.
type kind uint8

const (
	kindUnknown kind = iota
	kindArchive
	kindJSON
	kindCSV
	kindGenesis
	kindManifest
)

// recognise tells what a file holds that begins with head.
//
// Archives have marks. JSON begins with { or [, which no CSV does. Of what is left,
// text is CSV, and both binary kinds are without marks: they are told apart by
// their first numbers, which are so small that hashes and keys, of which the other
// kind has some in the same place, are not taken for them.
func recognise(head []byte) kind {
	switch {
	case snapshot.IsArchive(head) && !isBZhText(head):
		return kindArchive
	case beginsJSON(head):
		return kindJSON
	case isText(head):
		return kindCSV
	case genesis.Matches(head):
		return kindGenesis
	case snapshot.IsManifest(head):
		return kindManifest
	}
	return kindUnknown
}

// isBZhText reports whether what begins as bzip2 data may be a key instead: what
// comes next is neither the mark of a block nor that of the end.
func isBZhText(head []byte) bool {
	const level = len("BZh9")
	if !bytes.HasPrefix(head, []byte("BZh")) || len(head) < level {
		return false
	}
	block, end := []byte("\x31\x41\x59\x26\x53\x59"), []byte("\x17\x72\x45\x38\x50\x90")
	return !bytes.HasPrefix(head[level:], block) && !bytes.HasPrefix(head[level:], end)
}

func beginsJSON(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[')
}

// isText reports whether there are no control characters but white space: binary
// kinds are full of zeros. UTF-16 counts as text, so that the error can say so.
func isText(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return true
	}
	for _, c := range head {
		if c < ' ' && (c < '\t' || c > '\r') {
			return false
		}
	}
	return true
}
