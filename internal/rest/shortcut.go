package rest

import (
	"context"
	"net/http"
	"strings"
	"sync"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/site"
)

const (
	maxShortcuts = 1000 // maximum number of shortcuts
	maxAddress   = 512  // maximum length in bytes of the texts of an address that has one
)

// shortcuts lead from requests as they were sent to the keys of their answers in the cache. So a request that was
// answered from memory before is not parsed again, and needs no operation, no deadline of its own and no buffer. A
// shortcut does not say that there is an answer: that is decided for each request. The zero value has none.
type shortcuts struct {
	mu sync.RWMutex
	by map[sentAddress]shortcut
}

// sentAddress is all that the key of a cached answer follows from, as it was sent.
type sentAddress struct {
	root                *call.Root
	path, query, accept string // accept is the header, which selects a format
}

// shortcut is what follows from an address.
type shortcut struct {
	key      string // of the answer in the cache
	route    *Route
	language string // tag
}

// otherInput contains the headers, by their canonical names, of requests whose answers may follow from more than their
// address.
var otherInput = [...]string{"Authorization", "Cookie", "X-Wp-Nonce", "X-Http-Method-Override"}

// addressOf returns the address of a request that contains nothing else from which its answer follows. ok is false for
// other requests.
func addressOf(r *http.Request, to Target) (at sentAddress, ok bool) {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !reads || to.Above || to.Caller != nil || mayHaveBody(r) || r.Context().Value(uncachedKey{}) != nil {
		return at, false
	}
	for _, name := range otherInput {
		if len(r.Header[name]) > 0 {
			return at, false
		}
	}
	return sentAddress{to.Root, to.Path, r.URL.RawQuery, strings.Join(r.Header["Accept"], ",")}, true
}

// find returns the shortcut of an address.
func (s *shortcuts) find(at sentAddress) (known shortcut, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	known, ok = s.by[at]
	return known, ok
}

// remove removes the shortcut of an address.
func (s *shortcuts) remove(at sentAddress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.by, at)
}

// addShortcut adds a shortcut, in place of any other if there are too many.
func (s *shortcuts) addShortcut(at sentAddress, to shortcut) {
	if len(at.path)+len(at.query)+len(at.accept) > maxAddress {
		return
	}
	// These may be parts of longer texts, which would stay in memory with them.
	at.path, at.query, at.accept = strings.Clone(at.path), strings.Clone(at.query), strings.Clone(at.accept)
	to.language = strings.Clone(to.language)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil {
		s.by = map[sentAddress]shortcut{}
	}
	if _, known := s.by[at]; !known && len(s.by) >= maxShortcuts {
		for other := range s.by {
			delete(s.by, other)
			break
		}
	}
	s.by[at] = to
}

// learn adds the shortcut of a request, if it was answered from memory, under a key, and another one with its address
// would be.
func (s *shortcuts) learn(c *request, key string) {
	e := c.engine
	if c.cached != CacheHit || e.Recall == nil || e.MayBeLogin == nil || site.From(c.ctx).Members.Restricts {
		return
	}
	if at, ok := addressOf(c.HTTP, c.target); ok && !e.MayBeLogin(c.HTTP) {
		s.addShortcut(at, shortcut{key, c.route, c.Language})
	}
}

// serveKept answers a request whose address has a shortcut, if its answer is still in the cache, and reports whether it
// did. Otherwise it has sent nothing.
func (e *Engine) serveKept(ctx context.Context, seen *observed, w http.ResponseWriter, r *http.Request, to Target) bool {
	at, ok := addressOf(r, to)
	if !ok {
		return false
	}
	known, ok := e.shortcuts.find(at)
	if !ok {
		return false
	}
	d := delivery{w: w, deadline: newDeadlines(w, r, e.Timeout)}
	kept, _ := e.fromMemory(ctx, known.key, func(_ *change.State, settings *site.Settings) bool { return !settings.Members.PrivateAPI })
	a, ok := kept.(*answer)
	if !ok {
		e.shortcuts.remove(at) // so that only one request asks the database twice
		return false
	}
	defer func() {
		seen.finish(e, r, known.route, Observation{
			Method: r.Method, Language: known.language, Status: d.status, Bytes: d.written, Cache: CacheHit, Caller: CallerAnonymous,
		})
	}()
	a.shared.Hold()
	defer a.shared.Drop()
	d.deliver(e, r, known.route, a, a.linksFor(to.Root, r.URL.RawQuery, false), a.body)
	return true
}
