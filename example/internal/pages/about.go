package pages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
)

// about describes the venue, organizer, category or tag of a list of events.
type about struct {
	localized
	Kind        string // key of the dictionary: venue, organizer, category, tag
	Name        string
	Description text
	Image       image
	Address     []string
	Map         string
	Phone       string
	Email       string
	Website     string
	Children    []chip
	path        string // of a category, with all its parents
}

// about reads the owner of a list and the filter that selects its events; a list of everything has neither.
func (s *site) about(ctx context.Context, v *version, to route, tree categoryTree) (about, url.Values, error) {
	switch to.kind {
	case oneVenue:
		var p place
		err := s.client.get(ctx, v.lang, "/venues/by-slug/"+to.slug, nil, &p)
		return s.aboutPlace(p), byID("venue", p.ID), err
	case oneOrganizer:
		var h host
		err := s.client.get(ctx, v.lang, "/organizers/by-slug/"+to.slug, nil, &h)
		return s.aboutHost(h), byID("organizer", h.ID), err
	case oneCategory:
		t, err := s.term(ctx, v, "/categories", to.slug)
		a := about{localized: t.localized, Kind: "category", Name: unmarked(t.Name), Description: text(t.Description), path: tree.route(t).path}
		for _, child := range tree.children(t.ID) {
			a.Children = append(a.Children, chip{unmarked(child.Name), v.link(tree.route(child))})
		}
		return a, byID("categories", t.ID), err
	case oneTag:
		t, err := s.term(ctx, v, "/tags", to.slug)
		return about{localized: t.localized, Kind: "tag", Name: unmarked(t.Name), Description: text(t.Description)}, byID("tags", t.ID), err
	}
	return about{}, nil, nil
}

func byID(key string, id int) url.Values { return url.Values{key: {strconv.Itoa(id)}} }

func (s *site) aboutPlace(p place) about {
	return about{
		localized: p.localized, Kind: "venue", Name: unmarked(p.Name), Description: p.Description, Image: s.image(p.Image, "large"),
		Address: p.lines(), Map: p.mapLink(), Phone: string(p.Phone), Website: string(p.Website),
	}
}

func (s *site) aboutHost(h host) about {
	return about{
		localized: h.localized, Kind: "organizer", Name: unmarked(h.Name), Description: h.Description, Image: s.image(h.Image, "large"),
		Phone: string(h.Phone), Email: string(h.Email), Website: string(h.Website),
	}
}

// mapLink returns a link to a map; the page itself loads none.
func (p place) mapLink() string {
	if p.Lat == 0 && p.Lng == 0 {
		return ""
	}
	lat, lng := strconv.FormatFloat(p.Lat, 'f', -1, 64), strconv.FormatFloat(p.Lng, 'f', -1, 64)
	return "https://www.openstreetmap.org/?mlat=" + lat + "&mlon=" + lng + "#map=17/" + lat + "/" + lng
}

// term finds a category or tag by its slug, an empty one too: the interface returns its address as well. One of another language is linked
// if it has no version in that of the page.
func (s *site) term(ctx context.Context, v *version, route, slug string) (term, error) {
	name, err := url.PathUnescape(slug)
	if err != nil {
		return term{}, &refusal{status: http.StatusNotFound}
	}
	for i, asked := range append([]*version{v}, s.versions...) {
		if i > 0 && asked == v {
			continue
		}
		var found termList
		if err := s.client.get(ctx, asked.lang, route, url.Values{"slug": {name}, "hide_empty": {"false"}}, &found); err != nil {
			return term{}, err
		}
		for _, t := range append(found.Categories, found.Tags...) {
			return t, nil
		}
	}
	return term{}, &refusal{status: http.StatusNotFound}
}

// unanswerable reports whether the interface refused what a visitor searched for. The page then shows an empty list, not a failure.
func unanswerable(err error) bool {
	var refused *refusal
	return errors.As(err, &refused) && (refused.status == http.StatusBadRequest || refused.Code == "event-archive-page-not-found")
}
