package change

import (
	"context"
	"sync"
)

// Cache stores values computed from tables, by key, for as long as the tables do not change. The zero value is ready to
// use.
type Cache struct {
	group  Group[epochKey, any]
	mu     sync.Mutex
	values map[string]cached
}

// epochKey distinguishes callers whose polls found different epochs: what one of them computes may depend on what was
// cached or proved for its own state.
type epochKey struct {
	key   string
	epoch uint64
}

type cached struct {
	value any
	epoch uint64
}

// maxCached is the maximum number of values in a Cache.
const maxCached = 1000

// Get returns the value that compute returned for a key while the tables had the same epoch as in the state of ctx. If
// there is none it calls compute, once for all callers that came before. Without a state it calls compute each time.
// The value is shared and must not be changed.
func Get[T any](ctx context.Context, c *Cache, key string, of Tables, compute func() (T, error)) (T, error) {
	state := From(ctx)
	epoch := state.Epoch(of)
	find := func() (any, bool) { return c.find(key, epoch) }
	if v, ok := find(); ok {
		return v.(T), nil
	}
	v, _, err := c.group.Do(ctx, epochKey{key, state.Epoch(All)}, find, func() (any, bool, error) {
		v, err := compute()
		if err == nil && state.Settled(of) {
			c.set(key, cached{v, epoch})
		}
		return v, err == nil, err
	})
	if err != nil {
		var none T
		return none, err
	}
	return v.(T), nil
}

func (c *Cache) find(key string, epoch uint64) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.values[key]
	return v.value, ok && epoch != 0 && v.epoch == epoch
}

func (c *Cache) set(key string, v cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil || len(c.values) >= maxCached {
		c.values = map[string]cached{}
	}
	c.values[key] = v
}
