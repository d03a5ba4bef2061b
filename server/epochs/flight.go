package epochs

import (
	"errors"
	"sync"
)

// A flight lets one caller do what several want at the same time, and gives all of
// them the result. That of golang.org/x/sync ends the process when the caller
// panics; here that ends one request.
type flight[K comparable, V any] struct {
	mu    sync.Mutex
	calls map[K]*call[V]
}

type call[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// errPanicked is what those get who waited for a caller that panicked.
var errPanicked = errors.New("the one that was making it failed")

func (f *flight[K, V]) do(key K, fn func() (V, error)) (V, error) {
	f.mu.Lock()
	if c, ok := f.calls[key]; ok {
		f.mu.Unlock()
		<-c.done
		return c.value, c.err
	}
	c := &call[V]{done: make(chan struct{}), err: errPanicked}
	if f.calls == nil {
		f.calls = map[K]*call[V]{}
	}
	f.calls[key] = c
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		delete(f.calls, key)
		f.mu.Unlock()
		close(c.done)
	}()
	c.value, c.err = fn()
	return c.value, c.err
}
