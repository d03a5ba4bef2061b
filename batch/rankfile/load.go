package rankfile

import (
	"crypto/sha256"
	"hash/crc32"

	"github.com/schedgen/schedgen/schedule"
)

// Schedule returns the schedule of an epoch; a *schedule.UnknownEpochError when
// the file does not have it, and an ErrFormat when it is damaged.
func (f *File) Schedule(epoch uint64) (*schedule.Schedule, error) {
	e, err := f.Find(epoch)
	if err != nil {
		return nil, err
	}
	if e.Repeat == 0 || int(e.Repeat) < 0 || e.Slots == 0 {
		return nil, wrong(e.offset, "epoch %d has %d slots in rotations of %d", epoch, e.Slots, e.Repeat)
	}
	if n := e.rotations(); n > schedule.MaxRotations {
		return nil, wrong(e.offset, "epoch %d has %d rotations, want at most %d", epoch, n, schedule.MaxRotations)
	}
	st, err := f.Stakes(e.List)
	if err != nil {
		return nil, err
	}
	if schedule.RankSize(st.Len()) == 2 {
		return readRanks(f, st, e, 2, order.Uint16)
	}
	return readRanks(f, st, e, 4, order.Uint32)
}

// rotations returns how many ranks an epoch has.
func (e Epoch) rotations() uint64 { return (e.Slots-1)/uint64(e.Repeat) + 1 }

// readRanks reads the schedule of an epoch, whose ranks have size bytes.
func readRanks[R uint16 | uint32](f *File, st *schedule.Stakes, e Epoch, size int, rank func([]byte) R) (*schedule.Schedule, error) {
	n := e.rotations()
	ranks := make([]R, 0, min(n, uint64(partSize/size)))
	sum := uint32(0)
	err := f.readParts(e.offset, n*uint64(size), func(part []byte) error {
		sum = crc32.Update(sum, castagnoli, part)
		for ; len(part) > 0; part = part[size:] {
			ranks = append(ranks, rank(part))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if sum != e.checksum {
		return nil, wrong(e.offset, "wrong checksum of the ranks of epoch %d", e.Epoch)
	}
	p := schedule.Params{Epoch: e.Epoch, FirstSlot: e.FirstSlot, Slots: e.Slots, Repeat: int(e.Repeat)}
	s, err := schedule.FromRanks(st, p, ranks)
	if err != nil {
		return nil, wrong(e.offset, "%v", err)
	}
	return s, nil
}

// Stakes returns a stake list by its number. The digest of the list, the order
// of its entries and their sum are checked.
func (f *File) Stakes(number uint32) (*schedule.Stakes, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current != nil && f.number == number {
		return f.current, nil
	}
	st, err := f.readList(number)
	if err != nil {
		return nil, err
	}
	f.current, f.number = st, number
	return st, nil
}

func (f *File) readList(number uint32) (*schedule.Stakes, error) {
	if number >= f.tables.listCount {
		return nil, wrong(f.tables.lists, "list %d of %d", number, f.tables.listCount)
	}
	at := f.tables.lists + listSize*uint64(number)
	b, err := f.read(at, listSize)
	if err != nil {
		return nil, err
	}
	row, ok := parseListRow(b)
	if !ok {
		return nil, wrong(at+60, "wrong checksum of row %d of the list table", number)
	}
	keying := schedule.Keying(row.keying)
	if row.keying > uint32(schedule.KeyedByIdentity) {
		return nil, wrong(at+12, "keying %d, want 0 or 1", row.keying)
	}
	if row.entries > schedule.MaxEntries {
		return nil, wrong(at+8, "list %d has %d entries, want at most %d", number, row.entries, uint64(schedule.MaxEntries))
	}
	entries := make([]schedule.Entry, 0, min(row.entries, partSize/entrySize))
	digest := sha256.New()
	err = f.readParts(row.offset, entrySize*uint64(row.entries), func(part []byte) error {
		digest.Write(part)
		entries, err = appendEntries(entries, row.offset, part)
		return err
	})
	if err != nil {
		return nil, err
	}
	if [32]byte(digest.Sum(nil)) != row.digest {
		return nil, wrong(row.offset, "wrong digest of list %d", number)
	}
	return newList(row, keying, entries)
}

// appendEntries appends the entries of a part of the list block at offset. They
// have stake, other than those of a hole in a file, which reads as zeros and
// takes no space on a disk.
func appendEntries(entries []schedule.Entry, offset uint64, part []byte) ([]schedule.Entry, error) {
	for ; len(part) > 0; part = part[entrySize:] {
		var e schedule.Entry
		copy(e.Key[:], part)
		copy(e.Node[:], part[32:])
		if e.Stake = order.Uint64(part[64:]); e.Stake == 0 {
			return nil, wrong(offset+entrySize*uint64(len(entries)), "entry %d has no stake", len(entries))
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// newList makes a stake list, which must come out as it went in.
func newList(row listRow, keying schedule.Keying, entries []schedule.Entry) (*schedule.Stakes, error) {
	st, err := schedule.NewStakes(entries, keying)
	if err != nil {
		return nil, wrong(row.offset, "%v", err)
	}
	if st.Len() != len(entries) || st.Total() != row.total {
		return nil, wrong(row.offset, "%d entries with %d lamports, the list table says %d with %d",
			st.Len(), st.Total(), len(entries), row.total)
	}
	for rank, e := range st.All() {
		if e != entries[rank] {
			return nil, wrong(row.offset+entrySize*uint64(rank), "entry %d is not in the order of ranks", rank)
		}
	}
	return st, nil
}
