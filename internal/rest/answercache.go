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

// AnswerCache caches complete answers to anonymous reads, and the values of in-process reads (Engine.Read), for as long
// as nothing changes from which they were made. Answers that are requested at the same time are made once.
type AnswerCache struct {
	// maxStale is how long before a request the poll may have begun with which a cached answer was made, even if other
	// programs have committed since. 0 for never.
	maxStale time.Duration

	entries      *otter.Cache[string, *entry]
	making       change.Group[answerKey, *entry]
	evictions    *stats.Counter
	hits, misses atomic.Int64
}

// answerKey keeps requests apart that arrived before and after a change, or with maxStale before and after a change by
// this program: the answer to one may depend on what is cached for its own state.
type answerKey struct {
	key   string
	epoch uint64
}

// AnswerStats are statistics of an AnswerCache since it was made.
type AnswerStats struct {
	Hits, Misses, Evictions int64
	Bytes                   int64 // currently cached
}

const (
	maxAnswer = 1 << 20 // maximum size in bytes of an answer that is cached
	overhead  = 1 << 10 // approximate size in bytes of an entry without its key and its body
)

// NewAnswerCache returns an AnswerCache of about max bytes. It does not return answers made with a poll that began
// longer than maxStale before the request, if other programs may have changed something since. With 0 it returns none
// that others may have changed.
func NewAnswerCache(max int64, maxStale time.Duration) *AnswerCache {
	cache := &AnswerCache{maxStale: maxStale, evictions: stats.NewCounter()}
	cache.entries = otter.Must(&otter.Options[string, *entry]{
		MaximumWeight: uint64(max), StatsRecorder: cache.evictions,
		Weigher: func(key string, e *entry) uint32 { return uint32(len(key) + e.weight + overhead) },
	})
	return cache
}

// Stats returns the current statistics; those of a nil AnswerCache are zero.
func (cache *AnswerCache) Stats() AnswerStats {
	if cache == nil {
		return AnswerStats{}
	}
	return AnswerStats{
		Hits: cache.hits.Load(), Misses: cache.misses.Load(), Evictions: int64(cache.evictions.Snapshot().Evictions),
		Bytes: int64(cache.entries.WeightedSize()),
	}
}

// answer is a response without what depends on the individual request: whether the client has the answer already,
// whether it wants the body, what pages of its origin may read, and how it wrote the address, which links repeat.
type answer struct {
	status int
	header []Header // values are strings
	tag    string   // the validator, "" without one
	body   []byte
	page   *Page  // the page that is the answer, nil for others
	links  string // for the query for which it was made
	query  string
	shared *budget.Shared // the body, while several requests send it; nil for one
}

// made contains the value that was made for a request.
type made struct {
	value any // an *answer, or a value of Engine.Read; must not be changed
	// If others may share the value: its length as an answer, and its size in memory. Otherwise 0.
	length, weight int
}

// entry is a cached value and the state from which it was made.
type entry struct {
	made
	epoch    uint64    // of the data from which it was made
	settled  bool      // whether nothing has changed for as long as the data have this epoch
	looked   time.Time // when the poll began with which it was made
	own      uint64    // the number of this program's commits
	validity *change.Validity
}

// cacheKey returns the key of the answer to a call in the cache, "" if the answer must be made for this call: only what
// an anonymous caller requests by address alone is the same for others.
func (c *request) cacheKey() string {
	r := c.HTTP
	_, override := c.src.Query.Get("_method")
	switch {
	case c.engine.Answers == nil, c.private, c.ctx.Value(uncachedKey{}) != nil,
		r.Method != http.MethodGet && r.Method != http.MethodHead, c.op == nil || c.op.Host, c.refused != nil,
		!c.plain(), override, c.byHeader, mayHaveBody(r),
		c.engine.Personal != nil && c.engine.Personal(c.ctx, r), c.engine.secretIn(c.src.Query), !c.engine.clean(c.src.Query):
		return ""
	}
	return c.Root.URL + "\n" + c.address(c.route.Path) + "\n" + formatName(c.Format)
}

// address returns the requested route or operation with the values from which the answer is made: those of the path and
// of the parameters that the operation knows. Other parameters that a client adds, and how it writes them, do not
// change the result.
func (c *request) address(of string) string {
	b := append(make([]byte, 0, 256), of...)
	b = appendFields(b, c.Path, nil)
	return string(appendFields(b, c.src.Query, func(name string) bool { return c.engine.knows(c.op, name) }))
}

// knows reports whether the answer of an operation can depend on a parameter of the query.
func (e *Engine) knows(o *Operation, name string) bool {
	switch name {
	case optionFields, optionEnvelope, optionPretty, e.LanguageParam, e.ItemParam:
		return true
	}
	return slices.ContainsFunc(o.Params, func(p *param.Param) bool { return p.Name == name })
}

// appendFields appends the fields of a map that are wanted, in order; nil means all. Each string is preceded by its
// length, so that two different maps never have the same result.
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

