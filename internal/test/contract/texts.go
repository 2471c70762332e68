package contract

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// same compares the values at paths of an answer with what is wanted.
func same(t *testing.T, a *answer, want map[string]string) {
	t.Helper()
	for path, w := range want {
		var steps []any
		for _, s := range strings.Split(path, "/") {
			if s == "0" || s == "1" {
				steps = append(steps, int(s[0]-'0'))
			} else {
				steps = append(steps, s)
			}
		}
		got := a.at(steps...)
		var text string
		if json.Unmarshal([]byte(got), &text) == nil {
			got = text
		}
		if got != w {
			t.Errorf("%s of %s\n got %s\nwant %s", path, a.request, got, w)
		}
	}
}

// renderedTexts: titles, descriptions, excerpts and costs as the site shows
// them, in the words of the site's own language and not of the request's.
func renderedTexts(t *testing.T, e Engine) {
	s := newSite(t, e)
	s.event(thing{
		slug: "e", title: `It's "5x6" -- & more`, start: "2030-07-01 20:00",
		content: "One \"line\"\nand another...\n\nNext & last", excerpt: "Don't",
		meta: [][2]string{{schema.MetaCost, "0"}, {schema.MetaCost, "12,50"}, {schema.MetaCurrencySymbol, "€"}, {schema.MetaCurrencyPosition, "prefix"}},
	})
	common := map[string]string{
		"title":                        `It&#8217;s &#8220;5&#215;6&#8221; &#8212; &#038; more`,
		"description":                  "<p>One &#8220;line&#8221;<br />\nand another&#8230;</p>\n<p>Next &#038; last</p>",
		"excerpt":                      "<p>Don&#8217;t</p>",
		"cost":                         "Free – €12,50",
		"cost_details/values":          `["0","12.50"]`,
		"json_ld/offers/priceCurrency": "USD",
	}
	for locale, words := range map[string][2]string{"": {"Free – €12,50", "Free – 12,50"}, "nl_NL": {"Gratis – €12,50", "Gratis – 12,50"}, "fr_FR": {"Gratuit à €12,50", "Gratuit à 12,50"}} {
		s.option(schema.OptionLanguage, locale)
		c := s.client(calendar.Options{})
		for _, root := range []string{"", "/fr"} {
			want := map[string]string{}
			for k, v := range common {
				want[k] = v
			}
			want["cost"], want["json_ld/offers/price"] = words[0], words[1]
			same(t, c.get(strings.Replace(Root, Site, Site+root, 1)+s.path("/events/{e}"), ""), want)
		}
	}
	s.option(schema.OptionLanguage, "")
	marks := calendar.EnglishMarks()
	marks.OpenDouble, marks.CloseDouble = "«&nbsp;", "&nbsp;»"
	same(t, s.client(calendar.Options{Site: calendar.Site{Marks: marks}}).get(s.path("/events/{e}"), ""), map[string]string{
		"title": `It&#8217;s «&nbsp;5&#215;6&nbsp;» &#8212; &#038; more`,
	})
}

// embedded: what a description names is shown from stored rows alone: cached
// embeddings and uploaded files, and nothing is written.
func embedded(t *testing.T, e Engine) {
	s := newSite(t, e)
	url := "https://video.example.org/1"
	s.post("oembed_cache", thing{slug: "5d6f5bbcd24a1b1b7a0b9ee1bd5b3c1f", content: "unused"})
	s.event(thing{slug: "plain", content: url, start: "2030-07-01 20:00"})
	c := s.client(calendar.Options{})
	same(t, c.get(s.path("/events/{plain}"), ""), map[string]string{"description": "<p>" + url + "</p>"})
	var rows int
	if err := s.db.NewRaw("SELECT COUNT(*) FROM ?(prefix)posts").Scan(t.Context(), &rows); err != nil || rows != 2 {
		t.Errorf("%d rows after reading, %v", rows, err)
	}
	s.post("attachment", thing{slug: "pic", status: "inherit", title: "Pic"})
	s.exec("UPDATE ?(prefix)posts SET post_mime_type = 'image/jpeg' WHERE ID = ?", s.of("pic"))
	s.meta("pic", schema.MetaAttachedFile, "2030/06/pic.jpg")
	s.meta("pic", schema.MetaAttachmentMetadata, `a:5:{s:5:"width";i:1200;s:6:"height";i:800;s:4:"file";s:15:"2030/06/pic.jpg";s:5:"sizes";a:1:{s:6:"medium";a:4:{s:4:"file";s:15:"pic-300x200.jpg";s:5:"width";i:300;s:6:"height";i:200;s:9:"mime-type";s:10:"image/jpeg";}}s:10:"image_meta";a:0:{}}`)
	img := `<img class="wp-image-` + s.text("pic") + `" src="` + Site + `/wp-content/uploads/2030/06/pic.jpg" alt="" />`
	s.event(thing{slug: "picture", content: img, start: "2030-07-02 20:00"})
	if got := c.get(s.path("/events/{picture}"), "").text("description"); !strings.Contains(got, "srcset=") || !strings.Contains(got, "pic-300x200.jpg 300w") {
		t.Errorf("a picture of the site has no sizes: %s", got)
	}
	s.exec("UPDATE ?(prefix)postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = ?", "", s.of("pic"), schema.MetaAttachmentMetadata)
	if got := c.get(s.path("/events/{picture}"), "").text("description"); strings.Contains(got, "300w") {
		t.Errorf("a change of the picture's metadata is not seen: %s", got)
	}
}

