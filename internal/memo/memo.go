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
// again the oldest half goes when it is full. New makes one. It is safe for
// concurrent use.
type Memo struct {
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

// key is the content of a text, hashed twice with seeds that nobody knows.
type key [2]uint64

// Stats are figures about a Memo.
type Stats struct {
	Hits, Misses int64
	Bytes        int64 // kept now
}

// New returns a Memo that keeps at most about max bytes.
func New(max int64) *Memo {
	return &Memo{max: max, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, young: map[key]string{}, running: map[key]*rendering{}}
}

// Render returns what render makes of text. kind and settings tell apart what
// the same text becomes elsewhere. Of callers that ask for the same at the same
// moment one renders it and the others wait for that.
func (m *Memo) Render(kind byte, settings, text string, render func(string) string) string {
	if text == "" {
		return render(text)
	}
	k := m.key(kind, settings, text)
	s, found, run := m.find(k)
	if found {
		m.hits.Add(1)
		return s
	}
	if run != nil {
		<-run.done
		if run.ok {
			m.hits.Add(1)
			return run.text
		}
		return render(text) // the other one panicked: so may this one
	}
	m.misses.Add(1)
	return m.lead(k, text, render)
}

// lead renders a text that others may wait for.
func (m *Memo) lead(k key, text string, render func(string) string) (s string) {
	defer func() {
		m.mu.Lock()
		run := m.running[k]
		delete(m.running, k)
		m.mu.Unlock()
		close(run.done)
	}()
	s = render(text)
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

// find returns a text that is kept, or its rendering that is on the way. Where
// there is neither, the caller has begun it.
func (m *Memo) find(k key) (s string, found bool, run *rendering) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, found = m.young[k]; found {
		return s, true, nil
	}
	if s, found = m.old[k]; found {
		delete(m.old, k)
		m.oldSize -= int64(len(s)) + overhead
		m.put(k, s)
		return s, true, nil
	}
	if run = m.running[k]; run == nil {
		m.running[k] = &rendering{done: make(chan struct{})}
	}
	return "", false, run
}

// keep gives a text to those who wait for it, and to later ones if it is not too
// large for that.
func (m *Memo) keep(k key, s string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	run := m.running[k]
	run.text, run.ok = s, true
	if int64(len(s))+overhead > m.max/4 {
		return
	}
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
