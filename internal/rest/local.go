package rest

import (
	"context"
	"fmt"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
)

// Local is a use of an operation in the process, without a request and its answer.
type Local struct {
	Method, Path string // below the namespace: "/events/12"
	Query, Body  *param.Map
	Size         int // of the body as a request would send it, in bytes
}

// Refused is the error of a use that is refused or fails: the answer that a request would get.
type Refused struct {
	Status int
	Body   []byte // JSON, in the language of the use
	Cause  error
}

func (r *Refused) Error() string { return fmt.Sprintf("rest: %d %s", r.Status, r.Body) }

func (r *Refused) Unwrap() error { return r.Cause }

// Local calls do with what an operation is asked, for the caller that who returns. Rights,
// parameters and limits are those of a request; do takes the place of the operation's handler. An
// error is a *Refused.
func (e *Engine) Local(ctx context.Context, root *call.Root, l Local, who func(context.Context) (caller.Principal, error),
	do func(context.Context, *call.Call) error) error {
	ctx, cancel := context.WithTimeout(ctx, e.Timeout)
	defer cancel()
	c := &request{
		Request: &Request{Call: call.Call{Root: root}, Out: &phpjson.Writer{}, Text: e.Texts[root.Tag], engine: e},
		ctx:     ctx, method: l.Method, who: who,
	}
	c.Language, c.src = root.Tag, param.Sources{Query: l.Query, JSON: l.Body, UTF8MB3: e.UTF8MB3}
	defer func() { c.claim.Release() }()
	err := c.local(l, do)
	if err == nil {
		return nil
	}
	refused, cause := c.refusal(l.Path, err)
	return &Refused{Status: refused.Status, Body: c.Out.Bytes(), Cause: cause}
}

func (c *request) local(l Local, do func(context.Context, *call.Call) error) (err error) {
	c.chooseLanguage()
	var enabled bool
	if c.ctx, enabled, err = c.engine.Prepare(c.ctx, c.Root); err != nil {
		return err
	}
	if err = c.findCaller(); err != nil {
		return err
	}
	c.ctx = caller.With(c.ctx, &c.Call.Request)
	if c.route, c.Path = c.engine.find(l.Path); enabled && c.route != nil {
		c.op = c.route.operation(c.method)
	}
	switch {
	case c.op == nil:
		return errNoRoute
	case !c.op.permits(c.Principal):
		return c.forbidden()
	case int64(l.Size) > c.engine.MaxBody:
		return errTooLarge
	}
	end, err := c.begin()
	if err != nil {
		return err
	}
	defer end()
	c.boundAnswer()
	if !c.op.Reads() {
		c.claim.Count()
	}
	c.src.Path = c.Path
	parsed, err := param.Parse(c.ctx, c.op.Params, c.src)
	if err != nil {
		return err
	}
	if err = c.accept(parsed); err == nil {
		err = do(c.ctx, &c.Call)
	}
	if err == nil {
		err = c.claim.Err()
	}
	return c.tooLarge(err)
}
