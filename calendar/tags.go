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

// SetTags sets the header of Cache.Tags to the keys that a context of WithTags has collected.
func (c *Calendar) SetTags(ctx context.Context, h http.Header) {
	name := c.options.Cache.Tags
	if text := rest.KeysText(name, surrogate.From(ctx)); name != "" && text != "" {
		h.Set(name, text)
	}
}
