package rest

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/surrogate"
)

// Engine serves the operations of all resources in all language versions.
type Engine struct {
	Config
	// Writes are the write operations in progress.
	Writes Writes

	pool      sync.Pool
	indexes   sync.Map        // indexKey to *template
	secrets   map[string]bool // names of parameters that are secrets of any operation
	shortcuts shortcuts       // to cached answers
	requests  atomic.Int64
	inFlight  atomic.Int64
	failures  atomic.Int64
	faults    throttle // of the log
}

// Config contains the routes, dependencies and settings of an Engine.
type Config struct {
	Namespace     string // "vendor/events/v1"
	LanguageParam string // name of the parameter that selects another language
	// ItemParam is the name of the parameter that selects the language of items, by the names in ItemLanguages; "" for
	// none.
	ItemParam     string
	ItemLanguages map[string]ItemLanguage
	Routes        []*Route              // below the namespace
	RootRoute     *Route                // the REST root above it, nil if the host does not let the engine answer there
	Texts         map[string]Translator // by language tag
	Logger        *slog.Logger
	Timeout       time.Duration // of a whole request
	// UTF8MB3 rejects characters that the database can neither store nor compare.
	UTF8MB3 bool
	// Version identifies the program and its options: with the same Version the same data lead to the same answers.
	Version string
	// MaxBody is the maximum size of a body in bytes.
	MaxBody int64
	// MaxFile returns the maximum size of a file that a caller may send in a form, 0 for callers who may send none. The
	// body of the form may have MaxBody bytes in addition. nil accepts no files.
	MaxFile func(caller.Principal) int64
	// MaxAnswer is the maximum size in bytes of an answer to a read, and of the rows from which it is made; negative
	// for no limit.
	MaxAnswer int64
	// Budget is the memory of all answers in progress. nil means no limit.
	Budget *budget.Pool
	// Authenticate finds the caller and returns headers for the answer; nil makes every caller anonymous. form returns
	// a text field of the form body.
	Authenticate func(ctx context.Context, r *http.Request, form func(name string) (string, bool)) (caller.Principal, []Header, error)
	// TryPassword counts an attempt at a post's password by the client of a request, right or wrong, and returns an
	// error when the limit is exceeded. nil counts nothing.
	TryPassword func(r *http.Request, post int64, right bool) error
	// Personal reports whether a request contains something that may log a caller in. nil means that none does.
	Personal func(context.Context, *http.Request) bool
	// Answers caches answers to anonymous reads; nil caches none.
	Answers *AnswerCache
	// Prepare adds to the context what a request needs, such as the site's settings and the state of the database, if
	// that is known, which is at most maxStale older than the request. It reports whether the API is enabled.
	Prepare func(ctx context.Context, root *call.Root, maxStale time.Duration) (context.Context, bool, error)
	// Recall is Prepare for what is cached: it reads only what changed. usual reports whether that is enough: the settings
	// are known, and the API is open and enabled for everybody. nil means that it never is.
	Recall func(ctx context.Context, maxStale time.Duration) (state *change.State, known *site.Settings, usual bool)
	// MayBeLogin reports whether a request contains something that may log a caller in at any site: in its query, or in the
	// header Authorization, Cookie or X-WP-Nonce. nil means that every request may, in any form.
	MayBeLogin func(*http.Request) bool
	// Explain returns the answer for an error that is not an *apierror.Error, such as one of the database, nil for an
	// unknown one.
	Explain func(error) *apierror.Error
	// Kept returns the answer that is kept under the hash of an Idempotency-Key and a caller, nil for none, ErrRunning
	// while it is being made. If Kept is nil, such requests are rejected.
	Kept func(ctx context.Context, key string) (*Kept, error)
	// Atomically calls prepare, in which everything except writing is done, and then all in one transaction, again from
	// the beginning if the transaction must be retried.
	Atomically func(ctx context.Context, prepare func(context.Context), all func(context.Context) error) error
	// Grouped calls all in one transaction, again from the beginning if the transaction must be retried. What would have to
	// be done before the transaction returns an error. If Grouped is nil, each request of a batch has its own transaction.
	Grouped func(ctx context.Context, all func(context.Context) error) error
	// Doubt returns the error of a request, with or without an Idempotency-Key, if it is unknown whether the transaction
	// that returned err was committed, and otherwise nil. It is set with Grouped.
	Doubt func(err error, keyed bool) error
	// Now returns the current time; nil means time.Now.
	Now func() time.Time
	// ReadOnly is the answer to write operations; nil runs them.
	ReadOnly *apierror.Error
	// CredentialOrigins are origins that may read answers with the browser's credentials.
	CredentialOrigins map[string]bool
	// Observe is called after each answer; it may be nil. CountStatements must be set with it and makes the database
	// statements of a context be counted.
	Observe         func(context.Context, Observation)
	CountStatements func(context.Context, *atomic.Int64) context.Context
	// KeysHeader is the name of the header with the keys of what an answer shows: see surrogate.Keys. "" for none.
	// Answers to reads of anonymous callers have it, with Keys in addition to their own.
	KeysHeader string
	Keys       []string
	// NoCORS leaves the headers for pages of other origins to the host.
	NoCORS bool
}

