package compare

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestFirstMultiple(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.Uint64Range(1, 300).Draw(t, "m")
		a := rapid.Uint64Range(0, m-1).Draw(t, "a")
		low := rapid.Uint64Range(0, m-1).Draw(t, "low")
		high := rapid.Uint64Range(low, m-1).Draw(t, "high")
		got, ok := firstMultiple(a, m, low, high)
		for n := range m {
			if r := a * n % m; r >= low && r <= high {
				if !ok || got != n {
					t.Fatalf("got %d, %v; want %d", got, ok, n)
				}
				return
			}
		}
		if ok {
			t.Fatalf("got %d, want none", got)
		}
	})
}

func TestSmallProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 1000), rapid.Map(rapid.Uint64Range(1, 200), func(n uint64) uint64 { return n << 56 })).Draw(t, "a")
		low := rapid.OneOf(rapid.Uint64(), rapid.Just(uint64(0)), rapid.Just(uint64(1<<64-1))).Draw(t, "low")
		high := low + min(rapid.Uint64Range(0, 5000).Draw(t, "more"), 1<<64-1-low)
		most := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 1<<58), rapid.Just(uint64(0)), rapid.Just(uint64(1<<64-1))).Draw(t, "most")
		var got, want []uint64
		smallProducts(a, low, high, most, func(n uint64) bool {
			got = append(got, n)
			return len(got) < 6000
		})
		for n := low; ; n++ {
			if a*n <= most {
				want = append(want, n)
			}
			if n == high {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestSmallBoth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 1000), rapid.Map(rapid.Uint64Range(1, 200), func(n uint64) uint64 { return n << 56 }))
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		low := rapid.OneOf(rapid.Uint64(), rapid.Just(uint64(0)), rapid.Just(uint64(1<<64-1))).Draw(t, "low")
		high := low + min(rapid.Uint64Range(0, 20_000).Draw(t, "more"), 1<<64-1-low)
		most := rapid.Uint64Range(1<<56, 1<<62).Draw(t, "most")
		var got, want []uint64
		smallBoth(a, b, low, high, most, 1<<30, func(n uint64) bool {
			got = append(got, n)
			return len(got) < 30_000
		})
		for n := low; ; n++ {
			if a*n <= most && b*n <= most {
				want = append(want, n)
			}
			if n == high {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
