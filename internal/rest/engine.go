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

// Engine serves the operations of all kinds in all language versions.
type Engine struct {
	Config
	// Writes are the running operations that change something.
	Writes Writes

	pool     sync.Pool
	indexes  sync.Map        // indexKey to *template
	secrets  map[string]bool // names of parameters that are secrets of any operation
	requests atomic.Int64
	inFlight atomic.Int64
	failures atomic.Int64
	faults   throttle // of the log
}

// Config is what an Engine serves, and what it works with.
type Config struct {
	Namespace     string // "vendor/events/v1"
	LanguageParam string // name of the parameter that chooses another language
	// ItemParam is the name of the parameter that chooses the language of items, which ItemLanguages has by their names; ""
	// for none.
	ItemParam     string
	ItemLanguages map[string]ItemLanguage
	Routes        []*Route              // below the namespace
	RootRoute     *Route                // of the REST root above it, nil where others answer there
	Texts         map[string]Translator // by language tag
	Logger        *slog.Logger
	Timeout       time.Duration // of a whole request
	// UTF8MB3 refuses characters that the database can neither hold nor compare.
	UTF8MB3 bool
	// Version identifies the program and its options: the same Version makes the same
	// answers of the same data.
	Version string
	// MaxBody is the largest body that is read, in bytes.
	MaxBody int64
	// MaxFile returns the size of the largest file that a caller may send in a form, whose body
	// may be as much larger, 0 for those who may send none. nil takes files from nobody.
	MaxFile func(caller.Principal) int64
	// MaxAnswer is the largest answer to a read, in bytes, and the most that it is made of;
	// negative for no bound.
	MaxAnswer int64
	// Budget is the memory of all answers in the making. nil: it is not bounded.
	Budget *budget.Pool
	// Authenticate finds the caller and returns headers for the answer; nil makes
	// everybody anonymous. form returns a text field of the form body.
	Authenticate func(ctx context.Context, r *http.Request, form func(name string) (string, bool)) (caller.Principal, []Header, error)
	// TryPassword counts a trial of a post's password by the client of a request, right or
	// wrong, and refuses it past the limit. nil counts nothing.
	TryPassword func(r *http.Request, post int64, right bool) error
	// Personal reports whether a request carries what may let a caller in. nil: none does.
	Personal func(context.Context, *http.Request) bool
	// Answers caches answers to anonymous reads; nil caches none.
	Answers *AnswerCache
	// Prepare puts what a request needs, such as the site's settings, into its
	// context, and reports whether the API is switched on.
	// The context also has the state of the database, if that is known: at most maxStale before the request.
	Prepare func(ctx context.Context, root *call.Root, maxStale time.Duration) (context.Context, bool, error)
	// MayBeLogin reports whether a request carries what may let a caller in at any site. nil: each may.
	MayBeLogin func(*http.Request) bool
	// Explain returns the answer for an error that is no *apierror.Error, such as one of the
	// database, nil for an unknown one.
	Explain func(error) *apierror.Error
	// Kept returns the answer that is kept under the hash of an Idempotency-Key and a
	// caller, nil for none, ErrRunning while it is being made. nil refuses such requests.
	Kept func(ctx context.Context, key string) (*Kept, error)
	// Atomically calls prepare, in which everything is done but what writes, and then all in one
	// transaction, from the beginning where that has to be run again.
	Atomically func(ctx context.Context, prepare func(context.Context), all func(context.Context) error) error
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// ReadOnly is the answer to operations that change something; nil runs them.
	ReadOnly *apierror.Error
	// CredentialOrigins may read answers with the browser's credentials.
	CredentialOrigins map[string]bool
	// Observe is called after each answer; nil for nobody. CountStatements, set with it,
	// makes what is sent to the database with a context be counted.
	Observe         func(context.Context, Observation)
	CountStatements func(context.Context, *atomic.Int64) context.Context
	// KeysHeader is the name of the header with the keys of what an answer shows: see surrogate.Keys. "" for none. Answers to reads
	// of anonymous callers have it, with Keys besides their own.
	KeysHeader string
	Keys       []string
	// NoCORS leaves the headers for pages of other origins to the host.
	NoCORS bool
}