// New returns an Engine. Operations that show the routes, such as the index, are among the routes themselves: they get
// the engine from the request that they answer.
func New(c Config) *Engine {
	secrets := map[string]bool{}
	for _, r := range c.Routes {
		if r.Path != "" {
			r.segments = strings.Split(strings.Trim(r.Path, "/"), "/")
		}
		if r.Digits == nil {
			r.Digits = map[string]bool{"id": true}
		}
		for _, o := range r.Operations {
			for _, p := range o.Params {
				if p.Secret {
					secrets[p.Name] = true
				}
			}
		}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Engine{Config: c, secrets: secrets}
}

// Counters are counts of an engine since it was made.
type Counters struct{ Requests, InFlight, Failures int64 }

// Counters returns the current counts.
func (e *Engine) Counters() Counters {
	return Counters{e.requests.Load(), e.inFlight.Load(), e.failures.Load()}
}

// request is a Request within the engine.
type request struct {
	*Request
	verb
	delivery
	ctx      context.Context
	src      param.Sources
	envelope bool
	fields   []string // that _fields keeps, all if empty
	op       *Operation
	matched  bool
	allowed  string   // the Allow header
	header   []Header // set by the authentication, whatever the answer
	private  bool     // the answer is for this caller alone
	omitted  bool     // the body was not written, because the client has the answer
	caching  bool     // the answer will be cached, so it has to be made even if the client has it
	body     requestBody
	target   Target
	claim    *budget.Claim   // the memory of the answer, nil until the answer is made
	keys     *surrogate.Keys // of what the answer shows, nil for none

	// For a request in a batch:

	part   *part
	checks bool // only the parameters and the caller's rights are checked

	// For observations:

	asked       *Route // the route of the path, nil for none
	loginFailed bool
	cached      string // outcome of the cache
}

// Target is what a request addresses.
type Target struct {
	Root *call.Root
	// Path is the raw path below the namespace of the root. With Above it is the path below the root itself, where only
	// the root exists.
	Path  string
	Above bool
	// Caller returns the caller, whatever the request contains; if it is nil, Authenticate is used.
	Caller func(context.Context) (caller.Principal, error)
	// Attempt says that another engine can answer: instead of an answer with a status of 500 or more nothing is
	// written, and the error is ErrUnanswered.
	Attempt bool
}

// ErrUnanswered is the error of a request that was not answered because another engine may answer it.
var ErrUnanswered = errors.New("rest: the request is not answered")

// Serve answers a request. It returns the reason for an answer with a status of 500 or more.
func (e *Engine) Serve(w http.ResponseWriter, r *http.Request, to Target) (failure error) {
	e.requests.Add(1)
	e.inFlight.Add(1)
	defer e.inFlight.Add(-1)
	ctx, observed := e.observe(r.Context())
	if e.serveKept(ctx, observed, w, r, to) {
		return nil
	}
	route, vars := e.find(to)
	c := &request{delivery: delivery{w: w}, asked: route, target: to, Request: e.newRequest(r, to.Root)}
	defer func() { observed.finish(e, r, c.asked, c.observation(failure)) }()
	ctx, cancel := context.WithTimeout(ctx, e.Timeout)
	defer cancel()
	out := e.writer()
	defer e.keep(c, out)
	c.ctx, c.method, c.Language, c.Out, c.Text, c.engine = ctx, r.Method, c.Root.Tag, out, e.Texts[c.Root.Tag], e
	c.Request.unchanged = c.unwritten
	c.deadline = newDeadlines(c.w, r, e.Timeout)
	a, err := e.guarded(c, vars)
	if err != nil && c.target.Attempt && c.failed(err) {
		e.requests.Add(-1)
		e.Logger.DebugContext(ctx, "request not answered", "path", r.URL.Path, "error", err)
		return ErrUnanswered
	}
	if err != nil {
		// net/http cancels the context of a request whose body is late, as if the client had disconnected.
		if errors.Is(r.Context().Err(), context.Canceled) && !errors.Is(err, errBodyTimeout) {
			e.Logger.Debug("client disconnected", "path", r.URL.Path, "error", err)
			c.status = statusClientGone
			c.w.WriteHeader(c.status)
			c.deadline.endWriting()
			return nil
		}
		resp, cause := c.fail(r.URL.Path, err)
		if resp.Status >= http.StatusInternalServerError {
			e.failures.Add(1)
			failure = cause
		}
		a = c.complete(resp, true)
	}
	a.shared.Hold()
	defer a.shared.Drop()
	c.shorten(a)
	c.send(a)
	return failure
}

// statusClientGone is the status in the host's logs if the client did not wait for the answer. It is nginx's; the
// standard has none.
const statusClientGone = 499

// maxKept is the maximum size of a buffer that is kept for later requests.
const maxKept = 1 << 20

// writer returns an empty writer, which must be returned with keep.
func (e *Engine) writer() *phpjson.Writer {
	out, _ := e.pool.Get().(*phpjson.Writer)
	if out == nil {
		out = &phpjson.Writer{}
	}
	out.Reset()
	return out
}

// keep releases the memory of a call.
func (e *Engine) keep(c *request, out *phpjson.Writer) {
	c.claim.Release()
	if out.Within(nil); out.Cap() <= maxKept {
		e.pool.Put(out)
	}
}

// guarded runs the request and turns a panic into an error, logged once.
func (e *Engine) guarded(c *request, vars *param.Map) (a *answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			a, err = nil, e.panicked(c.HTTP.URL.Path, p)
		}
	}()
	if a, err = e.run(c, vars); err != nil && c.matched {
		c.allowed = c.allow(c.ctx)
	}
	return a, err
}

