package schedule

import "math/bits"

const (
	digitBits = 11 // of a digit: its counters fit the first cache
	codeBits  = 2 * digitBits
)

// sortByCode sorts rows by code, ascending, and sets the codes so that greater
// stakes come first: equal stakes have one code, and unlike stakes seldom do. It
// is a radix sort of two digits. Rows of one code keep their order. It moves rows
// between its arguments, which are of one length, and returns both, the sorted
// ones first.
func sortByCode(rows, spare []row) (sorted, other []row) {
	if len(rows) == 0 {
		return rows, spare
	}
	least, most := rows[0].stake, rows[0].stake
	for i := range rows {
		least, most = min(least, rows[i].stake), max(most, rows[i].stake)
	}
	top := magnitude(most)
	shift := max(0, bits.Len64(top-magnitude(least))-codeBits)
	var low, high [1 << digitBits]uint32 // how many rows, then: positions, by digit
	for i := range rows {
		code := uint32((top - magnitude(rows[i].stake)) >> shift)
		rows[i].code = code
		low[code%(1<<digitBits)]++
		high[code>>digitBits%(1<<digitBits)]++
	}
	byDigit(spare, rows, &low, 0)
	byDigit(rows, spare, &high, digitBits)
	return rows, spare
}

// magnitude grows with x, as its logarithm does: stakes reach from one lamport to
// 10^17, and this spreads them evenly. It is the number of bits of x and then all
// of x but the leading one, of which the last few may be cut off.
func magnitude(x uint64) uint64 {
	const sizeBits = 7 // 0 to 64
	n := bits.Len64(x)
	return uint64(n)<<(64-sizeBits) | x<<(64-n)<<1>>sizeBits
}

// byDigit copies src to dst in the order of a digit of their codes, of which
// counts are how many rows have which.
func byDigit(dst, src []row, counts *[1 << digitBits]uint32, shift int) {
	n := uint32(0)
	for digit, count := range counts {
		counts[digit] = n
		n += count
	}
	for i := range src {
		at := &counts[src[i].code>>shift%(1<<digitBits)]
		dst[*at] = src[i]
		*at++
	}
}
