package schedulefile

import (
	"crypto/sha256"
	"iter"
	"math"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

// Formats beside those of package schedule.
const (
	FormatParquet schedule.Format = "parquet"
	FormatRanks   schedule.Format = "ranks"    // see ReadRanks
	FormatDerived schedule.Format = "schedule" // see FromSchedule
)

// MaxSlots is the greatest number of slots that an Observed covers.
const MaxSlots = schedule.MaxRotations

// None stands in Observed.Leaders and Observed.Votes for a slot of which the
// file does not say who leads it.
const None = math.MaxUint32

// Observed is a leader schedule as somebody else has it. Slots are counted by
// index from FirstSlot. The functions of this package make it; it is not to be
// changed and may then be used from many goroutines.
//
// Memory: 4 bytes a slot, another 4 where vote accounts are known, and 32 bytes
// a key.
type Observed struct {
	Source string          // file name, or what else the reader was told
	Format schedule.Format // that it was in

	// Epoch is nil where the format does not name it: text, rpc, CSV.
	Epoch *uint64
	// FirstSlot is the absolute slot of index 0; nil where slots are only counted
	// from the start of an epoch that is not named: rpc.
	FirstSlot *schedule.Slot
	// Slots is the number of slots from the first that is covered to the last.
	Slots uint64
	// AtStart says that index 0 is the first slot of its epoch, AtEnd that index
	// Slots-1 is the last. Where they are false that is not known: text lists
	// absolute slots, and may be limited to those of one leader.
	AtStart, AtEnd bool
	// Partial says that not all of the slots have a leader, or that there are
	// none: what is left when a schedule is limited to some leaders.
	Partial bool

	// Keys are the identities and vote accounts that occur, numbered in the order
	// in which the slots name them, leader first.
	Keys []schedule.Pubkey
	// Leaders is the number of the leader's identity by slot index, or None.
	Leaders []uint32
	// Votes is the number of the vote account by slot index, or None; nil where
	// no vote account is known.
	Votes []uint32

	sum *[32]byte // of a digest file
}

// Leader returns the identity that leads a slot; false when that is not known.
func (o *Observed) Leader(i schedule.Index) (schedule.Pubkey, bool) { return o.key(o.Leaders, i) }

// Vote returns the vote account that a slot was drawn for; false when that is
// not known.
func (o *Observed) Vote(i schedule.Index) (schedule.Pubkey, bool) { return o.key(o.Votes, i) }

// LeaderAt is Leader for an absolute slot; false, too, when FirstSlot is nil.
func (o *Observed) LeaderAt(slot schedule.Slot) (schedule.Pubkey, bool) {
	if o.FirstSlot == nil || slot < *o.FirstSlot {
		return schedule.Pubkey{}, false
	}
	return o.Leader(schedule.Index(slot - *o.FirstSlot))
}

func (o *Observed) key(numbers []uint32, i schedule.Index) (schedule.Pubkey, bool) {
	if uint64(i) >= uint64(len(numbers)) || numbers[i] == None {
		return schedule.Pubkey{}, false
	}
	return o.Keys[numbers[i]], true
}

// Known returns the number of slots whose leader is known.
func (o *Observed) Known() uint64 {
	known := uint64(0)
	for _, number := range o.Leaders {
		if number != None {
			known++
		}
	}
	return known
}

// AsVotes returns o with its leaders as vote accounts, and without leaders: for an
// answer to getLeaderSchedule with keyByVoteAccount, which looks like one without.
func (o *Observed) AsVotes() *Observed {
	p := *o
	if o.DigestOnly() {
		return &p
	}
	p.Votes, p.Leaders, p.Partial = o.Leaders, nones(o.Slots), true
	return &p
}

func (o *Observed) partial() bool { return o.Slots == 0 || o.Known() < o.Slots }

// SlotsOf yields the indices of the slots that an identity leads, ascending.
func (o *Observed) SlotsOf(identity schedule.Pubkey) iter.Seq[schedule.Index] {
	return o.slotsOf(identity, o.Leaders)
}

// SlotsOfVote yields the indices of the slots that were drawn for a vote
// account, ascending.
func (o *Observed) SlotsOfVote(vote schedule.Pubkey) iter.Seq[schedule.Index] {
	return o.slotsOf(vote, o.Votes)
}

func (o *Observed) slotsOf(key schedule.Pubkey, numbers []uint32) iter.Seq[schedule.Index] {
	return func(yield func(schedule.Index) bool) {
		wanted := slices.Index(o.Keys, key)
		if wanted < 0 {
			return
		}
		for i, number := range numbers {
			if number == uint32(wanted) && !yield(schedule.Index(i)) {
				return
			}
		}
	}
}

// DigestOnly reports whether the digest is all that is known: of a file of
// FormatDigest. Slots is then 0.
func (o *Observed) DigestOnly() bool { return o.sum != nil }

// Digest returns the SHA-256 of the raw 32-byte identities of every slot, as
// schedule.Schedule.Digest does. It is false when a leader is not known, or no
// slot is. It is that of the whole epoch where the slots are.
func (o *Observed) Digest() ([32]byte, bool) {
	if o.sum != nil {
		return *o.sum, true
	}
	if len(o.Leaders) == 0 || slices.Contains(o.Leaders, None) {
		return [32]byte{}, false
	}
	h := sha256.New()
	var buf [256 * 32]byte
	n := 0
	for _, number := range o.Leaders {
		if n == len(buf) {
			h.Write(buf[:])
			n = 0
		}
		n += copy(buf[n:], o.Keys[number][:])
	}
	h.Write(buf[:n])
	return [32]byte(h.Sum(nil)), true
}
