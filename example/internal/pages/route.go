package pages

import (
	"net/url"
	"slices"
	"strings"
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
)

// route is an address without its language.
type route struct {
	kind kind
	slug string // percent-encoded, as in the interface
	path string // of a category: its parents and itself; of an archive: what follows "events"
}

// words are the segments that sites translate. Each is valid in every language.
type words struct{ venue, organizer, category, about, list, month, day, today string }

var segmentWords = map[string]words{
	"en": {"venue", "organizer", "category", "about", "list", "month", "day", "today"},
	"nl": {"locatie", "organisator", "categorie", "over", "lijst", "maand", "dag", "vandaag"},
	"fr": {"lieu", "organisateur", "categorie", "a-propos", "liste", "mois", "jour", "aujourdhui"},
}

func isWord(segment string, pick func(words) string) bool {
	for _, w := range segmentWords {
		if pick(w) == segment {
			return true
		}
	}
	return false
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
	case len(parts) >= 3 && parts[0] == "events" && isWord(parts[1], func(w words) string { return w.category }):
		return route{kind: oneCategory, slug: last, path: strings.Join(parts[2:], "/")}, true
	case len(parts) >= 2 && parts[0] == "events":
		return route{kind: oldArchive, path: strings.Join(parts[1:], "/")}, true
	case len(parts) == 1 && isWord(parts[0], func(w words) string { return w.about }):
		return route{kind: aboutPage}, true
	case len(parts) != 2:
		return route{}, false
	case parts[0] == "event":
		return route{kind: oneEvent, slug: last}, true
	case parts[0] == "tag":
		return route{kind: oneTag, slug: last}, true
	case isWord(parts[0], func(w words) string { return w.venue }):
		return route{kind: oneVenue, slug: last}, true
	case isWord(parts[0], func(w words) string { return w.organizer }):
		return route{kind: oneOrganizer, slug: last}, true
	}
	return route{}, false
}

// plain reads the query of a site without pretty addresses, such as /?tribe_events=slug.
func plain(query url.Values) (route, bool) {
	for name, k := range map[string]kind{
		"tribe_events": oneEvent, "tribe_venue": oneVenue, "tribe_organizer": oneOrganizer, "tribe_events_cat": oneCategory, "tag": oneTag,
	} {
		if slug := query.Get(name); slug != "" {
			slug = url.PathEscape(slug)
			return route{kind: k, slug: slug, path: slug}, true
		}
	}
	return route{}, false
}

// link returns the address of a route in a language.
func (v *version) link(r route) string {
	w := v.words
	switch r.kind {
	case oneEvent:
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
	return v.lang.Prefix + "/"
}
