package rest

import (
	"net/http"
	"slices"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/surrogate"
)

// CacheTag is the header whose keys are separated by commas; others have spaces.
const CacheTag = "Cache-Tag"

// KeysText returns keys as a header with a name has them.
func KeysText(header string, keys *surrogate.Keys) string {
	if header == CacheTag {
		return keys.Text(",")
	}
	return keys.Text(" ")
}

// noteKeys has the keys of what is read collected for the answer.
func (c *request) noteKeys() {
	c.keys = nil
	if c.engine.KeysHeader == "" || !c.op.Reads() {
		return
	}
	c.keys = surrogate.New()
	c.keys.List(c.engine.Keys...)
	c.ctx = surrogate.With(c.ctx, c.keys)
}

// Lasting reports whether an answer with a status follows from stored state alone (D88): not a failure, nor a refusal for want of time,
// memory or patience, which the next request may not meet.
func Lasting(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge:
		return false
	}
	return status < http.StatusInternalServerError
}

// storable is the one place that decides whether caches may have an answer (D88): only what follows from stored state and from the
// address alone. Of what a host's own operation reads nothing is known. What they may not have is marked and has no keys, in an envelope
// too, whose own status is always 200.
func (c *request) storable(status int) bool {
	return Lasting(status) && (c.op == nil || !c.op.Host && !c.op.Sync) && !c.private && !c.Unkept && !c.offAddress() &&
		!c.engine.secretIn(c.src.Query) && !(c.byHeader && !c.envelope && status/100 == 4)
}

// secretIn reports whether a query has a parameter that is a secret of any operation, such as the password of a post. What such a
// request is answered, also by an operation without that parameter, depends on that secret.
func (e *Engine) secretIn(query *param.Map) bool {
	return slices.ContainsFunc(query.Keys(), func(name string) bool { return e.secrets[name] })
}

// storing returns the headers that say what caches may do with an answer.
func (c *request) storing(status int, failed bool) []Header {
	switch {
	case !c.storable(status):
		return []Header{{"Cache-Control", noStore}, {"Expires", longAgo}}
	case c.keys == nil:
		return nil
	case failed: // a read that is refused depends on the kind: the item may come to be
		c.keys.List(c.op.Tag)
	}
	if keys := KeysText(c.engine.KeysHeader, c.keys); keys != "" {
		return []Header{{c.engine.KeysHeader, keys}}
	}
	return nil
}
