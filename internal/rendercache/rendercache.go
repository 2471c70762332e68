// Package rendercache keeps rendered texts: what a text becomes depends on the text
// and the settings alone, so it is rendered once and found by its content. It renders
// nothing itself.
package rendercache

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// overhead is roughly what an entry costs besides its text, in bytes.
const overhead = 96

// largest is the part of a Cache that one text may take at most: a few large ones must not
// push out all others.
const largest = 16

// Cache is a bounded store of rendered texts. Of those that are not used again
// the oldest half goes when it is full. New makes one. It is safe for
// concurrent use.
type Cache struct {
	max   int64
	seeds [2]maphash.Seed

	mu         sync.Mutex
	young, old map[key]string
	size       int64 // of young
	oldSize    int64
	running    map[key]*rendering

	hits, misses atomic.Int64
}

// rendering is a text that is being rendered.
type rendering struct {
	done chan struct{} // closed when it ended
	text string
	ok   bool // it ended with a text, not with a panic
}

// key is the content of a text, hashed twice with secret seeds.
type key [2]uint64

// Stats are figures about a Cache.
type Stats struct {
	Hits, Misses int64
	Bytes        int64 // kept now
}

// New returns a Cache that keeps at most about max bytes.
func New(max int64) *Cache {
	return &Cache{max: max, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, young: map[key]string{},
		running: map[key]*rendering{}}
}

// Render returns what render makes of text. kind and settings are the key for the
// same text with other results. Of concurrent callers one renders it and the others
// wait.
func (c *Cache) Render(kind byte, settings, text string, render func(string) string) string {
	if text == "" {
		return render(text)
	}
	k := c.key(kind, settings, text)
	s, found, run := c.find(k)
	if found {
		c.hits.Add(1)
		return s
	}
	if run != nil {
		<-run.done
		if run.ok {
			c.hits.Add(1)
			return run.text
		}
		return render(text) // the other one panicked: so may this one
	}
	c.misses.Add(1)
	return c.lead(k, text, render)
}

// lead renders a text that others may wait for.
func (c *Cache) lead(k key, text string, render func(string) string) (s string) {
	defer func() {
		c.mu.Lock()
		run := c.running[k]
		delete(c.running, k)
		c.mu.Unlock()
		close(run.done)
	}()
	s = render(text)
	c.keep(k, s)
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

// find returns a text that is kept, or its rendering that is on the way. Where
// there is neither, the caller has begun it.
func (c *Cache) find(k key) (s string, found bool, run *rendering) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, found = c.young[k]; found {
		return s, true, nil
	}
	if s, found = c.old[k]; found {
		delete(c.old, k)
		c.oldSize -= int64(len(s)) + overhead
		c.put(k, s)
		return s, true, nil
	}
	if run = c.running[k]; run == nil {
		c.running[k] = &rendering{done: make(chan struct{})}
	}
	return "", false, run
}

// keep gives a text to those who wait for it, and to later ones if it is not too
// large for that.
func (c *Cache) keep(k key, s string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	run := c.running[k]
	run.text, run.ok = s, true
	if int64(len(s))+overhead > c.max/largest {
		return
	}
	if _, ok := c.young[k]; !ok {
		c.put(k, s)
	}
}

// put adds to the young half; when that is full it becomes the old one, and
// what was there is gone.
func (c *Cache) put(k key, s string) {
	c.young[k] = s
	c.size += int64(len(s)) + overhead
	if c.size > c.max/2 {
		c.old, c.oldSize = c.young, c.size
		c.young, c.size = map[key]string{}, 0
	}
}

// Stats returns the figures of this moment.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Stats{Hits: c.hits.Load(), Misses: c.misses.Load(), Bytes: c.size + c.oldSize}
}
