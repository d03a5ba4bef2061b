package genesis

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/schedgen/schedgen/internal/bincode"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/voteaccount"
)

// stakeProgram is Stake11111111111111111111111111111111111111.
var stakeProgram = schedule.Pubkey{0x06, 0xa1, 0xd8, 0x17, 0x91, 0x37, 0x54, 0x2a, 0x98, 0x34, 0x37, 0xbd, 0xfe, 0x2a, 0x7a, 0xb2,
	0x55, 0x7f, 0x53, 0x5c, 0x8a, 0x78, 0x72, 0x2b, 0x68, 0xa4, 0x9d, 0xc0, 0x00, 0x00, 0x00, 0x00}

// Where the fields of a stake account's data are, in bytes from its start.
const (
	stakeTagDelegated = 2 // of a u32 at byte 0: 0 not initialized, 1 initialized, 3 rewards pool
	stakeTagMax       = 3
	voterOffset       = 124
	amountOffset      = 156
	activationOffset  = 164
	stakeSize         = 196 // up to the credits observed
)

// headSize is how much of an account's data is looked at. The owner, who says
// what the data is, comes after it.
const headSize = max(stakeSize, voteaccount.HeadSize)

// Least sizes in bytes of what is listed.
const (
	minAccountSize = 89
	minBuiltinSize = 40
)

// A voter is a vote account.
type voter struct {
	key      schedule.Pubkey
	lamports uint64
	voteaccount.State
}

// accounts is what is kept of the accounts of a genesis.
type accounts struct {
	voters    []voter
	delegated map[schedule.Pubkey]uint64 // lamports by vote account
	notes     notes
}

// read reads a list of accounts, ascending by address.
func (a *accounts) read(r *bincode.Reader, name string) {
	n := r.Len(minAccountSize, name)
	var previous schedule.Pubkey
	var head [headSize]byte
	for i := uint64(0); i < n && r.Err() == nil; i++ {
		r.EnterAt(name, i)
		key := schedule.Pubkey(r.Bytes32("address"))
		if i > 0 && bytes.Compare(key[:], previous[:]) <= 0 {
			r.Refuse("address", fmt.Errorf("%w: %v after %v", ErrOrder, key, previous))
		}
		previous = key
		a.readOne(r, key, head[:])
		r.Leave()
	}
}

func (a *accounts) readOne(r *bincode.Reader, key schedule.Pubkey, head []byte) {
	lamports := r.U64("lamports")
	size := r.Len(1, "data")
	start := r.Offset()
	head = head[:min(size, uint64(len(head)))]
	r.Bytes(head, "data")
	r.Skip(size-uint64(len(head)), "data")
	owner := schedule.Pubkey(r.Bytes32("owner"))
	r.Bool("executable")
	r.U64("rent epoch")
	if r.Err() != nil || lamports == 0 { // no balance, no account
		return
	}
	switch {
	case voteaccount.IsOwner(owner):
		a.addVoter(key, lamports, head, size)
	case owner == stakeProgram:
		if err := a.addStake(key, head); err != nil {
			r.RefuseAt(start, "data", err)
		}
	}
}

func (a *accounts) addVoter(key schedule.Pubkey, lamports uint64, head []byte, size uint64) {
	state, err := voteaccount.ParseHead(head, size)
	if err != nil {
		a.notes.add("vote account %v is left out: %v", key, err)
		return
	}
	a.voters = append(a.voters, voter{key, lamports, state})
}

// addStake adds the delegation of a stake account, if it has one that counts.
//
// The first bank asks what is effective in epoch 0 without any stake history.
// Stake that becomes active in an epoch is not effective in it, so that nothing
// is, except for the stake that a cluster starts with, marked by the greatest
// number as its epoch of activation. What becomes inactive in epoch 0 or later is
// still effective in it.
func (a *accounts) addStake(key schedule.Pubkey, data []byte) error {
	const bootstrap = math.MaxUint64
	const tagSize = 4
	if len(data) < tagSize {
		a.notes.add("stake account %v is left out: %d bytes of data", key, len(data))
		return nil
	}
	switch tag := binary.LittleEndian.Uint32(data); {
	case tag > stakeTagMax:
		a.notes.add("stake account %v is left out: its state is %d, want 0 to %d", key, tag, stakeTagMax)
		return nil
	case tag != stakeTagDelegated:
		return nil
	case len(data) < stakeSize:
		a.notes.add("stake account %v is left out: %d bytes of data, a delegation has %d", key, len(data), stakeSize)
		return nil
	}
	if binary.LittleEndian.Uint64(data[activationOffset:]) != bootstrap {
		return nil
	}
	to := schedule.Pubkey(data[voterOffset:amountOffset])
	sum, stake := a.delegated[to], binary.LittleEndian.Uint64(data[amountOffset:])
	if stake == 0 {
		return nil
	}
	if stake > math.MaxUint64-sum {
		return fmt.Errorf("stake account %v with %d lamports for vote account %v: %w", key, stake, to, schedule.ErrStakeOverflow)
	}
	a.delegated[to] = sum + stake
	return nil
}
