package splitmix

import "testing"

// First outputs of SplitMix64 from seed 0, as published with its reference
// implementation.
func TestPublishedOutputs(t *testing.T) {
	rng := Source(0)
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		if got := rng.Next(); got != want {
			t.Errorf("output %d: got %#x, want %#x", i, got, want)
		}
	}
}
