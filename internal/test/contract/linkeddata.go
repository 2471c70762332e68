package contract

import (
	_ "embed" // for the recorded cases
	"encoding/json"
	"html"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// linkedDataFile are recorded JSON-LD objects of venues and organizers, by the
// meta rows they are made of, and addresses of events.
//
//go:embed testdata/json-ld.json
var linkedDataFile []byte

// linkedCase is the recorded JSON-LD of a venue or organizer.
type linkedCase struct {
	In    map[string]string
	Title string
	Out   map[string]any
}

// rows are its meta rows.
func (c linkedCase) rows() (rows [][2]string) {
	for _, key := range slices.Sorted(maps.Keys(c.In)) {
		rows = append(rows, [2]string{key, c.In[key]})
	}
	return rows
}

// want is the object as this service answers it: without an address that leads
// to no page, which the recording has.
func (c linkedCase) want() map[string]any {
	if c.Out["@type"] == "Place" && c.In[schema.MetaVenueURL] == "javascript:alert(1)" {
		c.Out["sameAs"] = ""
	}
	if email, ok := c.Out["email"].(map[string]any); ok {
		c.Out["email"] = email["decoded_once"]
	}
	return c.Out
}

type linkedCases struct {
	Venue, Organizer []linkedCase
	Event            []struct {
		Structure string `json:"permalink_structure"`
		Slug, URL string
		LD        string `json:"json_ld.url"`
		Offer     string `json:"json_ld.offers.url"`
	}
}

func loadLinkedCases(t *testing.T) (all linkedCases) {
	t.Helper()
	if err := json.Unmarshal(linkedDataFile, &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Venue) != 5 || len(all.Organizer) != 5 || len(all.Event) != 10 {
		t.Fatalf("%d venues, %d organizers, %d events", len(all.Venue), len(all.Organizer), len(all.Event))
	}
	return all
}

// recordedLinkedData: the JSON-LD of venues and organizers, read alone and in an
// event, as recorded: escaped, trimmed, without markup and without "0".
func recordedLinkedData(t *testing.T, e Engine) {
	all := loadLinkedCases(t)
	s := newSite(t, e)
	for i, v := range all.Venue {
		s.venue(thing{slug: "v" + strconv.Itoa(i), title: v.Title, meta: v.rows()})
	}
	for i, o := range all.Organizer {
		n := strconv.Itoa(i)
		s.organizer(thing{slug: "o" + n, title: o.Title, meta: o.rows()})
		s.event(thing{slug: "e" + n, start: "2030-07-01 20:00", venues: []string{"v" + n}, organizers: []string{"o" + n}})
	}
	c := s.client(calendar.Options{})
	compare := func(path string, want map[string]any, steps ...any) {
		t.Helper()
		a := c.get(s.path(path), "")
		var got map[string]any
		if json.Unmarshal([]byte(a.at(steps...)), &got) != nil {
			t.Fatalf("%s: %s", a.request, a.at(steps...))
		}
		if email, _ := got["email"].(string); email != "" {
			if got["email"] = html.UnescapeString(email); strings.ContainsAny(email, "@.") {
				t.Errorf("%s: the e-mail address %s can be read by harvesters", a.request, email)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s %v\n got %v\nwant %v", a.request, steps, got, want)
		}
	}
	for i := range all.Venue {
		n := strconv.Itoa(i)
		venue, organizer := all.Venue[i].want(), all.Organizer[i].want()
		compare("/venues/{v"+n+"}", venue, "json_ld")
		compare("/organizers/{o"+n+"}", organizer, "json_ld")
		compare("/events/{e"+n+"}", venue, "json_ld", "location")
		compare("/events/{e"+n+"}", organizer, "json_ld", "organizer")
		compare("/events/{e"+n+"}", venue, "venue", "json_ld")
		compare("/events/{e"+n+"}", organizer, "organizer", 0, "json_ld")
	}
}

// linkedAddresses: the addresses of events in JSON-LD end in a slash under every
// structure of permalinks, as recorded.
func linkedAddresses(t *testing.T, e Engine) {
	all := loadLinkedCases(t)
	s := newSite(t, e)
	for _, slug := range []string{"ld-e0", "ld-e1"} {
		s.event(thing{slug: slug, start: "2030-07-01 20:00", meta: [][2]string{{schema.MetaCost, "5"}}})
	}
	s.event(thing{slug: "draft", status: "draft", start: "2030-07-01 20:00", meta: [][2]string{{schema.MetaCost, "5"}}})
	here := func(address string) string { return strings.Replace(address, "http://127.0.0.1:8080", Site, 1) }
	draft := Site + s.path("/?post_type=tribe_events&p={draft}")
	for _, x := range all.Event {
		s.option(schema.OptionPermalinks, x.Structure)
		c := s.client(calendar.Options{})
		same(t, c.get(s.path("/events/{"+x.Slug+"}"), ""), map[string]string{
			"url": here(x.URL), "json_ld/url": here(x.LD), "json_ld/offers/url": here(x.Offer),
		})
		linked := draft + "%2F/"
		if x.Structure == "" {
			linked = draft
		}
		same(t, c.get(s.path("/events/{draft}"), "admin"), map[string]string{"url": draft, "json_ld/url": linked, "json_ld/offers/url": linked})
	}
}

// linkedPlaces: which of the stored fields is the region of a venue, and which
// addresses of venues may be followed.
func linkedPlaces(t *testing.T, e Engine) {
	s := newSite(t, e)
	both := func(country string, more ...[2]string) [][2]string {
		return append([][2]string{{schema.MetaVenueCountry, country}, {schema.MetaVenueProvince, "Gent & Aalst"}}, more...)
	}
	regions := map[string]string{"ohio": "OH", "nowhere": "absent", "belgium": "Gent &amp; Aalst", "blank": "Gent &amp; Aalst", "zero": "Gent &amp; Aalst", "field": "A & B"}
	s.venue(thing{slug: "ohio", meta: both("United States", [2]string{schema.MetaVenueState, "<b>OH</b>"})})
	s.venue(thing{slug: "nowhere", meta: both("United States")})
	s.venue(thing{slug: "belgium", meta: both("Belgium", [2]string{schema.MetaVenueState, "OH"})})
	s.venue(thing{slug: "blank", meta: both("Belgium", [2]string{schema.MetaVenueStateProvince, ""})})
	s.venue(thing{slug: "zero", meta: both("Belgium", [2]string{schema.MetaVenueStateProvince, "0"})})
	s.venue(thing{slug: "field", meta: both("United States", [2]string{schema.MetaVenueState, "OH"}, [2]string{schema.MetaVenueStateProvince, " A & <i>B</i>"})})
	addresses := map[string]string{
		"https://e.org/a b": "https://e.org/a b", "HTTP://e.org": "HTTP://e.org", "e.org:8080/x": "e.org:8080/x", "e.org/a:b": "e.org/a:b", "?a:b": "?a:b", "": "",
		"mailto:a@e.org": "", "JavaScript:alert(1)": "", " data:text/html,x": "", "java\nscript:alert(1)": "", " https://e.org/<b>\"x\"</b> ": " https://e.org/<b>\"x\"</b> ",
		"javascript&#58;alert(1)": "", "javascript&colon;alert(1)": "", "java&Tab;script:alert(1)": "", "&#1;javascript:alert(1)": "", "tel:5": "",
	}
	for i, address := range slices.Sorted(maps.Keys(addresses)) {
		s.venue(thing{slug: "at" + strconv.Itoa(i), meta: [][2]string{{schema.MetaVenueURL, address}}})
	}
	c := s.client(calendar.Options{})
	for slug, want := range regions {
		same(t, c.get(s.path("/venues/{"+slug+"}"), ""), map[string]string{"json_ld/address/addressRegion": want})
	}
	for i, address := range slices.Sorted(maps.Keys(addresses)) {
		same(t, c.get(s.path("/venues/{at"+strconv.Itoa(i)+"}"), ""), map[string]string{"json_ld/sameAs": addresses[address]})
	}
	s.exec("UPDATE ?(prefix)postmeta SET meta_value = ? WHERE meta_key = ? AND meta_value = ?", "États-Unis", schema.MetaVenueCountry, "United States")
	s.option(schema.OptionLanguage, "fr_FR")
	c = s.client(calendar.Options{})
	for _, slug := range []string{"ohio", "nowhere"} {
		same(t, c.get(s.path("/venues/{"+slug+"}"), ""), map[string]string{"json_ld/address/addressRegion": regions[slug]})
	}
}

// linkedImages: the image in JSON-LD is the address of the file, be it an image
// or not, while the image of the item is none.
func linkedImages(t *testing.T, e Engine) {
	s := newSite(t, e)
	file := func(slug, mime, name string) {
		s.post("attachment", thing{slug: slug, status: "inherit"})
		s.exec("UPDATE ?(prefix)posts SET post_mime_type = ? WHERE ID = ?", mime, s.of(slug))
		s.meta(slug, schema.MetaAttachedFile, name)
	}
	file("folder", "application/pdf", "2030/06/folder.pdf")
	file("poster", "image/jpeg", "2030/06/poster.jpg")
	image := func(slug string) [][2]string { return [][2]string{{schema.MetaThumbnailID, slug}} }
	s.venue(thing{slug: "hall", meta: image(s.text("folder"))})
	s.event(thing{slug: "e", start: "2030-07-01 20:00", venues: []string{"hall"}, meta: image(s.text("folder"))})
	s.event(thing{slug: "p", start: "2030-07-01 20:00", meta: image(s.text("poster"))})
	s.event(thing{slug: "gone", start: "2030-07-01 20:00", meta: image("99999")})
	c := s.client(calendar.Options{})
	uploads := Site + "/wp-content/uploads/2030/06/"
	same(t, c.get(s.path("/events/{e}"), ""), map[string]string{
		"image/url": "false", "json_ld/image": uploads + "folder.pdf", "json_ld/location/image": uploads + "folder.pdf",
	})
	same(t, c.get(s.path("/venues/{hall}"), ""), map[string]string{"json_ld/image": uploads + "folder.pdf"})
	same(t, c.get(s.path("/events/{p}"), ""), map[string]string{"image/url": uploads + "poster.jpg", "json_ld/image": uploads + "poster.jpg"})
	same(t, c.get(s.path("/events/{gone}"), ""), map[string]string{"image/url": "false", "json_ld/image": "false"})
}

// linkedPrices: a cost that says free has the price "0", in any letter case and
// in the language of the site.
func linkedPrices(t *testing.T, e Engine) {
	s := newSite(t, e)
	costs := map[string]string{
		"free": "0", "FREE": "0", " fReE ": "0", "0.00": "0", "Free entry": "Free entry", "10-20": "10 – 20", "0 - 10": "Free – 10", "GRATIS": "GRATIS", "a & b": "a &amp; b",
	}
	dutch := map[string]string{"0.00": "0", "GRATIS": "0", "FREE": "0", "0 - 10": "Gratis – 10"}
	for i, cost := range slices.Sorted(maps.Keys(costs)) {
		s.event(thing{slug: "e" + strconv.Itoa(i), start: "2030-07-01 20:00", meta: [][2]string{{schema.MetaCost, cost}, {schema.MetaCurrencySymbol, "€"}}})
	}
	for locale, want := range map[string]map[string]string{"": costs, "nl_NL": dutch} {
		s.option(schema.OptionLanguage, locale)
		c := s.client(calendar.Options{})
		for i, cost := range slices.Sorted(maps.Keys(costs)) {
			if price, ok := want[cost]; ok {
				same(t, c.get(s.path("/events/{e"+strconv.Itoa(i)+"}"), ""), map[string]string{"json_ld/offers/price": price})
			}
		}
	}
}

// linkedMoments: validFrom is the day of publication whatever format the site
// prints dates in, and a time that the site's own zone leaves out is shown as it
// is stored.
func linkedMoments(t *testing.T, e Engine) {
	s := newSite(t, e)
	s.event(thing{slug: "e", start: "2030-07-01 20:00", posted: "2030-05-04 23:30:00", meta: [][2]string{{schema.MetaCost, "5"}}})
	s.event(thing{slug: "gap", start: "2030-03-31 02:30", end: "2030-03-31 02:45", zone: "America/New_York"})
	for _, format := range []string{"F j, Y", "d/m/Y", "j F", "\\n\\o\\n\\e", ""} {
		s.option(schema.OptionDateFormat, format)
		same(t, s.client(calendar.Options{}).get(s.path("/events/{e}"), ""), map[string]string{"json_ld/offers/validFrom": "2030-05-04T00:00:00+00:00"})
	}
	same(t, s.client(calendar.Options{}).get(s.path("/events/{gap}"), ""), map[string]string{
		"start_date": "2030-03-31 02:30:00", "json_ld/startDate": "2030-03-31T02:30:00-04:00", "json_ld/endDate": "2030-03-31T02:45:00-04:00",
	})
}

// facesAsTyped: a site without the option that turns typed faces into pictures
// shows them as they are.
func facesAsTyped(t *testing.T, e Engine) {
	s := newSite(t, e)
	s.event(thing{slug: "e", content: "Come :)", excerpt: "Now :)", start: "2030-07-01 20:00"})
	same(t, s.client(calendar.Options{}).get(s.path("/events/{e}"), ""), map[string]string{"description": "<p>Come 🙂</p>", "excerpt": "<p>Now 🙂</p>"})
	typed := map[string]string{"description": "<p>Come :)</p>", "excerpt": "<p>Now :)</p>"}
	for _, value := range []string{"0", ""} {
		s.option(schema.OptionUseSmilies, value)
		same(t, s.client(calendar.Options{}).get(s.path("/events/{e}"), ""), typed)
	}
	s.exec("DELETE FROM ?(prefix)options WHERE option_name = ?", schema.OptionUseSmilies)
	same(t, s.client(calendar.Options{}).get(s.path("/events/{e}"), ""), typed)
}

// embeddedTerms: what an embedding needs of a category leads to no parent.
func embeddedTerms(t *testing.T, e Engine) {
	s := newSite(t, e)
	s.term("tribe_events_cat", "music", "Music", "")
	s.term("tribe_events_cat", "rock", "Rock", "music")
	c := s.client(calendar.Options{})
	up := Site + strings.TrimPrefix(Root, Site) + s.path("/categories/{music}")
	same(t, c.get(s.path("/categories/{rock}"), ""), map[string]string{"urls/up": up, "_links/up/0/href": up})
	same(t, c.get(s.path("/categories/{rock}?context=embed"), ""), map[string]string{"urls/up": "absent", "_links/up": "absent", "slug": "rock"})
	for _, context := range []string{"view", "embed"} {
		a := c.get("/categories?hide_empty=false&context="+context, "")
		if got := strings.Contains(string(a.body), `"up"`); got != (context == "view") {
			t.Errorf("%s: %s", a.request, a.body)
		}
	}
}
