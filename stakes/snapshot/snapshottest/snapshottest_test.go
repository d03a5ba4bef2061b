package snapshottest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/schedgen/schedgen/stakes/voteaccount"
)

func Example() {
	spec := Small(New)
	archive := Archive{Spec: spec}
	fmt.Println(archive.Name(spec.AccountsHash, ".zst"))
	for _, m := range spec.Marks()[:4] {
		fmt.Println(m.Offset, m.Kind, m.Field)
	}
	// Output:
	// snapshot-389233000-11111111111111111111111111111111.tar.zst
	// 8 option blockhash_queue.last_hash
	// 41 length blockhash_queue.ages
	// 169 length ancestors
	// 281 length hard_forks
}

// The same spec is the same bytes, whose marks are where they say.
func TestDeterministic(t *testing.T) {
	for _, layout := range []Layout{Old, New} {
		a, b := Small(layout), Small(layout)
		data := a.Manifest()
		if !bytes.Equal(data, b.Manifest()) || int64(len(data)) != a.size() {
			t.Errorf("%s: another manifest of the same spec", layout)
		}
		kinds := map[Kind]int{}
		for _, m := range a.Marks() {
			kinds[m.Kind]++
			switch at := data[m.Offset:]; m.Kind {
			case Length:
				if n := binary.LittleEndian.Uint64(at); n > uint64(len(data)) {
					t.Errorf("%s: %s is %d", layout, m.Field, n)
				}
			default:
				if at[0] > 1 {
					t.Errorf("%s: %s is %d", layout, m.Field, at[0])
				}
			}
		}
		if kinds[Length] == 0 || kinds[Option] == 0 || kinds[Bool] == 0 || kinds[Enum] != len(a.New) {
			t.Errorf("%s: marks of %v", layout, kinds)
		}
	}
}

func TestVotes(t *testing.T) {
	for _, v := range Votes(900, 30) {
		s, err := voteaccount.Parse(v.Data)
		if err != nil || s.Node != v.Node || s.HasBLS != (s.Version == voteaccount.V4) {
			t.Errorf("%+v, %v", s, err)
		}
	}
}

func TestMainnetSize(t *testing.T) {
	s := Mainnet(New)
	s.Bank.Delegations, s.Storages = 3, 3
	if n := len(s.New); n != 6 || len(s.New[0].Votes) != 1000 || s.size() < 6*1000*3731 {
		t.Errorf("%d epochs, %d bytes", n, s.size())
	}
}
