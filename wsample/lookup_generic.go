package wsample

import "github.com/schedgen/schedgen/internal/guide"

// lookup32 sets dst[i] to the index that x[i], below the total, gives, as the
// Lookup of a guide.Table does for fewer weights.
func lookup32(dst []uint32, x, sums []uint64, entries []uint32, shift uint) {
	shift &= 63 // spares the compiler its test for more
	dst = dst[:len(x)]
	for i, v := range x {
		j := int(entries[v>>shift])
		j += int(passed(sums[j], v))
		if sums[j] <= v {
			j = guide.Search(v, sums, j+1, int(entries[v>>shift+1]))
		}
		dst[i] = uint32(j)
	}
}

// lookup returns the index that x, below the total, gives.
func lookup[G uint16 | uint32](x uint64, sums []uint64, entries []G, shift uint) int {
	bucket := x >> (shift & 63)
	return guide.Search(x, sums, int(entries[bucket]), int(entries[bucket+1]))
}
