package pages

import (
	"cmp"
	"html/template"
	"net/url"
	"regexp"
	"slices"
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

// foreign returns the language of an item that is shown on a page with words of another one, for the markup; else "".
func (v *version) foreign(item calendar.Localized) string {
	lang := cmp.Or(item.Language, v.content)
	if primary(lang) == primary(v.tag) {
		return ""
	}
	return lang
}

// others reports whether an item is stored for another language than that of the pages.
func (v *version) others(item calendar.Localized) bool {
	return item.Language != "" && item.Language != v.lang.Tag
}

// langPattern is the form of a language tag that may be written into a page.
var langPattern = regexp.MustCompile(`^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$`)

// rightToLeft are the languages whose usual script is written from right to left.
var rightToLeft = []string{"ar", "arc", "azb", "ckb", "dv", "fa", "he", "iw", "ji", "ks", "ps", "sd", "skr", "syr", "ug", "ur", "yi"}

// langAttributes returns the attributes of an element whose text is in a language, none for "".
func langAttributes(tag string) template.HTMLAttr {
	if !langPattern.MatchString(tag) {
		return ""
	}
	attributes := ` lang="` + tag + `"`
	if slices.Contains(rightToLeft, primary(tag)) {
		attributes += ` dir="rtl"`
	}
	return template.HTMLAttr(attributes)
}

// primary returns a tag without its region.
func primary(tag string) string {
	tag, _, _ = strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	return tag
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
