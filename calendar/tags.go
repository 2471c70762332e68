package calendar

import (
	"context"
	"net/http"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/surrogate"
)

// Values of Cache.Tags.
const (
	SurrogateKey = "Surrogate-Key" // keys have spaces between them: Fastly, Varnish
	CacheTag     = rest.CacheTag   // keys have commas between them: Cloudflare, Akamai, Bunny
)

// kindSettings is the kind of the settings of the site that answers show, as one item.
const kindSettings = "settings"

// Tags returns the keys of what caches are to drop because of a change: those of answers that show the item and of the lists of
// its kind. See Cache.Tags.
func (c Change) Tags() []string { return []string{c.Kind, surrogate.Item(c.Kind, c.ID)} }

// WithTags returns a context which collects the keys of what a Kind reads with it, for a page of the host's own that shows it: see
// SetTags. Where Cache.Tags is not set it does nothing.
func (c *Calendar) WithTags(ctx context.Context) context.Context {
	if c.options.Cache.Tags == "" {
		return ctx
	}
	keys := surrogate.New()
	keys.List(kindSettings)
	return surrogate.With(ctx, keys)
}

// SetTags sets the header of Cache.Tags to the keys that a context of WithTags has collected. Where something that was read with the
// context does not follow from stored state alone, such as a failure, what a password opened, or what one caller may read, it sets
// Cache-Control to no-store instead: a page that shows that is for no cache.
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

// Lasting reports whether the refusal follows from stored state alone, so that a cache may have a page that shows it: not that a password
// was tried too often, nor that time, memory or the database was missing.
func (e *Error) Lasting() bool { return rest.Lasting(e.Status) }
