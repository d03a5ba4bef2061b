package manifest

import (
	"errors"
	"io"

	"github.com/schedgen/schedgen/internal/bincode"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/voteaccount"
)

// What no manifest goes beyond. Mainnet-beta's has 6 epochs of some thousand vote
// accounts each, and 0.9 GB in the older layout.
const (
	MaxSize     = 8 << 30  // bytes
	MaxEpochs   = 64       // that one manifest has stakes of, in each layout
	MaxAccounts = 1 << 20  // vote accounts with stake, of all epochs together
	MaxData     = 10 << 20 // bytes of data of a vote account: no account has more
)

// Errors are wrapped in a [*bincode.Error], which says where; test for them with
// errors.Is. Those of package bincode come the same way.
var (
	// ErrLimit: more than MaxEpochs, MaxAccounts or MaxData.
	ErrLimit = errors.New("too much")
	// ErrDuplicate: an epoch, or a vote account in an epoch, that is there twice.
	ErrDuplicate = errors.New("there twice")
	// ErrSlot: the bank and its accounts database are of different slots.
	ErrSlot = errors.New("slots disagree")
	// ErrLayout: stakes in a form that is not known.
	ErrLayout = errors.New("unknown layout")
)

// A Manifest is what a snapshot's manifest says that stake lists depend on.
type Manifest struct {
	Slot                schedule.Slot // of the bank
	Epoch               uint64        // of the bank
	GenesisCreationTime int64         // seconds of the Unix epoch
	EpochSchedule       schedule.EpochSchedule

	Old []EpochStakes // of the bank, as older releases have them
	New []EpochStakes // behind the accounts database, as newer ones do

	Hashes Hashes
	// Surplus says that data follows the last field that is known: a later
	// release may have added one.
	Surplus bool
}

// Hashes are what the hash in an archive's name is made from. A release fills
// some of them.
type Hashes struct {
	Accounts            schedule.Pubkey // of all accounts; zero when it is not kept
	EpochAccounts       *schedule.Pubkey
	Incremental         *schedule.Pubkey // of the accounts changed since the full snapshot
	IncrementalFullSlot schedule.Slot    // slot of that
	Lattice             []byte           // 2,048 bytes, or none
}

// EpochStakes are the stakes that the schedule of an epoch is made from.
type EpochStakes struct {
	Epoch      uint64 // whose schedule
	RecordedIn uint64 // epoch in which they were recorded
	Entries    []schedule.Entry
	Accounts   []list.Account // parallel to Entries
	Sum        uint64         // of all stakes, of accounts left out as well
	Overflow   bool           // Sum does not fit in 64 bits
	Total      uint64         // what the manifest says Sum is
	Foreign    LeftOut        // accounts with stake that the vote program does not own
	Malformed  LeftOut        // vote accounts with stake whose data is none of one
	Nodes      Disagreement   // of the map from identities to vote accounts
}

// A LeftOut counts accounts.
type LeftOut struct {
	Count uint64
	Stake uint64            // lamports, at most 2^64-1
	First []schedule.Pubkey // at most three
	Why   error             // of the first one, if there is more to say
}

func (l *LeftOut) add(key schedule.Pubkey, stake uint64, why error) {
	l.Count++
	l.Stake += min(stake, ^l.Stake)
	if len(l.First) < 3 {
		l.First = append(l.First, key)
	}
	if l.Why == nil {
		l.Why = why
	}
}

// A Disagreement counts where two parts of a manifest do not say the same.
type Disagreement struct {
	Count uint64
	First string // in words
}

func (d *Disagreement) add(what func() string) {
	if d.Count++; d.Count == 1 {
		d.First = what()
	}
}

// Read reads a manifest to its last known field. Its size in bytes is that of the
// stream, or negative when that is not known. The error is a [*bincode.Error].
func Read(src io.Reader, size int64) (*Manifest, error) {
	r := bincode.NewReader(src)
	if size < 0 || size > MaxSize {
		size = MaxSize
	}
	r.SetSize(size)
	p := &parser{r: r, m: &Manifest{}}
	p.bank()
	p.accountsDB()
	p.extra()
	if r.Err() != nil {
		return nil, r.Err()
	}
	return p.m, nil
}

// parser reads the parts of a manifest, each of which ends where the next begins.
type parser struct {
	r        *bincode.Reader
	m        *Manifest
	accounts int                        // with stake, so far
	head     [voteaccount.HeadSize]byte // of the data of the vote account at hand
}

// list passes over a list of elements of a fixed size.
func (p *parser) list(size uint64, field string) {
	p.r.SkipAll(p.r.Len(size, field), size, field)
}
