package calendar

import (
	"context"
	"net/http"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/surrogate"
)

// Values of Cache.Tags.
const (
	SurrogateKey = "Surrogate-Key" // keys separated by spaces: Fastly, Varnish
	CacheTag     = rest.CacheTag   // keys separated by commas: Cloudflare, Akamai, Bunny
)

// kindSettings is the key for the settings of the site that answers show, which count as one item.
const kindSettings = "settings"

// Tags returns the keys of what caches should drop because of a change: the item's, and the one of the lists of its
// kind. See Cache.Tags.
func (c Change) Tags() []string { return []string{c.Kind, surrogate.Item(c.Kind, c.ID)} }

// WithTags returns a context that collects the keys of what a Kind reads with it, for a page of the host's own that
// shows it: see SetTags. If Cache.Tags is not set, it returns ctx.
func (c *Calendar) WithTags(ctx context.Context) context.Context {
	if c.options.Cache.Tags == "" {
		return ctx
	}
	keys := surrogate.New()
	keys.List(kindSettings)
	return surrogate.With(ctx, keys)
}

// SetTags sets the header of Cache.Tags to the keys that a context of WithTags has collected. If something that was
// read depends on more than stored data, such as a failure, what a password revealed, or what only one caller may read,
// it sets Cache-Control to no-store instead: caches must not store a page that shows it.
func (c *Calendar) SetTags(ctx context.Context, h http.Header) {
	name, keys := c.options.Cache.Tags, surrogate.From(ctx)
	switch {
	case name == "" || keys == nil:
	case keys.Forbidden():
		h.Del(name)
		h.Set("Cache-Control", "no-store")
	default:
		if text := rest.KeysText(name, keys); text != "" {
			h.Set(name, text)
		}
	}
}

// Lasting reports whether the error depends only on stored data, so that a cache may store a page that shows it. It
// does not if, for example, a password was tried too often, or time, memory or the database was lacking.
func (e *Error) Lasting() bool { return rest.Lasting(e.Status) }
