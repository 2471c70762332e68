// Package languages makes a new site one of several languages.
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

// Taxonomies in which a multilingual site keeps the language of posts and of terms, and the versions of each.
const (
	OfPosts     = "language"
	OfTerms     = "term_language"
	PostsGroups = "post_translations"
	TermsGroups = "term_translations"
)

// SlugPrefix begins the slugs of the languages of terms and of groups, which are in one table with those of posts.
const SlugPrefix = "pll_"

// Option holds the settings of such a site.
const Option = "polylang"

// Language is one of a site.
type Language struct {
	Code   string // "nl"
	Name   string // in itself
	Locale string // "nl_NL"
	Flag   string // code of a country
}

// Of returns the languages of locales such as nl_NL. Each has another one.
func Of(locales []string) (all []Language, err error) {
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
			return nil, fmt.Errorf("%s and %s are of the same language: name one of them", other, locale)
		}
		found[code] = locale
		all = append(all, Language{code, display.Self.Name(language.Make(code)), locale, strings.ToLower(region.String())})
	}
	return all, nil
}

// Description returns what the term of a language says of it.
func (l Language) Description() string {
	var settings phpval.Array
	settings.Set(phpval.StrKey("locale"), l.Locale)
	settings.Set(phpval.StrKey("rtl"), int64(0))
	settings.Set(phpval.StrKey("flag_code"), l.Flag)
	return phpval.Serialize(&settings)
}

// Settings returns the value of Option, with the code of the default language.
func Settings(code string) string {
	var settings phpval.Array
	settings.Set(phpval.StrKey("default_lang"), code)
	return phpval.Serialize(&settings)
}

// Add gives a site without languages these, if there are any, the first as the default one.
func Add(ctx context.Context, db bun.IDB, all []Language) error {
	if len(all) == 0 {
		return nil
	}
	for i, l := range all {
		if err := add(ctx, db, OfPosts, schema.Term{Name: l.Name, Slug: l.Code, Group: int64(i)}, l.Description()); err != nil {
			return err
		}
		if err := add(ctx, db, OfTerms, schema.Term{Name: l.Name, Slug: SlugPrefix + l.Code}, ""); err != nil {
			return err
		}
	}
	_, err := db.NewInsert().Model(&schema.Option{Name: Option, Value: Settings(all[0].Code), Autoload: "on"}).Exec(ctx)
	return err
}

func add(ctx context.Context, db bun.IDB, taxonomy string, t schema.Term, description string) error {
	if _, err := db.NewInsert().Model(&t).Exec(ctx); err != nil {
		return err
	}
	_, err := db.NewInsert().Model(&schema.TermTaxonomy{TermID: t.ID, Taxonomy: taxonomy, Description: description}).Exec(ctx)
	return err
}
