package pages

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// kind is the kind of page of an address.
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
	framed  // for other sites
	builder // of the HTML for them
	atomFeed
	jsonFeed
)

// route is an address without its language.
type route struct {
	kind kind
	slug string // percent-encoded, as in the interface
	path string // of a category: its parents and itself; of an archive: what follows "events"
	day  string // of an event with several dates: the day of one, as YYYY-MM-DD
}

// words are the segments of the pages' own addresses in one language.
type words struct{ venue, organizer, category, about string }

func segments(locale, about string) words {
	l := calendar.PageWordsOf(locale)
	return words{l.Venue, l.Organizer, l.Category, about}
}

var segmentWords = map[string]words{
	"en": segments("en_US", "about"), "nl": segments("nl_NL", "over"), "fr": segments("fr_FR", "a-propos"),
}

// segment is what a translated segment of an address says.
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

// known are the words of all locales that a site may have, so that its own addresses lead to ours. Each is valid in every language.
// One locale has the same word for venues and organizers; it means organizers, as in seven others.
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

// is reports whether a segment of an escaped path is a word for s in one of the languages.
func is(part string, s segment) bool { return known[s][decoded(part)] }

func decoded(part string) string {
	text, err := url.PathUnescape(part)
	if err != nil {
		return part
	}
	return text
}

// parse reads an escaped path without the language's prefix. Both forms, with and without a final slash, are the same route.
func parse(path string) (route, bool) {
	trimmed := strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/")
	if trimmed == "" {
		return route{kind: home}, path == "" || path == "/"
	}
	parts := strings.Split(trimmed, "/")
	if slices.Contains(parts, "") {
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

// ownPaths are the pages whose addresses are the same in all languages.
var ownPaths = map[string]kind{"embed": framed, "embed/new": builder, "feed": atomFeed, "feed/json": jsonFeed}

// plain reads the query of a site without pretty addresses, such as /?tribe_events=slug.
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

// isDay reports whether a text is a day, as YYYY-MM-DD.
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