// New returns an Engine. Operations that print the routes, such as the index, are among these: they learn the engine
// from the request that they answer.
func New(c Config) *Engine {
	secrets := map[string]bool{}
	for _, r := range c.Routes {
		if r.Path != "" {
			r.segments = strings.Split(strings.Trim(r.Path, "/"), "/")
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

// request is a Request in the engine.
type request struct {
	*Request
	ctx      context.Context
	w        http.ResponseWriter
	src      param.Sources
	method   string // after overrides
	byHeader bool   // a header named another method
	refused  error  // for the method that the request named
	envelope bool
	fields   []string // that _fields keeps, all if empty
	op       *Operation
	matched  bool
	allowed  string   // the Allow header
	header   []Header // of the caller, whatever the answer
	private  bool     // the answer is for this caller alone
	omitted  bool     // the body was not written, since the client has the answer
	caching  bool     // the answer will be cached, so it has to be made even if the client has it
	bodyRead bool
	bodyErr  error
	taken    bool // the body was read
	jsonForm bool // it is JSON, and was read as a form
	deadline *deadlines
	target   Target
	claim    *budget.Claim // of the memory for the answer, nil while it is not made
	keys     *surrogate.Keys

	// Of a request in a batch:

	part   *part
	checks bool  // the parameters and the caller's rights alone
	begun  error // why it is refused and not begun

	// For observations:

	asked       *Route // of the path, nil for none
	loginFailed bool
	cached      string // outcome of the cache
	status      int
	written     int64 // bytes of the body
}

// Target is what a request is for.
type Target struct {
	Root *call.Root
	// Path is the raw path below the namespace of the root, or with Above that below the root
	// itself, where nothing is but the root.
	Path  string
	Above bool
	// Caller returns the caller, whatever the request says; nil asks Authenticate.
	Caller func(context.Context) (caller.Principal, error)
	// Attempt says that another engine can answer: where the answer would be one of 500 or more
	// nothing is written, and the error is ErrUnanswered.
	Attempt bool
}

// ErrUnanswered is the error of a request that is not answered, though others may answer it.
var ErrUnanswered = errors.New("rest: the request is not answered")

// Serve answers a request. It returns why the answer is one of 500 or more.
func (e *Engine) Serve(w http.ResponseWriter, r *http.Request, to Target) (failure error) {
	route, vars := e.find(to)
	c := &request{w: w, asked: route, target: to, Request: e.newRequest(r, to.Root)}
	e.requests.Add(1)
	e.inFlight.Add(1)
	defer e.inFlight.Add(-1)
	ctx, observed := e.observe(r.Context())
	defer func() { observed.finish(c, failure) }()
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
		// To the server a client that is late with the body is one that left.
		if errors.Is(r.Context().Err(), context.Canceled) && !errors.Is(err, errBodyTimeout) {
			e.Logger.Debug("client went away", "path", r.URL.Path, "error", err)
			c.status = statusClientGone
			c.w.WriteHeader(c.status)
			c.deadline.endWriting()
			return nil
		}
		resp, cause := c.fail(err)
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

// statusClientGone is the status in the host's logs if the client did not wait for
// the answer. It is nginx's; the standard has none.
const statusClientGone = 499

// maxKept is the largest buffer that is kept for later requests.
const maxKept = 1 << 20

// writer returns an empty writer, which keep takes back.
func (e *Engine) writer() *phpjson.Writer {
	out, _ := e.pool.Get().(*phpjson.Writer)
	if out == nil {
		out = &phpjson.Writer{}
	}
	out.Reset()
	return out
}

// keep ends what a call has taken of memory.
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

// panicked logs a panic, and returns the error in its place.
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
		return nil, errCallback // not even in an envelope
	}
	_, c.envelope = query.Get(optionEnvelope)
	c.envelope = c.envelope || c.part != nil
	c.overrideMethod()
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
		a, _ := v.(*answer)
		return a, err
	}
	change.Momentary(c.ctx)
	return c.answer()
}

// findCaller sets the caller of the request.
func (c *request) findCaller() (err error) {
	switch {
	case c.target.Caller != nil:
		c.Principal, err = c.target.Caller(c.ctx)
	case c.engine.Authenticate != nil:
		c.Principal, c.header, err = c.engine.Authenticate(c.ctx, c.HTTP, c.formField)
	}
	return err
}

// answer runs the operation and completes its answer, within the bounds of memory.
func (c *request) answer() (*answer, error) {
	c.boundAnswer()
	c.noteKeys()
	resp, err := c.operate()
	if err == nil {
		err = c.claim.Err()
	}
	if err != nil {
		return nil, c.tooLarge(err)
	}
	a := c.complete(resp, false)
	if err := c.claim.Err(); err != nil {
		return nil, c.tooLarge(err)
	}
	return a, nil
}

// operate reads the parameters of the operation and runs it, if the caller may. A
// caller who may not use it learns nothing from the refusal.
func (c *request) operate() (resp *Response, err error) {
	if !c.op.permits(c.Principal) {
		return nil, c.forbidden()
	}
	end, err := c.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	key, err := c.readKey()
	if err != nil {
		return nil, err
	}
	c.src.Path, c.src.UTF8MB3 = c.Path, c.engine.UTF8MB3
	if err = c.readBody(); err != nil {
		return nil, err
	}
	if !c.op.Reads() {
		c.claim.Count() // what was stored must not look as if it were refused
	}
	c.chooseLanguage()
	c.chooseFormat()
	if err = c.refuseShaping(); err != nil {
		return nil, err
	}
	if c.fields, err = fieldNames(c.src); err != nil {
		return nil, err
	}
	if c.op.Reads() && c.Format == nil {
		c.Fields = phpjson.SelectionOf(c.fields)
	}
	parsed, err := param.Parse(c.ctx, c.op.Params, c.src)
	if err != nil {
		return nil, c.mediaFailure(err)
	}
	if err = c.refuseMisread(); err != nil {
		return nil, err
	}
	if err = c.accept(parsed); err != nil {
		return nil, err
	}
	switch {
	case c.checks:
	case c.op.Batch: // each request in it has a key of its own
		c.key = key
		fallthrough
	case key == "":
		resp, err = c.op.handler(c.Format)(c.ctx, c.Request)
	default:
		resp, err = c.once(key)
	}
	if resp == nil {
		resp = &Response{}
	}
	return resp, err
}

// begin notes that an operation which changes something runs, until end is called. It refuses
// one that may not run now.
func (c *request) begin() (end func(), err error) {
	switch {
	case c.op.Reads():
		return func() {}, nil
	case c.engine.ReadOnly != nil:
		return nil, c.engine.ReadOnly
	}
	return c.engine.Writes.Begin()
}

// accept checks parsed parameters against the database, and the caller's right to this use of
// the operation.
func (c *request) accept(parsed *param.Parsed) (err error) {
	if c.Values, err = parsed.LookUp(c.ctx); err != nil || c.op.Authorize == nil {
		return err
	}
	may, err := c.op.Authorize(c.ctx, c.Request)
	if err == nil && !may {
		err = c.forbidden()
	}
	return err
}

// forbidden is the answer to a caller without the right: 401 for an anonymous one.
func (r *Request) forbidden() *apierror.Error {
	if r.Principal.Anonymous() {
		return errUnauthorized
	}
	return errForbidden
}

// overrideMethod lets the query or a header name another method: in a POST any, in a
// GET or HEAD another reading one. A writing one is refused there, because a link
// must not be able to delete (D53). Other methods cannot be overridden.
func (c *request) overrideMethod() {
	name := c.HTTP.Header.Get("X-HTTP-Method-Override")
	c.byHeader = name != ""
	if v, ok := c.src.Query.Get("_method"); ok {
		if s, isText := v.(string); isText && s != "" {
			name, c.byHeader = s, false
		}
	}
	if name == "" {
		return
	}
	name = strings.ToUpper(name)
	switch c.HTTP.Method {
	case http.MethodPost:
		c.method = name
	case http.MethodGet, http.MethodHead:
		switch name {
		case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
			c.refused = errOverride
		default:
			c.method = name
		}
	}
}

// failed reports whether the caller did not cause an error.
func (c *request) failed(err error) bool {
	var refused *param.Failure
	var bad *param.JSONError
	if errors.As(err, &refused) || errors.As(err, &bad) || errors.Is(err, caller.ErrForbidden) {
		return false
	}
	return c.engine.asError(c.ctx, err).Status >= http.StatusInternalServerError
}

// fail writes the body of an error and logs what the caller did not cause. It returns
// the error as it was answered.
func (c *request) fail(err error) (*Response, error) { return c.refusal(c.HTTP.URL.Path, err) }

// refusal writes the answer for an error of the operation on a path. The error is what is to be
// known of it besides.
func (c *request) refusal(path string, err error) (*Response, error) {
	var status int
	var header []Header
	c.claim.Release() // for the error there is always room
	c.claim = nil
	c.Out.Within(nil)
	c.Out.Reset()
	if errors.Is(err, caller.ErrForbidden) {
		err = c.forbidden()
	}
	var refused *param.Failure
	var bad *param.JSONError
	if errors.As(err, &refused) || errors.As(err, &bad) {
		status = writeError(c.Out, c.Text, err)
	} else {
		e := c.engine.asError(c.ctx, err)
		if e.Status >= 500 && e.Unwrap() != nil {
			c.engine.report(path, e)
		}
		if e.RetryAfter > 0 {
			header = []Header{{retryAfter, e.RetryAfter}}
		}
		status, err = writeError(c.Out, c.Text, e), e
	}
	return &Response{Status: status, Header: header}, err
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
