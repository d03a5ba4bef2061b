package compare

import "math/bits"

// firstMultiple returns the least n for which a*n modulo m lies in [low, high];
// m = 0 stands for 2^64. It is false when there is none. 0 <= low <= high < m and
// a < m are taken for granted.
//
// Without a multiple of a in [low, high] itself, one lies there after k rounds of
// m when k*m modulo a leaves a gap that reaches back into it: the same question
// with smaller numbers, as in Euclid's algorithm.
func firstMultiple(a, m, low, high uint64) (uint64, bool) {
	if low == 0 {
		return 0, true
	}
	if a == 0 {
		return 0, false
	}
	if n := (low-1)/a + 1; low/a != high/a || low%a == 0 {
		return n, true
	}
	rest := (m - a) % a // m modulo a, for 2^64 too
	rounds, ok := firstMultiple(rest, a, a-high%a, a-low%a)
	if !ok {
		return 0, false
	}
	// (rounds*m + low + a - 1) / a
	carried, sum := rounds, uint64(0)
	if m != 0 {
		carried, sum = bits.Mul64(rounds, m)
	}
	sum, carry := bits.Add64(sum, low, 0)
	carried += carry
	sum, carry = bits.Add64(sum, a-1, 0)
	carried += carry
	if carried >= a {
		return 0, false // more than 64 bits
	}
	n, _ := bits.Div64(carried, sum, a)
	return n, true
}

// smallProducts calls f for every t in [low, high], ascending, for which a*t
// modulo 2^64 is at most most, until f returns false.
//
// From one such t the next is as far as the first step that moves the product up
// by no more than most, as the first that moves it down likewise, or as both
// together: whichever stays within [0, most].
func smallProducts(a, low, high, most uint64, f func(t uint64) bool) {
	if low > high {
		return
	}
	if a == 0 || most == 1<<64-1 {
		for t := low; f(t) && t < high; t++ {
		}
		return
	}
	t, at := low, a*low
	if at > most {
		n, ok := firstMultiple(a, 0, -at, -at+most)
		if !ok || n > high-t {
			return
		}
		t, at = t+n, at+a*n
	}
	const never = 1<<64 - 1
	up, down := uint64(never), uint64(never)
	if even := bits.TrailingZeros64(a); even > 0 {
		up = 1 << (64 - even) // moves by nothing
	}
	if most > 0 {
		if n, ok := firstMultiple(a, 0, 1, most); ok {
			up = min(up, n)
		}
		if n, ok := firstMultiple(-a, 0, 1, most); ok {
			down = n
		}
	}
	for f(t) {
		step := uint64(never)
		moved := a * up
		if up != never && moved <= most && at <= most-moved {
			step = up
		}
		if back := -(a * down); down != never && back <= most && at >= back {
			step = min(step, down)
		}
		if step == never && up < never-down {
			step = up + down
		}
		if step == never || step > high-t {
			return
		}
		t, at = t+step, at+a*step
	}
}

// smallBoth calls f for every t in [low, high], ascending, for which both a*t and
// b*t modulo 2^64 are at most most, until f returns false.
//
// The steps from one such t to the next are few, because a step moves both
// products by no more than most. They are looked for once; where none of them
// leads on, the next t is found by going through those of a alone, at most budget
// of them in all.
func smallBoth(a, b, low, high, most uint64, budget int, f func(t uint64) bool) {
	const longest = 1 << 22
	type step struct{ n, a, b uint64 }
	var steps []step
	near := func(moved uint64) bool { return moved <= most || -moved <= most }
	for n := uint64(1); n <= longest && len(steps) < 64; n++ {
		if s := (step{n, a * n, b * n}); near(s.a) && near(s.b) {
			steps = append(steps, s)
		}
	}
	for found := true; found; {
		found = false
		smallProducts(a, low, high, most, func(t uint64) bool {
			budget--
			found = b*t <= most && budget >= 0
			low = t
			return !found && budget >= 0
		})
		for next := found; next; {
			if !f(low) {
				return
			}
			next = false
			for i := range steps {
				s := &steps[i]
				if a*low+s.a <= most && b*low+s.b <= most {
					if s.n > high-low {
						return
					}
					low, next = low+s.n, true
					break
				}
			}
		}
		if low == high {
			return
		}
		low++
	}
}
