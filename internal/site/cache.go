package site

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agendahq/agenda/schema"
)

// maxAge is how long settings are kept: a change by another program is seen
// after this time at the latest.
const maxAge = 3 * time.Second

// Cache reads the settings and keeps them for a few seconds. It is safe for
// concurrent use; a Cache must not be copied.
type Cache struct {
	// Options returns the stored values of the named options.
	Options func(ctx context.Context, names []string) (map[string]string, error)
	// Prefix is the site's table prefix, which is part of the name of the roles'
	// option; schema.DefaultPrefix if it is empty.
	Prefix string
	// Address replaces the stored addresses of the site and its files, if it is set.
	Address string

	kept  atomic.Pointer[kept]
	init  sync.Once
	busy  chan struct{}    // holds a token while somebody reads
	clock func() time.Time // time.Now unless a test sets it
}

type kept struct {
	settings *Settings
	since    time.Time
}

// Settings returns the current settings, read again when they are too old. One
// caller reads for all that wait; each waits as long as its own context allows.
func (c *Cache) Settings(ctx context.Context) (*Settings, error) {
	c.init.Do(func() {
		c.busy = make(chan struct{}, 1)
		if c.clock == nil {
			c.clock = time.Now
		}
	})
	if s := c.fresh(); s != nil {
		return s, nil
	}
	select {
	case c.busy <- struct{}{}:
		defer func() { <-c.busy }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s := c.fresh(); s != nil {
		return s, nil
	}
	roles := schema.OptionUserRoles(cmp.Or(c.Prefix, schema.DefaultPrefix))
	options, err := c.Options(ctx, append([]string{roles}, optionNames...))
	if err != nil {
		return nil, err
	}
	if c.Address != "" {
		options[schema.OptionHome], options[schema.OptionSiteURL] = c.Address, c.Address
	}
	s := parse(options)
	s.Digest = digest(options)
	s.Roles = ParseRoles(options[roles])
	c.kept.Store(&kept{s, c.clock()})
	return s, nil
}

// digest returns a hash of the values of options.
func digest(options map[string]string) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(options)) {
		fmt.Fprintf(h, "%q=%q\n", name, options[name])
	}
	return string(h.Sum(nil))
}

func (c *Cache) fresh() *Settings {
	if k := c.kept.Load(); k != nil && c.clock().Sub(k.since) < maxAge {
		return k.settings
	}
	return nil
}
