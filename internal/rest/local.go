package rest

import (
	"context"
	"fmt"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
)

// Local is a use of an operation in the process, without a request and its answer. Path has the
// variables of the operation's route, such as the id of an item.
type Local struct {
	Operation         *Operation
	Path, Query, Body *param.Map
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
		ctx:     ctx, who: who, op: l.Operation,
	}
	c.Language, c.Path = root.Tag, l.Path
	c.src = param.Sources{Path: l.Path, Query: l.Query, JSON: l.Body, UTF8MB3: e.UTF8MB3}
	defer func() { c.claim.Release() }()
	err := c.local(do)
	if err == nil {
		return nil
	}
	refused, cause := c.refusal(l.Operation.ID, err)
	return &Refused{Status: refused.Status, Body: c.Out.Bytes(), Cause: cause}
}

func (c *request) local(do func(context.Context, *call.Call) error) (err error) {
	c.chooseLanguage()
	var enabled bool
	if c.ctx, enabled, err = c.engine.Prepare(c.ctx, c.Root); err != nil {
		return err
	}
	if err = c.findCaller(); err != nil {
		return err
	}
	c.ctx = caller.With(c.ctx, &c.Call.Request)
	switch {
	case !enabled:
		return errNoRoute
	case !c.op.permits(c.Principal):
		return c.forbidden()
	case c.src.JSON.Size() > c.engine.MaxBody:
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
