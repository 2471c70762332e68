package registry_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
)

// ownFilters returns filters by ownFields and termFields.
func ownFilters() []calendar.Filter {
	list := []calendar.Filter{
		{Field: "dress", Op: calendar.FilterEquals},
		{Name: "dress_has", Field: "dress", Op: calendar.FilterContains},
		{Field: "seats", Op: calendar.FilterRange, Example: 1234},
		{Name: "seats_of", Field: "seats", Op: calendar.FilterOneOf},
		{Field: "wheelchairs", Op: calendar.FilterEquals},
		{Field: "doors", Op: calendar.FilterRange},
		{Field: "level", Op: calendar.FilterOneOf, Texts: map[string]string{"nl": "Welk niveau."}},
		{Name: "patroned", Field: "patrons", Op: calendar.FilterContains},
		{Field: "report", Op: calendar.FilterEquals},
		{Field: "budget", Op: calendar.FilterEquals},
		{Kind: "venues", Field: "lift", Op: calendar.FilterEquals},
		{Kind: "categories", Field: "colour", Op: calendar.FilterEquals},
		{Kind: "tags", Field: "shade", Op: calendar.FilterOneOf},
	}
	for i := range list {
		if list[i].Kind == "" {
			list[i].Kind = "events"
		}
		list[i].Description = "Selects by " + list[i].Field + "."
	}
	return list
}

func in2030() time.Time { return time.Date(2030, 5, 1, 12, 0, 0, 0, time.UTC) }

