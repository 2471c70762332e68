package rest

import "github.com/agendahq/agenda/internal/surrogate"

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

// keysText returns the keys of an answer, "" where it has none. A read that is refused depends on the kind: the item may come to be.
func (c *request) keysText(failed bool) string {
	if c.keys == nil || c.private {
		return ""
	}
	if failed {
		c.keys.List(c.op.Tag)
	}
	return KeysText(c.engine.KeysHeader, c.keys)
}
