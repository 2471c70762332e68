package contract

import (
	"slices"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

func at(lat, lng string) [][2]string {
	return [][2]string{{schema.MetaVenueLat, lat}, {schema.MetaVenueLng, lng}}
}

// geoFilters proves how events are found by the place of their venue.
func geoFilters(t *testing.T, e Engine) {
	s := newSite(t, e)
	for _, v := range []thing{
		{slug: "brussels", meta: at("50.8467", "4.3525")}, {slug: "leuven", meta: at("50.8798", "4.7005")}, // 24.8 km away
		{slug: "vilvoorde", meta: at("50.9281", "4.4245")}, {slug: "fiji", meta: at("-17.7", "179.95")}, {slug: "zero", meta: at("0", "0")},
		{slug: "half", meta: [][2]string{{schema.MetaVenueLat, "50.8467"}}}, {slug: "empty", meta: at("", "")}, {slug: "odd", meta: at("north", "4.35")}, {slug: "bare"},
		{slug: "draft", status: "draft", meta: at("50.8467", "4.3525")}, {slug: "locked", password: "x", meta: at("50.8467", "4.3525")},
		{slug: "twice", meta: append(at("48.85", "2.35"), at("50.8467", "4.3525")...)},
	} {
		s.venue(v)
		s.event(thing{slug: "at-" + v.slug, start: "2030-07-01 10:00", venues: []string{v.slug}})
	}
	s.event(thing{slug: "nowhere", start: "2030-07-02 10:00"})
	s.event(thing{slug: "two", start: "2030-07-02 11:00", venues: []string{"bare", "brussels"}})
	c := s.client(calendar.Options{})
	brussels := "geoloc_lat=50.8467&geoloc_lng=4.3525"
	c.check("", []row{
		{"/events?geoloc=true&per_page=50", "at-brussels at-leuven at-vilvoorde at-fiji at-zero at-twice two"},
		{"/events?geoloc=1&per_page=50", "at-brussels at-leuven at-vilvoorde at-fiji at-zero at-twice two"},
		{"/events?geoloc=false&per_page=50", "at-half at-empty at-odd at-bare at-draft at-locked nowhere"},
		{"/events?" + brussels, "at-brussels at-leuven at-vilvoorde two"},
		{"/events?" + brussels + "&geoloc=true", "at-brussels at-leuven at-vilvoorde two"},
		{"/events?" + brussels + "&geoloc=false", ""},
		{"/events?geoloc_lat=48.85&geoloc_lng=2.35", "at-twice"}, // the first row of a key counts
		{"/events?geoloc_lat=-17.7&geoloc_lng=-179.95", "at-fiji"},
		{"/events?geoloc_lat=0&geoloc_lng=0", "at-zero"},
		{"/events?geoloc_lat=90&geoloc_lng=180", ""},
		{"/events?geoloc_lat=-90&geoloc_lng=-180.0", ""},
		{"/events?geoloc_lat=50.8467", "400 rest_invalid_param geoloc_lng"}, {"/events?geoloc_lng=4", "400 rest_invalid_param geoloc_lat"},
		{"/events?geoloc_lat=50&geoloc=true", "400 rest_invalid_param geoloc_lng"},
		{"/events?geoloc_lat=90.01&geoloc_lng=4", "400 rest_invalid_param geoloc_lat"}, {"/events?geoloc_lat=50&geoloc_lng=-180.5", "400 rest_invalid_param geoloc_lng"},
		{"/events?geoloc_lat=x&geoloc_lng=y", "400 rest_invalid_param geoloc_lat,geoloc_lng"}, {"/events?geoloc_lat=&geoloc_lng=", "400 rest_invalid_param geoloc_lat,geoloc_lng"},
		{"/events?geoloc_lat=NaN&geoloc_lng=Inf", "400 rest_invalid_param geoloc_lat,geoloc_lng"}, {"/events?geoloc_lat[]=1&geoloc_lng=4", "400 rest_invalid_param geoloc_lat"},
		{"/events?geoloc=maybe", "400 rest_invalid_param geoloc"}, {"/events?geoloc=", "400 rest_invalid_param geoloc"},
	})
	c.check("editor", []row{{"/events?" + brussels + "&per_page=50", "at-brussels at-leuven at-vilvoorde at-draft two"}})
	s.client(calendar.Options{Site: calendar.Site{GeoRadius: 5}}).check("", []row{{"/events?" + brussels, "at-brussels two"}})
	s.client(calendar.Options{Site: calendar.Site{GeoRadius: 400}}).check("", []row{{"/events?" + brussels, "at-brussels at-leuven at-vilvoorde at-twice two"}})
}

// placesOfVenues proves where and how venues show coordinates.
func placesOfVenues(t *testing.T, e Engine) {
	s := newSite(t, e)
	place := append(at("50.8467", "-4.35"), [2]string{schema.MetaVenueStateProvince, "Brabant"})
	s.venue(thing{slug: "hall", meta: place})
	s.venue(thing{slug: "vault", meta: place, password: "x"})
	s.venue(thing{slug: "bare"})
	s.venue(thing{slug: "zero", meta: at("0", "0")})
	s.venue(thing{slug: "empty", meta: at("", "")})
	s.event(thing{slug: "e", start: "2030-07-01 10:00", venues: []string{"hall"}})
	c := s.client(calendar.Options{})
	for _, x := range []struct{ slug, lat, lng string }{{"hall", "50.8467", "-4.35"}, {"vault", "0", "0"}, {"bare", "absent", "absent"}, {"zero", "0", "0"}, {"empty", "absent", "absent"}} {
		a := c.get("/venues/by-slug/"+x.slug, "")
		if a.at("geo_lat") != x.lat || a.at("geo_lng") != x.lng {
			t.Errorf("%s: %s, %s; want %s, %s", a.request, a.at("geo_lat"), a.at("geo_lng"), x.lat, x.lng)
		}
	}
	keys := keysOf(c.get("/venues/by-slug/hall", "").body, "")
	i := slices.Index(keys, "stateprovince")
	if i < 0 || keys[i+1] != "geo_lat" || keys[i+2] != "geo_lng" || !slices.Contains(keys[i+3:], "show_map") {
		t.Errorf("keys of a venue: %v", keys)
	}
	if nested := keysOf(c.get("/events", "").body, "venue"); !slices.Contains(nested, "geo_lng") {
		t.Errorf("keys of a venue in an event: %v", nested)
	}
}

// ticketed proves which events have tickets.
func ticketed(t *testing.T, e Engine) {
	s := newSite(t, e)
	for _, slug := range []string{"rsvp", "commerce", "shop", "both", "none", "gone"} {
		s.event(thing{slug: slug, start: "2030-07-01 10:00"})
	}
	filter := func(want ...string) {
		t.Helper()
		c := s.client(calendar.Options{})
		c.check("", []row{{"/events?ticketed=true", want[0]}, {"/events?ticketed=1", want[0]}, {"/events?ticketed=false", want[1]}, {"/events?ticketed=0", want[1]}})
	}
	filter("", "rsvp commerce shop both none gone")
	for _, x := range [][3]string{
		{"rsvp", schema.MetaRSVPForEvent}, {"commerce", schema.MetaTicketForEvent}, {"shop", schema.MetaWooTicketOfEvent}, {"both", schema.MetaRSVPForEvent},
		{"both", schema.MetaTicketForEvent}, {"gone", schema.MetaRSVPForEvent, "trash"},
	} {
		s.post("tribe_rsvp_tickets", thing{slug: "ticket", status: x[2], meta: [][2]string{{x[1], s.text(x[0])}}})
	}
	filter("rsvp commerce shop both", "none gone")
	s.client(calendar.Options{}).check("", []row{
		{"/events?ticketed=true&search=shop", "shop"}, {"/events?ticketed=", "400 rest_invalid_param ticketed"}, {"/events?ticketed=yes", "400 rest_invalid_param ticketed"},
	})
}
