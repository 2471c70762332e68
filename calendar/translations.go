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

// Translations says where a site stores the languages of its events, venues,
// organizers, categories and tags.
type Translations string

// Forms of translations.
const (
	// TranslationsAuto looks for the other forms when the calendar is made, for
	// TranslationsTable first. Without any, items belong to all languages.
	TranslationsAuto Translations = ""
	// TranslationsOff shows all items in all languages.
	TranslationsOff Translations = "off"
	// TranslationsTable is the table {prefix}icl_translations.
	TranslationsTable Translations = "table"
	// TranslationsTerms is the taxonomies language, term_language,
	// post_translations and term_translations.
	TranslationsTerms Translations = "terms"
)

// code is the code under which a language is stored.
func (l Language) code() string { return strings.ToLower(cmp.Or(l.Code, l.Tag)) }

// form returns the form in which the store reads and writes languages.
func (t Translations) form() store.Form {
	switch t {
	case TranslationsAuto:
		return store.AnyForm
	case TranslationsOff:
		return store.UnusedForm
	}
	return store.Form(t)
}

// languages describes the languages of a site that stores its items per
// language; stored is the code of its default one, "" if it names none.
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

// tagOf is the tag of a calendar with one language only: that of the site's
// default one, English where there is none.
func tagOf(code string) string {
	if _, err := language.Parse(code); err != nil {
		return "en"
	}
	return code
}

// defaultLanguage makes a calendar without languages one in the given language
// at the site's own address.
func (o *Options) defaultLanguage(ctx context.Context, settings *site.Cache, tag string) error {
	if len(o.Languages) > 0 {
		return nil
	}
	s, err := settings.Settings(ctx)
	if err != nil {
		return fmt.Errorf("settings of the site: %w", err)
	}
	if !absolute(s.Home) {
		return fmt.Errorf("options: Languages is empty, and the site's home option %q is no address to stand in", s.Home)
	}
	o.Languages = []Language{{Tag: tag, BaseURL: s.Home + "/wp-json"}}
	return nil
}

// languageParam declares the parameter that every operation accepts.
func (o *Options) languageParam() *param.Param {
	var tags []string
	for _, l := range o.Languages {
		tags = append(tags, l.Tag)
	}
	key, takes := param.Key[string](o.LanguageParam), jsonschema.Words(slices.Sorted(slices.Values(tags))...).As("Language")
	return key.Param(takes, param.Checked(param.OneOf(tags...)), param.Doc("param_language"), param.InQuery())
}

// itemParam is the name of the parameter for the language of items, which is that of Polylang and WPML.
const itemParam = "lang"

// itemLanguages returns the languages of items that requests may ask for, by their codes and by the tags of roots; none where
// items have no languages. codes are those that the site stores.
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

// itemName returns the name of the parameter for the language of items, "" where they have none, and where a host has given
// the name to something else.
func (c *Calendar) itemName() string {
	if len(c.items) == 0 || c.options.declares(itemParam) {
		return ""
	}
	return itemParam
}

// declares reports whether the host has a field or filter with a name.
func (o *Options) declares(name string) bool {
	return slices.ContainsFunc(o.Fields, func(f Field) bool { return f.Name == name }) ||
		slices.ContainsFunc(o.Filters, func(f Filter) bool { return slices.Contains(item.OwnFilter(f).Params(), name) })
}

// declareItemLanguage declares the parameter for the language of items, if there is one. It takes the place of the parameter for
// the language of texts where that has its name.
func (c *Calendar) declareItemLanguage() {
	if c.itemName() == "" {
		return
	}
	names := slices.Sorted(maps.Keys(c.items))
	declared := param.Key[string](itemParam).Param(jsonschema.Words(names...).As("ItemLanguage"), param.Checked(param.OneOf(names...)),
		param.Doc("param_items_language"), param.Unlisted())
	if c.options.LanguageParam == itemParam {
		c.env.Language = declared
	} else {
		c.env.Items = declared
	}
}
