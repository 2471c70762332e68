package rest

import (
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/maypok86/otter/v2"
	"github.com/maypok86/otter/v2/stats"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/param"
)

// AnswerCache holds complete answers to anonymous reads as long as nothing that they are
// made of has changed. Those that are asked for at the same time are made once.
type AnswerCache struct {
	cache        *otter.Cache[string, *answer]
	making       change.Group[string, *answer]
	evictions    *stats.Counter
	hits, misses atomic.Int64
}

// AnswerStats are figures about an AnswerCache since it was made.
type AnswerStats struct {
	Hits, Misses, Evictions int64
	Bytes                   int64 // held now
}

const (
	maxAnswer = 1 << 20 // bytes of an answer that is cached
	overhead  = 1 << 10 // roughly what an entry costs besides its key and its body, in bytes
)

// NewAnswerCache returns an AnswerCache of at most about max bytes.
func NewAnswerCache(max int64) *AnswerCache {
	k := &AnswerCache{evictions: stats.NewCounter()}
	k.cache = otter.Must(&otter.Options[string, *answer]{
		MaximumWeight: uint64(max), StatsRecorder: k.evictions,
		Weigher: func(key string, a *answer) uint32 { return uint32(len(key) + len(a.body) + overhead) },
	})
	return k
}

// Stats returns the figures of this moment; those of nil are zero.
func (k *AnswerCache) Stats() AnswerStats {
	if k == nil {
		return AnswerStats{}
	}
	return AnswerStats{
		Hits: k.hits.Load(), Misses: k.misses.Load(), Evictions: int64(k.evictions.Snapshot().Evictions),
		Bytes: int64(k.cache.WeightedSize()),
	}
}

// answer is a response but for what the request alone decides: whether the client has
// it already, and whether it wants the body.
type answer struct {
	status int
	header []Header // values are texts
	tag    string   // the validator, "" without one
	body   []byte

	epoch    uint64 // of the data that it was made of
	validity *change.Validity
}

// cacheKey returns the key of the answer to a call in the cache, "" if it must be made
// for this call: only what an anonymous caller asks for by address alone is the same for others.
func (c *call) cacheKey() string {
	r := c.HTTP
	_, override := c.src.Query.Get("_method")
	switch {
	case c.engine.Answers == nil, r.Method != http.MethodGet && r.Method != http.MethodHead, c.op == nil, c.refused != nil,
		!c.plain(), override, c.byHeader, mayHaveBody(r),
		c.engine.Personal != nil && c.engine.Personal(c.ctx, r), slices.ContainsFunc(c.op.Params, c.gives):
		return ""
	}
	return c.Root.URL + "\n" + r.URL.RequestURI() + "\n" + r.Header.Get("Origin")
}

// mayHaveBody reports whether a request may come with a body. The host may have wrapped
// an empty one.
func mayHaveBody(r *http.Request) bool {
	return r.Body != nil && r.Body != http.NoBody && (r.ContentLength != 0 || r.Header.Get("Content-Type") != "")
}

// gives reports whether the query holds a secret parameter.
func (c *call) gives(p *param.Param) bool {
	_, given := c.src.Query.Get(p.Name)
	return given && p.Secret
}

// get returns the cached answer of a key, or makes it, once for all that asked for it
// before.
func (k *AnswerCache) get(c *call, key string) (*answer, error) {
	state, now := change.From(c.ctx), c.engine.clock()
	epoch := state.Epoch(change.All)
	find := func() (*answer, bool) {
		a, ok := k.cache.GetIfPresent(key)
		return a, ok && epoch != 0 && a.epoch == epoch && a.validity.Covers(now)
	}
	if a, ok := find(); ok {
		k.hits.Add(1)
		return a, nil
	}
	a, shared, err := k.making.Do(c.ctx, key, find, func() (*answer, bool, error) {
		v := &change.Validity{}
		c.ctx = change.WithValidity(c.ctx, v)
		c.caching = state.Settled(change.All)
		a, err := c.answer()
		if err != nil || a.status != http.StatusOK {
			return a, false, err
		}
		a.body, a.epoch, a.validity = slices.Clone(a.body), epoch, v
		if c.caching && len(a.body) <= maxAnswer && v.Covers(now) {
			k.cache.Set(key, a)
		}
		return a, true, nil
	})
	if shared {
		k.hits.Add(1)
	} else {
		k.misses.Add(1)
	}
	return a, err
}
