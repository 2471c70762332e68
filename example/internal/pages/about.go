package pages

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/calendar"
)

// about describes the venue, organizer, category or tag of a list of events.
type about struct {
	calendar.Localized
	ID          int64
	Kind        string // key of the dictionary: venue, organizer, category, tag
	Name        string
	Description string
	Image       image
	Address     []string
	Map         string
	Phone       string
	Email       string
	Website     string
	Parents     []chip
	Children    []chip
	path        string // of a category, with all its parents
}

// about reads the owner of a list.
func (s *site) about(ctx context.Context, v *version, to route, tree categoryTree) (about, error) {
	switch to.kind {
	case oneVenue:
		p, err := get[calendar.Venue](ctx, s.client, v.lang, "/venues/by-slug/"+to.slug, nil)
		return s.aboutPlace(p), err
	case oneOrganizer:
		h, err := get[calendar.Organizer](ctx, s.client, v.lang, "/organizers/by-slug/"+to.slug, nil)
		return s.aboutHost(h), err
	}
	t, err := s.term(ctx, v, to.kind, unescaped(to.slug))
	a := about{Localized: t.Localized, ID: t.ID, Kind: "tag", Name: unmarked(t.Name), Description: t.Description}
	if to.kind == oneCategory {
		a.Kind, a.path = "category", tree.route(t).path
		for _, parent := range tree.parents(t) {
			a.Parents = append(a.Parents, chip{unmarked(parent.Name), v.link(tree.route(parent)), v.foreign(parent.Localized)})
		}
		for _, child := range tree.children(t.ID) {
			a.Children = append(a.Children, chip{unmarked(child.Name), v.link(tree.route(child)), v.foreign(child.Localized)})
		}
	}
	return a, err
}

func (s *site) aboutPlace(p calendar.Venue) about {
	return about{
		Localized: p.Localized, ID: p.ID, Kind: "venue", Name: unmarked(p.Name), Description: p.Description,
		Image:   s.image(p.Image, "large"),
		Address: addressLines(p), Map: mapLink(p), Phone: p.Phone, Website: p.Website,
	}
}

func (s *site) aboutHost(h calendar.Organizer) about {
	return about{
		Localized: h.Localized, ID: h.ID, Kind: "organizer", Name: unmarked(h.Name), Description: h.Description,
		Image: s.image(h.Image, "large"),
		Phone: h.Phone, Email: h.Email, Website: h.Website,
	}
}

// mapLink returns a link to a map; the page itself loads none.
func mapLink(p calendar.Venue) string {
	if p.Latitude == nil || p.Longitude == nil || *p.Latitude == 0 && *p.Longitude == 0 {
		return ""
	}
	lat, lng := strconv.FormatFloat(*p.Latitude, 'f', -1, 64), strconv.FormatFloat(*p.Longitude, 'f', -1, 64)
	return "https://www.openstreetmap.org/?mlat=" + lat + "&mlon=" + lng + "#map=17/" + lat + "/" + lng
}

// term finds a category or tag by its slug, an empty one too: the interface returns its address as well. One of another language is found
// if it has no version in that of the page.
func (s *site) term(ctx context.Context, v *version, k kind, slug string) (calendar.Term, error) {
	route := "/tags"
	if k == oneCategory {
		route = "/categories"
	}
	for i, asked := range append([]*version{v}, s.versions...) {
		if i > 0 && asked == v {
			continue
		}
		found, err := get[items](ctx, s.client, asked.lang, route, url.Values{"slug": {slug}, "hide_empty": {"false"}})
		if err != nil {
			return calendar.Term{}, err
		}
		for _, t := range append(slices.Clone(found.Categories), found.Tags...) {
			return t, nil
		}
	}
	return calendar.Term{}, notFound()
}
