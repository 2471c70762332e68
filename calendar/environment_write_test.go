package calendar_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// writer is an Authenticator for which every caller may write everything, also on a site with other names of post
// types.
type writer struct{}

// Authenticate returns the writer for any request.
func (writer) Authenticate(*http.Request) (calendar.Principal, error) {
	p := calendar.Principal{UserID: 1, Login: "writer",
		Capabilities: map[string]bool{"read": true, "edit_posts": true, "manage_categories": true, "unfiltered_html": true}}
	for _, family := range strings.Fields("tribe_events tribe_venues tribe_organizers other_events other_venues other_organizers") {
		for _, right := range []string{"edit_", "edit_others_", "edit_published_", "edit_private_", "publish_", "delete_", "delete_others_",
			"delete_published_", "delete_private_"} {
			p.Capabilities[right+family] = true
		}
	}
	return p, nil
}

// scripted are writes that are sent in order to a site without posts and terms, so that the new rows have the first
// free ids. They create, update and delete rows of every table.
var scripted = []struct{ method, path, body string }{
	{"POST", "/categories", `{"name":"Jazz & été","description":"<b>b</b>"}`},
	{"POST", "/categories", `{"name":"Kid","parent":1}`},
	{"POST", "/tags", `{"name":"It's \\ \"quoted\" 🎉"}`},
	{"POST", "/venues", `{"venue":"Zaal \\ 'één'","city":"Gent","country":"Belgium","show_map":"0","date":"2026-01-02 03:04:05"}`},
	{"POST", "/organizers", `{"organizer":"Org","email":"a%40b@c.d","status":"draft"}`},
	{"POST", "/events", `{"title":"Everything 🎉","start_date":"2033-04-05 19:30","end_date":"2033-04-05 22:00",` +
		`"timezone":"America/New_York","description":"a\\b","cost":["$5","$9"],"website":"http://a.b/%20c","sticky":true,"featured":true,` +
		`"hide_from_listings":true,"categories":[1,"New one"],"tags":[3],"venue":1,"organizer":[2,{"organizer":"Nested"}]}`},
	{"POST", "/events", `{"title":"Draft","start_date":"2033-04-05","end_date":"2034-04-05","all_day":true,"status":"draft",` +
		`"venue":{"venue":"Nested venue","status":"draft"}}`},
	{"POST", "/events", `{"title":"Nameless dates","start_date":"0","end_date":"0","slug":"own"}`},
	{"POST", "/events", `{"title":"Later","start_date":"2033-04-05 10:00","end_date":"2033-04-05 10:00","date":"2032-01-01 00:00:00",` +
		`"categories":"Kid"}`},
	{"PATCH", "/events/by-slug/everything-%F0%9F%8E%89", `{"timezone":"UTC+5.5","organizer":"2","cost":"","tags":""}`},
	{"PATCH", "/events/by-slug/everything-%F0%9F%8E%89", `{"timezone":"UTC+5.5","organizer":"2","cost":"","tags":""}`},
	{"PATCH", "/events/by-slug/own", `{"start_date":"2033-04-05 10:00","end_date":"2033-04-06","slug":"draft"}`},
	{"PATCH", "/events/by-slug/draft", `{"status":"trash","title":"Gone"}`},
	{"PATCH", "/events/by-slug/draft__trashed", `{"status":"private"}`},
	{"DELETE", "/venues/1", ``},
	{"PATCH", "/venues/1", `{"status":"publish","description":"back"}`},
	{"DELETE", "/organizers/2?force=true", ``},
	{"PATCH", "/categories/2", `{"parent":0,"slug":"child","description":""}`},
	{"DELETE", "/categories/1", ``},
	{"DELETE", "/events/by-slug/later", ``},
	{"POST", "/events", `{"title":"` + "\U0001F600" + `","start_date":"2033-04-05 10:00","end_date":"2033-04-05 09:00"}`},
	{"POST", "/tags", `{"name":"` + strings.Repeat("é", 201) + `"}`},
	{"POST", "/venues", `{"venue":"` + strings.Repeat("é", 32768) + `"}`},
}

// refused is the number of scripted writes, at the end of the list, that are rejected.
const refused = 3

