package rest

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
	"github.com/maypok86/otter/v2/stats"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/param"
)

// AnswerCache holds complete answers to anonymous reads, and the values of those that are made in
// the process (Engine.Read), as long as nothing that they are made of has changed. Those that are
// asked for at the same time are made once.
type AnswerCache struct {
	// maxStale is how long before a request the look may have begun that a cached answer
	// to it was made with, though others committed since. 0 for never.
	maxStale time.Duration

	entries      *otter.Cache[string, *entry]
	making       change.Group[answerKey, *entry]
	evictions    *stats.Counter
	hits, misses atomic.Int64
}

// answerKey keeps requests apart that came before and after a change, or with maxStale
// before and after one of this program: the answer to one may rest on what is cached for its
// own state.
type answerKey struct {
	key   string
	epoch uint64
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

// NewAnswerCache returns an AnswerCache of at most about max bytes. Of what was looked at longer than maxStale
// before a request it gives nothing that others may have changed since; 0 gives none of that at all.
func NewAnswerCache(max int64, maxStale time.Duration) *AnswerCache {
	cache := &AnswerCache{maxStale: maxStale, evictions: stats.NewCounter()}
	cache.entries = otter.Must(&otter.Options[string, *entry]{
		MaximumWeight: uint64(max), StatsRecorder: cache.evictions,
		Weigher: func(key string, e *entry) uint32 { return uint32(len(key) + e.weight + overhead) },
	})
	return cache
}

// Stats returns the figures of this moment; those of nil are zero.
func (cache *AnswerCache) Stats() AnswerStats {
	if cache == nil {
		return AnswerStats{}
	}
	return AnswerStats{
		Hits: cache.hits.Load(), Misses: cache.misses.Load(), Evictions: int64(cache.evictions.Snapshot().Evictions),
		Bytes: int64(cache.entries.WeightedSize()),
	}
}

// answer is a response but for what the request alone decides: whether the client has
// it already, whether it wants the body, what pages of its origin may read, and how it
// wrote the address, which links repeat.
type answer struct {
	status int
	header []Header // values are texts
	tag    string   // the validator, "" without one
	body   []byte
	page   *Page  // that it is, nil for others
	links  string // for the query that it was made for
	query  string
	shared *budget.Shared // the body, while several send it; nil for one
}

// made is what was made for a request.
type made struct {
	value any // an *answer, or of Engine.Read; nobody changes it
	// For one that others may share, else 0: its length as an answer, and what it takes in memory.
	length, weight int
}

// entry is what was made, and of what.
type entry struct {
	made
	epoch    uint64    // of the data that it was made of
	settled  bool      // as long as it is that of the data nothing changed
	looked   time.Time // when the look began that it was made with
	own      uint64    // of this program's commits
	validity *change.Validity
}

// cacheKey returns the key of the answer to a call in the cache, "" if it must be made
// for this call: only what an anonymous caller asks for by address alone is the same for others.
func (c *request) cacheKey() string {
	r := c.HTTP
	_, override := c.src.Query.Get("_method")
	switch {
	case c.engine.Answers == nil, c.private, c.ctx.Value(uncachedKey{}) != nil,
		r.Method != http.MethodGet && r.Method != http.MethodHead, c.op == nil || c.op.Host, c.refused != nil,
		!c.plain(), override, c.byHeader, mayHaveBody(r),
		c.engine.Personal != nil && c.engine.Personal(c.ctx, r), c.engine.secretIn(c.src.Query), !c.clean():
		return ""
	}
	return c.Root.URL + "\n" + c.address(c.route.Path) + "\n" + c.formatName()
}

// address returns what is asked, a route or an operation, with the values that the answer is made
// of: those of the path and of the parameters that the operation knows. What else a client
// adds, in whatever spelling, is the same address.
func (c *request) address(of string) string {
	b := append(make([]byte, 0, 256), of...)
	b = appendFields(b, c.Path, nil)
	return string(appendFields(b, c.src.Query, c.knows))
}

// knows reports whether the answer can depend on a parameter of the query.
func (c *request) knows(name string) bool {
	switch name {
	case optionFields, optionEnvelope, optionPretty, c.engine.LanguageParam, c.engine.ItemParam:
		return true
	}
	return slices.ContainsFunc(c.op.Params, func(p *param.Param) bool { return p.Name == name })
}

// appendFields appends the fields of a map that are wanted, nil for all, in their order.
// Each text comes with its length, so that two maps never look the same.
func appendFields(b []byte, m *param.Map, wanted func(string) bool) []byte {
	for _, name := range m.Keys() {
		if wanted != nil && !wanted(name) {
			continue
		}
		b = appendText(append(b, '&'), name)
		switch v, _ := m.Get(name); v := v.(type) {
		case string:
			b = appendText(append(b, '='), v)
		case *param.Map:
			b = append(appendFields(append(b, '['), v, nil), ']')
		}
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(append(strconv.AppendInt(b, int64(len(s)), 10), ':'), s...)
}

// clean reports whether the query has no text that is refused, also under names that
// nothing else depends on.
func (c *request) clean() bool { return param.Clean(c.src.Query, c.engine.UTF8MB3) }

// maxStale returns how long before the request the state may be that its answer follows from: 0 for all but reads of callers who are
// nobody for certain, and give no password of a post.
func (c *request) maxStale() time.Duration {
	r := c.HTTP
	switch {
	case c.engine.Answers == nil, r.Method != http.MethodGet && r.Method != http.MethodHead, c.method != r.Method,
		c.target.Caller != nil, c.part != nil, c.engine.MayBeLogin == nil || c.engine.MayBeLogin(r), c.engine.secretIn(c.src.Query):
		return 0
	}
	return c.engine.Answers.maxStale
}

// localStaleness is maxStale of a use in the process.
func (c *request) localStaleness(l Local) time.Duration {
	if c.engine.Answers == nil || !l.Anonymous || !l.Operation.Reads() || c.engine.secretIn(c.src.Query) {
		return 0
	}
	return c.engine.Answers.maxStale
}

type uncachedKey struct{}

// Uncached returns a context whose requests are answered anew, and not from memory.
func Uncached(ctx context.Context) context.Context {
	return context.WithValue(ctx, uncachedKey{}, true)
}

// mayHaveBody reports whether a request may come with a body. The host may have wrapped
// an empty one.
func mayHaveBody(r *http.Request) bool {
	return r.Body != nil && r.Body != http.NoBody && (r.ContentLength != 0 || r.Header.Get("Content-Type") != "")
}

func givesSecret(query *param.Map, p *param.Param) bool {
	_, given := query.Get(p.Name)
	return given && p.Secret
}

// MayOpen reports whether a request for the raw path below the namespace may come with a
// secret that opens something, such as the password of a post: in the query as the engine reads
// it, or in a body.
func (e *Engine) MayOpen(r *http.Request, path string) bool {
	query, err := param.ParseForm(r.URL.RawQuery)
	if err != nil || mayHaveBody(r) {
		return true
	}
	route, _ := e.find(Target{Path: path})
	return route != nil && slices.ContainsFunc(route.Operations, func(o *Operation) bool { return o.MayOpen(query) })
}

// MayOpen reports whether a query holds a secret of the operation that may open something, or the answer is for one client alone.
func (o *Operation) MayOpen(query *param.Map) bool {
	return o.Sync || slices.ContainsFunc(o.Params, func(p *param.Param) bool { return givesSecret(query, p) })
}

// get returns what is cached under a key, or makes it, once for all that asked for it
// before. make is told whether others may share it.
func (cache *AnswerCache) get(c *request, key string, make func(shared bool) (made, error)) (any, error) {
	state, now, whole := change.From(c.ctx), c.engine.Now(), change.ValidityOf(c.ctx)
	epoch, own := state.Epoch(change.All), state.Own()
	find := func() (*entry, bool) {
		e, ok := cache.entries.GetIfPresent(key)
		return e, ok && (e.settled && e.epoch == epoch || cache.young(e, own)) && e.validity.Covers(now)
	}
	if e, ok := find(); ok {
		cache.hits.Add(1)
		c.cached = CacheHit
		e.limit(whole, epoch)
		return e.value, nil
	}
	alone := func() (any, error) {
		whole.Add(nil)
		m, err := make(false)
		return m.value, err
	}
	if epoch == 0 { // nobody knows what changed, so nothing is shared
		return alone()
	}
	run := answerKey{key, epoch}
	if cache.maxStale > 0 {
		run.epoch = own
	}
	e, shared, err := cache.making.Do(c.ctx, run, find, func() (*entry, bool, error) {
		e := &entry{epoch: epoch, settled: state.Settled(change.All), looked: state.Began(), own: own, validity: &change.Validity{}}
		c.ctx = change.WithValidity(c.ctx, e.validity)
		c.caching = e.settled || cache.maxStale > 0 && !e.looked.IsZero()
		var err error
		e.made, err = make(true)
		e.age()
		if err != nil || e.weight == 0 {
			return e, false, err
		}
		if c.caching && e.length <= maxAnswer && e.validity.Covers(now) {
			cache.entries.Set(key, e)
		}
		return e, true, nil
	})
	if shared && (e.epoch == epoch || cache.young(e, own)) {
		cache.hits.Add(1)
		c.cached = CacheShared
		e.limit(whole, epoch)
		return e.value, err
	}
	cache.misses.Add(1)
	c.cached = CacheMiss
	if shared { // made with a look that is too old by now
		return alone()
	}
	if err != nil {
		whole.Add(nil)
		return nil, err
	}
	e.limit(whole, epoch)
	return e.value, nil
}

// limit limits what the entry becomes a part of, for a caller whose look found an epoch. Of an entry that is not settled others may
// have changed something in the same epoch.
func (e *entry) limit(whole *change.Validity, epoch uint64) {
	if whole == nil {
		return
	}
	whole.Add(e.validity)
	if !e.settled || e.epoch != epoch {
		whole.Look(e.looked)
	}
}

// age makes an entry as old as the oldest of its parts, where these were made with earlier looks.
func (e *entry) age() {
	if looked := e.validity.Looked(); !looked.IsZero() {
		e.settled = false
		if looked.Before(e.looked) {
			e.looked = looked
		}
	}
}

// shareable makes the answer to a request, of which a success may be shared.
func (c *request) shareable(shared bool) (made, error) {
	a, err := c.answer()
	if err != nil || !shared || a.status != http.StatusOK || c.omitted {
		return made{value: a}, err
	}
	if len(a.body) <= maxKept { // of a larger one nobody else has the buffer
		a.body = slices.Clone(a.body)
	}
	a.shared = c.engine.Budget.Share(int64(cap(a.body)))
	return made{a, len(a.body), max(len(a.body), 1)}, nil
}

// young reports whether an answer may be given though others committed since, but not this
// program.
func (cache *AnswerCache) young(e *entry, own uint64) bool {
	return cache.maxStale > 0 && e.own == own && !e.looked.IsZero() && time.Since(e.looked) <= cache.maxStale
}
