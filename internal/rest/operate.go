package rest

import (
	"cmp"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
)

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

// answer runs the operation and completes its answer, within the limits of memory.
func (c *request) answer() (*answer, error) {
	c.boundAnswer()
	c.noteKeys()
	resp, err := c.operate()
	if err = cmp.Or(err, c.claim.Err()); err != nil {
		return nil, c.op.tooLarge(c.Format, err)
	}
	a := c.complete(resp, false)
	if err := c.claim.Err(); err != nil {
		return nil, c.op.tooLarge(c.Format, err)
	}
	return a, nil
}

// operate parses the parameters of the operation and runs it, if the caller may. A caller who may not use it learns
// nothing more from the error.
func (c *request) operate() (resp *Response, err error) {
	if !c.op.permits(c.Principal) {
		return nil, c.forbidden()
	}
	end, err := c.engine.begin(c.op)
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
		c.claim.Count() // a write that was stored must not be answered with an error
	}
	c.chooseLanguage()
	c.chooseFormat()
	if err = refuseShaping(c.Format, c.src, c.envelope); err != nil {
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
		return nil, explainMissing(err, c.HTTP, c.writes() && c.body.misread(c.HTTP))
	}
	if err = c.refuseMisread(); err != nil {
		return nil, err
	}
	if err = c.accept(parsed); err != nil {
		return nil, err
	}
	switch {
	case c.checks:
	case c.op.Batch: // each request of the batch has a separate key
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

// begin records that a write operation is in progress until end is called. It returns an error if the operation may not
// run now.
func (e *Engine) begin(o *Operation) (end func(), err error) {
	switch {
	case o.Reads():
		return func() {}, nil
	case e.ReadOnly != nil:
		return nil, e.ReadOnly
	}
	return e.Writes.Begin()
}

// accept checks parsed parameters against the database, and the caller's right to use the operation with them.
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

// forbidden returns the answer to a caller without the right: 401 if anonymous.
func (r *Request) forbidden() *apierror.Error {
	if r.Principal.Anonymous() {
		return errUnauthorized
	}
	return errForbidden
}
