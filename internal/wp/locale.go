// Package wp holds what the packages below it share: escaping, numbers, slugs, texts without tags,
// and the site's locales.
package wp

import (
	"cmp"
	"strings"
)

// Locale is what a site shows in its own language, whatever the language of a
// request. A locale of the site is added here and nowhere else.
type Locale struct {
	Venue, Organizer, Category string // words in addresses
	Free, To                   string // for costs: of 0, and between the lowest and the highest
	DecimalComma               bool   // decimals are written after a comma
	UnitedStates               string // the country, as venues name it
	Protected, Private         string // what JSON-LD shows before titles
}

var english = Locale{"venue", "organizer", "category", "Free", " – ", false, "United States", "Protected: ", "Private: "}

// locales are the entries by the site's option WPLANG; an entry of a language
// alone is for the other locales of that language.
var locales = map[string]*Locale{
	"nl_NL": {"locatie", "organisator", "categorie", "Gratis", " – ", true, "Verenigde Staten", "Beschermd: ", "Privé: "},
	"nl_BE": {"locatie", "organisator", "categorie", "Gratis", " – ", true, "Verenigde Staten", "Beschermd: ", "Privé: "},
	"nl":    {"venue", "organizer", "category", "Free", " – ", true, "United States", "Beschermd: ", "Privé: "},
	"fr_FR": {"lieu", "organisateur", "categorie", "Gratuit", " à ", true, "États-Unis", "Protégé : ", "Privé : "},
	"fr_CA": {"lieu", "organisateur", "categorie", "Gratuit", " – ", true, "États-Unis", "Protégé : ", "Privé : "},
	"fr":    {"venue", "organizer", "category", "Free", " – ", true, "United States", "Protégé : ", "Privé : "},
}

// LocaleOf returns the entry of a locale, else that of its language, else the
// English one. The result is shared.
func LocaleOf(name string) *Locale {
	language, _, _ := strings.Cut(name, "_")
	return cmp.Or(locales[name], locales[language], &english)
}

// UnitedStates reports whether a venue's country is the United States, by its
// English name or by that in the site's language.
func UnitedStates(country, locale string) bool {
	return country == english.UnitedStates || country == LocaleOf(locale).UnitedStates
}
