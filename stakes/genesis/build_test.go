package genesis

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/voteaccount"
)

// A file is what a genesis says; its bytes are written by the tests' own encoder.
type file struct {
	created         int64
	accounts, pools []account
	builtins        []string
	target, hashes  *uint64
	es              schedule.EpochSchedule
	kind            uint32
}

type account struct {
	key      schedule.Pubkey
	lamports uint64
	data     []byte
	owner    schedule.Pubkey
}

// encoder writes bincode, and keeps where it wrote lengths.
type encoder struct {
	bytes.Buffer
	lengths []int
}

func (e *encoder) put(values ...any) {
	for _, v := range values {
		if err := binary.Write(e, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
}

func (e *encoder) length(n int) {
	e.lengths = append(e.lengths, e.Len())
	e.put(uint64(n))
}

func (e *encoder) option(v *uint64) {
	if v == nil {
		e.put(uint8(0))
		return
	}
	e.put(uint8(1), *v)
}

func (e *encoder) accounts(all []account) {
	e.length(len(all))
	for _, a := range all {
		e.put(a.key, a.lamports)
		e.length(len(a.data))
		e.put(a.data, a.owner, uint8(0), uint64(0))
	}
}

func (f *file) encode() *encoder {
	e := &encoder{}
	e.put(f.created)
	e.accounts(f.accounts)
	e.length(len(f.builtins))
	for _, name := range f.builtins {
		e.length(len(name))
		e.put([]byte(name), schedule.Pubkey{1})
	}
	e.accounts(f.pools)
	e.put(uint64(64), uint64(1024), uint64(0), uint32(6_250_000))
	e.option(f.target)
	e.option(f.hashes)
	e.put(uint64(0), [4]uint64{10_000, 20_000, 5_000, 100_000}, uint8(50)) // fees
	e.put(uint64(3480), 2.0, uint8(50), [6]float64{0.08, 0.015, 0.15, 0.05, 7})
	e.put(f.es.SlotsPerEpoch, f.es.LeaderScheduleSlotOffset, f.es.Warmup, f.es.FirstNormalEpoch, uint64(f.es.FirstNormalSlot))
	e.put(f.kind)
	return e
}

func (f *file) bytes() []byte { return f.encode().Bytes() }

// key returns a key whose order is that of n.
func key(n uint32) (k schedule.Pubkey) {
	binary.BigEndian.PutUint32(k[:], n)
	k[31] = 1
	return k
}

func mustKey(text string) schedule.Pubkey {
	k, err := schedule.ParsePubkey(text)
	if err != nil {
		panic(err)
	}
	return k
}

var (
	voteOwner  = mustKey(voteaccount.ProgramID)
	stakeOwner = mustKey("Stake11111111111111111111111111111111111111")
)

// vote returns a vote account of version 4, or of version 3 without hasBLS.
func vote(at uint32, node schedule.Pubkey, hasBLS bool) account {
	data := make([]byte, 3762)
	data[0] = 2
	copy(data[4:], node[:])
	if hasBLS {
		data[0], data[144], data[145] = 3, 1, 7
	}
	return account{key(at), 1_000_000 + uint64(at), data, voteOwner}
}

// smallVote is a vote account with no more data than is needed.
func smallVote(at uint32, node schedule.Pubkey) account {
	a := vote(at, node, false)
	a.data = a.data[:36]
	return a
}

// stake returns a stake account with a delegation.
func stake(at uint32, to schedule.Pubkey, lamports, activation, deactivation uint64) account {
	e := &encoder{}
	e.put(uint32(2), make([]byte, 120), to, lamports, activation, deactivation, 0.25, uint64(0), make([]byte, 4))
	return account{key(at), lamports + 2_282_880, e.Bytes(), stakeOwner}
}

const never = math.MaxUint64

// public is the epoch schedule of mainnet-beta.
var public = schedule.EpochSchedule{SlotsPerEpoch: 432_000, LeaderScheduleSlotOffset: 432_000}

// small is a genesis with two vote accounts with stake and as little else as
// there can be, so that every one of its bytes can be tried.
func small() *file {
	hashes := uint64(12_500)
	return &file{
		created: 1_600_000_000,
		accounts: []account{
			smallVote(1, key(101)),
			smallVote(2, key(102)),
			stake(3, key(1), 70, never, never),
			stake(4, key(2), 30, never, never),
			{key: key(5), lamports: 9},
		},
		builtins: []string{"solana_vote_program"},
		pools:    []account{{key: key(6), lamports: 1}},
		hashes:   &hashes,
		es:       public,
		kind:     3,
	}
}

// smallEntries are the entries of small.
var smallEntries = []schedule.Entry{
	{Key: key(1), Node: key(101), Stake: 70},
	{Key: key(2), Node: key(102), Stake: 30},
}

// A member is a member of an archive.
type member struct {
	name string
	data []byte
}

// archiveOf returns a tar archive. A name that ends with / is a directory.
func archiveOf(members ...member) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Size: int64(len(m.data)), Mode: 0o644, Format: tar.FormatGNU, Typeflag: tar.TypeReg}
		if m.name[len(m.name)-1] == '/' {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			panic(err)
		}
		if _, err := w.Write(m.data); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// packed returns what a compressor makes of data.
func packed(data []byte, compress func(io.Writer) io.WriteCloser) []byte {
	var b bytes.Buffer
	w := compress(&b)
	if _, err := w.Write(data); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// sharedFile returns a file of real data, or skips the test where the data is
// not at hand.
func sharedFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no ../shared/data/%s beside the repository: this check needs it", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}
