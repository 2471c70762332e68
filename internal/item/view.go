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

// View contains what a response needs to show posts: the site's settings and URLs in the requested language, the images
// of the posts, and the renderer of texts.
type View struct {
	*permalink.Linker
	Ctx      context.Context // the context of the request
	Call     *call.Call
	Settings *site.Settings
	Images   *Images
	Versions *Versions         // translations of its posts and terms
	Single   bool              // a single post is read, which shows more than a list
	Trial    bool              // the request may contain a password, because it names the posts
	Selected phpjson.Selection // members to show of each item, nil for all
	env      *Service
	texts    *render.Env
	key      string                 // caches settingsKey
	loaded   []*store.Content       // what Load received and read
	needs    map[int64]*render.Need // what the descriptions of posts need, without their patterns
	written  bool                   // the caller has just written the posts, so no password hides them
	opened   map[int64]bool         // ids of protected posts that Unlock has opened
	shows    []any                  // values passed to Show
	nested   *Item                  // reused by NestedTerm
	termMeta map[int64]store.Meta   // read by LoadTermMeta

	distances map[int64]float64 // distances of venues from the point in the request, in km; nil without a point
}

// View returns the view of a request. The data of its posts is loaded later.
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

// settingsKey returns a string of the settings that rendered texts depend on.
func (v *View) settingsKey() string {
	if s := v.Settings; v.key == "" {
		v.key = fmt.Sprintf("%s\n%s\n%s\n%s\n%s\n%t\n%+v", s.Home, s.SiteURL, v.Uploads(), s.WordPress, s.ThemeKey(), s.NoSmilies, s.Cost)
	}
	return v.key
}

// NestedTerm returns a term as an item, to be nested in another one with the selected members. It is valid until the
// next call, because a list of events nests hundreds of terms and should not allocate each.
func (v *View) NestedTerm(t *store.TaxonomyTerm, selected phpjson.Selection) *Item {
	if v.nested == nil {
		v.nested = &Item{View: v}
	}
	v.nested.Term, v.nested.Meta, v.nested.Selected = t, v.termMeta[t.ID], selected
	return v.nested
}

// LoadTermMeta reads meta rows of the terms of a response, for TermMeta.
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

// LinkerFor returns the linker for a post's language if its type is translated, and else that for the requested language.
func (v *View) LinkerFor(ctx context.Context, p *store.Post) *permalink.Linker {
	if v.Versions == nil || !v.Versions.has(p.Type) {
		return v.Linker
	}
	return v.Versions.linker(ctx, v.Versions.ofPost(p.ID).Language)
}

// Address returns the public URL of an event or of a post that events link.
func (v *View) Address(p *store.Post) string {
	return v.LinkerFor(v.Ctx, p).Item(p.Type, p.ID, p.Name, p.Status)
}

// Fingerprint returns a string of everything that a response depends on: the site's settings, what Load read, and other
// values. It is "" if the response depends on more than that, or if it shows something that is not public, because that
// could be guessed by comparing ETags.
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

// Show records that the response shows a value that Load did not read.
func (v *View) Show(value any) { v.shows = append(v.shows, value) }

// Listed reports whether the items are part of a list, which shows fewer members of each.
func (v *View) Listed() bool { return !v.Single && !v.written }

// Kinds of rendered texts, for the keys of the cache.
const (
	titleText   = 't'
	contentText = 'c'
	excerptText = 'e'
	linkedText  = 'l'
	neededText  = 'n' // what must be loaded to render a description
	costJSON    = 'k'
	imageJSON   = 'i'
	ruleWords   = 'r'
)

// Rendering temporarily needs several times the memory of a text: up to passes copies, some of them with entities
// instead of characters. For texts longer than smallText, this is reserved in the memory budget.
const (
	smallText = 32 << 10
	passes    = 32
)

// render returns a rendered text, from the cache if possible. If the memory budget is exceeded, it returns "", and the
// response fails later.
func (v *View) render(kind byte, settings, text string, render func(string) string) string {
	if len(text) > smallText {
		claim, n := budget.From(v.Ctx), int64(passes*len(text))
		if claim.Wait(n) != nil {
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

// Content renders a description. Galleries without ids show the images attached to the post.
func (v *View) Content(p *store.Post) string {
	own := int64(0)
	if p.Type == v.env.Content.Types.Events().PostType {
		own = p.ID
	}
	return v.render(contentText, v.embedded(p, own), p.Content, func(s string) string { return v.texts.Content(s, own) })
}

// InWords returns the result of words for text, in the language of the request, and caches it. It must depend on the
// text and the language only.
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

// Linker returns the URLs of the site's pages in the requested language.
func (s *Service) Linker(ctx context.Context, c *call.Call) *permalink.Linker {
	links := site.From(ctx).Links
	if c.Root.SiteURL != "" {
		links.Home = c.Root.SiteURL
	}
	return s.Content.NewLinker(links)
}
