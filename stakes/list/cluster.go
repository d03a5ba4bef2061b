package list

import "github.com/schedgen/schedgen/schedule"

// genesisHashes are public facts: the SHA-256 of each cluster's genesis.bin.
var genesisHashes = map[string]string{
	"mainnet-beta": "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
	"testnet":      "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY",
	"devnet":       "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
}

// creationTimes are the seconds of the Unix epoch at which a cluster's genesis
// says it was made; a snapshot repeats them, but not the genesis hash.
var creationTimes = map[int64]string{
	1584368940: "mainnet-beta",
	1580834132: "testnet",
}

// ClusterCreatedAt returns the name of the public cluster whose genesis was made
// at a time in seconds of the Unix epoch, or "".
func ClusterCreatedAt(seconds int64) string { return creationTimes[seconds] }

// GenesisOf returns the genesis hash of a public cluster; false for any other name.
func GenesisOf(cluster string) (genesis schedule.Pubkey, public bool) {
	text, public := genesisHashes[cluster]
	if !public {
		return genesis, false
	}
	genesis, err := schedule.ParsePubkey(text)
	return genesis, err == nil
}

// ClusterOf returns the name of the public cluster with a genesis hash, or "".
func ClusterOf(genesis schedule.Pubkey) string {
	text := genesis.String()
	for name, hash := range genesisHashes {
		if hash == text {
			return name
		}
	}
	return ""
}
