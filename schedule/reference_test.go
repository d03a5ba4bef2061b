package schedule

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"
	"testing"

	"golang.org/x/crypto/chacha20"
	"pgregory.net/rapid"
)

// refEntry is a row of the reference derivation.
type refEntry struct {
	key, node Pubkey
	stake     uint64
}

// refEntries filters, sums and sorts a list by the plainest means.
func refEntries(entries []Entry, k Keying) []refEntry {
	byKey := map[Pubkey]refEntry{}
	for _, e := range entries {
		if e.Stake == 0 {
			continue
		}
		node := e.Node
		if node.IsZero() {
			node = e.Key
		}
		byKey[e.Key] = refEntry{e.Key, node, e.Stake}
	}
	if k == KeyedByIdentity {
		sums := map[Pubkey]refEntry{}
		for _, e := range byKey {
			sums[e.node] = refEntry{e.node, e.node, sums[e.node].stake + e.stake}
		}
		byKey = sums
	}
	var list []refEntry
	for _, e := range byKey {
		list = append(list, e)
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return a.stake > b.stake || a.stake == b.stake && bytes.Compare(a.key[:], b.key[:]) > 0
	})
	return list
}

// refDraw gives the rank of every slot, with x/crypto's ChaCha20 and a linear
// search.
func refDraw(stakes []uint64, epoch, slots uint64, repeat int) []int {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], epoch)
	stream, err := chacha20.NewUnauthenticatedCipher(key[:], make([]byte, 12))
	if err != nil {
		panic(err)
	}
	var total uint64
	for _, s := range stakes {
		total += s
	}
	var ranks []int
	for uint64(len(ranks)) < slots {
		var word [8]byte
		stream.XORKeyStream(word[:], word[:])
		draw, low := bits.Mul64(binary.LittleEndian.Uint64(word[:]), total)
		if low > ^uint64(0)-(-total%total) {
			continue
		}
		rank := 0
		for draw >= stakes[rank] {
			draw -= stakes[rank]
			rank++
		}
		for range repeat {
			if uint64(len(ranks)) < slots {
				ranks = append(ranks, rank)
			}
		}
	}
	return ranks
}

// refSchedule is a schedule slot by slot.
type refSchedule struct {
	entries []refEntry
	ranks   []int
}

func refDerive(entries []Entry, k Keying, p Params) refSchedule {
	list := refEntries(entries, k)
	stakes := make([]uint64, len(list))
	for i, e := range list {
		stakes[i] = e.stake
	}
	repeat := p.Repeat
	if repeat == 0 {
		repeat = 4
	}
	return refSchedule{list, refDraw(stakes, p.Epoch, p.Slots, repeat)}
}

func (r refSchedule) leaders() []Pubkey {
	var leaders []Pubkey
	for _, rank := range r.ranks {
		leaders = append(leaders, r.entries[rank].node)
	}
	return leaders
}

// testKey is a key that is different for every i.
func testKey(i int) (p Pubkey) {
	binary.LittleEndian.PutUint32(p[:], uint32(i))
	p[31] = 0xA5
	return p
}

// drawEntries draws a list of distinct keys with many ties, shared identities
// and zero stakes, but with some stake.
func drawEntries(t *rapid.T) []Entry {
	keys := rapid.SliceOfNDistinct(rapid.IntRange(0, 60), 1, 40, rapid.ID[int]).Draw(t, "keys")
	stake := rapid.OneOf(
		rapid.Uint64Range(0, 3),
		rapid.Uint64Range(1, 1000),
		rapid.Uint64Range(1<<57, 1<<58),
	)
	entries := make([]Entry, len(keys))
	for i, k := range keys {
		entries[i] = Entry{Key: testKey(k), Stake: stake.Draw(t, "stake")}
		if node := rapid.IntRange(-1, 9).Draw(t, "node"); node >= 0 {
			entries[i].Node = testKey(1000 + node)
		}
	}
	entries[0].Stake += 1
	return entries
}

func drawKeying(t *rapid.T) Keying {
	return rapid.SampledFrom([]Keying{KeyedByVote, KeyedByIdentity}).Draw(t, "keying")
}

func drawParams(t *rapid.T) Params {
	return Params{
		Epoch:     rapid.Uint64().Draw(t, "epoch"),
		FirstSlot: Slot(rapid.Uint64Range(0, 1<<63).Draw(t, "first")),
		Slots:     rapid.Uint64Range(1, 700).Draw(t, "slots"),
		Repeat:    rapid.SampledFrom([]int{0, 1, 2, 3, 4, 7, 8, 64, 1000}).Draw(t, "repeat"),
	}
}

type fataler interface {
	Helper()
	Fatal(args ...any)
}

func mustStakes(t fataler, entries []Entry, k Keying) *Stakes {
	t.Helper()
	st, err := NewStakes(entries, k)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func mustDerive(t fataler, st *Stakes, p Params) *Schedule {
	t.Helper()
	s, err := Derive(st, p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustKey(t fataler, text string) Pubkey {
	t.Helper()
	p, err := ParsePubkey(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// expand gives the leader of every slot.
func expand(s *Schedule) []Pubkey {
	leaders := make([]Pubkey, 0, s.Slots())
	for _, leader := range s.All() {
		leaders = append(leaders, leader)
	}
	return leaders
}

func equalSlices[E comparable](t testing.TB, what string, got, want []E) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
