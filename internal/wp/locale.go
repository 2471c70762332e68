// Package wp holds what the packages below it share: escaping, numbers, slugs, texts without tags,
// and the site's locales.
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

// Locale is what a site shows in its own language, whatever the language of a
// request. A locale of the site is a line of locales.csv and nothing else.
type Locale struct {
	Venue, Organizer, Category string // words in addresses, percent-encoded
	List, Month, Day, Today    string // words in the addresses of the site's own calendar
	Free, To                   string // for costs: of 0, and between the lowest and the highest
	UnitedStates               string // the country, as venues name it
	Protected, Private         string // what JSON-LD shows before titles
	DecimalComma               bool   // decimals are written after a comma
}

//go:embed locales.csv
var localesFile string

// locales are the lines of locales.csv by the site's option WPLANG, and english
// is that of a site without one.
var (
	locales = readLocales(localesFile)
	english = locales["en_US"]
)

// readLocales reads the table. Its first line names the columns.
func readLocales(file string) map[string]*Locale {
	lines, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		panic(fmt.Sprint("locales.csv: ", err))
	}
	table := make(map[string]*Locale, len(lines))
	for _, line := range lines[1:] {
		cell := func(column string) string { return line[slices.Index(lines[0], column)] }
		table[cell("locale")] = &Locale{
			// The site's own software writes these octets in capitals, and those of categories not.
			Venue: url.PathEscape(cell("venue")), Organizer: url.PathEscape(cell("organizer")),
			Category: strings.ToLower(url.PathEscape(cell("category"))),
			List:     cell("list"), Month: cell("month"), Day: cell("day"), Today: cell("today"),
			Free: cell("free"), To: cell("range"), UnitedStates: cell("country"),
			Protected: cell("protected"), Private: cell("private"), DecimalComma: cell("decimals") == "comma",
		}
	}
	return table
}

// LocaleOf returns the entry of a locale, the English one for "" and for a locale
// that is not in the table. The result is shared.
func LocaleOf(name string) *Locale {
	if l := locales[name]; l != nil {
		return l
	}
	return english
}

// KnownLocale reports whether LocaleOf returns the entry of this very locale.
func KnownLocale(name string) bool { return name == "" || locales[name] != nil }

// Locales returns all entries, in the order of their names. They are shared.
func Locales() []*Locale {
	list := make([]*Locale, 0, len(locales))
	for _, name := range slices.Sorted(maps.Keys(locales)) {
		list = append(list, locales[name])
	}
	return list
}
