package store

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// What an encoded list has; the first byte.
const (
	hasVotes    = 1 << iota // List.HasVotes
	hasNodes                // identities beside the keys; without them all are zero
	hasAccounts             // List.Accounts, as many as entries
	knownFlags  = 1<<iota - 1
)

var errEntries = errors.New("entries are not of the form that is written")

// appendEntries appends the entries and accounts of a list to b, column by column,
// which compresses best: flags, number, keys, identities, stakes, balances, BLS.
// Numbers are little-endian.
func appendEntries(b []byte, l *list.List) []byte {
	flags := byte(0)
	if l.HasVotes {
		flags |= hasVotes
	}
	for i := range l.Entries {
		if !l.Entries[i].Node.IsZero() {
			flags |= hasNodes
			break
		}
	}
	if l.Accounts != nil {
		flags |= hasAccounts
	}
	b = append(b, flags)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(l.Entries)))
	for i := range l.Entries {
		b = append(b, l.Entries[i].Key[:]...)
	}
	for i := range l.Entries {
		if flags&hasNodes != 0 {
			b = append(b, l.Entries[i].Node[:]...)
		}
	}
	for i := range l.Entries {
		b = binary.LittleEndian.AppendUint64(b, l.Entries[i].Stake)
	}
	for i := range l.Accounts {
		b = binary.LittleEndian.AppendUint64(b, l.Accounts[i].Lamports)
	}
	for i := range l.Accounts {
		bls := byte(0)
		if l.Accounts[i].BLS {
			bls = 1
		}
		b = append(b, bls)
	}
	return b
}

// checkEntries refuses what appendEntries cannot hold.
func checkEntries(l *list.List) error {
	if uint64(len(l.Entries)) > schedule.MaxEntries {
		return fmt.Errorf("%w: %d, at most %d", schedule.ErrTooManyEntries, len(l.Entries), uint64(schedule.MaxEntries))
	}
	if l.Accounts != nil && len(l.Accounts) != len(l.Entries) {
		return fmt.Errorf("%d accounts for %d entries, want one for each", len(l.Accounts), len(l.Entries))
	}
	return nil
}

// parseEntries is the way back, into a list without provenance.
func parseEntries(b []byte) (*list.List, error) {
	const head = 1 + 4
	if len(b) < head || b[0]&^byte(knownFlags) != 0 {
		return nil, errEntries
	}
	flags, n, b := b[0], uint64(binary.LittleEndian.Uint32(b[1:])), b[head:]
	const key, number = len(schedule.Pubkey{}), 8
	width := key + number
	if flags&hasNodes != 0 {
		width += key
	}
	if flags&hasAccounts != 0 {
		width += number + 1
	}
	if uint64(len(b)) != n*uint64(width) {
		return nil, fmt.Errorf("%w: %d bytes for %d entries of %d", errEntries, len(b), n, width)
	}
	l := &list.List{HasVotes: flags&hasVotes != 0, Entries: make([]schedule.Entry, n)}
	column := func(width int, set func(i int, cell []byte)) {
		for i := range l.Entries {
			set(i, b[i*width:(i+1)*width])
		}
		b = b[len(l.Entries)*width:]
	}
	column(key, func(i int, cell []byte) { copy(l.Entries[i].Key[:], cell) })
	if flags&hasNodes != 0 {
		column(key, func(i int, cell []byte) { copy(l.Entries[i].Node[:], cell) })
	}
	column(number, func(i int, cell []byte) { l.Entries[i].Stake = binary.LittleEndian.Uint64(cell) })
	if flags&hasAccounts != 0 {
		l.Accounts = make([]list.Account, n)
		column(number, func(i int, cell []byte) { l.Accounts[i].Lamports = binary.LittleEndian.Uint64(cell) })
		column(1, func(i int, cell []byte) { l.Accounts[i].BLS = cell[0] != 0 })
	}
	return l, nil
}