// panicked logs a panic and returns the error that replaces it.
func (e *Engine) panicked(path string, p any) error {
	if p == http.ErrAbortHandler {
		panic(p)
	}
	e.Logger.Error("panic while serving", "path", path, "panic", p, "stack", string(debug.Stack()))
	return errInternal
}

// run handles a request: generic options, caller, route, operation.
func (e *Engine) run(c *request, vars *param.Map) (*answer, error) {
	query, err := param.ParseForm(c.HTTP.URL.RawQuery)
	if err != nil {
		return nil, errTooMany
	}
	c.src.Query = query
	c.chooseLanguage()
	if cb, ok := query.Get("_jsonp"); ok && cb != "" {
		return nil, errCallback // not in an envelope either
	}
	_, c.envelope = query.Get(optionEnvelope)
	c.envelope = c.envelope || c.part != nil
	c.override(c.HTTP, query)
	ctx, enabled, err := e.Prepare(c.ctx, c.Root, c.maxStale())
	if err != nil {
		return nil, err
	}
	c.ctx = ctx
	route := c.asked
	if !enabled {
		route = nil
	}
	if err := c.findCaller(); err != nil {
		c.private, c.loginFailed = true, true
		return nil, err
	}
	c.private = !c.Principal.Anonymous() || len(c.header) > 0
	c.ctx = With(c.ctx, c.Request)
	if c.Principal.Anonymous() && site.From(c.ctx).Members.PrivateAPI {
		c.private = true
		return nil, errNotLoggedIn
	}
	if c.method == http.MethodOptions {
		return c.complete(c.describe(route, vars), false), nil
	}
	if route != nil {
		c.op = route.operation(c.method)
	}
	if c.op == nil {
		return nil, errNoRoute
	}
	c.route, c.matched, c.Path = route, true, vars
	if c.refused != nil {
		return nil, c.refused
	}
	c.chooseFormat()
	if key := c.cacheKey(); key != "" {
		v, err := e.Answers.get(c, key, c.shareable)
		e.shortcuts.learn(c, key)
		a, _ := v.(*answer)
		return a, err
	}
	change.Momentary(c.ctx)
	return c.answer()
}

// invalid reports whether an error is that of parameters or a body that are not valid, which writeError describes.
func invalid(err error) bool {
	var refused *param.Failure
	var bad *param.JSONError
	return errors.As(err, &refused) || errors.As(err, &bad)
}

// failed reports whether the caller did not cause an error.
func (c *request) failed(err error) bool {
	return !invalid(err) && !errors.Is(err, caller.ErrForbidden) && c.engine.asError(c.ctx, err).Status >= http.StatusInternalServerError
}

// fail writes the answer for an error of the operation on a path, and logs errors that the caller did not cause. It
// returns the error as it was answered, with its cause, which the client is not shown.
func (c *request) fail(path string, err error) (*Response, error) {
	var header []Header
	c.claim.Release() // an error always gets memory
	c.claim = nil
	c.Out.Within(nil)
	c.Out.Reset()
	if errors.Is(err, caller.ErrForbidden) {
		err = c.forbidden()
	}
	if !invalid(err) {
		e := c.engine.asError(c.ctx, err)
		if e.Status >= 500 && e.Unwrap() != nil {
			c.engine.report(path, e)
		}
		if e.RetryAfter > 0 {
			header = []Header{{retryAfter, e.RetryAfter}}
		}
		err = e
	}
	return &Response{Status: writeError(c.Out, c.Text, err), Header: header}, err
}

// describe answers OPTIONS: the route's entry of the index, or an empty list.
func (c *request) describe(route *Route, vars *param.Map) *Response {
	if route == nil {
		c.Out.Array()
		c.Out.End()
		return &Response{}
	}
	c.route, c.matched, c.Path = route, true, vars
	c.engine.writeRoute(c.Out, c.Request, route, func(p *param.Param) { writeDefault(c.ctx, c.Out, p) })
	return &Response{}
}
