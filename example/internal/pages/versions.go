package pages

import (
	"encoding/json"
	"net/url"
	"strings"
)

// spoken is what an item tells about its language and its versions in others; nothing on a site that does not tell them apart.
type spoken struct {
	Language     string       `json:"language"`
	Translations translations `json:"translations"`
}

// translations are the versions of an item by language. The interface writes an empty list when there are none.
type translations map[string]struct {
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

// slug finds the slug of the version in a language, as the interface prints it, in its address.
func (s spoken) slug(lang string) string {
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

// in gives the address under which a language shows the item of a route, and whether that is the item in this language. A site that
// does not tell languages apart shows the same one; otherwise a language that lacks the item offers its home.
func (v *version) in(to route, item spoken) (link string, same bool) {
	if item.Language == "" || item.Language == v.lang.Tag {
		return v.link(to), true
	}
	slug := item.slug(v.lang.Tag)
	if slug == "" {
		return v.link(route{kind: home}), false
	}
	return v.link(route{kind: to.kind, slug: slug, path: slug}), true
}

// foreign is the language of an item that is shown on a page of another one, for the markup; else nothing.
func (v *version) foreign(item spoken) string {
	if item.Language == v.lang.Tag {
		return ""
	}
	return item.Language
}

// called reports whether a term or one of its versions has a slug: visitors keep their filter when they change the language.
func (t term) called(slug string) bool {
	for lang := range t.Translations {
		if t.slug(lang) == slug {
			return true
		}
	}
	return t.Slug == slug
}