// found returns a member of the items of a list, and the total, from the Go API.
func (w town) found(t *testing.T, p calendar.Principal, kind, query string) (names []string, total int64) {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := w.Do(calendar.WithPrincipal(t.Context(), p), "GET", "/"+kind, values, nil)
	if err != nil {
		t.Fatalf("%s?%s: %v", kind, query, err)
	}
	var page map[string]json.RawMessage
	var items []map[string]any
	if err = json.Unmarshal(answer, &page); err == nil {
		err = json.Unmarshal(page[kind], &items)
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal(page["total"], &total)
	for _, it := range items {
		for _, name := range []string{"title", "venue", "name"} {
			if text, ok := it[name].(string); ok {
				names = append(names, text)
				break
			}
		}
	}
	return names, total
}

// TestOwnFilters checks filters by fields of a host: pages, totals and the URLs of other pages must agree.
func TestOwnFilters(t *testing.T) {
	w := openTown(t, calendar.Options{DB: emptied(t), Now: in2030, Fields: append(ownFields(), termFields()...),
		Filters: ownFilters()})
	clerk := w.admin
	w.admin.Capabilities = maps.Clone(w.admin.Capabilities)
	w.admin.Capabilities["read_budget"] = true
	const event = `{"title":"%s","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00",%s}`
	_, first := w.sendWrite(t, "POST", "/events", fmt.Sprintf(event, "A", `"dress":"Black tie","seats":9,"wheelchairs":true,
		"doors":"2031-06-05","level":"easy","patrons":["Bank, Ltd","Mill"],"budget":7,"venue":{"venue":"Hall","lift":true}`))
	_, second := w.sendWrite(t, "POST", "/events",
		fmt.Sprintf(event, "B", fmt.Sprintf(`"dress":"Tie dye","seats":100.5,"doors":"2031-06-06",
		"level":"hard","patrons":["Mill"],"report":%d,"venue":{"venue":"Shed"}`, first)))
	w.sendWrite(t, "POST", "/events", fmt.Sprintf(event, "C", `"dress":"black tie"`))
	w.sendWrite(t, "POST", "/events", fmt.Sprintf(event, "D", `"dress":"Black tie","seats":9`))
	if _, err := w.db.NewRaw("UPDATE wp_posts SET post_password = 'x' WHERE post_title = 'D'").Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, row := range [][2]string{{"_host_seats", "9"}, {"_host_seats", " 1e1 "}, {"_host_level", "hard"}} { // more rows
		if _, err := w.db.NewRaw("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, ?)", second, row[0], row[1]).
			Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	w.sendWrite(t, "POST", "/categories", `{"name":"Red one","colour":"red"}`)
	w.sendWrite(t, "POST", "/categories", `{"name":"Blue one","colour":"blue"}`)
	w.sendWrite(t, "POST", "/tags", `{"name":"Green one","shade":"green"}`)
	for query, want := range map[string]string{
		"events dress=Black tie": "A D", "events dress=nothing": "", "events dress_has=TIE": "A B C D", "events dress_has=%25": "",
		"events seats_min=10": "B", "events seats_max=10": "A D", "events seats_min=9&seats_max=100.5": "A B D",
		"events seats_of=9,100.50": "A B D",
		"events wheelchairs=true":  "A", "events wheelchairs=0": "B C D", "events doors_min=2031-06-06": "B",
		"events doors_max=2031-06-05": "A",
		"events level=easy,hard":      "A B", "events level=hard": "B", "events patroned=Mill": "A B", "events patroned=Bank, Ltd": "A",
		fmt.Sprint("events report=", first): "B", "events budget=7": "A", "events dress=Black tie&seats_min=1&level=easy": "A",
		"venues lift=1": "Hall", "venues lift=false": "Shed", "categories hide_empty=0&colour=red": "Red one",
		"tags hide_empty=0&shade=green,red": "Green one", "tags hide_empty=0&shade=red": "",
	} {
		kind, query, _ := strings.Cut(query, " ")
		if kind == "events" {
			query += "&orderby=title&order=asc&start_date=2031-01-01"
		}
		names, total := w.found(t, w.admin, kind, strings.ReplaceAll(query, " ", "+"))
		if got := strings.Join(names, " "); got != want || total != int64(len(names)) {
			t.Errorf("%s?%s: %q of %d, want %q", kind, query, got, total, want)
		}
	}

	// Other callers do not find events by content that a password hides, and filters by fields that they may not read
	// are rejected.
	names, _ := w.found(t, calendar.Principal{}, "events", "dress=Black+tie&start_date=2031-01-01")
	if !slices.Equal(names, []string{"A"}) {
		t.Errorf("an anonymous caller finds %q", names)
	}
	for query, name := range map[string]string{
		"budget=7": "budget", "seats_min=x": "seats_min", "seats_min=5&seats_max=4": "seats_max", "doors_min=soon": "doors_min",
		"level=odd": "level",
		"dress=":    "dress", "report=-1": "report", "seats_of=": "seats_of", "doors_min=2031-06-07&doors_max=2031-06-06": "doors_max",
	} {
		values, _ := url.ParseQuery(query)
		_, err := w.Do(calendar.WithPrincipal(t.Context(), clerk), "GET", "/events", values, nil)
		var refused *calendar.Error
		if !errors.As(err, &refused) || refused.Status != 400 || refused.Params[name] == "" {
			t.Errorf("%s: %v", query, err)
		}
	}
	page := w.get(t, "/events?start_date=2031-01-01&dress_has=tie&seats_of=9,100.5&per_page=1")
	shows(t, "the address of the next page", page, "dress_has=tie", "seats_of=9%2C100.5", "page=2", `"total":2`)
	shows(t, "the document", w.get(t, "/doc"), `"seats_min"`, "Selects by seats.", "1234")
	shows(t, "the index", w.get(t, ""), `"dress_has":{`, `"Selects by dress."`)
	feed := httptest.NewRecorder()
	const ics = "/wp-json/vendor/events/v1/events?start_date=2031-01-01&_format=ics&seats_min=10"
	w.Handler().ServeHTTP(feed, httptest.NewRequest("GET", ics, nil))
	if body := feed.Body.String(); strings.Count(body, "BEGIN:VEVENT") != 1 {
		t.Errorf("the feed: %d %s", feed.Code, body)
	}
	var out strings.Builder
	e := &exchange.Exporter{Calendar: w.Calendar, Principal: w.admin, Format: exchange.FormatJSON, Query: url.Values{"seats_min": {"10"}},
		LeaveOut: []string{"report", "poster"}}
	if n, err := e.Export(t.Context(), &out); err != nil || n != 1 || !strings.Contains(out.String(), `"title":"B"`) {
		t.Errorf("an export: %d, %v: %s", n, err, out.String())
	}
}

// TestWrongOwnFiltersAreRefused checks that invalid filters are rejected at startup, by name.
func TestWrongOwnFiltersAreRefused(t *testing.T) {
	fields := append(ownFields(), calendar.Field{Kind: "events", Name: "secret", Key: "_host_secret", Type: calendar.FieldText,
		Description: "A secret.", Read: "do_not_allow"})
	right := calendar.Filter{Kind: "events", Field: "seats", Op: calendar.FilterRange, Description: "Seats."}
	for want, change := range map[string]func(*calendar.Filter){
		`Filters[0] "seats": Kind "users": use events`:                      func(f *calendar.Filter) { f.Kind = "users" },
		`Filters[0] "seat": Field "seat": there is no such field of events`: func(f *calendar.Filter) { f.Field = "seat" },
		`Filters[0] "secret": Field "secret": nobody may read`: func(f *calendar.Filter) {
			f.Field, f.Op = "secret", calendar.FilterEquals
		},
		`Op "contains": use one of equals, one-of, range`: func(f *calendar.Filter) { f.Op = calendar.FilterContains },
		`Op "": use one of`:                        func(f *calendar.Filter) { f.Op = "" },
		`the name "search" belongs to the API`:     func(f *calendar.Filter) { f.Name, f.Op = "search", calendar.FilterEquals },
		`the name "near" belongs to the API`:       func(f *calendar.Filter) { f.Name, f.Op = "near", calendar.FilterEquals },
		`Name "Seats_min": use lower-case letters`: func(f *calendar.Filter) { f.Name = "Seats" },
		`Description is missing`:                   func(f *calendar.Filter) { f.Description = "" },
		`Example many: it is not a value`:          func(f *calendar.Filter) { f.Example = "many" },
	} {
		f := right
		change(&f)
		_, err := calendar.New(t.Context(), calendar.Options{Fields: fields, Filters: []calendar.Filter{f}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	_, err := calendar.New(t.Context(), calendar.Options{Fields: fields, Filters: []calendar.Filter{right, right}})
	if err == nil || !strings.Contains(err.Error(), `another filter of events has the parameter "seats_min"`) {
		t.Errorf("the same filter twice: %v", err)
	}
}
