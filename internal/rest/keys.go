package rest

import (
	"net/http"
	"slices"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/surrogate"
)

// CacheTag is the header whose keys are separated by commas; those of other headers are separated by spaces.
const CacheTag = "Cache-Tag"

// KeysText returns keys in the form of the header with a name.
func KeysText(header string, keys *surrogate.Keys) string {
	if header == CacheTag {
		return keys.Text(",")
	}
	return keys.Text(" ")
}

// keyHeaders returns the header with the keys of an answer, none if it has no keys. An error depends on all items of the
// resource, because the missing item may be created.
func (c *request) keyHeaders(failed bool) []Header {
	if c.keys == nil {
		return nil
	}
	if failed {
		c.keys.List(c.op.Tag)
	}
	if keys := KeysText(c.engine.KeysHeader, c.keys); keys != "" {
		return []Header{{c.engine.KeysHeader, keys}}
	}
	return nil
}

// noteKeys makes the keys of everything that is read be collected for the answer.
func (c *request) noteKeys() {
	c.keys = nil
	if c.engine.KeysHeader == "" || !c.op.Reads() {
		return
	}
	c.keys = surrogate.New()
	c.keys.List(c.engine.Keys...)
	c.ctx = surrogate.With(c.ctx, c.keys)
}

// Lasting reports whether an answer with a status follows from stored state alone (D88). Failures and errors because of
// a lack of time, memory or attempts do not: the next request may succeed.
func Lasting(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge:
		return false
	}
	return status < http.StatusInternalServerError
}

// storable decides whether caches may store an answer (D88), and is the only place that does: only an answer that
// follows from stored state and from the address alone may be stored. What an operation of the host reads is not known.
// An answer that may not be stored is marked and has no keys; this also applies to an envelope, whose own status is
// always 200.
func (c *request) storable(status int) bool {
	return Lasting(status) && (c.op == nil || !c.op.Host && !c.op.Sync) && !c.private && !c.Unkept && !c.offAddress() &&
		!c.engine.secretIn(c.src.Query, c.src.JSON, c.src.Form) && !(c.byHeader && !c.envelope && status/100 == 4) &&
		!(c.HTTP.Method == http.MethodPost && c.op != nil && c.op.Reads()) // a form in its body is not read, and may contain a secret
}

// secretIn reports whether a query, or the body of a POST that _method makes a read, contains a parameter that is a secret
// of any operation, such as the password of a post. The answer to such a request depends on the secret, even if the
// requested operation does not have the parameter.
func (e *Engine) secretIn(sent ...*param.Map) bool {
	return slices.ContainsFunc(sent, func(m *param.Map) bool {
		return slices.ContainsFunc(m.Keys(), func(name string) bool { return e.secrets[name] })
	})
}
