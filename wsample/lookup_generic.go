package wsample

// lookupAll sets dst[i] to the index that x[i], below the total, gives. Most
// draws end at their bucket's entry or one behind it: the first step is taken
// without a branch, and the test behind it nearly always falls the same way.
func lookupAll[D, G uint16 | uint32](dst []D, x, sums []uint64, guide []G, shift uint) {
	shift &= 63 // spares the compiler its test for more
	dst = dst[:len(x)]
	for i, v := range x {
		j := int(guide[v>>shift])
		j += int(passed(sums[j], v))
		if sums[j] <= v {
			j = search(v, sums, j+1, int(guide[v>>shift+1]))
		}
		dst[i] = D(j)
	}
}

// lookup returns the index that x, below the total, gives.
func lookup[G uint16 | uint32](x uint64, sums []uint64, guide []G, shift uint) int {
	bucket := x >> (shift & 63)
	return search(x, sums, int(guide[bucket]), int(guide[bucket+1]))
}

// search returns the first index from low on whose sum is above x; the sum of
// high is. It takes as many steps as high-low has bits.
func search(x uint64, sums []uint64, low, high int) int {
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
