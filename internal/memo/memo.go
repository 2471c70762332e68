// Package memo keeps rendered texts: what a text becomes depends on the text
// and the settings alone, so it is rendered once and found by its content.
package memo

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// overhead is roughly what an entry costs besides its text, in bytes.
const overhead = 96

// Memo is a bounded store of rendered texts. Of those that are not asked for
// again the oldest half goes when it is full. The zero value keeps nothing;
// New makes one that does. It is safe for concurrent use.
type Memo struct {
	max   int64
	seeds [2]maphash.Seed

	mu         sync.Mutex
	young, old map[key]string
	size       int64 // of young
	oldSize    int64

	hits, misses atomic.Int64
}

// key is the content of a text, hashed twice with seeds that nobody knows.
type key [2]uint64

// Stats are figures about a Memo.
type Stats struct {
	Hits, Misses int64
	Bytes        int64 // kept now
}

// New returns a Memo that keeps at most about max bytes.
func New(max int64) *Memo {
	return &Memo{max: max, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, young: map[key]string{}}
}

// Render returns what render makes of text. kind and settings tell apart what
// the same text becomes elsewhere.
func (m *Memo) Render(kind byte, settings, text string, render func(string) string) string {
	if text == "" {
		return render(text)
	}
	k := m.key(kind, settings, text)
	if s, ok := m.find(k); ok {
		m.hits.Add(1)
		return s
	}
	m.misses.Add(1)
	s := render(text)
	m.keep(k, s)
	return s
}

func (m *Memo) key(kind byte, settings, text string) (k key) {
	for i, seed := range m.seeds {
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

func (m *Memo) find(k key) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.young[k]; ok {
		return s, true
	}
	s, ok := m.old[k]
	if ok {
		delete(m.old, k)
		m.oldSize -= int64(len(s)) + overhead
		m.put(k, s)
	}
	return s, ok
}

func (m *Memo) keep(k key, s string) {
	if int64(len(s))+overhead > m.max/4 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.young[k]; !ok {
		m.put(k, s)
	}
}

// put adds to the young half; when that is full it becomes the old one, and
// what was there is gone.
func (m *Memo) put(k key, s string) {
	m.young[k] = s
	m.size += int64(len(s)) + overhead
	if m.size > m.max/2 {
		m.old, m.oldSize = m.young, m.size
		m.young, m.size = map[key]string{}, 0
	}
}

// Stats returns the figures of this moment.
func (m *Memo) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Stats{Hits: m.hits.Load(), Misses: m.misses.Load(), Bytes: m.size + m.oldSize}
}
