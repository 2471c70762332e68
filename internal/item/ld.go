package item

import (
	"sync"

	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/release"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// ldElements returns, per WordPress release, the HTML elements of a description that JSON-LD keeps. The list of a release
// is only read when a site of that release needs it.
var ldElements = func() (lists []func() *kses.Allowed) {
	for _, r := range release.All() {
		lists = append(lists, sync.OnceValue(func() *kses.Allowed {
			return kses.Post(r).Only("a", "b", "strong", "em", "span", "ul", "ol", "li")
		}))
	}
	return lists
}()

// WriteLDHead writes the first members that every JSON-LD object of a post has: its name as the site displays it, its
// description and its image.
func (v *View) WriteLDHead(w *phpjson.Writer, p *store.Post, m store.Meta) {
	shown, locale := *p, wp.LocaleOf(v.Settings.Links.Locale)
	switch {
	case p.Password != "":
		shown.Title = locale.Protected + p.Title
	case p.Status == schema.StatusPrivate:
		shown.Title = locale.Private + p.Title
	}
	w.KeyString("name", render.LDName(v.Title(&shown)))
	w.KeyString("description", v.render(linkedText, p.Content, p.Excerpt+"\x00", func(string) string {
		return render.LDDescription(p.Excerpt, p.Content, v.Settings.WordPress, func(s string) string {
			return kses.Filter(s, ldElements[v.Settings.WordPress]())
		})
	}))
	if image, ok := v.Images.Featured(m); ok {
		w.Key("image")
		image.writeURL(w)
	}
}