// clean reports whether a query contains no text that is rejected, even in parameters that have no other effect.
func (e *Engine) clean(query *param.Map) bool { return param.Clean(query, e.UTF8MB3) }

// maxStale returns how long before the request the state may be from which its answer follows. It is 0 except for reads
// by callers who are certainly anonymous and send no password of a post.
func (c *request) maxStale() time.Duration {
	r := c.HTTP
	switch {
	case c.engine.Answers == nil, r.Method != http.MethodGet && r.Method != http.MethodHead, c.method != r.Method,
		c.target.Caller != nil, c.part != nil, c.engine.MayBeLogin == nil || c.engine.MayBeLogin(r), c.engine.secretIn(c.src.Query):
		return 0
	}
	return c.engine.Answers.maxStale
}

// localStaleness is maxStale for an in-process call.
func (e *Engine) localStaleness(l Local, query *param.Map) time.Duration {
	if e.Answers == nil || !l.Anonymous || !l.Operation.Reads() || e.secretIn(query) {
		return 0
	}
	return e.Answers.maxStale
}

type uncachedKey struct{}

// Uncached returns a context whose requests are answered without the cache.
func Uncached(ctx context.Context) context.Context {
	return context.WithValue(ctx, uncachedKey{}, true)
}

// mayHaveBody reports whether a request may contain a body. The host may have wrapped an empty one.
func mayHaveBody(r *http.Request) bool {
	return r.Body != nil && r.Body != http.NoBody && (r.ContentLength != 0 || r.Header.Get("Content-Type") != "")
}

// MayOpen reports whether a request for the raw path below the namespace may contain a secret that gives access to
// something, such as the password of a post: in the query as the engine parses it, or in a body.
func (e *Engine) MayOpen(r *http.Request, path string) bool {
	query, err := param.ParseForm(r.URL.RawQuery)
	if err != nil || mayHaveBody(r) {
		return true
	}
	route, _ := e.find(Target{Path: path})
	return route != nil && slices.ContainsFunc(route.Operations, func(o *Operation) bool { return o.MayOpen(query) })
}

// MayOpen reports whether a query contains a secret of the operation that may give access to something, or the answer
// is for one client alone.
func (o *Operation) MayOpen(query *param.Map) bool {
	return o.Sync || slices.ContainsFunc(o.Params, func(p *param.Param) bool {
		_, given := query.Get(p.Name)
		return given && p.Secret
	})
}

// get returns what is cached under a key, or makes it, once for all callers that requested it before. The argument of
// make says whether others may share the result.
func (cache *AnswerCache) get(c *request, key string, make func(shared bool) (made, error)) (any, error) {
	state, now, whole := change.From(c.ctx), c.engine.Now(), change.ValidityOf(c.ctx)
	epoch, own := state.Epoch(change.All), state.Own()
	find := func() (*entry, bool) { return cache.find(key, state, now) }
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
	if epoch == 0 { // it is not known what changed, so nothing is shared
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
	if shared { // it was made with a poll that is too old by now
		return alone()
	}
	if err != nil {
		whole.Add(nil)
		return nil, err
	}
	e.limit(whole, epoch)
	return e.value, nil
}

// find returns what is cached under a key, if it is still valid in a state of the database and at a time.
func (cache *AnswerCache) find(key string, state *change.State, now time.Time) (*entry, bool) {
	e, ok := cache.entries.GetIfPresent(key)
	return e, ok && (e.settled && e.epoch == state.Epoch(change.All) || cache.young(e, state.Own())) && e.validity.Covers(now)
}

// limit limits the validity of a whole that contains the entry, for a caller whose poll found an epoch. If the entry is
// not settled, other programs may have changed something within the same epoch.
func (e *entry) limit(whole *change.Validity, epoch uint64) {
	if whole == nil {
		return
	}
	whole.Add(e.validity)
	if !e.settled || e.epoch != epoch {
		whole.AddPoll(e.looked)
	}
}

// age makes an entry as old as the oldest of its parts, if these were made with earlier polls.
func (e *entry) age() {
	if looked := e.validity.Looked(); !looked.IsZero() {
		e.settled = false
		if looked.Before(e.looked) {
			e.looked = looked
		}
	}
}

// shareable makes the answer to a request. A successful answer may be shared.
func (c *request) shareable(shared bool) (made, error) {
	a, err := c.answer()
	if err != nil || !shared || a.status != http.StatusOK || c.omitted {
		return made{value: a}, err
	}
	if len(a.body) <= maxKept { // the buffer of a larger one is not used again
		a.body = slices.Clone(a.body)
	}
	a.shared = c.engine.Budget.Share(int64(cap(a.body)))
	return made{a, len(a.body), max(len(a.body), 1)}, nil
}

// young reports whether an answer is recent enough to be used although other programs may have committed since. This
// program must not have committed since.
func (cache *AnswerCache) young(e *entry, own uint64) bool {
	return cache.maxStale > 0 && e.own == own && !e.looked.IsZero() && time.Since(e.looked) <= cache.maxStale
}
