package rest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/surrogate"
)

// Local is an in-process call of an operation, without an HTTP request and answer. Path contains the variables of the
// operation's route, such as the id of an item.
type Local struct {
	Operation         *Operation
	Path, Query, Body *param.Map
	RawQuery          string // the query in the form of a URL, used instead of Query
	Attempt           bool   // another engine is tried if this one fails, so the error is ErrUnanswered then
	Strict            bool   // names that are not parameters are rejected, which in requests are ignored
	Anonymous         bool   // the caller is anonymous
	// Fields are the members to read, as _fields names them; nil for all.
	Fields []string
}

// Refused is the error of a call that is rejected or fails: the answer that a request would get.
type Refused struct {
	Status     int
	Body       []byte // JSON, in the language of the call
	RetryAfter int64  // in seconds, 0 for none
	Cause      error
}

func (r *Refused) Error() string { return fmt.Sprintf("rest: %d %s", r.Status, r.Body) }

func (r *Refused) Unwrap() error { return r.Cause }

// Local calls do with the parameters of an operation, for the caller that who returns. Rights, parameters and limits
// are those of a request; do replaces the operation's handler. An error is a *Refused, or that of a context that was
// cancelled.
func (e *Engine) Local(ctx context.Context, root *call.Root, l Local, who func(context.Context) (caller.Principal, error),
	do func(context.Context, *call.Call) error) error {
	change.Momentary(ctx)
	return e.local(ctx, root, l, who, func(c *request) error {
		return c.use(func() error { return do(c.ctx, &c.Call) })
	})
}

// Read is Local for an operation that reads: it returns the value that read returns. The value of an anonymous caller
// is cached as answers are, so it must not be changed. weight is its size in memory; a value with a weight of 0 is not
// cached. read may write to out, within the limits of answers. cached says whether the value may be cached.
func (e *Engine) Read(ctx context.Context, root *call.Root, l Local, who func(context.Context) (caller.Principal, error),
	read func(ctx context.Context, c *call.Call, out *phpjson.Writer, cached bool) (value any, weight int, err error),
) (value any, err error) {
	err = e.local(ctx, root, l, who, func(c *request) error {
		make := func(bool) (m made, err error) {
			c.noteKeys()
			err = c.use(func() (err error) {
				m.value, m.weight, err = read(c.ctx, &c.Call, c.Out, c.caching)
				m.length = c.Out.Len()
				return err
			})
			m.value = readValue{m.value, c.keys, nil}
			return m, err
		}
		var v any
		if key := c.localKey(); key != "" {
			v, err = e.Answers.get(c, key, make)
		} else {
			change.Momentary(c.ctx)
			var m made
			m, err = make(false)
			v = m.value
		}
		found, _ := v.(readValue)
		value = found.value
		keys := surrogate.From(ctx)
		keys.Add(found.keys)
		keys.Add(c.keys) // of what was looked up before an error
		if c.engine.secretIn(c.src.Query) || !c.Principal.Anonymous() {
			keys.Forbid()
		}
		return err
	})
	if err != nil {
		change.Momentary(ctx) // a value made from an error is not cached: see Keep
	}
	if err != nil && !errors.Is(err, ErrUnanswered) {
		noteRefusal(surrogate.From(ctx), l.Operation.Tag, err)
	}
	return value, err
}

// noteRefusal adds the keys on which a failed read of a resource depends.
func noteRefusal(keys *surrogate.Keys, kind string, err error) {
	keys.List(kind)
	var refused *Refused
	if !errors.As(err, &refused) || !Lasting(refused.Status) {
		keys.Forbid()
	}
}

// readValue is a value of Read or Keep with the keys of what it shows.
type readValue struct {
	value  any
	keys   *surrogate.Keys
	shared *budget.Shared // the memory of a value of Keep
}

