package rest

import (
	"errors"
	"io"
	"net/http"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/phpjson"
)

const (
	// parsing is the maximum memory in bytes that the parsed parameters of a body use per byte of the body.
	parsing = 10
	// selecting is the maximum memory in bytes that the parsed members of an answer with _fields use per byte of the
	// answer.
	selecting = 4
)

// memory returns the claim of the call, nil if memory is not limited.
func (c *request) memory() *budget.Claim {
	if c.claim == nil && c.engine.Budget != nil {
		c.claim = c.engine.Budget.Claim(c.ctx, budget.Most(c.ctx, c.engine.MaxAnswer))
		if budget.OnlyCounts(c.ctx) {
			c.claim.Count()
		}
	}
	return c.claim
}

// boundAnswer limits what the operation reads and writes for its answer.
func (c *request) boundAnswer() {
	claim := c.memory()
	if claim == nil {
		return
	}
	if c.op.Reads() {
		claim.Bound()
	}
	c.ctx = budget.With(c.ctx, claim)
	c.Out.Within(claim)
}

// tooLarge returns the answer, in a format, for an error of the memory limit. It says how the client can make the answer
// smaller.
func (o *Operation) tooLarge(f *Format, err error) error {
	switch {
	case !errors.Is(err, budget.ErrTooLarge):
		return err
	case o.List && f != nil:
		return errFeedTooLarge
	case o.List:
		return errPageTooLarge
	}
	return errAnswerTooLarge
}

// bounded is a body whose bytes are claimed as they arrive, up to a limit.
type bounded struct {
	body  io.Reader
	claim *budget.Claim
	left  int64 // how many bytes may still be read
}

func (r *bounded) Read(p []byte) (int, error) {
	if r.left < 0 {
		return 0, errTooLarge
	}
	n, err := r.body.Read(p[:min(int64(len(p)), r.left+1)])
	if r.left -= int64(n); r.left < 0 {
		return n, errTooLarge
	}
	if full := r.claim.Wait(int64(n)); full != nil {
		return n, full
	}
	return n, err
}

// selected applies _fields: it keeps the named members and those that are always kept.
func selected(claim *budget.Claim, body []byte, names, always []string) []byte {
	if len(names) == 0 || len(body) == 0 || claim.Wait(selecting*int64(len(body))) != nil {
		return body
	}
	return phpjson.Select(body, names, always)
}

// indented applies _pretty.
func indented(claim *budget.Claim, body []byte) []byte {
	if claim.Wait(int64(len(body))) != nil {
		return nil
	}
	return phpjson.Indent(body, claim)
}

// shorten returns the memory that is not needed while an answer is being sent: all but its body, which stays in memory
// as long as a slow client takes.
func (c *request) shorten(a *answer) {
	n := int64(cap(a.body))
	if a.shared != nil || c.HTTP.Method == http.MethodHead { // it is counted once for all that send it, or it is not sent
		n = 0
	}
	c.claim.Keep(n)
}
