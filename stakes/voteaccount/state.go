package voteaccount

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/schedgen/schedgen/schedule"
)

// Errors of Parse are wrapped with what was found; test for them with errors.Is.
var (
	// ErrUninitialized: the account has no identity, as one that is made and not
	// yet filled.
	ErrUninitialized = errors.New("vote account is not initialized")
	// ErrVersion: a version tag that is not known.
	ErrVersion = errors.New("unknown vote account version")
	// ErrTruncated: fewer bytes than the version has.
	ErrTruncated = errors.New("vote account data ends early")
	// ErrValue: a byte that is none of the values of its field.
	ErrValue = errors.New("impossible value in a vote account")
)

// A Version is a layout of vote account data.
type Version uint8

const (
	Unversioned Version = iota // before release 0.23.5
	V0_23_5                    // tag 0; also an account without contents
	V1_14_11                   // tag 1
	V3                         // tag 2
	V4                         // tag 3, of SIMD-0185
)

// String returns the name of the layout.
func (v Version) String() string {
	switch v {
	case Unversioned:
		return "unversioned"
	case V0_23_5:
		return "0.23.5"
	case V1_14_11:
		return "1.14.11"
	}
	return fmt.Sprintf("%d", uint8(v))
}

// Where fields are, in bytes from the start of the data.
const (
	nodeOffset   = 4 // 0 without a tag
	nodeSize     = 32
	blsTagOffset = 144 // version 4
	blsOffset    = 145
	blsSize      = 48
	maxTag       = 3

	// unversionedSize is the size of every account that releases before 0.23.5
	// made; no other has it.
	unversionedSize = 3854
)

// HeadSize is how many bytes from the start of the data Parse looks at.
const HeadSize = blsOffset + blsSize

// State is what a schedule needs of a vote account.
type State struct {
	Version Version
	Node    schedule.Pubkey // identity; never zero
	HasBLS  bool
	BLS     [blsSize]byte // public key, compressed; zero without HasBLS
}

// Parse reads a vote account's data.
//
// Data is unversioned when it has 3,854 bytes and the first four, as a number,
// are no known tag. There the identity is in front, so that a random one would
// be taken for a tag once in 2^30 times; the size rules out the reverse, that a
// damaged or future tag is taken for an identity.
func Parse(data []byte) (State, error) { return ParseHead(data, uint64(len(data))) }

// ParseHead is Parse for who has only the first bytes of data of some size: all,
// or at least HeadSize of them.
func ParseHead(head []byte, size uint64) (State, error) {
	if len(head) < nodeOffset {
		return State{}, fmt.Errorf("%w: %d bytes, the version tag alone has %d", ErrTruncated, len(head), nodeOffset)
	}
	var s State
	at := nodeOffset
	if tag := binary.LittleEndian.Uint32(head); tag <= maxTag {
		s.Version = V0_23_5 + Version(tag)
	} else if size == unversionedSize {
		s.Version, at = Unversioned, 0
	} else {
		return State{}, fmt.Errorf("%w: tag %d, want 0 to %d, or %d bytes in all without a tag; here are %d",
			ErrVersion, tag, maxTag, unversionedSize, size)
	}
	if err := s.needs(head, at+nodeSize); err != nil {
		return State{}, err
	}
	s.Node = schedule.Pubkey(head[at : at+nodeSize])
	if s.Node.IsZero() {
		return State{}, fmt.Errorf("%w: its identity is zero", ErrUninitialized)
	}
	if s.Version == V4 {
		if err := s.readBLS(head); err != nil {
			return State{}, err
		}
	}
	return s, nil
}

func (s *State) readBLS(head []byte) error {
	if err := s.needs(head, blsOffset); err != nil {
		return err
	}
	switch tag := head[blsTagOffset]; tag {
	case 0:
		return nil
	case 1:
		if err := s.needs(head, blsOffset+blsSize); err != nil {
			return err
		}
		s.HasBLS = true
		copy(s.BLS[:], head[blsOffset:])
		return nil
	default:
		return fmt.Errorf("%w: byte %d, whether a BLS public key follows, is %d, want 0 or 1", ErrValue, blsTagOffset, tag)
	}
}

func (s *State) needs(head []byte, size int) error {
	if len(head) < size {
		return fmt.Errorf("%w: %d bytes, version %v needs %d", ErrTruncated, len(head), s.Version, size)
	}
	return nil
}
