package store

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

func TestPutGet(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir, Options{})
	if metas, err := s.Epochs(); err != nil || len(metas) != 0 {
		t.Fatalf("a new store has %v, %v", metas, err)
	}
	if _, _, err := s.Get(7); !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "epoch 7") {
		t.Errorf("got %v, want ErrNone of epoch 7", err)
	}
	for _, epoch := range []uint64{900, 7, 1 << 40} {
		if put := outcome(t, s, made(epoch, 0, 50)); put != fmt.Sprint(epoch, " new") {
			t.Errorf("got %+v", put)
		}
	}
	if put := outcome(t, s, made(7, 0, 50)); put != "7 same" {
		t.Errorf("the same list again: got %+v", put)
	}
	other := made(7, 0, 50)
	other.Provenance.Vintage = list.VintageUnknown
	if put := outcome(t, s, other); put != "7 same" {
		t.Errorf("the same stakes from elsewhere: got %+v", put)
	}
	wantList(t, s, other)
	if put := outcome(t, s, made(7, 1, 50)); put != "7 replaced" {
		t.Errorf("another list: got %+v", put)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}

	s = mustOpen(t, dir, Options{})
	wantList(t, s, made(900, 0, 50))
	wantList(t, s, made(7, 1, 50))
	metas, err := s.Epochs()
	if err != nil || len(metas) != 3 {
		t.Fatalf("got %v, %v", metas, err)
	}
	for i, epoch := range []uint64{7, 900, 1 << 40} {
		m := metas[i]
		if m.Epoch != epoch || m.Entries != 50 || m.Bytes == 0 || m.StoredAt.IsZero() || m.Err != nil || m.Provenance.Source != "made" {
			t.Errorf("got %+v", m)
		}
	}
}

func TestClosed(t *testing.T) {
	s := mustOpen(t, t.TempDir(), Options{})
	s.Close()
	_, putErr := s.Put(made(1, 0, 1))
	_, _, getErr := s.Get(1)
	_, epochsErr := s.Epochs()
	_, clusterErr := s.Cluster()
	for i, err := range []error{putErr, getErr, epochsErr, clusterErr, s.SetCluster(Cluster{})} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%d: got %v", i, err)
		}
	}
}

func TestPutRefuses(t *testing.T) {
	s := mustOpen(t, t.TempDir(), Options{})
	l := made(5, 0, 3)
	l.Provenance.Epoch = nil
	if _, err := s.Put(l); !errors.Is(err, ErrNoEpoch) {
		t.Errorf("got %v", err)
	}
	l = made(5, 0, 3)
	l.Accounts = l.Accounts[:2]
	if _, err := s.Put(l); err == nil || !strings.Contains(err.Error(), "2 accounts for 3 entries") {
		t.Errorf("got %v", err)
	}
	if metas, err := s.Epochs(); err != nil || len(metas) != 0 {
		t.Errorf("got %v, %v", metas, err)
	}
}

func TestReadOnly(t *testing.T) {
	if _, err := Open(t.TempDir(), Options{ReadOnly: true}); err == nil || !strings.Contains(err.Error(), "no file") {
		t.Errorf("got %v", err)
	}
	dir := filled(t, 3, 2, 10)
	s, again := mustOpen(t, dir, Options{ReadOnly: true}), mustOpen(t, dir, Options{ReadOnly: true})
	wantList(t, s, made(3, 0, 10))
	wantList(t, again, made(4, 0, 10))
	if _, err := s.Put(made(3, 1, 10)); !errors.Is(err, ErrReadOnly) {
		t.Errorf("got %v", err)
	}
	if err := s.SetCluster(Cluster{Name: "x"}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("got %v", err)
	}
}

func TestMaxBytes(t *testing.T) {
	s := mustOpen(t, t.TempDir(), Options{MaxBytes: 256 << 10})
	for epoch := uint64(0); ; epoch++ {
		_, err := s.Put(made(epoch, 0, 100))
		if errors.Is(err, ErrFull) {
			for e := range epoch {
				wantList(t, s, made(e, 0, 100))
			}
			return
		}
		if err != nil || epoch > 100 {
			t.Fatalf("epoch %d: got %v, want ErrFull", epoch, err)
		}
	}
}

