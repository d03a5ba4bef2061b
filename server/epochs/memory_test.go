package epochs

import (
	"runtime"
	"testing"

	"github.com/schedgen/schedgen/server/splice"
)

// What the cache counts for an epoch and its bodies is what they take.
func TestBytesAreCounted(t *testing.T) {
	if shorter() {
		t.Skip("derives long epochs; -short or under emulation")
	}
	es := mustSchedule(432_000, false)
	s := mustStore(t, t.TempDir())
	const epochs = 3
	r := mustNew(t, Options{Store: s, EpochSchedule: es})
	for epoch := range uint64(epochs) {
		mustPut(t, r, made(epoch, 0, 1500))
	}
	for _, c := range []struct {
		name  string
		touch func(*Epoch)
		least float64 // of what is counted
	}{
		{"epochs", func(e *Epoch) {
			e.LeaderText(0)
			for range e.Schedule().Leaders() {
			}
			for range e.Schedule().SlotsOfVote(e.List().Entries[0].Key) {
			}
			e.ETag("csv", splice.Gzip)
		}, 0.7},
		{"bodies", func(e *Epoch) {
			for _, enc := range []splice.Encoding{splice.Identity, splice.Gzip} {
				if _, err := e.Body(RPC, enc); err != nil {
					t.Error(err)
				}
			}
		}, 0.8},
	} {
		r := mustNew(t, Options{Store: s, EpochSchedule: es})
		before := heap()
		for epoch := range uint64(epochs) {
			c.touch(mustEpoch(t, r, epoch))
		}
		taken, counted := float64(heap()-before), float64(r.Stats().CacheBytes)
		t.Logf("%s: %.0f bytes taken, %.0f counted", c.name, taken, counted)
		if taken > counted*1.05 || taken < counted*c.least {
			t.Errorf("%s: %.0f bytes taken, %.0f counted", c.name, taken, counted)
		}
		runtime.KeepAlive(r)
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
