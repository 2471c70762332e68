// Package rendercache caches rendered texts. The result depends only on the text and the settings, so each text is
// rendered once and found by its content. The package itself renders nothing.
package rendercache

import (
	"context"
	"hash/maphash"
	"sync/atomic"

	"github.com/maypok86/otter/v2"

	"github.com/agendahq/agenda/internal/change"
)

// overhead is approximately what an entry costs besides its text, in bytes.
const overhead = 96

// largest is the fraction of a Cache that one text may occupy: a few large ones must not evict all others.
const largest = 16

// Cache is a bounded cache of rendered texts. New makes one. It is safe for concurrent use.
type Cache struct {
	max   int64
	seeds [2]maphash.Seed

	texts        *otter.Cache[key, string]
	rendering    change.Group[key, string]
	hits, misses atomic.Int64
}

// key is the hash of a text's content with two secret seeds.
type key [2]uint64

// Stats are statistics of a Cache.
type Stats struct {
	Hits, Misses int64
	Bytes        int64 // currently cached
}

// New returns a Cache of about bytes bytes.
func New(bytes int64) *Cache {
	return &Cache{
		max: bytes, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		texts: otter.Must(&otter.Options[key, string]{
			MaximumWeight: uint64(max(bytes, 1)), Weigher: func(_ key, text string) uint32 { return uint32(weight(text)) },
		}),
	}
}

func weight(text string) int64 { return int64(len(text)) + overhead }

// Render returns what render returns for text. kind and settings distinguish different results for the same text. Of
// concurrent callers one renders it and the others wait.
func (c *Cache) Render(kind byte, settings, text string, render func(string) string) string {
	if text == "" {
		return render(text)
	}
	k := c.key(kind, settings, text)
	find := func() (string, bool) { return c.texts.GetIfPresent(k) }
	if s, found := find(); found {
		c.hits.Add(1)
		return s
	}
	// This cannot fail: the group returns only errors of a context that ended.
	s, shared, _ := c.rendering.Do(context.Background(), k, find, func() (string, bool, error) {
		c.misses.Add(1)
		s := render(text)
		if weight(s) <= c.max/largest {
			c.texts.Set(k, s)
		}
		return s, true, nil
	})
	if shared {
		c.hits.Add(1)
	}
	return s
}

func (c *Cache) key(kind byte, settings, text string) (k key) {
	for i, seed := range c.seeds {
		var h maphash.Hash
		h.SetSeed(seed)
		_ = h.WriteByte(kind)
		_, _ = h.WriteString(settings)
		_ = h.WriteByte(0)
		_, _ = h.WriteString(text)
		k[i] = h.Sum64()
	}
	return k
}

// Stats returns the current statistics.
func (c *Cache) Stats() Stats {
	c.texts.CleanUp() // recent additions and evictions are counted with a delay
	return Stats{Hits: c.hits.Load(), Misses: c.misses.Load(), Bytes: int64(c.texts.WeightedSize())}
}
