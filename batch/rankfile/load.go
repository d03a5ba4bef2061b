package rankfile

import (
	"crypto/sha256"

	"github.com/schedgen/schedgen/schedule"
)

// Schedule returns the schedule of an epoch; a *schedule.UnknownEpochError when
// the file does not have it, and an ErrFormat when it is damaged.
func (f *File) Schedule(epoch uint64) (*schedule.Schedule, error) {
	e, err := f.Find(epoch)
	if err != nil {
		return nil, err
	}
	st, err := f.Stakes(e.List)
	if err != nil {
		return nil, err
	}
	p := schedule.Params{Epoch: e.Epoch, FirstSlot: e.FirstSlot, Slots: e.Slots, Repeat: int(e.Repeat)}
	if e.Repeat == 0 || p.Repeat < 0 || e.Slots == 0 {
		return nil, wrong(e.offset, "epoch %d has %d slots in rotations of %d", epoch, e.Slots, e.Repeat)
	}
	size := uint64(schedule.RankSize(st.Len()))
	rotations := (e.Slots-1)/uint64(e.Repeat) + 1
	if rotations > f.size/size {
		return nil, wrong(e.offset, "epoch %d has %d rotations, more than the file has bytes for", epoch, rotations)
	}
	b, err := f.read(e.offset, rotations*size)
	if err != nil {
		return nil, err
	}
	if checksum(b) != e.checksum {
		return nil, wrong(e.offset, "wrong checksum of the ranks of epoch %d", epoch)
	}
	s, err := fromBytes(st, p, b)
	if err != nil {
		return nil, wrong(e.offset, "%v", err)
	}
	return s, nil
}

func fromBytes(st *schedule.Stakes, p schedule.Params, b []byte) (*schedule.Schedule, error) {
	if schedule.RankSize(st.Len()) == 2 {
		ranks := make([]uint16, len(b)/2)
		for i := range ranks {
			ranks[i] = order.Uint16(b[2*i:])
		}
		return schedule.FromRanks(st, p, ranks)
	}
	ranks := make([]uint32, len(b)/4)
	for i := range ranks {
		ranks[i] = order.Uint32(b[4*i:])
	}
	return schedule.FromRanks(st, p, ranks)
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
	if b, err = f.read(row.offset, entrySize*uint64(row.entries)); err != nil {
		return nil, err
	}
	if sha256.Sum256(b) != row.digest {
		return nil, wrong(row.offset, "wrong digest of list %d", number)
	}
	return parseList(row, keying, b)
}

// parseList makes a stake list, which must come out as it went in.
func parseList(row listRow, keying schedule.Keying, b []byte) (*schedule.Stakes, error) {
	entries := make([]schedule.Entry, len(b)/entrySize)
	for i := range entries {
		e := b[entrySize*i:]
		copy(entries[i].Key[:], e)
		copy(entries[i].Node[:], e[32:])
		entries[i].Stake = order.Uint64(e[64:])
	}
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
