package compress

import (
	"bytes"
	"hash/maphash"

	"github.com/maypok86/otter/v2"
)

const (
	largest  = 1 << 20 // bytes of an answer whose compressed form is kept, as those are that the calendar keeps
	overhead = 256     // roughly what a kept form costs besides itself, in bytes
)

// cache keeps the compressed forms of answers by what the answers are, so that none is ever of another state.
type cache struct {
	seeds [2]maphash.Seed // two, so that nobody can make two answers of one key
	forms *otter.Cache[key, []byte]
}

// key names an answer and its form.
type key struct {
	hash   [2]uint64
	length int
	as     *coding
}

// newCache returns a cache of at most about max bytes, nil for none.
func newCache(max int64) *cache {
	if max <= 0 {
		return nil
	}
	return &cache{
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		forms: otter.Must(&otter.Options[key, []byte]{
			MaximumWeight: uint64(max), Weigher: func(_ key, form []byte) uint32 { return uint32(len(form) + overhead) },
		}),
	}
}

// compressed returns the compressed form of an answer, which it keeps if it may; nil for one that has to be compressed as it is sent.
func (c *cache) compressed(as *coding, answer []byte, keep bool) []byte {
	if c == nil || !keep || len(answer) > largest {
		return nil
	}
	k := key{length: len(answer), as: as}
	for i, seed := range c.seeds {
		k.hash[i] = maphash.Bytes(seed, answer)
	}
	if form, found := c.forms.GetIfPresent(k); found {
		return form
	}
	var form bytes.Buffer
	e := as.encoder(&form)
	defer as.release(e)
	if _, err := e.Write(answer); err != nil || e.Close() != nil {
		return nil
	}
	c.forms.Set(k, bytes.Clone(form.Bytes()))
	return form.Bytes()
}
