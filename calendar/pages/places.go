package pages

import (
	"context"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// paramNear selects events near a place: the name of one, which the visitor chose, or coordinates from the browser,
// such as 51.05,3.72.
const paramNear = "near"

// venuesByName reads the venues in alphabetical order, up to the size of a menu.
func (c *client) venuesByName(ctx context.Context, v *version) ([]calendar.Venue, error) {
	byName := url.Values{"orderby": {"title"}, "order": {"asc"}}
	return readAll(ctx, c, v, oneVenue, byName, menuPages, func(l items) []calendar.Venue { return l.Venues })
}

// place is a city, or a venue without a city. Its coordinates are the mean of its venues'.
type place struct {
	name     string
	lat, lng float64
}

// placesOf returns the places of the venues with known coordinates, by name.
func placesOf(venues []calendar.Venue) (list []place) {
	in := map[string][]calendar.Venue{}
	for _, p := range venues {
		name := unmarked(p.City)
		if name == "" {
			name = unmarked(p.Name)
		}
		if located(p) && name != "" && !isPoint(name) {
			in[name] = append(in[name], p)
		}
	}
	for name, there := range in {
		at := place{name: name}
		for _, p := range there {
			at.lat += *p.Latitude / float64(len(there))
			at.lng += *p.Longitude / float64(len(there))
		}
		list = append(list, at)
	}
	slices.SortFunc(list, func(a, b place) int { return strings.Compare(a.name, b.name) })
	return list
}

// point returns the coordinates in the form of the API's parameter.
func (p place) point() string {
	return strconv.FormatFloat(p.lat, 'f', 4, 64) + "," + strconv.FormatFloat(p.lng, 'f', 4, 64)
}

// isPoint reports whether a text consists of coordinates.
func isPoint(text string) bool {
	first, second, _ := strings.Cut(text, ",")
	lat, err := strconv.ParseFloat(first, 64)
	lng, wrong := strconv.ParseFloat(second, 64)
	return err == nil && wrong == nil && math.Abs(lat) <= 90 && math.Abs(lng) <= 180
}

// near returns the filter for a place. If it has no such name in the language of v, near looks in the other languages,
// since what other sites show follows the language of their pages. If no venue is in a place with this name, the error
// is notFound.
func (c *client) near(ctx context.Context, v *version, to string) (filter, error) {
	f := filter{item: calendar.Localized{Language: v.lang.Tag}, name: v.texts.word("near.you"), param: paramNear, asked: paramNear,
		value: to, index: -1}
	if isPoint(to) {
		return f, nil
	}
	for i, asked := range append([]*version{v}, c.versions...) {
		if i > 0 && asked == v {
			continue
		}
		venues, err := c.venuesByName(ctx, asked)
		if err != nil {
			return f, err
		}
		places := placesOf(venues)
		if at := slices.IndexFunc(places, func(p place) bool { return p.name == to }); at >= 0 {
			f.name, f.value = v.fill("near.place", to), places[at].point()
			return f, nil
		}
	}
	return f, notFound()
}
