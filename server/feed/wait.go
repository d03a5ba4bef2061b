package feed

import (
	"context"
	"math/rand/v2"
	"time"
)

// A backoff is the wait after a failure: twice the one before, up to most, and
// shortened by up to a quarter at random, so that those who failed together do not
// come again together.
type backoff struct{ least, most, next time.Duration }

func (b *backoff) failed() time.Duration {
	b.next = min(max(2*b.next, b.least), max(b.most, b.least))
	return b.next - rand.N(b.next/4+1)
}

func (b *backoff) worked() { b.next = 0 }

// sleep waits, and reports whether the context goes on.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
