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
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// linkedDataFile contains recorded JSON-LD objects of venues and organizers, with the meta rows that they were made
// from, and URLs of events.
//
//go:embed testdata/json-ld.json
var linkedDataFile []byte

// linkedCase is the recorded JSON-LD of a venue or organizer.
type linkedCase struct {
	In    map[string]string
	Title string
	Out   map[string]any
}

// rows returns its meta rows.
func (c linkedCase) rows() (rows [][2]string) {
	for _, key := range slices.Sorted(maps.Keys(c.In)) {
		rows = append(rows, [2]string{key, c.In[key]})
	}
	return rows
}

// want returns the object that this service has to return. It differs from the recorded one in two members: a URL that
// leads to no page is empty, and the e-mail address is decoded once.
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
	must.Succeed(t, json.Unmarshal(linkedDataFile, &all))
	if len(all.Venue) != 5 || len(all.Organizer) != 5 || len(all.Event) != 10 {
		t.Fatalf("%d venues, %d organizers, %d events", len(all.Venue), len(all.Organizer), len(all.Event))
	}
	return all
}

// recordedLinkedData checks that the JSON-LD of venues and organizers, by themselves and in an event, is as recorded:
// escaped, trimmed, without markup and without "0".
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
	compare := func(path string, want map[string]any, steps ...string) {
		t.Helper()
		a := c.Get("", s.fill(path))
		var got map[string]any
		if json.Unmarshal([]byte(a.At(steps...)), &got) != nil {
			t.Fatalf("%s: %s", a.Request, a.At(steps...))
		}
		if email, _ := got["email"].(string); email != "" {
			if got["email"] = html.UnescapeString(email); strings.ContainsAny(email, "@.") {
				t.Errorf("%s: the e-mail address %s can be read by harvesters", a.Request, email)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s %v\n got %v\nwant %v", a.Request, steps, got, want)
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
		compare("/events/{e"+n+"}", organizer, "organizer", "0", "json_ld")
	}
}

// linkedAddresses checks that the URLs of events in JSON-LD end in a slash with every permalink structure, as recorded.
func linkedAddresses(t *testing.T, e Engine) {
	all := loadLinkedCases(t)
	s := newSite(t, e)
	for _, slug := range []string{"ld-e0", "ld-e1"} {
		s.event(thing{slug: slug, start: "2030-07-01 20:00", meta: [][2]string{{schema.MetaCost, "5"}}})
	}
	s.event(thing{slug: "draft", status: "draft", start: "2030-07-01 20:00", meta: [][2]string{{schema.MetaCost, "5"}}})
	here := func(address string) string { return strings.Replace(address, "http://127.0.0.1:8080", Site, 1) }
	draft := Site + s.fill("/?post_type=tribe_events&p={draft}")
	for _, x := range all.Event {
		s.option(schema.OptionPermalinks, x.Structure)
		c := s.client(calendar.Options{})
		is := func(a apitest.Answer, url, linked, offered string) {
			got := [3]string{a.Word("url"), a.At("json_ld", "url"), a.At("json_ld", "offers", "url")}
			if want := [3]string{url, quoted(linked), quoted(offered)}; got != want {
				t.Errorf("%s\n got  %q\n want %q", a.Request, got, want)
			}
		}
		is(c.Get("", s.fill("/events/{"+x.Slug+"}")), here(x.URL), here(x.LD), here(x.Offer))
		linked := draft + "%2F/"
		if x.Structure == "" {
			linked = draft
		}
		is(c.Get("admin", s.fill("/events/{draft}")), draft, linked, linked)
	}
}
