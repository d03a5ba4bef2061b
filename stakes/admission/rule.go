package admission

import (
	"errors"
	"fmt"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// A Rule says who is left out.
type Rule string

const (
	// Auto leaves out whom the network did, as far as the list tells: nobody in
	// epochs before the rule of SIMD-0357 held, nobody of a list that the network
	// recorded, and nobody of one that does not tell BLS keys and balances.
	Auto Rule = "auto"
	// None leaves nobody out.
	None Rule = "none"
	// Top2000 is the rule of SIMD-0357, in any epoch. Of a list that does not
	// tell BLS keys and balances it looks at the stakes alone.
	Top2000 Rule = "top-2000"
)

// ErrRule: not one of the rules.
var ErrRule = errors.New("unknown rule of admission")

// Rules returns every rule.
func Rules() []Rule { return []Rule{Auto, None, Top2000} }

// ParseRule returns the rule of that name. The error is an [ErrRule].
func ParseRule(name string) (Rule, error) {
	names := make([]string, 0, len(Rules()))
	for _, r := range Rules() {
		if name == string(r) {
			return r, nil
		}
		names = append(names, string(r))
	}
	return "", fmt.Errorf("%w %q, want one of %s", ErrRule, name, strings.Join(names, ", "))
}

// gates are the slots at which the feature validator_admission_ticket was
// activated, by cluster. They are second-hand: from a public list of features and
// the discussion of the SIMD, not read from the clusters.
var gates = map[string]schedule.Slot{
	"mainnet-beta": 434_592_000,
	"testnet":      417_404_256,
}

// FirstEpoch returns the first epoch of a cluster whose stakes are those of
// admitted vote accounts alone; false when that is not known.
//
// A feature is activated in the first block of an epoch, before the stakes are
// recorded there that lead the next one. So the first schedule of admitted vote
// accounts is that of the epoch after the one with the activation: 1007 on
// mainnet-beta, 980 on testnet.
func FirstEpoch(cluster string) (epoch uint64, known bool) {
	gate, known := gates[cluster]
	if !known {
		return 0, false
	}
	es, err := schedule.ClusterSchedule(cluster)
	if err != nil {
		return 0, false
	}
	activation, _ := es.EpochOf(gate)
	return activation + 1, true
}

// alpenglow are the slots at which the feature of that name was activated, by
// cluster; as second-hand as gates.
var alpenglow = map[string]schedule.Slot{"testnet": 444_620_256}

// FullBurn is what admission to an epoch costs in lamports where Alpenglow is
// active, at slots of 400 ms: 1.6 SOL. Shorter slots make it less.
const FullBurn = 1_600_000_000

// Burn returns the most that admission to an epoch of a cluster costs, in lamports
// beside the least balance: FullBurn where Alpenglow is known to be active when
// the stakes are recorded, otherwise 0.
func Burn(cluster string, epoch uint64) uint64 {
	gate, known := alpenglow[cluster]
	es, err := schedule.ClusterSchedule(cluster)
	if !known || err != nil {
		return 0
	}
	if activation, _ := es.EpochOf(gate); epoch <= activation {
		return 0
	}
	return FullBurn
}

// Applies reports whether a rule leaves anybody out of a cluster's epoch: Top2000
// always, None never, and Auto from FirstEpoch on. Auto does not of a cluster
// whose first epoch is not known.
func Applies(r Rule, cluster string, epoch uint64) bool {
	if r != Auto {
		return r == Top2000
	}
	first, known := FirstEpoch(cluster)
	return known && epoch >= first
}
