package calendar

import "github.com/agendahq/agenda/internal/wp"

// PageWords are the words in the addresses of a site's pages, as The Events Calendar translates them to the site's
// language: "/venue/hall/", "/events/category/music/".
type PageWords struct {
	Venue, Organizer, Category string // percent-encoded
	List, Month, Day, Today    string // views of the calendar
}

// PageWordsOf returns the words of a locale such as "nl_NL", or the English ones if the locale is unknown.
func PageWordsOf(locale string) PageWords { return pageWords(wp.LocaleOf(locale)) }

// AllPageWords returns the words of all locales.
func AllPageWords() (all []PageWords) {
	for _, l := range wp.Locales() {
		all = append(all, pageWords(l))
	}
	return all
}

func pageWords(l *wp.Locale) PageWords {
	return PageWords{
		Venue: l.Venue, Organizer: l.Organizer, Category: l.Category, List: l.List, Month: l.Month, Day: l.Day, Today: l.Today,
	}
}
