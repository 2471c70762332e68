package calendar

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
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
	l := &content.Languages{Default: stored}
	for _, v := range o.Languages {
		l.Versions = append(l.Versions, content.LanguageVersion{Tag: v.Tag, Code: v.code(), SiteURL: strings.TrimRight(v.SiteURL, "/")})
		if o.Site.DefaultLanguage == v.Tag {
			l.Default = v.code()
		}
	}
	if l.Default == "" {
		l.Default = o.Languages[0].code()
	}
	return l
}

// tagOf returns the tag for a calendar with one language, given the code of the site's default language: English if the
// code is not a language.
func tagOf(code string) string {
	if _, err := language.Parse(code); err != nil {
		return "en"
	}
	return code
}

// defaultLanguage sets the languages of a calendar that has none to one language with the given tag, at the site's own
// address.
func (o *Options) defaultLanguage(ctx context.Context, settings *site.Cache, tag string) error {
	if len(o.Languages) > 0 {
		return nil
	}
	s, err := settings.Settings(ctx)
	if err != nil {
		return fmt.Errorf("settings of the site: %w", err)
	}
	if !absolute(s.Home) {
		return fmt.Errorf("options: Languages is empty, and the site's home option %q is not an address that could replace them", s.Home)
	}
	o.Languages = []Language{{Tag: tag, BaseURL: s.Home + "/wp-json"}}
	return nil
}

// languageParam declares the parameter for the language of texts, which every operation accepts.
func (o *Options) languageParam() *param.Param {
	var tags []string
	for _, l := range o.Languages {
		tags = append(tags, l.Tag)
	}
	key, takes := param.Key[string](o.LanguageParam), jsonschema.Words(slices.Sorted(slices.Values(tags))...).As("Language")
	return key.Param(takes, param.Checked(param.OneOf(tags...)), param.Doc("param_language"), param.InQuery())
}

// itemParam is the name of the parameter for the language of items. Polylang and WPML use the same name.
const itemParam = "lang"

// itemLanguages returns the languages of items that requests may ask for, by code and by the tags of roots. It returns
// nil if items have no languages. codes are those that the site stores.
func (o *Options) itemLanguages(translated bool, codes []string) map[string]rest.ItemLanguage {
	if !translated {
		return nil
	}
	all := map[string]rest.ItemLanguage{}
	for _, code := range codes {
		all[code] = rest.ItemLanguage{Code: code}
	}
	for _, l := range o.Languages {
		all[l.code()] = rest.ItemLanguage{Code: l.code(), Tag: l.Tag}
		all[l.Tag] = all[l.code()]
	}
	all[caller.AllLanguages] = rest.ItemLanguage{Code: caller.AllLanguages}
	return all
}

// itemName returns the name of the parameter for the language of items. It returns "" if items have no languages, or if
// the host uses the name for something else.
func (o *Options) itemName(items map[string]rest.ItemLanguage) string {
	if len(items) == 0 || o.declares(itemParam) {
		return ""
	}
	return itemParam
}

// declares reports whether the host has a field or filter with a name.
func (o *Options) declares(name string) bool {
	return slices.ContainsFunc(o.Fields, func(f Field) bool { return f.Name == name }) ||
		slices.ContainsFunc(o.Filters, func(f Filter) bool { return slices.Contains(item.OwnFilter(f).Params(), name) })
}

// declareItemLanguage declares the parameter for the language of items, if there is one. If the parameter for the
// language of texts has the same name, it is replaced.
func (o *Options) declareItemLanguage(env *item.Service, items map[string]rest.ItemLanguage) {
	if o.itemName(items) == "" {
		return
	}
	names := slices.Sorted(maps.Keys(items))
	declared := param.Key[string](itemParam).Param(jsonschema.Words(names...).As("ItemLanguage"), param.Checked(param.OneOf(names...)),
		param.Doc("param_items_language"), param.Unlisted())
	if o.LanguageParam == itemParam {
		env.Language = declared
	} else {
		env.Items = declared
	}
}
