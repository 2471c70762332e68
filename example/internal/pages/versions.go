package pages

import (
	"net/url"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// slugIn returns the slug of an item's version in a language, percent-encoded as in its address.
func slugIn(item calendar.Localized, lang string) string {
	u, err := url.Parse(item.Translations[lang].URL)
	if err != nil {
		return ""
	}
	if r, ok := plain(u.Query()); ok {
		return r.slug
	}
	if u.RawQuery != "" {
		return ""
	}
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}

// in returns the address under which a language shows the item of a route, and whether that is the item in this language. On a site without
// languages that is the same item; otherwise, in a language that lacks the item, the address is the home page.
func (v *version) in(to route, item calendar.Localized) (link string, same bool) {
	if item.Language == "" || item.Language == v.lang.Tag {
		return v.link(to), true
	}
	slug := slugIn(item, v.lang.Tag)
	if slug == "" {
		return v.link(route{kind: home}), false
	}
	return v.link(route{kind: to.kind, slug: slug, path: slug}), true
}

// foreign returns the language of an item that is shown on a page of another one, for the markup; else "".
func (v *version) foreign(item calendar.Localized) string {
	if item.Language == v.lang.Tag {
		return ""
	}
	return item.Language
}

// called reports whether a term or one of its versions has a slug, so that a filter is kept when the language changes.
func called(t calendar.Term, slug string) bool {
	for lang := range t.Translations {
		if slugIn(t.Localized, lang) == slug {
			return true
		}
	}
	return t.Slug == slug
}
