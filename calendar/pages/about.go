package pages

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// about contains what a page shows about the venue, organizer, category or tag whose events it lists.
type about struct {
	calendar.Localized
	ID          int64
	Kind        string // venue, organizer, category or tag: a key of the dictionary
	Name        string
	Lang        string // language of Name; "" if it is the page's
	Description phrase
	Image       image
	Address     []string
	Map         string
	Phone       string
	Email       string
	Website     string
	Parents     []chip
	Children    []chip
	path        string // for a category: the slugs of its parents and its own
}

// about reads the venue, organizer, category or tag of a route.
func (c *client) about(ctx context.Context, v *version, to route, tree categoryTree) (about, error) {
	switch to.kind {
	case oneVenue:
		p, err := c.venues.BySlug(c.readingContext(ctx, v), to.slug, nil)
		if err != nil {
			return about{}, err
		}
		return aboutVenue(v, *p), nil
	case oneOrganizer:
		h, err := c.organizers.BySlug(c.readingContext(ctx, v), to.slug, nil)
		if err != nil {
			return about{}, err
		}
		return aboutOrganizer(v, *h), nil
	}
	t, err := c.term(ctx, v, to.kind, unescaped(to.slug))
	a := about{Kind: "tag"}
	a.call(v, t.Localized, t.ID, t.Name, t.Description)
	if to.kind == oneCategory {
		a.Kind, a.path = "category", tree.route(t).path
		for _, parent := range tree.parents(t) {
			a.Parents = append(a.Parents, v.chip(parent.Localized, parent.Name, tree.route(parent)))
		}
		for _, child := range tree.children(t.ID) {
			a.Children = append(a.Children, v.chip(child.Localized, child.Name, tree.route(child)))
		}
	}
	return a, err
}

func aboutVenue(v *version, p calendar.Venue) about {
	a := about{
		Kind: "venue", Image: v.at.image(p.Image, "large"), Address: addressLines(p), Map: mapLink(p), Phone: p.Phone, Website: p.Website,
	}
	a.call(v, p.Localized, p.ID, p.Name, p.Description)
	return a
}

func aboutOrganizer(v *version, h calendar.Organizer) about {
	a := about{Kind: "organizer", Image: v.at.image(h.Image, "large"), Phone: h.Phone, Email: h.Email, Website: h.Website}
	a.call(v, h.Localized, h.ID, h.Name, h.Description)
	return a
}

// call sets the name and the description of an item, with their languages.
func (a *about) call(v *version, item calendar.Localized, id int64, name, description string) {
	a.Localized, a.ID = item, id
	a.Name, a.Lang = unmarked(name), v.foreign(item, name)
	a.Description = phrase{description, v.foreign(item, description)}
}

// located reports whether the coordinates of a venue are known.
func located(p calendar.Venue) bool {
	return p.Latitude != nil && p.Longitude != nil && (*p.Latitude != 0 || *p.Longitude != 0)
}

// mapLink returns a link to a map, by coordinates or otherwise by address. The page does not embed a map.
func mapLink(p calendar.Venue) string {
	if !located(p) {
		if lines := addressLines(p); p.Address != "" && len(lines) > 1 {
			return "https://www.openstreetmap.org/search?" + url.Values{"query": {strings.Join(lines, ", ")}}.Encode()
		}
		return ""
	}
	lat, lng := strconv.FormatFloat(*p.Latitude, 'f', -1, 64), strconv.FormatFloat(*p.Longitude, 'f', -1, 64)
	return "https://www.openstreetmap.org/?mlat=" + lat + "&mlon=" + lng + "#map=17/" + lat + "/" + lng
}

// term returns the category or tag with a slug. It need not have events, since the API also returns the addresses of
// terms without any. If there is none in the language of v, term looks in the other languages.
func (c *client) term(ctx context.Context, v *version, k kind, slug string) (calendar.Term, error) {
	for i, asked := range append([]*version{v}, c.versions...) {
		if i > 0 && asked == v {
			continue
		}
		found, err := c.whole(ctx, asked, k, url.Values{"slug": {slug}, "hide_empty": {"false"}})
		if err != nil {
			return calendar.Term{}, err
		}
		for _, t := range found.Terms {
			return t, nil
		}
	}
	return calendar.Term{}, notFound()
}
