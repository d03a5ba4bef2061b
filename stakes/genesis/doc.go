// Package genesis reads the stakes of a cluster's first epochs from its
// genesis.bin, bare or in the genesis.tar.bz2 that validators serve.
//
// The first bank takes its stakes from the accounts of the genesis, and from them
// the schedules of epoch 0 up to the last one fixed at slot 0, as a rule epoch 1.
// The stakes are therefore exact. The hash of the file names the cluster.
package genesis
