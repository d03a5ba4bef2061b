package wsample

import (
	"slices"
	"testing"

	"github.com/schedgen/schedgen/chacha20rng"
)

// chiSquared returns Pearson's statistic of counts against expected ones.
func chiSquared(counts []int, expected func(i int) float64) float64 {
	var x float64
	for i, c := range counts {
		d := float64(c) - expected(i)
		x += d * d / expected(i)
	}
	return x
}

// TestCountsFollowWeights: critical values are those of a chance of 10^-4 with
// n-1 degrees of freedom. The smallest expected count is 26.
func TestCountsFollowWeights(t *testing.T) {
	const draws = 200_000
	for _, c := range []struct {
		n        int
		critical float64
	}{
		{114, 177.62}, {227, 313.74}, {340, 444.49}, {453, 572.46}, {566, 698.65},
		{679, 823.57}, {792, 947.54}, {905, 1070.75}, {1018, 1193.34},
	} {
		if testing.Short() && c.n != 566 {
			continue
		}
		weights := harmonicWeights(c.n)
		table := mustTable(t, weights)
		byTable, bySampler := make([]int, c.n), make([]int, c.n)
		dst16, dst32 := make([]uint16, draws), make([]uint32, draws)
		if err := table.Sample16(chacha20rng.New(seedOf(4)), dst16); err != nil {
			t.Fatal(err)
		}
		s := mustSampler(t, weights, WithRejection(chacha20rng.ByShift))
		s.SampleMany(chacha20rng.New(seedOf(5)), dst32)
		for i := range draws {
			byTable[dst16[i]]++
			bySampler[dst32[i]]++
		}
		expected := func(i int) float64 { return draws * float64(weights[i]) / float64(table.Total()) }
		if x := chiSquared(byTable, expected); x > c.critical {
			t.Errorf("table of %d: chi-squared %.2f, critical value %.2f", c.n, x, c.critical)
		}
		if x := chiSquared(bySampler, expected); x > c.critical {
			t.Errorf("sampler of %d: chi-squared %.2f, critical value %.2f", c.n, x, c.critical)
		}
	}
}

// TestOneWeightCounts: a list of one is drawn always.
func TestOneWeightCounts(t *testing.T) {
	dst := make([]uint16, 1000)
	if err := mustTable(t, []uint64{12345}).Sample16(chacha20rng.New(seedOf(4)), dst); err != nil {
		t.Fatal(err)
	}
	for i, got := range dst {
		if got != 0 {
			t.Fatalf("draw %d is %d", i, got)
		}
	}
}

// TestOrdersFollowWeights counts the 24 orders in which 40, 30, 20 and 10 are
// drawn without replacement. The number of draws, 302,400, makes every expected
// count a whole number. The critical value is that of a chance of 10^-4 with 23
// degrees of freedom.
func TestOrdersFollowWeights(t *testing.T) {
	const draws, critical = 302_400, 57.07
	weights := []uint64{40, 30, 20, 10}
	expected := expectedOrders(t, weights, draws)
	if len(expected) != 24 {
		t.Fatalf("%d orders expected, want 24", len(expected))
	}
	for _, k := range []chacha20rng.Rejection{chacha20rng.ByModulo, chacha20rng.ByShift} {
		r := chacha20rng.New(seedOf(6))
		s := mustSampler(t, weights, WithRestore(), WithRejection(k))
		tally := map[[4]uint32]int{}
		for range draws {
			var order [4]uint32
			s.SampleAndRemoveMany(r, order[:])
			tally[order]++
			if err := s.RestoreAll(); err != nil {
				t.Fatal(err)
			}
		}
		var counts []int
		var want []float64
		for order, count := range expected {
			counts, want = append(counts, tally[order]), append(want, count)
			delete(tally, order)
		}
		if len(tally) > 0 {
			t.Errorf("%s: drawn, but no order of the four: %v", k, tally)
		}
		if x := chiSquared(counts, func(i int) float64 { return want[i] }); x > critical {
			t.Errorf("%s: chi-squared %.2f, critical value %.2f", k, x, critical)
		}
	}
}

// expectedOrders returns how often each order of four weights comes up in a
// number of draws that makes it a whole number.
func expectedOrders(t *testing.T, weights []uint64, draws uint64) map[[4]uint32]float64 {
	expected := map[[4]uint32]float64{}
	var extend func(order []uint32, count, left uint64)
	extend = func(order []uint32, count, left uint64) {
		if left == 0 {
			expected[[4]uint32(order)] = float64(count)
			return
		}
		for i, w := range weights {
			if slices.Contains(order, uint32(i)) {
				continue
			}
			if count*w%left != 0 {
				t.Fatalf("the count of %v, then %d, is no whole number", order, i)
			}
			extend(append(slices.Clone(order), uint32(i)), count*w/left, left-w)
		}
	}
	extend(nil, draws, sumOf(weights))
	return expected
}
