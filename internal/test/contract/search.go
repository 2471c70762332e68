package contract

import (
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// library is a site whose texts are easy to miss.
func library(t *testing.T, e Engine) *site {
	s := newSite(t, e)
	for i, p := range []thing{
		{slug: "tokyo", title: "Tokyo night", content: "An evening of jazz"},
		{slug: "jazz", title: "Jazz evening", excerpt: "night of Tokyo"},
		{slug: "percent", title: "100% wool"}, {slug: "hundred", title: "100 percent wool"},
		{slug: "under", title: "snake_case"}, {slug: "snake", title: "snakeXcase"},
		{slug: "back", title: `back\slash`}, {slug: "slash", title: "backslash"},
		{slug: "ete", title: "Été à Liège", content: "Straße"}, {slug: "emoji", title: "Party 🎉"},
		{slug: "the", title: "The about of"}, {slug: "letter", title: "X marks"}, {slug: "nine", title: "a1 a2 a3 a4 a5 a6 a7 a8 a9"},
		{slug: "ten", title: "a1 a2 a3 a4 a5 a6 a7 a8 a9 a10"}, {slug: "quote", title: `O'Brien's "inn"`}, {slug: "number", title: "Room 0 and 00"},
		{slug: "linked", title: "Linked"},
	} {
		p.start = "2030-07-" + [2]string{"0", ""}[min((i+1)/10, 1)] + itoa(int64(i+1)) + " 10:00"
		s.event(p)
	}
	return s
}

// eventSearch proves how a search text is split and compared.
func eventSearch(t *testing.T, e Engine) {
	s := library(t, e)
	c := s.client(calendar.Options{})
	c.check("", []row{
		{"/events?search=tokyo", "tokyo jazz"}, {"/events?search=TOKYO+jazz", "tokyo jazz"}, {"/events?search=jazz,night", "tokyo jazz"},
		{"/events?search=jazz%2Bnight%09evening", "tokyo jazz"}, {"/events?search=toky", "tokyo jazz"},
		{"/events?search=%22tokyo+night%22", "tokyo"}, {"/events?search=%22night+of%22", "jazz"}, {"/events?search=%22tokyo+night", "tokyo"},
		{"/events?search=jazz+-tokyo", ""}, {"/events?search=evening+-%22tokyo+night%22", "tokyo"}, {"/events?search=wool+-percent", "percent"},
		{"/events?search=-percent+wool", "percent"}, {"/events?search=-", ""}, {"/events?search=tokyo+-", "tokyo jazz"},
		{"/events?search=100%25", "percent"}, {"/events?search=%25", "percent"}, {"/events?search=_", "under"}, {"/events?search=snake_case", "under"},
		{"/events?search=back%5Cslash", "slash"}, // backslashes are dropped
		{"/events?search=%5C%25", "percent"},
		{"/events?search=ete+liege", "ete"}, {"/events?search=%C3%89T%C3%89", "ete"}, {"/events?search=Tok%C3%BD%C3%B6", "tokyo jazz"}, {"/events?search=STRASSE", ""},
		{"/events?search=%F0%9F%8E%89", "emoji"},
		{"/events?search=the", "the"},          // nothing else is left
		{"/events?search=the+about+of", "the"}, // as a whole
		{"/events?search=about+the", ""},
		{"/events?search=the+tokyo", "tokyo jazz"}, {"/events?search=x", "snake letter"}, {"/events?search=x+marks", "letter"},
		{"/events?search=a1+a2+a3+a4+a5+a6+a7+a9+a8", "nine ten"},
		{"/events?search=a1+a2+a3+a4+a5+a6+a7+a8+a9+a10", "ten"}, // more than nine: as a whole
		{"/events?search=a10+a1+a2+a3+a4+a5+a6+a7+a8+a9", ""},
		{"/events?search=O%27Brien", "quote"}, {"/events?search=%22inn%22", "quote"}, {"/events?search=00", "percent hundred number"},
		{"/events?search=no+such+thing", ""}, {"/events?search=tok%0D%0Ayo", "tokyo jazz"}, {"/events?search=%0A", "tokyo jazz percent hundred under snake back slash ete emoji of 17"},
		{"/events?search=", "400 rest_invalid_param search"}, {"/events?search=0", "400 rest_invalid_param search"}, {"/events?search[]=x", "400 rest_invalid_param search"},
		{"/events?search=%5C", "tokyo jazz percent hundred under snake back slash ete emoji of 17"},
		{"/events?search=' OR 1=1 -- ", ""}, {"/events?search=tokyo&page=2", "404 event-archive-page-not-found"},
	})
}

// linkedSearch proves how venues and organizers are searched.
func linkedSearch(t *testing.T, e Engine) {
	s := newSite(t, e)
	for i, v := range []thing{
		{slug: "full", title: "Full Venue", content: "A hall", meta: [][2]string{
			{schema.MetaVenueAddress, "Grote Markt 1"}, {schema.MetaVenueCity, "Antwerpen"}, {schema.MetaVenueProvince, "Provincie"}, {schema.MetaVenueState, "Stateless"},
			{schema.MetaVenueStateProvince, "Both"}, {schema.MetaVenueZip, "2000"}, {schema.MetaVenuePhone, "+32-3"}, {schema.MetaVenueCountry, "Belgium"}, {schema.MetaVenueURL, "http://url.test"}}},
		{slug: "cafe", title: "Café Zürich", excerpt: "Coffee"}, {slug: "nihon", title: "日本 Hall"}, {slug: "dash", title: "Well-known"}, {slug: "zero", title: "Gate 0"},
	} {
		v.posted = "2030-01-0" + itoa(int64(i+1)) + " 00:00:00"
		s.venue(v)
	}
	s.organizer(thing{slug: "club", title: "Club", meta: [][2]string{
		{schema.MetaOrganizerEmail, "o@example.org"}, {schema.MetaOrganizerPhone, "555"}, {schema.MetaOrganizerWebsite, "http://web.test"}}})
	c := s.client(calendar.Options{})
	c.check("", []row{
		{"/venues?search=venue+full", "full"}, {"/venues?search=FULL", "full"}, {"/venues?search=hall", "nihon full"}, {"/venues?search=full+hall", ""}, // not in one column
		{"/venues?search=markt+grote", "full"}, {"/venues?search=antwerp", "full"}, {"/venues?search=provincie", "full"}, {"/venues?search=stateless", "full"},
		{"/venues?search=both", "full"}, {"/venues?search=2000", "full"}, {"/venues?search=32-3", "full"}, {"/venues?search=belgium", ""}, {"/venues?search=url", ""},
		{"/venues?search=coffee", "cafe"}, {"/venues?search=caf%C3%A9", "cafe"}, {"/venues?search=cafe+z%C3%BCrich", "cafe"}, {"/venues?search=%C3%A9", "zero dash cafe full"},
		{"/venues?search=%E6%97%A5%E6%9C%AC", "nihon"}, {"/venues?search=well-known", "dash"}, {"/venues?search=well%25known", "dash"}, {"/venues?search=w_l", "dash"},
		{"/venues?search=gate+0", "zero"}, {"/venues?search=0+0", ""}, {"/venues?search=%25", ""}, {"/venues?search=%26", ""}, {"/venues?search=_", ""}, {"/venues?search=-", ""},
		{"/venues?search=--+-", ""}, {"/venues?search=%F0%9F%8E%89", ""}, {"/venues?search=%27%22%5C", ""}, {"/venues?search=no+such", ""},
		{"/venues?search=no+such&page=2", "404 venue-archive-page-not-found"}, {"/venues?search=%25&page=2", "404 venue-archive-page-not-found"},
		{"/venues?search=", "400 rest_invalid_param search"}, {"/venues?search=0", "400 rest_invalid_param search"}, {"/venues?search[]=x", "400 rest_invalid_param search"},
		{"/organizers?search=o@example", "club"}, {"/organizers?search=example.org", "club"}, {"/organizers?search=555", "club"}, {"/organizers?search=web", "club"},
		{"/organizers?search=club+555", ""}, {"/organizers?search=%25", ""},
	})
	a := c.get("/venues?search=no+such", "")
	if a.at("total") != "0" || a.at("total_pages") != "0" || a.text("next_rest_url") != "" || a.header.Get("X-TEC-Total") != "0" {
		t.Errorf("%s: %s", a.request, a.body)
	}
}
