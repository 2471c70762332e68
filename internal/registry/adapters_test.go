package registry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/registry"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/schema"
)

// What a calendar of this test declares beside its own: two fields of events, and a kind.

func moreFields() item.Fields {
	list := item.Fields{
		event.Text("dress_code", "param_events_field_dress_code", "_EventDressCode"),
		event.Flag("members_only", "param_events_field_members_only", "_EventMembersOnly"),
	}
	for _, f := range list {
		f.Added = true
	}
	return list
}

func sponsorType(schema.Names) *content.Type {
	return &content.Type{
		PostType: "agenda_sponsor", Collection: "sponsors", LinkKey: "_EventSponsorID", Origin: "_SponsorOrigin",
		Segment: func(permalink.Settings) string { return "sponsor" },
	}
}

func newSponsors(s *item.Service, t *content.Type) *linked.Kind {
	k := &linked.Kind{
		Kind: &item.Kind{
			Name: "sponsor", Collection: t.Collection, Singular: "Sponsor", Plural: "Sponsors", Type: t, Added: true,
			Errors: item.Errors{
				NotAccessible: apierror.New(apierror.Forbidden, "sponsor-not-accessible", "error_sponsor_not_accessible"),
				Page:          apierror.New(apierror.NotFound, "sponsor-archive-page-not-found", "error_sponsor_page"),
				NotCreated:    apierror.New(apierror.BadRequest, "could-not-create-sponsor", "error_sponsor_not_created"),
				InTrash:       apierror.New(apierror.Gone, "sponsor-is-in-trash", "error_sponsor_in_trash"),
			},
		},
		Service: s, TextsOnly: true, SearchKeys: []string{"_SponsorSlogan"},
	}
	return k.Declare([]*item.Field{k.Text("slogan", "_SponsorSlogan", item.Behind, "param_sponsors_field_slogan")}, nil, true)
}

// declaring is a calendar on the recorded site with these declarations, and its administrator.
type declaring struct {
	*testing.T
	*calendar.Calendar
	admin calendar.Principal
}

