package contract

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// locked is a site with a protected event, venue and organizer that have all
// there is to hide.
func locked(t *testing.T, e Engine) *site {
	s := newSite(t, e)
	s.categories("cat")
	s.tags("tag")
	s.post("attachment", thing{slug: "photo", status: "inherit"})
	s.exec("UPDATE ?(prefix)posts SET post_mime_type = 'image/jpeg' WHERE ID = ?", s.of("photo"))
	s.meta("photo", schema.MetaAttachedFile, "2030/01/photo.jpg")
	image := [2]string{schema.MetaThumbnailID, s.text("photo")}
	s.venue(thing{
		slug: "vault", title: "Secret vault", content: "Hidden text", excerpt: "Hidden excerpt", password: "Open Sesame",
		meta: [][2]string{image, {schema.MetaVenueAddress, "Street 1"}, {schema.MetaVenueCity, "Gent"}, {schema.MetaVenueCountry, "Belgium"},
			{schema.MetaVenueProvince, "Oost"}, {schema.MetaVenueState, "NY"}, {schema.MetaVenueZip, "9000"}, {schema.MetaVenuePhone, "+32 9"},
			{schema.MetaVenueURL, "http://v.test"}, {schema.MetaVenueStateProvince, "NY"}, {schema.MetaVenueLat, "51.05"}, {schema.MetaVenueLng, "3.7"},
			{schema.MetaVenueShowMap, "1"}},
	})
	s.organizer(thing{
		slug: "agent", title: "Secret agent", content: "Hidden text", excerpt: "Hidden excerpt", password: "Open Sesame",
		meta: [][2]string{image, {schema.MetaOrganizerEmail, "a@b.test"}, {schema.MetaOrganizerPhone, "+44 7"}, {schema.MetaOrganizerWebsite, "http://o.test"}},
	})
	s.event(thing{
		slug: "ball", title: "Secret ball", content: "Hidden text", excerpt: "Hidden excerpt", password: "Open Sesame", start: "2030-07-01 20:00", order: -1,
		meta: [][2]string{image, {schema.MetaCost, "10"}, {schema.MetaCurrencySymbol, "€"}, {schema.MetaURL, "http://hush.invalid"}, {schema.MetaAllDay, "yes"},
			{schema.MetaFeatured, "1"}, {schema.MetaShowMap, "1"}},
		venues: []string{"vault"}, organizers: []string{"agent"}, terms: []string{"cat", "tag"},
	})
	s.event(thing{slug: "plain", start: "2030-07-02 20:00", venues: []string{"vault"}, organizers: []string{"agent"}})
	return s
}

var maskedEvent = [][2]string{
	{"title", `"Secret ball"`}, {"slug", `"ball"`}, {"status", `"publish"`}, {"start_date", `"2030-07-01 20:00:00"`}, {"timezone", `"Europe/Brussels"`},
	{"description", `""`}, {"excerpt", `""`}, {"cost", `""`}, {"website", `""`}, {"image", "false"}, {"all_day", "null"}, {"show_map", "null"},
	{"show_map_link", "null"}, {"hide_from_listings", "null"}, {"sticky", "null"}, {"featured", "null"}, {"categories", "[]"}, {"tags", "[]"},
	{"venue", "[]"}, {"organizer", "[]"}, {"custom_fields", "[]"},
	{"cost_details", `{"currency_code":"","currency_position":"","currency_symbol":"","values":[]}`},
}

var openEvent = [][2]string{
	{"description", `"\u003cp\u003eHidden text\u003c/p\u003e"`}, {"all_day", "true"}, {"sticky", "true"}, {"featured", "true"}, {"website", `"http://hush.invalid"`},
}

var maskedVenue = [][2]string{
	{"venue", `"Secret vault"`}, {"slug", `"vault"`}, {"description", `""`}, {"excerpt", `""`}, {"image", "false"}, {"address", `""`}, {"city", `""`},
	{"country", `""`}, {"province", `""`}, {"state", `""`}, {"zip", `""`}, {"phone", `""`}, {"website", `""`}, {"stateprovince", `""`}, {"geo_lat", "0"},
	{"geo_lng", "0"}, {"show_map", "null"}, {"show_map_link", "null"},
}

var openVenue = [][2]string{
	{"venue", `"Secret vault"`}, {"address", `"Street 1"`}, {"state", `"NY"`}, {"geo_lat", "51.05"}, {"show_map", "true"}, {"show_map_link", "true"},
}

var maskedOrganizer = [][2]string{
	{"organizer", `"Secret agent"`}, {"description", `""`}, {"excerpt", `""`}, {"image", "false"}, {"phone", `""`}, {"website", `""`}, {"email", `""`},
}

var openOrganizer = [][2]string{{"organizer", `"Secret agent"`}, {"phone", `"+44 7"`}, {"email", `"a@b.test"`}}

