package schedule

import (
	"errors"
	"slices"
	"sync"
	"testing"
)

// Many goroutines derive from one stake list and look things up in one
// schedule whose index none has built yet.
func TestConcurrentLookups(t *testing.T) {
	st := mustStakes(t, mainnetLike(200), KeyedByVote)
	p := Params{Epoch: 5, Slots: 4000}
	want := mustDerive(t, mustStakes(t, mainnetLike(200), KeyedByVote), p)
	wantSlots := slices.Collect(want.SlotsOf(testKey(100_000)))
	wantDigest := want.Digest()

	shared := mustDerive(t, st, p)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			own, err := Derive(st, p)
			if err != nil || own.Digest() != wantDigest {
				t.Errorf("derived %v, %v", own, err)
			}
			if got := slices.Collect(shared.SlotsOf(testKey(100_000))); !slices.Equal(got, wantSlots) {
				t.Errorf("%d slots, want %d", len(got), len(wantSlots))
			}
			if got := shared.NextLeaderSlots(nil, testKey(100_000), 0, len(wantSlots)); !slices.Equal(got, wantSlots) {
				t.Errorf("%d next slots, want %d", len(got), len(wantSlots))
			}
			if got := slices.Collect(shared.SlotsOfVote(testKey(0))); !slices.Equal(got, wantSlots) {
				t.Errorf("%d slots of the vote account, want %d", len(got), len(wantSlots))
			}
			slots := 0
			for _, indices := range shared.Leaders() {
				for range indices {
					slots++
				}
			}
			if slots != 4000 {
				t.Errorf("%d slots of all leaders", slots)
			}
			if st.Identities() != 200 {
				t.Errorf("%d identities", st.Identities())
			}
		})
	}
	wg.Wait()
}

// Readers beside Put see each epoch either wholly or not at all, and never two
// states in one answer.
func TestConcurrentCache(t *testing.T) {
	const last = 120
	es := mustEpochs(t, 32, 32, false)
	st := mustStakes(t, []Entry{{Key: testKey(1), Stake: 1}}, KeyedByVote)
	schedules := make([]*Schedule, last+1)
	for epoch := range schedules {
		schedules[epoch] = deriveEpoch(t, es, st, uint64(epoch))
	}
	c := NewCache(es, 3)
	done := make(chan struct{})
	var readers, writers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for stop := false; !stop; {
				select {
				case <-done:
					stop = true // and look once more
				default:
				}
				readCache(t, c)
			}
		})
	}
	for w := range 2 {
		writers.Go(func() {
			for epoch := w; epoch <= last; epoch += 2 {
				if err := c.Put(schedules[epoch]); err != nil && !errors.Is(err, ErrTooOld) {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	if epochs := c.Epochs(); len(epochs) != 3 || epochs[2] != last {
		t.Errorf("epochs %v", epochs)
	}
}

func readCache(t *testing.T, c *Cache) {
	epochs := c.Epochs()
	if len(epochs) > 3 || !slices.IsSorted(epochs) {
		t.Errorf("epochs %v", epochs)
	}
	for _, epoch := range epochs {
		first := c.EpochSchedule().FirstSlot(epoch)
		if leader, err := c.LeaderAt(first); err == nil && leader != testKey(1) || err != nil && !errors.Is(err, ErrUnknownEpoch) {
			t.Errorf("epoch %d: got %v, %v", epoch, leader, err)
		}
		// Epochs that one answer spans come from one state: they follow each
		// other without a gap.
		slots, err := c.NextLeaderSlots(testKey(1), first, 1000)
		var unknown *UnknownEpochError
		if !errors.As(err, &unknown) {
			t.Errorf("epoch %d: got %v", epoch, err)
			continue
		}
		if n := uint64(len(slots)); n%32 != 0 || unknown.Epoch != epoch+n/32 {
			t.Errorf("epoch %d: %d slots, then %v", epoch, n, err)
		}
	}
}