func newDeclaring(t *testing.T) *declaring {
	t.Helper()
	admin := calendar.Principal{UserID: 1, Capabilities: map[string]bool{"read": true, "manage_categories": true, "unfiltered_html": true}}
	for _, family := range []string{"tribe_events", "tribe_venues", "tribe_organizers", "agenda_sponsors", "posts"} {
		for _, right := range []string{
			"edit_", "edit_others_", "edit_published_", "edit_private_", "publish_", "read_private_",
			"delete_", "delete_others_", "delete_published_", "delete_private_",
		} {
			admin.Capabilities[right+family] = true
		}
	}
	c, err := calendar.New(t.Context(), calendar.Options{
		DB: testdb.SiteA(t), Logger: slog.New(slog.DiscardHandler), Authenticator: everybody{admin},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return &declaring{t, c, admin}
}

// everybody is an Authenticator that takes each caller for one.
type everybody struct{ calendar.Principal }

func (e everybody) Authenticate(*http.Request) (calendar.Principal, error) { return e.Principal, nil }

// http asks over HTTP, and checks the status.
func (d *declaring) http(status int, method, path, body string) string {
	d.Helper()
	r := httptest.NewRequest(method, "/wp-json/tribe/events/v1"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	d.Handler().ServeHTTP(w, r)
	if w.Code != status {
		d.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	return strings.ReplaceAll(w.Body.String(), `\/`, "/")
}

// shows checks that a text has others.
func (d *declaring) shows(where, text string, want ...string) {
	d.Helper()
	for _, one := range want {
		if !strings.Contains(text, one) {
			d.Errorf("%s lacks %s: %.2000s", where, one, text)
		}
	}
}

// export writes the events with a title in a form.
func (d *declaring) export(form exchange.Format) string {
	d.Helper()
	var out strings.Builder
	e := &exchange.Exporter{Calendar: d.Calendar, Principal: d.admin, Format: form, Query: url.Values{"search": {"Declared gala"}}}
	if n, err := e.Export(d.Context(), &out); err != nil || n != 1 {
		d.Fatalf("%s: %d events, %v", form, n, err)
	}
	return out.String()
}

// take imports what a source gives.
func (d *declaring) take(src exchange.Source) {
	d.Helper()
	im := &exchange.Importer{Calendar: d.Calendar, Principal: d.admin, Trust: true, Done: func(o exchange.Outcome) {
		if len(o.Problems) > 0 {
			d.Errorf("%s: %v", o.Action, o.Problems)
		}
	}}
	if _, err := im.Import(d.Context(), src); err != nil {
		d.Fatal(err)
	}
}

// The fields and the kind of a declaration are in every adapter, or it refuses them by name.
func TestDeclarationsReachEveryAdapter(t *testing.T) {
	registry.Add(t, sponsorType, newSponsors)
	registry.AddFields(t, moreFields)
	d := newDeclaring(t)

	// The API over HTTP: write, item, list, filter, partial update, index, document.
	made := d.http(201, "POST", "/events", `{"title":"Declared gala","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00",
		"dress_code":"Black <b>tie</b>","members_only":true,"sponsor":[{"sponsor":"Ink & Co","slogan":"We print"}]}`)
	all := []string{`"dress_code":"Black tie"`, `"members_only":true`, `"slogan":"We print"`}
	d.shows("the answer to a write", made, all...)
	var created struct {
		ID      int64
		Sponsor []struct{ ID int64 }
	}
	if err := json.Unmarshal([]byte(made), &created); err != nil || len(created.Sponsor) != 1 {
		t.Fatalf("%v: %s", err, made)
	}
	path := fmt.Sprint("/events/", created.ID)
	d.shows("the item", d.http(200, "GET", path, ""), all...)
	d.shows("the list", d.http(200, "GET", fmt.Sprint("/events?start_date=2031-06-06&end_date=2031-06-07&sponsor=", created.Sponsor[0].ID), ""),
		append(all, `"total":1`)...)
	d.shows("a partial update", d.http(200, "PATCH", path, `{"members_only":false}`), `"members_only":false`, all[0], all[2])
	d.shows("a partial update", d.http(200, "PATCH", path, `{"dress_code":"White tie","members_only":true}`), `"dress_code":"White tie"`, all[2])
	d.shows("the index", d.http(200, "GET", "", ""), `/sponsors/by-slug/`, `"slogan"`)
	d.shows("the document", d.http(200, "GET", "/doc", ""), `"dress_code"`, `"members_only"`, `"SponsorDetails"`, `"listSponsors"`)

	// The Go API.
	ctx := calendar.WithPrincipal(t.Context(), d.admin)
	body, err := d.Do(ctx, "GET", path, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.shows("the Go API", string(body), `"dress_code":"White tie"`, all[1], all[2])

	// Files, out and in: another site that takes one has the same to give.
	for _, form := range []exchange.Format{exchange.FormatCSV, exchange.FormatJSON} {
		out := d.export(form)
		d.shows(string(form), out, "dress_code", "White tie", "members_only", "sponsor", "Ink & Co", "We print")
		to := newDeclaring(t)
		if form == exchange.FormatCSV {
			to.take(exchange.CSV(strings.NewReader(out), "events.csv", exchange.TableOptions{}))
		} else {
			to.take(exchange.JSONLines(strings.NewReader(out), "events.jsonl"))
		}
		if again := to.export(form); again != out {
			t.Errorf("%s: exported again\n%s\nwas\n%s", form, again, out)
		}
	}

	// iCalendar has no place for any.
	e := &exchange.Exporter{Calendar: d.Calendar, Principal: d.admin, Format: exchange.FormatICalendar}
	_, err = e.Export(t.Context(), &strings.Builder{})
	if err == nil {
		t.Fatal("iCalendar leaves them out without a word")
	}
	for _, name := range []string{`the field "dress_code"`, `the field "members_only"`, `the kind "sponsors"`} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("iCalendar: %v; want %s", err, name)
		}
	}
	e.LeaveOut = []string{"dress_code", "members_only", "sponsors"}
	if n, err := e.Export(t.Context(), &strings.Builder{}); err != nil || n == 0 {
		t.Errorf("iCalendar without them: %d events, %v", n, err)
	}

	// One descriptor names all that is declared.
	var names []string
	for _, k := range registry.Of(d.Calendar).Events.Kinds() {
		names = append(names, k.Collection)
	}
	if want := []string{"events", "venues", "organizers", "sponsors", "categories", "tags"}; !slices.Equal(names, want) {
		t.Errorf("kinds %q, want %q", names, want)
	}
}
