package contract

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// languageFilters checks that lists which are filtered by fields of a host, or by distance, contain the items of their
// language, that totals count these, and that the URLs of other pages lead through all of them in the same language.
func languageFilters(t *testing.T, e Engine) {
	field := func(name, of string) calendar.Field {
		return calendar.Field{Kind: "events", Name: name, Key: "_host_" + name, Type: of, Description: "A field."}
	}
	filter := func(name, of, op string) calendar.Filter {
		return calendar.Filter{Kind: "events", Name: name, Field: of, Op: op, Description: "A filter."}
	}
	opts := calendar.Options{
		Fields: []calendar.Field{
			field("seats", calendar.FieldNumber), field("dress", calendar.FieldText), field("sponsors", calendar.FieldList),
		},
		Filters: []calendar.Filter{
			filter("", "seats", calendar.FilterRange), filter("seats_of", "seats", calendar.FilterOneOf),
			filter("", "dress", calendar.FilterEquals), filter("dress_has", "dress", calendar.FilterContains),
			filter("sponsored", "sponsors", calendar.FilterOneOf),
		},
	}
	inForms(t, e, func(t *testing.T, p *polyglot) {
		for slug, rows := range map[string][][2]string{
			"feest": {{"seats", "10"}, {"dress", "Zwarte das"}, {"sponsors", "Mill"}}, "concert": {{"seats", "20"}},
			"zelfde": {{"seats", "30"}, {"dress", "zwarte DAS"}}, "party": {{"seats", "10"}, {"dress", "Black tie"}},
			"fete": {{"seats", "10"}, {"sponsors", "Bank"}, {"sponsors", "Mill"}}, "soiree": {{"seats", "20.5"}, {"dress", "Zwarte das"}},
		} {
			for _, row := range rows {
				p.meta(slug, "_host_"+row[0], row[1])
			}
		}
		for slug, at := range map[string][2]string{
			"zaal": {"51.05", "3.72"}, "salle": {"51.05", "3.72"}, "kerk": {"51.2", "3.72"}, "hall": {"-17", "179.9"},
		} {
			p.meta(slug, schema.MetaVenueLat, at[0])
			p.meta(slug, schema.MetaVenueLng, at[1])
		}
		p.mount(opts)
		for path, want := range map[string][3]string{ // in nl, en, fr
			"/events?seats_min=10":                      {"feest concert zelfde", "party", "fete soiree"},
			"/events?seats_max=20":                      {"feest concert", "party", "fete"},
			"/events?seats_of=10,20.50":                 {"feest", "party", "fete soiree"},
			"/events?dress=Zwarte+das":                  {"feest", "", "soiree"},
			"/events?dress_has=das":                     {"feest zelfde", "", "soiree"},
			"/events?sponsored=Bank,Mill":               {"feest", "", "fete"},
			"/events?near=51.05,3.72&within=5km":        {"feest", "party", "fete soiree"},
			"/events?near=51.2,3.72&within=30km":        {"concert feest", "party", "fete soiree"},
			"/events?near=51.05,3.72&seats_min=15":      {"concert", "", "soiree"},
			"/events?seats_min=10&venue={zaal}":         {"feest", "party", "fete soiree"},
			"/events?seats_min=10&orderby=title":        {"concert feest zelfde", "party", "fete soiree"},
			"/venues?near=51.05,3.72&within=5km":        {"zaal", "", "salle"},
			"/venues?near=51.2,3.72&within=100km":       {"kerk zaal", "", "salle"},
			"/events?seats_min=10&per_page=1":           {"feest of 3", "party", "fete of 2"},
			"/events?near=51.2,3.72&per_page=1":         {"concert of 2", "party", "fete of 2"},
			"/events?seats_of=10,20,30&per_page=1":      {"feest of 3", "party", "fete"},
			"/events?sponsored=Bank,Mill&dress=nothing": {"", "", ""},
		} {
			for i, language := range []string{"nl", "en", "fr"} {
				a := p.get(language, path)
				if got := a.Summary(); got != want[i] {
					t.Errorf("%s: %s, want %s", a.Request, got, want[i])
				}
				p.leadsOn(language, a)
			}
		}
	})
}

// leadsOn follows the URLs of the next pages of a list with one item per page. They must be those of the language.
func (p *polyglot) leadsOn(language string, a apitest.Answer) {
	p.T.Helper()
	root := strings.TrimSuffix(Site+"/"+strings.TrimPrefix(language, "nl"), "/") + "/wp-json/"
	seen := len(a.Members("slug"))
	for next := a.Word("next_rest_url"); next != ""; {
		if !strings.HasPrefix(next, root) {
			p.T.Fatalf("%s: the next page is %s", a.Request, next)
		}
		more := p.Do("", "GET", next, "")
		items := more.Members("slug")
		if len(items) == 0 {
			p.T.Fatalf("%s: the next page: %s", a.Request, more)
		}
		seen, next = seen+len(items), more.Word("next_rest_url")
	}
	if total := a.Number("total"); int(total) != seen {
		p.T.Errorf("%s: %d items on all pages, the total is %d", a.Request, seen, total)
	}
}
