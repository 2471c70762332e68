package site

import (
	"context"
	"sync"
	"time"
)

// maxAge is how long settings are kept: a change by another program is seen
// after this time at the latest.
const maxAge = 3 * time.Second

// Cache reads the settings and keeps them for a few seconds.
type Cache struct {
	// Options returns the stored values of the named options.
	Options func(ctx context.Context, names []string) (map[string]string, error)

	mu     sync.Mutex
	loaded time.Time
	last   *Settings
}

// Settings returns the current settings, read again when they are too old. One
// caller reads for all that wait.
func (c *Cache) Settings(ctx context.Context) (*Settings, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil && time.Since(c.loaded) < maxAge {
		return c.last, nil
	}
	options, err := c.Options(ctx, optionNames)
	if err != nil {
		return nil, err
	}
	c.last, c.loaded = parse(options), time.Now()
	return c.last, nil
}

// Forget makes the next call read the settings again.
func (c *Cache) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = nil
}
