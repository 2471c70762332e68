package change

import (
	"context"
	"sync"
)

// Cache holds what was computed of tables for as long as these do not change, by key.
// The zero value is ready.
type Cache struct {
	group  Group[epochKey, any]
	mu     sync.Mutex
	values map[string]cached
}

// epochKey keeps callers apart who looked at different times: what one of them computes
// may rest on what was cached, or proved, for its own state.
type epochKey struct {
	key   string
	epoch uint64
}

type cached struct {
	value any
	epoch uint64
}

// maxCached bounds how many values a Cache holds.
const maxCached = 1000

// Get returns what compute returned for a key while the tables were as they are in the
// state of ctx, or computes it, once for all that asked before. Without a state it is
// computed each time. The value is shared: nobody may change it.
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