// linkedData: JSON-LD stands in single reads only, names the first venue and
// organizer that the caller sees, and marks private items.
func linkedData(t *testing.T, e Engine) {
	s := newSite(t, e)
	s.venue(thing{slug: "hidden", status: "draft"})
	s.venue(thing{slug: "hall", title: "The Hall", meta: [][2]string{
		{schema.MetaVenueCity, "Gent"}, {schema.MetaVenueState, "OH"}, {schema.MetaVenueCountry, "United States"}, {schema.MetaVenueURL, "hall.example.org/?a=1&b=2"}}})
	s.organizer(thing{slug: "club", meta: [][2]string{{schema.MetaOrganizerEmail, "a@b.be"}, {schema.MetaOrganizerWebsite, "club.example.org"}}})
	s.event(thing{slug: "e", title: "E", excerpt: "It's", start: "2030-07-01 20:00", zone: "America/New_York", posted: "2030-01-02 03:04:05",
		venues: []string{"hidden", "hall"}, organizers: []string{"club"}, meta: [][2]string{{schema.MetaCost, "10-20"}, {schema.MetaEventStatus, "canceled"}}})
	s.event(thing{slug: "free", start: "2030-07-02 20:00", venues: []string{"hidden"}, meta: [][2]string{{schema.MetaCost, "0"}, {schema.MetaCurrencyCode, "EUR"}}})
	s.event(thing{slug: "private", title: "P", status: "private", start: "2030-07-03 20:00"})
	s.event(thing{slug: "draft", title: "D", status: "draft", start: "2030-07-04 20:00"})
	s.event(thing{slug: "secret", password: "x", start: "2030-07-05 20:00"})
	c := s.client(calendar.Options{})
	same(t, c.get(s.path("/events/{e}"), ""), map[string]string{
		"json_ld/@context": "http://schema.org", "json_ld/name": "E", "json_ld/description": `&lt;p&gt;It\'s&lt;/p&gt;\n`,
		"json_ld/url": Site + "/event/e/", "json_ld/eventStatus": "https://schema.org/EventCancelled",
		"json_ld/startDate": "2030-07-01T20:00:00-04:00", "json_ld/endDate": "2030-07-01T21:00:00-04:00",
		"json_ld/location/name": "The Hall", "json_ld/location/address/addressRegion": "OH",
		"json_ld/location/sameAs": "hall.example.org/?a=1&b=2", "venue/json_ld/@type": "Place",
		"json_ld/organizer/url": "http://club.example.org", "json_ld/organizer/email": "&#97;&#64;&#98;&#46;&#98;&#101;",
		"organizer/0/json_ld/@type": "Person", "json_ld/offers/price": "10 – 20", "json_ld/offers/validFrom": "2030-01-02T00:00:00+00:00",
	})
	free := c.get(s.path("/events/{free}"), "")
	same(t, free, map[string]string{"json_ld/offers/price": "0", "json_ld/offers/priceCurrency": "EUR", "venue": "[]"})
	for _, absent := range []string{`"location"`, `"organizer":{`} {
		if strings.Contains(string(free.body), absent) {
			t.Errorf("D3: %s in %s", absent, free.body)
		}
	}
	same(t, c.get(s.path("/events/{private}"), "admin"), map[string]string{"json_ld/name": "Private: P", "title": "P"})
	same(t, c.get(s.path("/events/{draft}"), "admin"), map[string]string{"json_ld/url": Site + s.path("/?post_type=tribe_events&p={draft}") + "%2F/"})
	for _, path := range []string{"/events?start_date=2030-01-01&end_date=2031-01-01", "/venues", "/organizers", "/events/{secret}?password=x"} {
		if a := c.get(s.path(path), ""); a.status != 200 || strings.Contains(string(a.body), "json_ld") {
			t.Errorf("%s: %d with JSON-LD", path, a.status)
		}
	}
	s.option("tribe_events_calendar_options", `a:1:{s:26:"tribe_events_timezone_mode";s:4:"site";}`)
	same(t, s.client(calendar.Options{}).get(s.path("/events/{e}"), ""), map[string]string{"json_ld/startDate": "2030-07-02T02:00:00+02:00"})
}
