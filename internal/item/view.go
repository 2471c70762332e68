package item

import (
	"context"
	"fmt"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// View is what an answer needs to show posts: the site's settings and addresses in
// the request's language, the pictures of the posts, and the rendering of texts.
type View struct {
	*permalink.Linker
	Ctx      context.Context // of the request
	Call     *call.Call
	Settings *site.Settings
	Images   *Images
	Versions *Versions         // of its posts and terms in other languages
	Single   bool              // one post is read, which shows more than a list
	Trial    bool              // the request may give a password: it names the posts
	Selected phpjson.Selection // members that the answer has of its items, nil for all
	env      *Service
	texts    *render.Env
	key      string                 // of settingsKey, "" until that is asked
	loaded   []*store.Content       // what Load read and was given
	needs    map[int64]*render.Need // of the texts of posts themselves
	written  bool                   // the caller has just written the posts: no password hides them
	opened   map[int64]bool         // protected posts that Unlock has opened, by id
	shows    []any                  // that Show was given
	nested   *Item                  // of NestedTerm
	termMeta map[int64]store.Meta   // of TermMeta

	distances map[int64]float64 // of venues from the point of the request, in km; nil without one
}

// View returns the view of a request. What its posts need is loaded later.
func (s *Service) View(ctx context.Context, c *call.Call) *View {
	settings := site.From(ctx)
	v := &View{
		Ctx: ctx, Call: c, Linker: s.Linker(ctx, c), Settings: settings, Versions: s.Versions(ctx), env: s,
	}
	v.texts = &render.Env{
		Home: settings.Home, SiteURL: settings.SiteURL, Uploads: v.Uploads(), Marks: s.Marks, Release: settings.WordPress,
		Theme: settings.Theme, NoSmilies: settings.NoSmilies,
	}
	for _, right := range s.rights {
		if caller.From(ctx).Can(right) {
			v.Show(right)
		}
	}
	return v
}

// settingsKey returns a text of the settings that rendered texts depend on.
func (v *View) settingsKey() string {
	if s := v.Settings; v.key == "" {
		v.key = fmt.Sprintf("%s\n%s\n%s\n%s\n%s\n%t\n%+v", s.Home, s.SiteURL, v.Uploads(), s.WordPress, s.ThemeKey(), s.NoSmilies, s.Cost)
	}
	return v.key
}

// NestedTerm returns a term as an item of its own, of which the answer shows selected members in another. It is
// valid until the next call: a list of events nests hundreds of them.
func (v *View) NestedTerm(t *store.TaxonomyTerm, selected phpjson.Selection) *Item {
	if v.nested == nil {
		v.nested = &Item{View: v}
	}
	v.nested.Term, v.nested.Meta, v.nested.Selected = t, v.termMeta[t.ID], selected
	return v.nested
}

// LoadTermMeta reads meta rows of the terms that an answer shows, which TermMeta returns.
func (v *View) LoadTermMeta(ctx context.Context, asked ...store.TermRows) error {
	found, digest, err := v.env.Content.Store.Terms.Meta(ctx, asked...)
	if digest != "" {
		v.termMeta = found
		v.Show(digest)
	}
	return err
}

// TermMeta returns the meta rows of a term that LoadTermMeta read.
func (v *View) TermMeta(id int64) store.Meta { return v.termMeta[id] }

// Of returns the addresses of a post's language where posts of its type have languages, else of the
// request's.
func (v *View) Of(ctx context.Context, p *store.Post) *permalink.Linker {
	if v.Versions == nil || !v.Versions.has(p.Type) {
		return v.Linker
	}
	return v.Versions.linker(ctx, v.Versions.ofPost(p.ID).Language)
}

// Address returns the public address of an event or of what events link.
func (v *View) Address(p *store.Post) string {
	return v.Of(v.Ctx, p).Item(p.Type, p.ID, p.Name, p.Status)
}

// Fingerprint returns a text of all that an answer depends on: the site's settings,
// what Load read, and other values. It is "" where the answer depends on more, and
// where it shows something that is not public, which could be guessed by comparing
// validators.
func (v *View) Fingerprint(other ...any) string {
	if v.Versions != nil {
		return ""
	}
	text := fmt.Sprintf("%q%+v", other, v.shows) + v.Settings.Digest
	for _, c := range v.loaded {
		for _, p := range c.Posts {
			if p.Password != "" || p.Status != schema.StatusPublish && p.Status != schema.StatusInherit {
				return ""
			}
		}
		text += c.Digest
	}
	return text
}

// Show notes that an answer shows something else than what Load read.
func (v *View) Show(value any) { v.shows = append(v.shows, value) }

// Listed reports whether the items are those of a list, which shows less of each.
func (v *View) Listed() bool { return !v.Single && !v.written }

// Kinds of rendered texts.
const (
	titleText   = 't'
	contentText = 'c'
	excerptText = 'e'
	linkedText  = 'l'
	neededText  = 'n' // what a description needs to be rendered
	costJSON    = 'k'
	imageJSON   = 'i'
	ruleWords   = 'r'
)

// Rendering takes several times the memory of a text, for as long as it lasts: passes that
// each make a new one, and entities in place of characters. For texts above smallText that is
// claimed.
const (
	smallText = 32 << 10
	passes    = 32
)

// render renders a text, or finds it. Where there is no room for it, it returns "": the answer
// is refused then.
func (v *View) render(kind byte, settings, text string, render func(string) string) string {
	if len(text) > smallText {
		claim, n := budget.From(v.Ctx), int64(passes*len(text))
		if claim.Take(n) != nil {
			return ""
		}
		defer claim.Give(n)
	}
	return v.env.Texts.Render(kind, settings, text, render)
}

// Title renders the title of a post.
func (v *View) Title(p *store.Post) string {
	return v.render(titleText, "", p.Title, func(s string) string { return render.Title(s, v.env.Marks) })
}

// Content renders a description. Galleries without ids show what is attached to the
// post.
func (v *View) Content(p *store.Post) string {
	own := int64(0)
	if p.Type == v.env.Content.Types.Events().PostType {
		own = p.ID
	}
	return v.render(contentText, v.embedded(p, own), p.Content, func(s string) string { return v.texts.Content(s, own) })
}

// InWords returns what words makes of a text in the language of the request. It depends on the text alone.
func (v *View) InWords(text string, words func(recurrence.Say) string) string {
	tag := v.Call.Language
	return v.render(ruleWords, tag, text, func(string) string {
		return words(func(id string, data map[string]any) string { return v.env.Say(tag, id, data) })
	})
}

// Excerpt renders an excerpt.
func (v *View) Excerpt(p *store.Post) string {
	return v.render(excerptText, v.settingsKey(), p.Excerpt, v.texts.Excerpt)
}

// Linker returns the addresses of the site's pages in the request's language.
func (s *Service) Linker(ctx context.Context, c *call.Call) *permalink.Linker {
	links := site.From(ctx).Links
	if c.Root.SiteURL != "" {
		links.Home = c.Root.SiteURL
	}
	return s.Content.NewLinker(links)
}
