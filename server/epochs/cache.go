package epochs

import (
	"container/list"
	"sync"

	"github.com/schedgen/schedgen/server/splice"
)

// A cacheKey names what is kept of a version of an epoch: the *Epoch where kind is
// "", otherwise a *splice.Block.
type cacheKey struct {
	epoch   uint64
	version uint64
	kind    Kind
	enc     splice.Encoding
}

// A cache keeps what was used last, in no more bytes than its bound. What is given
// out stays with whoever holds it.
type cache struct {
	mu    sync.Mutex
	bound int64
	bytes int64
	items map[cacheKey]*list.Element // of *cacheItem
	order list.List                  // the one used last in front

	hits, misses, evictions uint64
}

type cacheItem struct {
	key   cacheKey
	value any
	bytes int64
}

func newCache(bound int64) *cache {
	return &cache{bound: bound, items: map[cacheKey]*list.Element{}}
}

// get returns what is kept under a key.
func (c *cache) get(key cacheKey) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[key]
	if !ok {
		c.misses++
		return nil, false
	}
	c.hits++
	c.order.MoveToFront(e)
	return e.Value.(*cacheItem).value, true
}

// add keeps a value, unless it alone is larger than the bound; others make room
// before it comes in.
func (c *cache) add(key cacheKey, value any, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[key]; ok {
		c.take(e)
	}
	if bytes > c.bound {
		return
	}
	for c.bytes+bytes > c.bound {
		c.evictions++
		c.take(c.order.Back())
	}
	c.bytes += bytes
	c.items[key] = c.order.PushFront(&cacheItem{key, value, bytes})
}

// drop forgets the versions of an epoch but one.
func (c *cache) drop(epoch, except uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, e := range c.items {
		if key.epoch == epoch && key.version != except {
			c.take(e)
		}
	}
}

// remove forgets one item.
func (c *cache) remove(key cacheKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[key]; ok {
		c.take(e)
	}
}

// take takes an item out; c.mu is held.
func (c *cache) take(e *list.Element) {
	item := c.order.Remove(e).(*cacheItem)
	delete(c.items, item.key)
	c.bytes -= item.bytes
}

// Stats counts what a registry did since it was made.
type Stats struct {
	CacheBytes, CacheBound  int64
	CacheItems              int
	Hits, Misses, Evictions uint64 // of the cache
	Derivations             uint64 // schedules derived
	Makes                   uint64 // bodies printed and compressed
	Epochs                  int    // held
}

// Stats returns the counts.
func (r *Registry) Stats() Stats {
	c := r.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	return Stats{
		CacheBytes: c.bytes, CacheBound: c.bound, CacheItems: len(c.items),
		Hits: c.hits, Misses: c.misses, Evictions: c.evictions,
		Derivations: r.derivations.Load(), Makes: r.makes.Load(), Epochs: len(r.state.Load().heads),
	}
}