// emptySite installs a site without content, in the time zone of Brussels.
func emptySite(t *testing.T, prefix string) *bun.DB {
	t.Helper()
	db := testdb.New(t)
	if err := schema.Install(t.Context(), db, prefix); err != nil {
		t.Fatal(err)
	}
	if err := schema.RemoveJournal(t.Context(), db, prefix); err != nil { // its rows contain random values
		t.Fatal(err)
	}
	bound, err := schema.Bind(db, prefix)
	if err != nil {
		t.Fatal(err)
	}
	rows := []*schema.Option{
		{Name: schema.OptionHome, Value: contract.Site, Autoload: "on"}, {Name: schema.OptionSiteURL, Value: contract.Site, Autoload: "on"},
		{Name: schema.OptionTimezone, Value: "Europe/Brussels", Autoload: "on"},
	}
	for _, row := range rows {
		if _, err := bound.NewDelete().Model(row).Where("option_name = ?", row.Name).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := bound.NewInsert().Model(&rows).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db
}

// play sends the scripted writes and returns the answers, followed by all stored rows. words replaces the names and the
// prefix of the site by the usual ones.
func play(t *testing.T, db *bun.DB, through []testdb.Option, opts calendar.Options, words *strings.Replacer) []string {
	t.Helper()
	opts.DB, opts.Now, opts.Authenticator = db, frozen, writer{}
	opts.Cache.Settle = time.Hour // A write that takes more than half of this is repeated, which would skip ids.
	if through != nil {
		opts.DB = testdb.Reopen(t, db, through...)
	}
	h := contract.Handler(t, opts)
	var lines []string
	for _, s := range scripted {
		w := send(h, s.method, s.path, s.body, header{"Content-Type", "application/json"})
		if w.Code >= http.StatusInternalServerError {
			t.Errorf("%s %s: %d %s", s.method, s.path, w.Code, w.Body)
		}
		lines = append(lines, words.Replace(fmt.Sprintf("%s %s %.60s: %d %s", s.method, s.path, s.body, w.Code, w.Body)))
	}
	return append(lines, stored(t, db, words)...)
}

// stored returns the rows of all tables, except for the values of updated_at.
func stored(t *testing.T, db *bun.DB, words *strings.Replacer) (lines []string) {
	t.Helper()
	var tables []string
	if err := db.NewRaw("SHOW TABLES").Scan(t.Context(), &tables); err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		rows, err := db.QueryContext(t.Context(), "SELECT * FROM ?", bun.Ident(table))
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		var list []string
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			line := table
			for i, v := range values {
				if columns[i] != "updated_at" {
					line += " " + columns[i] + "=" + v.String
				}
			}
			list = append(list, words.Replace(line))
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		slices.Sort(list)
		lines = append(lines, list...)
	}
	return lines
}

// sameLines compares what two sites answered and stored, and reports where lines begin to differ.
func sameLines(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) {
			t.Fatalf("%d lines, want %d", len(got), len(want))
		}
		if got[i] != want[i] {
			at := 0
			for at < min(len(got[i]), len(want[i])) && got[i][at] == want[i][at] {
				at++
			}
			near := func(s string) string { return s[max(0, at-120):min(len(s), at+120)] }
			t.Errorf("%.100s\n got  …%s…\n want …%s…", got[i], near(got[i]), near(want[i]))
		}
	}
}

// TestWritesInEnvironments checks that what writes answer and store depends neither on how a host connects nor on the
// names of post types and taxonomies and the table prefix.
func TestWritesInEnvironments(t *testing.T) {
	t.Parallel()
	none := strings.NewReplacer()
	want := play(t, emptySite(t, "wp_"), nil, calendar.Options{}, none)
	for i, s := range scripted {
		status := map[string]string{"POST": ": 201 ", "PATCH": ": 200 ", "DELETE": ": 200 "}[s.method]
		if i >= len(scripted)-refused {
			status = ": 400 "
		}
		if !strings.Contains(want[i], status) {
			t.Errorf("%.600s", want[i])
		}
	}
	for name, options := range environments(t, testdb.New(t)) {
		t.Run(name, func(t *testing.T) {
			sameLines(t, play(t, emptySite(t, "wp_"), options, calendar.Options{}, none), want)
		})
	}
	t.Run("other names", func(t *testing.T) {
		names := schema.Names{Event: "other_events", Venue: "other_venue", Organizer: "other_organizer", Category: "other_events_cat",
			Tag: "also_tag"}
		words := strings.NewReplacer(names.Event, "tribe_events", names.Venue, "tribe_venue", names.Organizer, "tribe_organizer", names.Tag,
			"post_tag")
		sameLines(t, play(t, emptySite(t, "wp_"), nil, calendar.Options{Site: calendar.Site{Names: names}}, words), want)
	})
	t.Run("prefix of a multisite", func(t *testing.T) {
		words := strings.NewReplacer("wp_7_", "wp_")
		sameLines(t, play(t, emptySite(t, "wp_7_"), nil, calendar.Options{Site: calendar.Site{Prefix: "wp_7_"}}, words), want)
	})
}
