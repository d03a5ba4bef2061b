package chacha20rng

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/crypto/chacha20"
	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

// iota32 is the seed 00 01 02 … 1f.
func iota32() (seed [32]byte) {
	for i := range seed {
		seed[i] = byte(i)
	}
	return seed
}

// on returns r after moving it to backend b.
func on(t testing.TB, b cpu.Backend, r *RNG) *RNG {
	t.Helper()
	if err := r.SetBackend(string(b)); err != nil {
		t.Fatal(err)
	}
	return r
}

// xcryptoWords returns n words of the 20-round stream from a block on, made by
// golang.org/x/crypto: its 32-bit counter is word 12, its first nonce word 13.
func xcryptoWords(t testing.TB, seed [32]byte, block uint64, n int) []uint64 {
	t.Helper()
	words := make([]uint64, 0, n+7)
	for len(words) < n {
		var nonce [12]byte
		binary.LittleEndian.PutUint32(nonce[:], uint32(block>>32))
		cipher, err := chacha20.NewUnauthenticatedCipher(seed[:], nonce[:])
		if err != nil {
			t.Fatal(err)
		}
		cipher.SetCounter(uint32(block))
		var out [64]byte
		cipher.XORKeyStream(out[:], out[:])
		for i := 0; i < 64; i += 8 {
			words = append(words, binary.LittleEndian.Uint64(out[i:]))
		}
		block++
	}
	return words[:n]
}

func TestKnownStream(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		r := on(t, b, New(iota32()))
		if got := r.Uint64(); got != 0x6a19c5d97d2bfd39 {
			t.Errorf("first word %#x, want 0x6a19c5d97d2bfd39", got)
		}
		var x uint64
		for range 100_000 {
			x ^= r.Uint64()
		}
		if x != 0xb425be48c89d4f75 {
			t.Errorf("exclusive or of the next 100,000 words %#x, want 0xb425be48c89d4f75", x)
		}
		r.Reseed([32]byte{})
		if got := r.Uint64(); got != 0x903df1a0ade0b876 { // the ChaCha20 test vector of the zero key
			t.Errorf("first word of the zero seed %#x, want 0x903df1a0ade0b876", got)
		}
		if got := on(t, b, NewChaCha8([32]byte{})).Uint64(); got != 15438444565445410878 {
			t.Errorf("first ChaCha8 word of the zero seed %d, want 15438444565445410878", got)
		}
	})
}

// Around the carry from word 12 into word 13 each lane of a vector backend has
// to carry for itself.
func TestAgainstXCrypto(t *testing.T) {
	seed := iota32()
	seed[5] = 0xa5
	starts := []uint64{0, 1, 1<<32 - 1, 1 << 32, 1<<32 + 48, 1<<38 - 3, 1<<63 - 2, math.MaxUint64 - 1, math.MaxUint64}
	for d := range uint64(2 * bufferBlocks) {
		starts = append(starts, 1<<32-d, -d)
	}
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		r := on(t, b, New(seed))
		for _, start := range starts {
			for _, n := range []int{1, 8, 63, 64, 200, 3 * bufferWords} {
				want := xcryptoWords(t, seed, start, n)
				got := make([]uint64, n)
				r.SeekBlock(start)
				r.Fill(got)
				if !slices.Equal(got, want) {
					t.Fatalf("%d words from block %d differ from x/crypto's", n, start)
				}
			}
		}
	})
}

// ChaCha8 has no second implementation here: every backend against the generic
// one, which the rand_chacha vectors hold to account.
func TestAgainstGeneric(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		rapid.Check(t, func(t *rapid.T) {
			seed := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed"))
			start := drawPosition(t)
			want := make([]uint64, rapid.IntRange(0, 5000).Draw(t, "words"))
			reference, r := New(seed), New(seed)
			if rapid.Bool().Draw(t, "ChaCha8") {
				reference, r = NewChaCha8(seed), NewChaCha8(seed)
			}
			reference.backend, r.backend = cpu.Generic, b
			reference.SeekBlock(start)
			reference.Fill(want)
			r.SeekBlock(start)
			got := make([]uint64, len(want))
			r.Fill(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%d words from block %d differ from the generic backend's", len(want), start)
			}
		})
	})
}

// drawPosition draws a block number, often near a place where a counter carries.
func drawPosition(t *rapid.T) uint64 {
	near := rapid.SampledFrom([]uint64{0, 1 << 32, 1 << 38, 1 << 61, 1 << 63}).Draw(t, "near")
	return near + rapid.Uint64Range(0, 200).Draw(t, "distance") - 100
}

