package calendar_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
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

// emptySite installs a site without content, in the time zone of Brussels.
func emptySite(t *testing.T, prefix string) *bun.DB {
	t.Helper()
	db := testdb.New(t)
	must.Succeed(t, schema.Install(t.Context(), db, prefix))
	must.Succeed(t, schema.RemoveJournal(t.Context(), db, prefix)) // its rows contain random values
	exec(t, db, "REPLACE INTO "+prefix+"options (option_name, option_value, autoload) VALUES ('home', ?0, 'on'), ('siteurl', ?0, 'on'), "+
		"('timezone_string', 'Europe/Brussels', 'on')", contract.Site)
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
	large := strings.NewReplacer("{long}", strings.Repeat("é", 201), "{longer}", strings.Repeat("é", 32768))
	golden.Each(t, "scripted.txt", func(method, path string, status int, body string) {
		w := send(h, method, path, large.Replace(body), asJSON)
		if w.Code != status {
			t.Errorf("%s %s: %d %.600s, want %d", method, path, w.Code, w.Body, status)
		}
		lines = append(lines, words.Replace(fmt.Sprintf("%s %s %.60s: %s", method, path, body, w.Body)))
	})
	return append(lines, stored(t, db, words)...)
}

// updatedAt matches the time that the database stores with an occurrence.
var updatedAt = regexp.MustCompile(` updated_at '[^']*'`)

// stored returns the rows of all tables, except for the values of updated_at.
func stored(t *testing.T, db *bun.DB, words *strings.Replacer) (lines []string) {
	t.Helper()
	tables := apitest.Tables{T: t, DB: db}
	for table, rows := range tables.Rows() {
		for _, row := range rows {
			lines = append(lines, words.Replace(table+" "+updatedAt.ReplaceAllString(row, "")))
		}
	}
	slices.Sort(lines)
	return lines
}

// sameLines compares what two sites answered and stored, and reports where lines begin to differ.
func sameLines(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%.100s\n%s", got[i], difference(got[i], want[i]))
		}
	}
}

// TestWritesInEnvironments checks that what writes answer and store depends neither on how a host connects nor on the
// names of post types and taxonomies and the table prefix.
func TestWritesInEnvironments(t *testing.T) {
	t.Parallel()
	none := strings.NewReplacer()
	want := play(t, emptySite(t, "wp_"), nil, calendar.Options{}, none)
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
