package voteaccount

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

// Bytes of accounts with a tag.
const (
	sizeV1 = 3731
	sizeV3 = 3762 // of version 4, too
)

var (
	node = schedule.Pubkey(bytes.Repeat([]byte{0xa5}, 32))
	bls  = [blsSize]byte{1, 2, 3, 47: 9}
)

// account returns data of a layout; its first byte after the identity is set, so
// that one that is read elsewhere shows.
func account(v Version, size int, withBLS bool) []byte {
	data := make([]byte, size)
	if v == Unversioned {
		copy(data, node[:])
		data[nodeSize] = 0xee
		return data
	}
	binary.LittleEndian.PutUint32(data, uint32(v-V0_23_5))
	if copy(data[nodeOffset:], node[:]); size > nodeOffset+nodeSize {
		data[nodeOffset+nodeSize] = 0xee
	}
	if withBLS {
		data[blsTagOffset] = 1
		copy(data[blsOffset:], bls[:])
	}
	return data
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name    string
		data    []byte
		version Version
		hasBLS  bool
	}{
		{"before 0.23.5", account(Unversioned, unversionedSize, false), Unversioned, false},
		{"tagged, of the same size", account(V1_14_11, unversionedSize, false), V1_14_11, false},
		{"0.23.5", account(V0_23_5, sizeV1, false), V0_23_5, false},
		{"1.14.11", account(V1_14_11, sizeV1, false), V1_14_11, false},
		{"3", account(V3, sizeV3, false), V3, false},
		{"3 with a byte where 4 has its BLS tag", account(V3, sizeV3, true), V3, false},
		{"4", account(V4, sizeV3, false), V4, false},
		{"4 with a BLS key", account(V4, sizeV3, true), V4, true},
		{"4 of the least size", account(V4, blsOffset, false), V4, false},
		{"4 with a BLS key, of the least size", account(V4, HeadSize, true), V4, true},
		{"3 of the least size", account(V3, nodeOffset+nodeSize, false), V3, false},
	} {
		want := State{Version: c.version, Node: node, HasBLS: c.hasBLS}
		if c.hasBLS {
			want.BLS = bls
		}
		if got, err := Parse(c.data); got != want || err != nil {
			t.Errorf("%s: got %+v, %v", c.name, got, err)
		}
		head := c.data[:min(len(c.data), HeadSize)]
		if got, err := ParseHead(head, uint64(len(c.data))); got != want || err != nil {
			t.Errorf("%s: from its head: got %+v, %v", c.name, got, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	set := func(data []byte, at int, b byte) []byte { data[at] = b; return data }
	for _, c := range []struct {
		name string
		data []byte
		want error
		text string
	}{
		{"nothing", nil, ErrTruncated, "0 bytes, the version tag alone has 4"},
		{"half a tag", []byte{1, 0}, ErrTruncated, "2 bytes"},
		{"blank", make([]byte, sizeV3), ErrUninitialized, "identity is zero"},
		{"blank, of the unversioned size", make([]byte, unversionedSize), ErrUninitialized, "identity is zero"},
		{"a version and no identity", set(make([]byte, sizeV3), 0, 2), ErrUninitialized, "identity is zero"},
		{"a future version", set(account(V3, sizeV3, false), 0, 4), ErrVersion, "tag 4, want 0 to 3"},
		{"unversioned, of another size", account(Unversioned, unversionedSize+1, false), ErrVersion, "3855"},
		{"half an identity", account(V1_14_11, sizeV1, false)[:35], ErrTruncated, "35 bytes, version 1.14.11 needs 36"},
		{"4 up to its BLS tag", account(V4, sizeV3, true)[:blsTagOffset], ErrTruncated, "144 bytes, version 4 needs 145"},
		{"4 with half a BLS key", account(V4, sizeV3, true)[:HeadSize-1], ErrTruncated, "192 bytes, version 4 needs 193"},
		{"4 with a bad BLS tag", set(account(V4, sizeV3, false), blsTagOffset, 2), ErrValue, "byte 144, whether a BLS public key follows, is 2"},
	} {
		got, err := Parse(c.data)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) || got != (State{}) {
			t.Errorf("%s: got %+v, %v, want %v: %s", c.name, got, err, c.want, c.text)
		}
	}
	// Only the size tells that this is not an unversioned account.
	if _, err := ParseHead(account(Unversioned, HeadSize, false), unversionedSize); err != nil {
		t.Errorf("head of an unversioned account: %v", err)
	}
	if _, err := ParseHead(account(Unversioned, unversionedSize, false), HeadSize); !errors.Is(err, ErrVersion) {
		t.Errorf("got %v, want ErrVersion", err)
	}
}

func TestVersionNames(t *testing.T) {
	for v, want := range map[Version]string{Unversioned: "unversioned", V0_23_5: "0.23.5", V1_14_11: "1.14.11", V3: "3", V4: "4"} {
		if v.String() != want {
			t.Errorf("got %q, want %q", v, want)
		}
	}
}

func TestProgram(t *testing.T) {
	program, err := schedule.ParsePubkey(ProgramID)
	if err != nil {
		t.Fatal(err)
	}
	if !IsOwner(program) {
		t.Errorf("%v is not the owner", program)
	}
	program[31]++
	if IsOwner(program) || IsOwner(schedule.Pubkey{}) {
		t.Error("another program is the owner")
	}
}

// Any data is read or refused with one line; what is read has an identity that
// is in the data, and its head gives the same.
func FuzzParse(f *testing.F) {
	f.Add(account(Unversioned, unversionedSize, false))
	f.Add(account(V0_23_5, sizeV1, false))
	f.Add(account(V4, sizeV3, true))
	f.Add(account(V3, 36, false))
	f.Add(make([]byte, 200))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Parse(data)
		head, headErr := ParseHead(data[:min(len(data), HeadSize)], uint64(len(data)))
		if got != head || (err == nil) != (headErr == nil) {
			t.Fatalf("%+v, %v; by its head %+v, %v", got, err, head, headErr)
		}
		if err != nil {
			if got != (State{}) || strings.ContainsAny(err.Error(), "\r\n") {
				t.Fatalf("%+v with %q", got, err)
			}
			return
		}
		if got.Node.IsZero() || !bytes.Contains(data, got.Node[:]) || got.HasBLS && !bytes.Contains(data, got.BLS[:]) {
			t.Fatalf("%+v is not in the data", got)
		}
	})
}