func TestAnySplitIsTheSameStream(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		rapid.Check(t, func(t *rapid.T) {
			seed := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed"))
			start := drawPosition(t)
			want := xcryptoWordsRapid(t, seed, start, 2500)
			r := New(seed)
			r.backend = b
			r.SeekBlock(start)
			at := 0
			for step := 0; step < 12; step++ {
				switch rapid.IntRange(0, 3).Draw(t, "step") {
				case 0:
					if got := r.Uint64(); got != want[at] {
						t.Fatalf("Uint64 at word %d: %#x, want %#x", at, got, want[at])
					}
					at++
				case 1:
					got := make([]uint64, rapid.IntRange(0, 180).Draw(t, "length"))
					r.Fill(got)
					if !slices.Equal(got, want[at:at+len(got)]) {
						t.Fatalf("Fill(%d words) at word %d differs", len(got), at)
					}
					at += len(got)
				case 2: // a seek reaches the first 2^61 blocks only
					if start >= 1<<60 {
						continue
					}
					at = rapid.IntRange(0, 200).Draw(t, "to")
					r.Seek(start*wordsPerBlock + uint64(at))
				case 3:
					if got, w := r.Pos(), start*wordsPerBlock+uint64(at); got != w {
						t.Fatalf("Pos() = %d, want %d", got, w)
					}
				}
			}
		})
	})
}

func xcryptoWordsRapid(t *rapid.T, seed [32]byte, block uint64, n int) []uint64 {
	r := New(seed)
	r.backend = cpu.Generic
	r.SeekBlock(block)
	words := make([]uint64, n)
	for i := range words {
		words[i] = r.Uint64()
	}
	return words
}

func TestSetBackend(t *testing.T) {
	r := New(iota32())
	r.Uint64()
	if err := r.SetBackend("no such"); err == nil {
		t.Error("an unknown backend is accepted")
	}
	before := r.Pos()
	for _, name := range append(Backends(), "", "auto") {
		if err := r.SetBackend(name); err != nil {
			t.Errorf("SetBackend(%q): %v", name, err)
		}
		if r.Pos() != before {
			t.Errorf("SetBackend(%q) moved the stream", name)
		}
	}
}

func TestReseedEqualsNew(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		r := on(t, b, New([32]byte{1}))
		r.Fill(make([]uint64, 13))
		r.Reseed([32]byte{2})
		if r.Pos() != 0 || r.Backend() != string(b) {
			t.Fatalf("after Reseed: position %d, backend %s", r.Pos(), r.Backend())
		}
		if got, want := r.Uint64(), New([32]byte{2}).Uint64(); got != want {
			t.Errorf("first word after Reseed %#x, want %#x", got, want)
		}
	})
}

func TestIsARandSource(t *testing.T) {
	a, b := rand.New(New(iota32())), New(iota32())
	for range 100 {
		if got, want := a.Uint64(), b.Uint64(); got != want {
			t.Fatalf("%#x through math/rand/v2, want %#x", got, want)
		}
	}
}

func TestNoAllocationAfterNew(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		r := on(t, b, New(iota32()))
		z := Modulo(1<<63 + 1)
		if n := testing.AllocsPerRun(50, func() {
			var words [300]uint64 // stays on the stack only if no backend lets it escape
			r.Fill(words[:])
			r.FillRolls(words[:], z)
			r.Uint64()
			r.Roll(z)
			r.RollN(3, ByShift)
			r.Seek(12345)
			r.Reseed([32]byte{9})
			r.Uint64()
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// blockOf multiplies out the limits of both zones in big integers.
func TestZoneLimits(t *testing.T) {
	two64 := new(big.Int).Lsh(big.NewInt(1), 64)
	check := func(n uint64) {
		bigN := new(big.Int).SetUint64(n)
		limit := new(big.Int).Mod(two64, bigN)
		limit.Sub(two64, limit.Add(limit, big.NewInt(1)))
		if z := Modulo(n); z.N() != n || z.Limit() != limit.Uint64() {
			t.Errorf("Modulo(%d) = {%d, %d}, want limit %d", n, z.N(), z.Limit(), limit)
		}
		limit.Set(bigN)
		for limit.Bit(63) == 0 {
			limit.Lsh(limit, 1)
		}
		limit.Sub(limit, big.NewInt(1))
		if z := Shift(n); z.N() != n || z.Limit() != limit.Uint64() {
			t.Errorf("Shift(%d) = {%d, %d}, want limit %d", n, z.N(), z.Limit(), limit)
		}
	}
	for k := range 64 {
		for _, n := range []uint64{1<<k - 1, 1 << k, 1<<k + 1, 3<<k - 1} {
			if n != 0 {
				check(n)
			}
		}
	}
	check(math.MaxUint64)
	check(math.MaxUint64 - 1)
	check(392456937698882662) // the stake of mainnet-beta's epoch 454
}

func TestZoneOfZeroPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"Modulo": func() { Modulo(0) },
		"Shift":  func() { Shift(0) },
		"RollN":  func() { New([32]byte{}).RollN(0, ByModulo) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of 0 does not panic", name)
				}
			}()
			f()
		}()
	}
}

