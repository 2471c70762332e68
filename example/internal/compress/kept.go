package compress

import (
	"bytes"
	"hash/maphash"

	"github.com/maypok86/otter/v2"
)

const (
	largest  = 1 << 20 // maximum size in bytes of an answer whose compressed form is cached, as in the calendar's own cache
	overhead = 256     // rough overhead of a cached form, in bytes
)

// cache contains the compressed forms of answers by the hash of the answer, so that a form can never be outdated.
type cache struct {
	seeds [2]maphash.Seed // two, so that nobody can produce two answers with the same key
	forms *otter.Cache[key, []byte]
}

// key identifies an answer and its coding.
type key struct {
	hash   [2]uint64
	length int
	as     *coding
}

// newCache returns a cache of at most about max bytes, or nil if max is not positive.
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

// compressed returns the compressed form of an answer, which it caches if keep allows that. It returns nil for an
// answer that must be compressed while it is sent.
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
