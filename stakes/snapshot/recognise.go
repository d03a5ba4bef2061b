package snapshot

import "encoding/binary"

// HeadSize is how many bytes from the start of a file tell what it is.
const HeadSize = headSize

// IsArchive reports whether what begins with head may be an archive, compressed
// or not; only [Read] tells whether it has a snapshot in it.
func IsArchive(head []byte) bool {
	return isArchive(head)
}

// IsManifest reports whether what begins with head looks like a manifest, which
// has no mark: it begins with a queue of blockhashes, whose last one has the
// number that comes first.
func IsManifest(head []byte) bool {
	const (
		optionAt = 8
		countAt  = optionAt + 1 + 32
		indexAt  = countAt + 8 + 32 + 8 // of the first blockhash
		size     = indexAt + 8

		maxCount = 4096 // the queue has 301
	)
	if len(head) < size || head[optionAt] != 1 {
		return false
	}
	last := binary.LittleEndian.Uint64(head)
	count := binary.LittleEndian.Uint64(head[countAt:])
	index := binary.LittleEndian.Uint64(head[indexAt:])
	return 1 <= count && count <= maxCount && index <= last && last-index <= maxCount
}
