// Package wp contains what its subpackages share: escaping, numbers, slugs, stripping of tags, and the locales of
// sites, all as WordPress does it.
package wp

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Locale contains words that depend on the language of the site, not on that of a request. It is a line of locales.csv.
type Locale struct {
	Venue, Organizer, Category string // words in URLs, percent-encoded
	List, Month, Day, Today    string // words in URLs of The Events Calendar's own views
	Free, To                   string // for costs: "free", and the separator between the lowest and the highest
	UnitedStates               string // name of the country in addresses of venues
	Protected, Private         string // prefixes of titles in JSON-LD
	DecimalComma               bool   // the decimal separator is a comma
}

//go:embed locales.csv
var localesFile string

// locales contains the lines of locales.csv by the value of the option WPLANG. english is the locale of sites without
// that option.
var (
	locales = readLocales(localesFile)
	english = locales["en_US"]
)

// readLocales parses locales.csv. Its first line contains the names of the columns.
func readLocales(file string) map[string]*Locale {
	lines, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		panic(fmt.Sprint("locales.csv: ", err))
	}
	table := make(map[string]*Locale, len(lines))
	for _, line := range lines[1:] {
		cell := func(column string) string { return line[slices.Index(lines[0], column)] }
		table[cell("locale")] = &Locale{
			// The Events Calendar writes the percent-encoded bytes of these in upper case, but those of categories in
			// lower case.
			Venue: url.PathEscape(cell("venue")), Organizer: url.PathEscape(cell("organizer")),
			Category: strings.ToLower(url.PathEscape(cell("category"))),
			List:     cell("list"), Month: cell("month"), Day: cell("day"), Today: cell("today"),
			Free: cell("free"), To: cell("range"), UnitedStates: cell("country"),
			Protected: cell("protected"), Private: cell("private"), DecimalComma: cell("decimals") == "comma",
		}
	}
	return table
}

// LocaleOf returns a locale by name, English for "" and for names that are not in the table. The result is shared and
// must not be modified.
func LocaleOf(name string) *Locale {
	if l := locales[name]; l != nil {
		return l
	}
	return english
}

// KnownLocale reports whether the table contains the locale.
func KnownLocale(name string) bool { return name == "" || locales[name] != nil }

// Locales returns all locales, sorted by name. They are shared and must not be modified.
func Locales() []*Locale {
	list := make([]*Locale, 0, len(locales))
	for _, name := range slices.Sorted(maps.Keys(locales)) {
		list = append(list, locales[name])
	}
	return list
}
