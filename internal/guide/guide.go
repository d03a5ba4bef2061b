// Package guide has the table that turns numbers into indices: on which of a list
// of weights does x fall, when they lie end to end from 0? Those who build the
// table and those who look numbers up in it share it.
package guide

import "math/bits"

// Table is the prefix sums of a list of at most 2^16 weights, and a guide into
// them. A number x below their total falls on the first index whose sum is above
// x. Buckets cut the range of x into equal parts: that of x is x >> Shift.
//
// With the weights 40 30 20 10 and a Shift of 4,
//
//	Sums     40  70  90 100
//	bucket    0   1   2   3   4   5   6
//	Entries   0   0   0   1   1   2   3   3
//
// Nothing checks a Table, and assembly reads beyond its slices where one does not
// hold what it promises. Only packages of this module can make one.
type Table struct {
	// Sums begins with the prefix sums.
	Sums []uint64
	// Entries has one entry for every bucket and one more. A number in bucket b
	// falls on an index from Entries[b] to Entries[b+1], both included.
	Entries []uint16
	Shift   uint // at most 63

	_ struct{} // makes it unlike every type that another module can write
}

// Lookup sets dst[i] to the index that x[i] falls on. Most numbers fall on their
// bucket's entry or one behind it: the first step is taken without a branch, and
// the test behind it nearly always falls the same way.
func (t *Table) Lookup(dst []uint16, x []uint64) {
	sums, entries, shift := t.Sums, t.Entries, t.Shift&63
	dst = dst[:len(x)]
	for i, v := range x {
		bucket := v >> shift
		j := int(entries[bucket])
		_, below := bits.Sub64(v, sums[j], 0)
		j += 1 - int(below)
		if sums[j] <= v {
			j = Search(v, sums, j+1, int(entries[bucket+1]))
		}
		dst[i] = uint16(j)
	}
}

// Search returns the first index from low on whose sum is above x; the sum of
// high is. It takes as many steps as high-low has bits.
func Search(x uint64, sums []uint64, low, high int) int {
	for low < high {
		middle := low + (high-low)/2
		if sums[middle] <= x {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
