package epochs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

// An Epoch is one version of an epoch: its stakes and its schedule. It never changes
// and may be used from many goroutines; hold it for the whole of an answer, so that
// every part of that is of one version.
type Epoch struct {
	registry   *Registry
	head       *head
	list       *list.List
	electorate *electorate.Electorate
	schedule   *schedule.Schedule

	textsOnce sync.Once
	texts     []string // of the leaders by rank

	variantOnce sync.Once
	variant     string // of everything beside the leaders, see ETag
}

// Number returns the number of the epoch.
func (e *Epoch) Number() uint64 { return e.head.Epoch }

// Schedule returns the schedule.
func (e *Epoch) Schedule() *schedule.Schedule { return e.schedule }

// List returns the stake list as its source has it. It must not be changed.
func (e *Epoch) List() *list.List { return e.list }

// Electorate returns who was drawn of the list, and why the others were not. It
// must not be changed.
func (e *Epoch) Electorate() *electorate.Electorate { return e.electorate }

// Provenance returns what is known of where the stakes come from.
func (e *Epoch) Provenance() list.Provenance { return e.list.Provenance }

// Source returns the schedule for a leaders.Book.
func (e *Epoch) Source() leaders.Held {
	return leaders.Held{Source: leaders.FromSchedule(e.schedule), Label: leaders.LabelOf(&e.list.Provenance)}
}

// Digest returns the digest of the schedule. It is computed once for a version.
func (e *Epoch) Digest() [32]byte {
	if digest := e.head.digest.Load(); digest != nil {
		return *digest
	}
	digest := e.schedule.Digest()
	e.head.digest.Store(&digest)
	return digest
}

// LeaderText returns the base58 text of the identity that leads a slot; false when
// the epoch does not have that index. It is made once an epoch.
func (e *Epoch) LeaderText(i schedule.Index) (string, bool) {
	rank, ok := e.schedule.Rank(i)
	if !ok {
		return "", false
	}
	return e.leaderTexts()[rank], true
}

func (e *Epoch) leaderTexts() []string {
	e.textsOnce.Do(func() {
		texts := make([]string, e.schedule.Stakes().Len())
		for rank, entry := range e.schedule.Stakes().All() {
			texts[rank] = entry.Node.String()
		}
		e.texts = texts
	})
	return e.texts
}

// bytes returns how much memory the epoch takes when everything is made that is made
// on demand.
func (e *Epoch) bytes() int64 {
	const (
		fixed   = 4 << 10
		entry   = 32 + 32 + 8
		account = 16
		stakes  = 32 + 32 + 8 + 24 + 24 // keys, identities, stakes, two tables
		text    = 16 + 48               // a string and its bytes
		index   = 4                     // where an identity's rotations are
	)
	entries, admitted := int64(len(e.list.Entries)), int64(e.schedule.Stakes().Len())
	rotation := int64(schedule.RankSize(int(admitted)) + index)
	size := fixed + entries*entry + int64(len(e.list.Accounts))*account
	if e.electorate.Admitted != e.list {
		size += entries * (entry + account)
	}
	return size + admitted*(stakes+text+index) + int64(e.schedule.Rotations())*rotation
}

// variantTag names what a body may depend on beside the leaders: the electorate and
// its provenance.
func (e *Epoch) variantTag() string {
	e.variantOnce.Do(func() {
		h := sha256.New()
		h.Write([]byte{byte(e.schedule.Stakes().Keying())})
		var buf []byte
		for _, entry := range e.schedule.Stakes().All() {
			buf = append(append(buf[:0], entry.Key[:]...), entry.Node[:]...)
			for shift := 0; shift < 64; shift += 8 {
				buf = append(buf, byte(entry.Stake>>shift))
			}
			h.Write(buf)
		}
		provenance, _ := json.Marshal(e.list.Provenance) // has nothing that could fail
		h.Write(provenance)
		e.variant = hex.EncodeToString(h.Sum(nil)[:8])
	})
	return e.variant
}
