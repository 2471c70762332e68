package pages

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// kind is the kind of page that an address leads to.
type kind int

const (
	home kind = iota
	oneEvent
	oneVenue
	oneOrganizer
	oneCategory
	oneTag
	aboutPage
	oldArchive
	framed  // page that other sites frame
	builder // page that creates HTML for other sites
	atomFeed
	jsonFeed
)

// route is a parsed address, independent of the language.
type route struct {
	kind kind
	slug string // percent-encoded, as in the API
	path string // for a category: the slugs of its parents and its own; for oldArchive: the part after "events"
	day  string // for a recurring event: the day of an occurrence, as YYYY-MM-DD
}

// words contains the translated segments in the addresses of pages in one language.
type words struct{ venue, organizer, category, about string }

func segments(locale, about string) words {
	l := calendar.PageWordsOf(locale)
	return words{l.Venue, l.Organizer, l.Category, about}
}

var segmentWords = map[string]words{
	"en": segments("en_US", "about"), "nl": segments("nl_NL", "over"), "fr": segments("fr_FR", "a-propos"),
}

// segment is the meaning of a translated segment of an address.
type segment int

const (
	venueWord segment = iota
	organizerWord
	categoryWord
	aboutWord
	listWord
	monthWord
	dayWord
	todayWord
)

// known contains the words of all locales of The Events Calendar, so that existing addresses of any site lead to these
// pages. Each word is valid in every language. One locale uses the same word for venues and organizers; it means
// organizers, as in seven other locales.
var known = func() map[segment]map[string]bool {
	all := map[segment]map[string]bool{}
	add := func(s segment, word string) {
		if all[s] == nil {
			all[s] = map[string]bool{}
		}
		all[s][decoded(word)] = true
	}
	for _, l := range calendar.AllPageWords() {
		for s, word := range map[segment]string{
			venueWord: l.Venue, organizerWord: l.Organizer, categoryWord: l.Category,
			listWord: l.List, monthWord: l.Month, dayWord: l.Day, todayWord: l.Today,
		} {
			add(s, word)
		}
	}
	for _, w := range segmentWords {
		add(aboutWord, w.about)
	}
	return all
}()

// is reports whether a segment of an escaped path is a word for s in any locale.
func is(part string, s segment) bool { return known[s][decoded(part)] }

func decoded(part string) string {
	text, err := url.PathUnescape(part)
	if err != nil {
		return part
	}
	return text
}

// parse parses an escaped path without the language's prefix. A slash at the end makes no difference.
func parse(path string) (route, bool) {
	inner, absolute := strings.CutPrefix(path, "/")
	trimmed := strings.TrimSuffix(inner, "/")
	if trimmed == "" {
		return route{kind: home}, path == "" || path == "/"
	}
	parts := strings.Split(trimmed, "/")
	if !absolute || slices.Contains(parts, "") { // not absolute: the prefix is only the beginning of a longer name
		return route{}, false
	}
	last := parts[len(parts)-1]
	switch {
	case len(parts) == 1 && parts[0] == "events":
		return route{kind: home}, true
	case len(parts) >= 3 && parts[0] == "events" && is(parts[1], categoryWord):
		return route{kind: oneCategory, slug: last, path: strings.Join(parts[2:], "/")}, true
	case len(parts) >= 2 && parts[0] == "events":
		return route{kind: oldArchive, path: strings.Join(parts[1:], "/")}, true
	case ownPaths[trimmed] != home:
		return route{kind: ownPaths[trimmed]}, true
	case len(parts) == 1 && is(parts[0], aboutWord):
		return route{kind: aboutPage}, true
	case len(parts) == 3 && parts[0] == "event" && isDay(last):
		return route{kind: oneEvent, slug: parts[1], day: last}, true
	case len(parts) != 2:
		return route{}, false
	case parts[0] == "event":
		return route{kind: oneEvent, slug: last}, true
	case parts[0] == "tag":
		return route{kind: oneTag, slug: last}, true
	case is(parts[0], organizerWord):
		return route{kind: oneOrganizer, slug: last}, true
	case is(parts[0], venueWord):
		return route{kind: oneVenue, slug: last}, true
	}
	return route{}, false
}

// ownPaths are the paths of pages that are not translated.
var ownPaths = map[string]kind{"embed": framed, "embed/new": builder, "feed": atomFeed, "feed/json": jsonFeed}

// plain parses the query of an address of a site with plain permalinks, such as /?tribe_events=slug.
func plain(query url.Values) (route, bool) {
	for name, k := range map[string]kind{
		"tribe_events": oneEvent, "tribe_venue": oneVenue, "tribe_organizer": oneOrganizer, "tribe_events_cat": oneCategory, "tag": oneTag,
	} {
		if slug := query.Get(name); slug != "" {
			slug = url.PathEscape(slug)
			r := route{kind: k, slug: slug, path: slug}
			if day := query.Get("eventDate"); k == oneEvent && isDay(day) {
				r.day = day
			}
			return r, true
		}
	}
	return route{}, false
}

// isDay reports whether a text is a day in the form YYYY-MM-DD.
func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// link returns the address of a route in a language.
func (v *version) link(r route) string {
	w := v.words
	switch r.kind {
	case oneEvent:
		if r.day != "" {
			return v.lang.Prefix + "/event/" + r.slug + "/" + r.day + "/"
		}
		return v.lang.Prefix + "/event/" + r.slug + "/"
	case oneVenue:
		return v.lang.Prefix + "/" + w.venue + "/" + r.slug + "/"
	case oneOrganizer:
		return v.lang.Prefix + "/" + w.organizer + "/" + r.slug + "/"
	case oneCategory:
		return v.lang.Prefix + "/events/" + w.category + "/" + r.path + "/"
	case oneTag:
		return v.lang.Prefix + "/tag/" + r.slug + "/"
	case aboutPage:
		return v.lang.Prefix + "/" + w.about + "/"
	}
	for path, k := range ownPaths {
		if k == r.kind {
			return v.lang.Prefix + "/" + path + "/"
		}
	}
	return v.lang.Prefix + "/"
}
