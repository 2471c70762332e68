// Package languages adds several languages to a new site, in the form of Polylang.
package languages

import (
	"context"
	"fmt"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
	"github.com/uptrace/bun"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// These taxonomies contain the languages of posts and terms, and the translation groups of each.
const (
	OfPosts     = "language"
	OfTerms     = "term_language"
	PostsGroups = "post_translations"
	TermsGroups = "term_translations"
)

// SlugPrefix begins the slugs of terms that are languages of terms or translation groups, which share a table with the
// languages of posts.
const SlugPrefix = "pll_"

// Option is the option that contains the settings.
const Option = "polylang"

// Language is a language of a site.
type Language struct {
	Code   string // "nl"
	Name   string // in the language itself
	Locale string // "nl_NL"
	Flag   string // code of a country
}

// FromLocales returns the languages of locales such as nl_NL, which must differ.
func FromLocales(locales []string) (all []Language, err error) {
	found := map[string]string{}
	for _, locale := range locales {
		tag, err := language.Parse(locale)
		if err != nil {
			return nil, fmt.Errorf("%q: use a locale such as nl_NL, fr_FR or en_US", locale)
		}
		base, _ := tag.Base()
		region, _ := tag.Region()
		code := base.String()
		if other, ok := found[code]; ok {
			return nil, fmt.Errorf("%s and %s have the same language: name one of them", other, locale)
		}
		found[code] = locale
		all = append(all, Language{code, display.Self.Name(language.Make(code)), locale, strings.ToLower(region.String())})
	}
	return all, nil
}

// Description returns the description of the term of a language, which contains its properties.
func (l Language) Description() string {
	var settings phpval.Array
	settings.Set(phpval.StrKey("locale"), l.Locale)
	settings.Set(phpval.StrKey("rtl"), int64(0))
	settings.Set(phpval.StrKey("flag_code"), l.Flag)
	return phpval.Serialize(&settings)
}

// Settings returns the value of Option for a default language.
func Settings(code string) string {
	var settings phpval.Array
	settings.Set(phpval.StrKey("default_lang"), code)
	return phpval.Serialize(&settings)
}

// Add adds languages to a site that has none. The first one becomes the default language. It does nothing if all is
// empty.
func Add(ctx context.Context, db bun.IDB, all []Language) error {
	if len(all) == 0 {
		return nil
	}
	for i, l := range all {
		if err := addTerm(ctx, db, OfPosts, schema.Term{Name: l.Name, Slug: l.Code, Group: int64(i)}, l.Description()); err != nil {
			return err
		}
		if err := addTerm(ctx, db, OfTerms, schema.Term{Name: l.Name, Slug: SlugPrefix + l.Code}, ""); err != nil {
			return err
		}
	}
	_, err := db.NewInsert().Model(&schema.Option{Name: Option, Value: Settings(all[0].Code), Autoload: "on"}).Exec(ctx)
	return err
}

func addTerm(ctx context.Context, db bun.IDB, taxonomy string, t schema.Term, description string) error {
	if _, err := db.NewInsert().Model(&t).Exec(ctx); err != nil {
		return err
	}
	_, err := db.NewInsert().Model(&schema.TermTaxonomy{TermID: t.ID, Taxonomy: taxonomy, Description: description}).Exec(ctx)
	return err
}
