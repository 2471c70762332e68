package pages

import (
	"encoding/json"
	"net/url"
	"strings"
)

// localized is the language of an item and its versions in others; empty on a site without languages.
type localized struct {
	Language     string       `json:"language"`
	Translations translations `json:"translations"`
}

// translations are the versions of an item by language. They are an empty list in JSON if there are none.
type translations map[string]struct {
	ID  int  `json:"id"`
	URL text `json:"url"`
}

func (t *translations) UnmarshalJSON(data []byte) error {
	*t = nil
	if data[0] != '{' {
		return nil
	}
	type plain translations
	return json.Unmarshal(data, (*plain)(t))
}

// slug returns the slug of the version in a language, percent-encoded as in its address.
func (s localized) slug(lang string) string {
	u, err := url.Parse(string(s.Translations[lang].URL))
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
func (v *version) in(to route, item localized) (link string, same bool) {
	if item.Language == "" || item.Language == v.lang.Tag {
		return v.link(to), true
	}
	slug := item.slug(v.lang.Tag)
	if slug == "" {
		return v.link(route{kind: home}), false
	}
	return v.link(route{kind: to.kind, slug: slug, path: slug}), true
}

// foreign returns the language of an item that is shown on a page of another one, for the markup; else "".
func (v *version) foreign(item localized) string {
	if item.Language == v.lang.Tag {
		return ""
	}
	return item.Language
}

// called reports whether a term or one of its versions has a slug, so that a filter is kept when the language changes.
func (t term) called(slug string) bool {
	for lang := range t.Translations {
		if t.slug(lang) == slug {
			return true
		}
	}
	return t.Slug == slug
}
