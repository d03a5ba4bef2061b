package compare

const (
	// lookAhead is how many rotations decide between two numbers of words
	// rejected so far, and mostRejected how many words in a row are taken to be.
	lookAhead    = 24
	mostRejected = 8
	// clearly is by how many rotations more one must be better.
	clearly = 6
)

// A drift is the other side seen as the same words under other stakes. Which
// words are rejected goes by the last digits of the total, and one word rejected
// or not moves all rotations behind it. So words are told apart from rotations:
// where the other side stops following the words, those that it may have
// rejected are skipped.
type drift struct {
	rotations int   // with a leader on the other side
	follow    int   // whose leader is that of their word
	skipped   int   // words
	words     []int // of the rotations: the index of the word of each
}

// drift follows the other side along the words of a way for so many rotations. It
// is false when leaders of too few are known to do so.
func (x *examiner) drift(y way, most int) (f drift, ok bool) {
	y.roll = rollAll
	d, ok := x.drawer(y)
	if !ok {
		return f, false
	}
	seen := x.rotations(int(y.repeat), most)
	for _, id := range seen {
		if id >= 0 {
			f.rotations++
		}
	}
	if 2*f.rotations < len(seen) || f.rotations < lookAhead {
		return f, false
	}
	leader := make([]int32, 0, len(seen)+len(seen)/8)
	word := func(i int) int32 {
		for i >= len(leader) {
			leader = append(leader, d.w.ids[d.row()])
		}
		return leader[i]
	}
	agree := func(r, w int) (n int) {
		for i := r; i < min(r+lookAhead, len(seen)); i++ {
			if seen[i] == word(w+i-r) {
				n++
			}
		}
		return n
	}
	f.words = make([]int, len(seen))
	for r, id := range seen {
		if id >= 0 && id != word(r+f.skipped) {
			best, least := 0, agree(r, r+f.skipped)+clearly-1
			for more := 1; more <= mostRejected; more++ {
				if n := agree(r, r+f.skipped+more); n > least {
					best, least = more, n
				}
			}
			f.skipped += best
		}
		f.words[r] = r + f.skipped
		if id >= 0 && id == word(f.words[r]) {
			f.follow++
		}
	}
	return f, true
}

// rotations returns the leaders of the first rotations, where each is one and
// known.
func (x *examiner) rotations(repeat, most int) []int32 {
	var out []int32
	for start := 0; start < len(x.seen.slots) && len(out) < most; start += repeat {
		id := x.seen.slots[start]
		for _, other := range x.seen.slots[start:min(start+repeat, len(x.seen.slots))] {
			if other != id {
				id = unknown
			}
		}
		out = append(out, id)
	}
	return out
}