// holds compares members of an item of an answer.
func (a *answer) holds(t *testing.T, want [][2]string, path ...any) {
	t.Helper()
	for _, m := range want {
		if got := a.at(append(path, m[0])...); got != m[1] {
			t.Errorf("%s: %v %s is %s, want %s", a.request, path, m[0], got, m[1])
		}
	}
}

// passwords proves what a password hides, and whom it lets in.
func passwords(t *testing.T, e Engine) {
	s := locked(t, e)
	c := s.client(calendar.Options{})
	right, wrong := "password=Open%20Sesame", []string{"", "?password=open%20sesame", "?password=Open%20Sesame%20", "?password=x"}
	refused := "403 event-password-protected"
	for as := range map[string]bool{"": true, "admin": true, "author": true} {
		for _, query := range wrong {
			c.check(as, s.rows([]row{{"/events/{ball}" + query, refused}, {"/events/by-slug/ball" + query, refused}}))
		}
	}
	c.check("", s.rows([]row{
		{"/events/{ball}?password=", "400 rest_invalid_param password"}, {"/events/by-slug/ball?password=", refused},
		{"/events/{ball}?password[]=x", "400 rest_invalid_param password"}, {"/events/by-slug/ball?password[]=x", "400 rest_invalid_param password"},
		{"/venues/{vault}?password[]=x", "400 rest_invalid_param password"}, {"/events?password[x]=1", "400 rest_invalid_param password"},
	}))
	for _, path := range s.rows([]row{{"/events/{ball}?" + right, ""}, {"/events/by-slug/ball?" + right, ""}}) {
		a := c.get(path.path, "")
		a.holds(t, openEvent)
		if a.at("json_ld") != "absent" {
			t.Errorf("%s has json_ld", a.request)
		}
		a.holds(t, maskedVenue, "venue")
		a.holds(t, maskedOrganizer, "organizer", 0)
	}
	if a := c.send(s.path("/events/{ball}"), "", []byte(`{"password":"Open Sesame"}`)); a.summary() != "ball" {
		t.Errorf("password in JSON: %s", a.summary())
	}
	for _, query := range wrong {
		list := "/events" + query
		c.get(list, "").holds(t, maskedEvent, "events", 0)
		c.get(list, "admin").holds(t, maskedEvent, "events", 0)
		c.get("/venues"+query, "").holds(t, maskedVenue, "venues", 0)
		c.get(s.path("/venues/{vault}"+query), "admin").holds(t, maskedVenue)
		c.get("/venues/by-slug/vault"+query, "").holds(t, maskedVenue)
		c.get("/organizers"+query, "").holds(t, maskedOrganizer, "organizers", 0)
		c.get(s.path("/organizers/{agent}"+query), "").holds(t, maskedOrganizer)
	}
	c.get(s.path("/events?include={ball}&"+right), "").holds(t, openEvent, "events", 0)
	c.get("/events?"+right, "").holds(t, maskedEvent, "events", 0) // D60: a list tries it on events that it names
	c.get("/events?context=edit", "editor").holds(t, openEvent, "events", 0)
	c.get("/events?context=edit", "contributor").holds(t, maskedEvent, "events", 0)
	c.get("/venues?"+right, "").holds(t, maskedVenue, "venues", 0)
	c.get(s.path("/venues/{vault}?"+right), "").holds(t, openVenue)
	c.get("/venues?context=edit", "editor").holds(t, openVenue, "venues", 0)
	c.get("/organizers/by-slug/agent?"+right, "").holds(t, openOrganizer)
	nested := c.get(s.path("/events/{plain}?"+right), "")
	nested.holds(t, maskedVenue, "venue")
	nested.holds(t, maskedOrganizer, "organizer", 0)
	leaks(t, s, c)
}

// leaks looks for hidden words in everything that strangers are shown.
func leaks(t *testing.T, s *site, c *client) {
	for _, path := range []string{"/events", "/events/{plain}", "/events/{ball}", "/venues", "/venues/{vault}", "/organizers", "/organizers/{agent}"} {
		a := c.get(s.path(path), "")
		for _, word := range []string{"Hidden", "Gent", "Street", "9000", "+32 9", "+44 7", "a@b.test", "v.test", "o.test", "hush.invalid", "photo", "51.05", "Sesame"} {
			if strings.Contains(string(a.body), word) {
				t.Errorf("%s shows %q", a.request, word)
			}
		}
	}
	c.check("", []row{
		{"/events?search=ball", ""}, {"/events?search=hidden", ""}, {"/events?search=-nothing", "plain"},
		{"/venues?search=hidden", ""}, {"/venues?search=gent", ""}, {"/venues?search=vault", "vault"}, {"/organizers?search=44", ""},
	})
	c.check("editor", []row{{"/events?search=hidden", "ball"}})
}