// Any list comes back as it was, nil where it was nil.
func TestValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.Custom(func(t *rapid.T) (k schedule.Pubkey) {
			copy(k[:], rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, "key"))
			return k
		})
		epoch := rapid.Uint64().Draw(t, "epoch")
		l := &list.List{HasVotes: rapid.Bool().Draw(t, "votes"), Entries: []schedule.Entry{}}
		for range rapid.IntRange(0, 40).Draw(t, "entries") {
			e := schedule.Entry{Key: key.Draw(t, "key"), Stake: rapid.Uint64().Draw(t, "stake")}
			if rapid.Bool().Draw(t, "has node") {
				e.Node = key.Draw(t, "node")
			}
			l.Entries = append(l.Entries, e)
		}
		if rapid.Bool().Draw(t, "accounts") {
			l.Accounts = []list.Account{}
			for range l.Entries {
				l.Accounts = append(l.Accounts, list.Account{Lamports: rapid.Uint64().Draw(t, "lamports"), BLS: rapid.Bool().Draw(t, "bls")})
			}
		}
		l.Provenance = list.Provenance{
			Kind: list.KindRPC, Source: rapid.String().Draw(t, "source"), Epoch: &epoch, Vintage: list.VintageApproximate,
			Reason: rapid.String().Draw(t, "reason"), Notes: rapid.SliceOfN(rapid.String(), 1, 3).Draw(t, "notes"),
		}
		if rapid.Bool().Draw(t, "cluster") {
			es, err := schedule.NewEpochSchedule(rapid.Uint64Range(32, 1<<40).Draw(t, "slots"), 5, true)
			if err != nil {
				t.Fatal(err)
			}
			genesis := key.Draw(t, "genesis")
			l.Provenance.EpochSchedule, l.Provenance.GenesisHash = &es, &genesis
		}
		meta, value, err := encode(l, timeOf(t))
		if err != nil {
			t.Fatal(err)
		}
		got, gotMeta, err := decode(epoch, value)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, l) {
			t.Fatalf("got %+v, want %+v", got, l)
		}
		if !reflect.DeepEqual(gotMeta, meta) {
			t.Fatalf("got %+v, want %+v", gotMeta, meta)
		}
		if _, _, err := decode(epoch+1, value); !errors.Is(err, ErrDamaged) {
			t.Fatalf("read as of another epoch: %v", err)
		}
	})
}

// FuzzDecode: no bytes make decode panic, and none but a list's are one.
func FuzzDecode(f *testing.F) {
	_, value, err := encode(made(9, 0, 20), fixedTime)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(value)
	f.Add(value[:len(value)-1])
	f.Add(value[:headOffset])
	f.Add([]byte(magic + "\xff\xff\xff\xff\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, v []byte) {
		l, meta, err := decode(9, v)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("got %v", err)
			}
			return
		}
		if again, _, err := encode(l, fixedTime); err != nil || again.Content != meta.Content {
			t.Errorf("encoded again: %v, %v, want %v", again.Content, err, meta.Content)
		}
	})
}

func FuzzParseEntries(f *testing.F) {
	f.Add(appendEntries(nil, made(9, 0, 3)))
	f.Add([]byte{0, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{7, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := parseEntries(b)
		if err != nil {
			return
		}
		if len(l.Entries) > len(b) {
			t.Errorf("%d entries of %d bytes", len(l.Entries), len(b))
		}
		if again, err := parseEntries(appendEntries(nil, l)); err != nil || !reflect.DeepEqual(l, again) {
			t.Errorf("read back: %v", err)
		}
	})
}

// Readers and writers at once see whole lists of one version.
func TestConcurrent(t *testing.T) {
	s := mustOpen(t, t.TempDir(), Options{})
	const epochs, versions = 3, 8
	want := map[uint64][]*list.List{}
	for epoch := range uint64(epochs) {
		for version := range uint64(versions) {
			want[epoch] = append(want[epoch], made(epoch, version, 200))
		}
		mustPut(t, s, want[epoch][0])
	}
	var writers, readers sync.WaitGroup
	done := make(chan struct{})
	for epoch := range uint64(epochs) {
		writers.Go(func() {
			for _, l := range want[epoch] {
				if _, err := s.Put(l); err != nil {
					t.Error(err)
				}
			}
		})
		readers.Go(func() {
			last := 0
			for {
				l, _, err := s.Get(epoch)
				version := slices.IndexFunc(want[epoch], func(w *list.List) bool { return reflect.DeepEqual(l, w) })
				if err != nil || version < last {
					t.Errorf("epoch %d: got version %d after %d, %v", epoch, version, last, err)
					return
				}
				last = version
				if _, err := s.Epochs(); err != nil {
					t.Error(err)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
}
