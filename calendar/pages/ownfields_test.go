package pages

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
)

// TestOwnFieldsInWords checks the text of the host's own fields of all types in the page's language, and that fields
// without a label, fields that not everybody may read, and ids are not shown.
func TestOwnFieldsInWords(t *testing.T) {
	field := func(name, of string) calendar.Field {
		return calendar.Field{Kind: "events", Name: name, Type: of, Label: "L" + name, Labels: map[string]string{"nl": "N" + name}}
	}
	hidden, secret, venue := field("hidden", calendar.FieldText), field("secret", calendar.FieldText), field("venue", calendar.FieldText)
	hidden.Label, secret.Read, venue.Kind = "", "edit_others_tribe_events", "venues"
	own := readOwn([]calendar.Field{
		field("text", calendar.FieldText), field("number", calendar.FieldNumber), field("yes", calendar.FieldYesNo),
		field("date", calendar.FieldDate), field("list", calendar.FieldList), field("post", calendar.FieldPost), hidden, secret, venue,
		field("absent", calendar.FieldText),
	}, nil)
	v := newVersion(Language{Tag: "nl-BE"}, inBrussels(Options{}).withDefaults())
	got := fmt.Sprint(own.values(v, calendar.Event{Own: map[string]any{
		"text": "a", "number": -1234.5, "yes": false, "date": "2026-11-21", "list": []string{"b", "c"}, "post": int64(3), "hidden": "x",
		"secret": "x", "venue": "x",
	}}))
	if want := "[{Ntext a } {Nnumber -1.234,5 } {Nyes Nee } {Ndate zaterdag 21 november 2026 } {Nlist b, c }]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := newVersion(Language{Tag: "en"}, inBrussels(Options{}).withDefaults()).texts.decimal(1234.25); got != "1,234.25" {
		t.Error(got)
	}
}

// TestOwnFilters checks that each comparison has a form element, and that pages, their links and requests to the
// calendar preserve the values.
func TestOwnFilters(t *testing.T) {
	field := func(name, of string) calendar.Field {
		return calendar.Field{Kind: "events", Name: name, Type: of, Label: name, Choices: []string{"one, two", "three"}}
	}
	by := func(name, op string) calendar.Filter {
		return calendar.Filter{Kind: "events", Name: name, Field: name, Op: op}
	}
	own := readOwn(
		[]calendar.Field{field("seats", calendar.FieldNumber), field("until", calendar.FieldDate), field("step", calendar.FieldYesNo),
			field("kind", calendar.FieldChoice), field("lead", calendar.FieldText),
			{Kind: "events", Name: "budget", Type: calendar.FieldNumber}},
		[]calendar.Filter{by("seats", calendar.FilterRange), by("until", calendar.FilterEquals), by("step", calendar.FilterEquals),
			by("kind", calendar.FilterOneOf), by("lead", calendar.FilterContains), by("budget", calendar.FilterEquals)})
	api := newFake()
	site := fakeSite(api, nil, Options{}).(*Site)
	site.client.own = own
	get := func(target string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		site.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, target, nil))
		return answer
	}
	chosen := url.Values{"seats_min": {"10"}, "seats_max": {"50"}, "until": {"2026-12-01"}, "step": {"0"}, "kind": {"one, two"},
		"lead": {`"Jo"`}}
	page := get("/?" + chosen.Encode())
	expect(t, page, 200,
		`<input type="number" name="seats_min" value="10" step="any">`, `<span>seats (up to)</span>`,
		`<input type="date" name="until" value="2026-12-01">`,
		`<option value="0" selected>No</option>`, `<option value="one, two" selected>one, two</option>`,
		`<input type="text" name="lead" value="&#34;Jo&#34;" maxlength="200">`,
		">seats: from 10<", ">seats: up to 50<", ">until: Tuesday 1 December 2026<", ">step: No<", ">kind: one, two<",
		`<a href="/?kind=one%2C&#43;two&amp;lead=%22Jo%22&amp;seats_max=50&amp;step=0&amp;until=2026-12-01" rel="nofollow">`)
	lacks(t, page, "budget")
	asked := url.Values{"ends_after": {"2026-10-25"}, "starts_before": {"2026-12-06"}, "page": {"1"}, "per_page": {"50"},
		"kind[]": {"one, two"}, "seats_min": {"10"}, "seats_max": {"50"}, "until": {"2026-12-01"}, "step": {"0"}, "lead": {`"Jo"`}}
	found := false
	for _, one := range api.questions(t, 2) {
		found = found || one == asked.Encode()
	}
	if !found {
		t.Errorf("requested %q, want %s", api.questions(t, 2), asked.Encode())
	}
	expect(t, get("/?step=0&step=1"), 404)
	expect(t, get("/?budget=5"), 200) // not a filter of the pages, so it is ignored like any unknown parameter

	client := fakeClient(api, []Language{{Tag: "en", Mount: "/wp-json"}}, "vendor/events/v1")
	client.own = readOwn([]calendar.Field{field("near", calendar.FieldText)}, []calendar.Filter{by("near", calendar.FilterContains)})
	if err := newSite(client, inBrussels(Options{Languages: []Language{{Tag: "en"}}})).Register(gin.New()); err == nil {
		t.Error("a filter has the name of a parameter of the pages")
	}
}