func TestKnownRolls(t *testing.T) {
	var seed [32]byte
	for i := range seed {
		seed[i] = 0x41
	}
	for _, c := range []struct {
		rule Rejection
		want []uint64
	}{
		{ByShift, []uint64{8, 7, 2, 5, 7, 6, 5, 6, 9, 6, 3252524226, 3847107912, 2388546007, 1795840680, 1493882641, 2627412178, 2509655068, 2770564418, 368683988, 318451188}},
		{ByModulo, []uint64{8, 7, 1, 2, 5, 7, 6, 2, 9, 5, 2659576357, 4036770383, 2578672018, 3252524226, 3847107912, 2388546007, 1795840680, 1493882641, 2627412178, 2509655068}},
	} {
		cputest.Each(t, func(t *testing.T, b cpu.Backend) {
			one, many := on(t, b, New(seed)), on(t, b, New(seed))
			got := make([]uint64, 20)
			many.FillRolls(got[:10], c.rule.Zone(10))
			many.FillRolls(got[10:], c.rule.Zone(4294967231))
			if !slices.Equal(got, c.want) {
				t.Errorf("%v: FillRolls gives %v, want %v", c.rule, got, c.want)
			}
			for i, want := range c.want {
				n := uint64(10)
				if i >= 10 {
					n = 4294967231
				}
				if got := one.Roll(c.rule.Zone(n)); got != want {
					t.Errorf("%v: roll %d gives %d, want %d", c.rule, i, got, want)
				}
			}
		})
	}
}

// Each roll feeds the bound of the next, so one wrong bit shows at the end.
func TestIteratedRolls(t *testing.T) {
	if testing.Short() {
		t.Skip("10^7 rolls are left out of short runs")
	}
	var seed [32]byte
	for i := range seed {
		seed[i] = 0x41
	}
	r, lazy := New(seed), New(seed)
	n := uint64(100_000_000)
	for range 10_000_000 {
		a, b := r.Roll(Modulo(n)), lazy.RollN(n, ByModulo)
		if a != b {
			t.Fatalf("Roll(Modulo(%d)) = %d but RollN gives %d", n, a, b)
		}
		n = 3*a + 3
	}
}

// bounds draws bounds that matter: tiny, around powers of two, near 2^64.
func bounds() *rapid.Generator[uint64] {
	return rapid.Custom(func(t *rapid.T) uint64 {
		k := rapid.IntRange(0, 63).Draw(t, "k")
		n := rapid.SampledFrom([]uint64{1, 2, 1 << k, 1<<k + 1, 1<<k - 1, 1<<63 + 1, 1<<63 - 1, math.MaxUint64,
			rapid.Uint64().Draw(t, "any")}).Draw(t, "n")
		return max(n, 1)
	})
}

func TestFillRollsEqualsRolls(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		rapid.Check(t, func(t *rapid.T) {
			seed := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed"))
			n := bounds().Draw(t, "bound")
			rule := rapid.SampledFrom([]Rejection{ByModulo, ByShift}).Draw(t, "rule")
			skip := rapid.IntRange(0, 9).Draw(t, "skip")
			one, many := New(seed), New(seed)
			one.backend, many.backend = cpu.Generic, b
			one.Fill(make([]uint64, skip))
			many.Fill(make([]uint64, skip))
			got := make([]uint64, rapid.IntRange(0, 1200).Draw(t, "length"))
			many.FillRolls(got, rule.Zone(n))
			for i := range got {
				high, ok := uint64(0), false
				for !ok { // by the definition, in big integers' stead: multiply, compare
					high, ok = accept(one.Uint64(), rule.Zone(n))
				}
				if got[i] != high || got[i] >= n {
					t.Fatalf("%v below %d: roll %d of %d is %d, want %d", rule, n, i, len(got), got[i], high)
				}
			}
			if one.Pos() != many.Pos() {
				t.Fatalf("FillRolls read %d words, the rolls one by one %d", many.Pos(), one.Pos())
			}
		})
	})
}

// accept is one step of the definition, in big integers.
func accept(x uint64, z Zone) (value uint64, ok bool) {
	product := new(big.Int).Mul(new(big.Int).SetUint64(x), new(big.Int).SetUint64(z.N()))
	low := new(big.Int).And(product, new(big.Int).SetUint64(math.MaxUint64))
	return product.Rsh(product, 64).Uint64(), low.Uint64() <= z.Limit()
}
