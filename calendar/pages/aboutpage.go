package pages

import (
	"html/template"
	"net/http"
)

// aboutPageData is the page that describes the calendar and how to subscribe to it.
type aboutPageData struct {
	frame
	API   string     // address of the API, shown as text
	Embed string     // address of the page that creates HTML for other sites
	Feeds []feedChip // feeds of the top-level categories
}

type feedChip struct {
	Name, Lang string
	Link       template.URL
}

func (s *Site) showAbout(w http.ResponseWriter, r *http.Request, v *version) error {
	tree, err := s.client.tree(r.Context(), v)
	if err != nil {
		return err
	}
	to := route{kind: aboutPage}
	p := aboutPageData{frame: s.frame(r, v, v.link(to), same(to), noItem), API: s.at.absolute(r, s.client.address(v.lang, "/")),
		Embed: v.link(route{kind: builder})}
	for _, t := range tree.roots() {
		feed := s.at.feed(r, v.link(tree.route(t))+"?ical=1")
		p.Feeds = append(p.Feeds, feedChip{unmarked(t.Name), v.foreign(t.Localized, t.Name), feed.Webcal})
	}
	p.Title, p.Description = v.fill("about.title", v.name), v.fill("about.lead", v.name)
	return s.render(w, r, v, http.StatusOK, "about.html", p)
}
