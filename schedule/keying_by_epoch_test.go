package schedule_test

import (
	"errors"
	"math"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

func TestKeyingFor(t *testing.T) {
	for _, c := range []struct {
		cluster string
		epoch   uint64
		want    schedule.Keying
	}{
		{"mainnet-beta", 0, schedule.KeyedByIdentity},
		{"mainnet-beta", 841, schedule.KeyedByIdentity},
		{"mainnet-beta", 842, schedule.KeyedByVote},
		{"mainnet-beta", math.MaxUint64, schedule.KeyedByVote},
		{"testnet", 829, schedule.KeyedByIdentity},
		{"testnet", 830, schedule.KeyedByVote},
	} {
		if got, err := schedule.KeyingFor(c.cluster, c.epoch); got != c.want || err != nil {
			t.Errorf("%s epoch %d: got %v, %v, want %v", c.cluster, c.epoch, got, err, c.want)
		}
	}
	for _, cluster := range []string{"devnet", "", "mainnet"} {
		if _, err := schedule.KeyingFor(cluster, 900); !errors.Is(err, schedule.ErrKeyingUnknown) {
			t.Errorf("%q: got %v, want ErrKeyingUnknown", cluster, err)
		}
	}
}