// local finds the caller of a call and calls do for it.
func (e *Engine) local(ctx context.Context, root *call.Root, l Local, who func(context.Context) (caller.Principal, error),
	do func(*request) error) error {
	within, cancel := context.WithTimeout(ctx, e.Timeout)
	defer cancel()
	out := e.writer()
	c := &request{
		Request: &Request{Call: call.Call{Root: root}, Out: out, Text: e.Texts[root.Tag], engine: e},
		ctx:     within, target: Target{Root: root, Caller: who}, op: l.Operation,
	}
	c.Language, c.Path, c.fields, c.Fields = root.Tag, l.Path, l.Fields, phpjson.SelectionOf(l.Fields)
	c.src = param.Sources{Path: l.Path, Query: l.Query, JSON: l.Body, UTF8MB3: e.UTF8MB3}
	if e.TryPassword != nil {
		c.TryPassword = func(post int64, right bool) error {
			return e.TryPassword((&http.Request{}).WithContext(ctx), post, right)
		}
	}
	defer e.keep(c, out)
	err := c.local(l, do)
	if err == nil {
		return nil
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err() // nobody waits for the result
	}
	if l.Attempt && c.failed(err) {
		e.Logger.DebugContext(ctx, "call not answered", "operation", l.Operation.ID, "error", err)
		return ErrUnanswered
	}
	refused, cause := c.fail(l.Operation.ID, err)
	r := &Refused{Status: refused.Status, Body: bytes.Clone(out.Bytes()), Cause: cause}
	for _, h := range refused.Header {
		if h.Name == retryAfter {
			r.RetryAfter, _ = h.Value.(int64)
		}
	}
	return r
}

func (c *request) local(l Local, do func(*request) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = c.engine.panicked(c.op.ID, p)
		}
	}()
	if l.RawQuery != "" {
		if c.src.Query, err = param.ParseForm(l.RawQuery); err != nil {
			return errTooMany
		}
	}
	c.chooseLanguage()
	var enabled bool
	if c.ctx, enabled, err = c.engine.Prepare(c.ctx, c.Root, c.engine.localStaleness(l, c.src.Query)); err != nil {
		return err
	}
	if err = c.findCaller(); err != nil {
		return err
	}
	c.ctx = caller.With(c.ctx, &c.Call.Request)
	if !enabled {
		return errNoRoute
	}
	if l.Strict && c.op.permits(c.Principal) {
		if err = c.op.checkNames(c.engine.LanguageParam, c.src.Query, c.src.JSON); err != nil {
			return err
		}
	}
	return do(c)
}

// localKey returns the key under which the value of a call is cached, "" for none: see cacheKey.
func (c *request) localKey() string {
	if c.engine.Answers == nil || !c.Principal.Anonymous() || c.ctx.Value(uncachedKey{}) != nil ||
		c.op.MayOpen(c.src.Query) || !c.engine.clean(c.src.Query) {
		return ""
	}
	return "\n" + c.Root.URL + "\n" + c.address(c.op.ID) + "\n" + strings.Join(c.fields, ",")
}

// use calls do in place of the operation's handler, after the same checks of rights and sizes, and within the limits of
// memory.
func (c *request) use(do func() error) error {
	switch {
	case !c.op.permits(c.Principal):
		return c.forbidden()
	case c.src.JSON.Size() > c.engine.MaxBody:
		return errTooLarge
	}
	if err := c.engine.checkFiles(c.op, c.Principal, c.src.JSON); err != nil {
		return err
	}
	end, err := c.engine.begin(c.op)
	if err != nil {
		return err
	}
	defer end()
	c.boundAnswer()
	if !c.op.Reads() {
		c.claim.Count()
	}
	parsed, err := param.Parse(c.ctx, c.op.Params, c.src)
	if err != nil {
		return err
	}
	if err = c.accept(parsed); err == nil {
		err = do()
	}
	return c.op.tooLarge(c.Format, cmp.Or(err, c.claim.Err()))
}
