package pages

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A sitemap lists the pages for search engines. If it has more than partSize pages, it is an index of parts, one for
// each language, kind and partSize items. The format would allow 50,000 pages per file, but such a file would take long
// to create.
const (
	partSize   = 5000
	partPrefix = "/sitemap-"
)

// mapped are the kinds of items in a sitemap.
var mapped = []struct {
	route string
	kind  kind
}{{"events", oneEvent}, {"venues", oneVenue}, {"organizers", oneOrganizer}, {"categories", oneCategory}, {"tags", oneTag}}

type sitemapURL struct {
	Location string `xml:"loc"`
	Modified string `xml:"lastmod,omitempty"`
}

type sitemap struct {
	XMLName xml.Name
	Space   string       `xml:"xmlns,attr"`
	URLs    []sitemapURL `xml:"url"`
	Parts   []sitemapURL `xml:"sitemap"`
}

func newSitemap(root string) sitemap {
	return sitemap{XMLName: xml.Name{Local: root}, Space: "http://www.sitemaps.org/schemas/sitemap/0.9"}
}

// mapmaker creates sitemaps for a request.
type mapmaker struct {
	r        *http.Request
	client   *client
	versions []*version
	at       *addresses
}

func (s *Site) serveSitemap(w http.ResponseWriter, r *http.Request, path string) {
	v := s.versions[0]
	err := s.keep(w, r, v, "", func(w http.ResponseWriter, r *http.Request) error {
		m, err := mapmaker{r, s.client, s.versions, s.at}.make(path)
		if err != nil {
			return err
		}
		out := s.client.newBuffer(r.Context())
		_, _ = out.Write([]byte(xml.Header))
		if err := xml.NewEncoder(out).Encode(m); err != nil {
			return err
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		reply(w, r, "application/xml; charset=utf-8", out.Bytes())
		return nil
	})
	if err != nil {
		s.fail(w, r, v, route{kind: home}, err)
	}
}

// make creates the sitemap, its index, or one of its parts.
func (m mapmaker) make(path string) (sitemap, error) {
	if path != sitemapPath {
		return m.part(path)
	}
	all, index, total := newSitemap("urlset"), newSitemap("sitemapindex"), 0
	for _, v := range m.versions {
		for _, kind := range mapped {
			list, err := m.items(v, kind.kind, 1, 1)
			if err != nil {
				return all, err
			}
			total += list.Total
			for n := 1; (n-1)*partSize < list.Total; n++ {
				name := fmt.Sprintf("%s%s-%s-%d.xml", partPrefix, v.lang.Tag, kind.route, n)
				index.Parts = append(index.Parts, sitemapURL{Location: m.at.absolute(m.r, m.at.assets+name)})
			}
		}
	}
	if total > partSize {
		return index, nil
	}
	for _, v := range m.versions {
		for _, to := range []route{{kind: home}, {kind: aboutPage}} {
			all.URLs = append(all.URLs, sitemapURL{Location: m.at.absolute(m.r, v.link(to))})
		}
		for _, kind := range mapped {
			urls, err := m.urls(v, kind.kind, 1)
			if err != nil {
				return all, err
			}
			all.URLs = append(all.URLs, urls...)
		}
	}
	return all, nil
}

// part creates the part at a path such as /sitemap-nl-events-2.xml.
func (m mapmaker) part(path string) (sitemap, error) {
	part := newSitemap("urlset")
	for _, v := range m.versions {
		for _, kind := range mapped {
			number, ok := strings.CutPrefix(path, partPrefix+v.lang.Tag+"-"+kind.route+"-")
			n, err := strconv.Atoi(strings.TrimSuffix(number, ".xml"))
			if !ok || err != nil || number != strconv.Itoa(n)+".xml" || n < 1 {
				continue
			}
			part.URLs, err = m.urls(v, kind.kind, n)
			if err == nil && len(part.URLs) == 0 {
				err = notFound()
			}
			return part, err
		}
	}
	return part, notFound()
}

// items reads a page of the list of a kind: of events with any date, and of terms that have events.
func (m mapmaker) items(v *version, k kind, page, size int) (items, error) {
	q := url.Values{"per_page": {strconv.Itoa(size)}, "page": {strconv.Itoa(page)}}
	if k == oneEvent {
		for key, values := range everDates() {
			q[key] = values
		}
	}
	list, err := m.client.list(m.r.Context(), v, k, q)
	if isPastEnd(err) {
		return items{}, nil
	}
	return list, err
}

// urls returns the addresses in a part.
func (m mapmaker) urls(v *version, k kind, part int) ([]sitemapURL, error) {
	tree, err := m.client.tree(m.r.Context(), v)
	if err != nil {
		return nil, err
	}
	var urls []sitemapURL
	for page := (part-1)*partSize/askedAtOnce + 1; page <= part*partSize/askedAtOnce; page++ {
		list, err := m.items(v, k, page, askedAtOnce)
		if err != nil {
			return nil, err
		}
		for _, u := range list.urls(v, k, tree) {
			u.Location = m.at.absolute(m.r, u.Location)
			urls = append(urls, u)
		}
		if page >= list.TotalPages {
			break
		}
	}
	return urls, nil
}

// urls returns the paths of the items.
func (l items) urls(v *version, k kind, tree categoryTree) []sitemapURL {
	var urls []sitemapURL
	add := func(to route, modified time.Time) {
		u := sitemapURL{Location: v.link(to)}
		if n := len(urls); n > 0 && urls[n-1].Location == u.Location { // two occurrences of an event on the same day
			return
		}
		if !modified.IsZero() {
			u.Modified = modified.Format("2006-01-02T15:04:05Z")
		}
		urls = append(urls, u)
	}
	for _, e := range l.Events {
		if !e.Hidden && !v.others(e.Localized) {
			add(routeOf(e), e.Modified)
		}
	}
	for _, p := range l.Venues {
		add(route{kind: k, slug: p.Slug}, p.Modified)
	}
	for _, h := range l.Organizers {
		add(route{kind: k, slug: h.Slug}, h.Modified)
	}
	for _, t := range l.Terms {
		if k == oneCategory {
			add(tree.route(t), time.Time{})
		} else {
			add(route{kind: k, slug: t.Slug}, time.Time{})
		}
	}
	return urls
}

// serveRobots permits search engines to read everything except pages with filters, since each combination would be a
// page.
func serveRobots(w http.ResponseWriter, r *http.Request, at *addresses) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	fmt.Fprintf(w, "User-agent: *\nDisallow: /*?*q=\nDisallow: /*?*near=\nDisallow: /*?*ical=\n\nSitemap: %s\n",
		at.absolute(r, at.assets+sitemapPath))
}
