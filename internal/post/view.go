package post

import (
	"context"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wire"
	"github.com/agendahq/agenda/internal/wp"
)

// View is what an answer shows its posts with: the site's settings and
// addresses in the request's language version, the pictures of its posts, and
// the rendering of texts.
type View struct {
	*wp.Linker
	Settings *site.Settings
	Images   *Images
	Single   bool // one post is read, which shows more of it than a list
	env      *Env
}

// View returns the view of a request. Its images are loaded later.
func (e *Env) View(ctx context.Context, r *rest.Request) *View {
	return &View{Linker: e.Linker(ctx, r), Settings: site.From(ctx), env: e}
}

// Kinds of rendered texts.
const (
	titleText   = 't'
	contentText = 'c'
	excerptText = 'e'
)

// Title renders the title of an event or the name of a venue or organizer.
func (v *View) Title(p *store.Post) string {
	return v.env.Texts.Render(titleText, "", p.Title, wp.Title)
}

// Content renders a description.
func (v *View) Content(p *store.Post) string {
	return v.env.Texts.Render(contentText, "", p.Content, wp.Content)
}

// Excerpt renders an excerpt.
func (v *View) Excerpt(p *store.Post) string {
	return v.env.Texts.Render(excerptText, "", p.Excerpt, wp.Excerpt)
}

// WriteGlobalID writes the id that is unique among sites and the ids that the
// post had elsewhere.
func (v *View) WriteGlobalID(w *wire.Writer, p *store.Post, m store.Meta) {
	writeGlobalID(w, v.GlobalID(p.ID), m)
}
