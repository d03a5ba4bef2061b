package schedule

import (
	"fmt"
	"strings"
)

// Length of an epoch after warm-up on every public cluster.
const publicSlotsPerEpoch = 432_000

// Clusters returns the names of the public clusters.
func Clusters() []string { return []string{"mainnet-beta", "testnet", "devnet"} }

// ClusterSchedule returns the epoch schedule in the genesis of a public
// cluster; any other name is ErrCluster.
func ClusterSchedule(name string) (EpochSchedule, error) {
	switch name {
	case "mainnet-beta", "devnet":
		return NewEpochSchedule(publicSlotsPerEpoch, publicSlotsPerEpoch, false)
	case "testnet":
		return NewEpochSchedule(publicSlotsPerEpoch, publicSlotsPerEpoch, true)
	}
	return EpochSchedule{}, fmt.Errorf("%w %q, want one of %s", ErrCluster, name, strings.Join(Clusters(), ", "))
}
