package calendar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// Translations says where a site stores the languages of its events, venues, organizers, categories and tags.
type Translations string

// Values of Translations.
const (
	// TranslationsAuto determines the value from the database when the calendar is created. TranslationsTable has
	// priority. If neither is found, items belong to all languages.
	TranslationsAuto Translations = ""
	// TranslationsOff shows all items in all languages.
	TranslationsOff Translations = "off"
	// TranslationsTable is the table {prefix}icl_translations, which WPML creates.
	TranslationsTable Translations = "table"
	// TranslationsTerms are the taxonomies language, term_language, post_translations and term_translations, which
	// Polylang uses.
	TranslationsTerms Translations = "terms"
)

// code returns the code under which a language is stored.
func (l Language) code() string { return strings.ToLower(cmp.Or(l.Code, l.Tag)) }

// form returns the store's constant for the value.
func (t Translations) form() store.Form {
	switch t {
	case TranslationsAuto:
		return store.AnyForm
	case TranslationsOff:
		return store.UnusedForm
	}
	return store.Form(t)
}

// languages describes the languages of a site that stores languages of items. stored is the code of the site's default
// language, or "" if the site has none.
func (o *Options) languages(stored string) *content.Languages {
	l := &content.Languages{Default: stored, Versions: o.versions()}
	for _, v := range l.Versions {
		if o.Site.DefaultLanguage == v.Tag {
			l.Default = v.Code
		}
	}
	l.Default = cmp.Or(l.Default, l.Versions[0].Code)
	return l
}

// versions returns the languages that are served.
func (o *Options) versions() (all []content.LanguageVersion) {
	for _, v := range o.Languages {
		all = append(all, content.LanguageVersion{Tag: v.Tag, Code: v.code(), SiteURL: strings.TrimRight(v.SiteURL, "/")})
	}
	return all
}

// tagOf returns the tag for a calendar with one language, given the code of the site's default language: English if the
// code is not a language.
func tagOf(code string) string {
	if _, err := language.Parse(code); err != nil {
		return "en"
	}
	return code
}

// defaultLanguage sets the languages of a calendar that has none to one language with the given tag, at home, the site's
// own address.
func (o *Options) defaultLanguage(home, tag string) error {
	if len(o.Languages) > 0 {
		return nil
	}
	if !absolute(home) {
		return fmt.Errorf("options: Languages is empty, and the site's home option %q is not an address that could replace them", home)
	}
	o.Languages = []Language{{Tag: tag, BaseURL: home + "/wp-json"}}
	return nil
}

// itemName returns the name of the parameter for the language of items. It returns "" if items have no languages, or if
// the host uses the name for something else.
func (o *Options) itemName(items map[string]rest.ItemLanguage) string {
	if len(items) == 0 || o.declares(api.ItemParam) {
		return ""
	}
	return api.ItemParam
}

// declares reports whether the host has a field or filter with a name.
func (o *Options) declares(name string) bool {
	return slices.ContainsFunc(o.Fields, func(f Field) bool { return f.Name == name }) ||
		slices.ContainsFunc(o.Filters, func(f Filter) bool { return slices.Contains(item.OwnFilter(f).Params(), name) })
}
