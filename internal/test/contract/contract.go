// Package contract holds the tests that must pass on every engine: the root module runs them on MariaDB, the example on its embedded
// database. Tests of requests and answers are in case files; those that need a loop over recorded data, faults, goroutines or a model are
// in Go.
//
// # Case files
//
// testdata/cases/*.txt hold tests, one "test NAME" each, and what they share: sections "site", "list" and "members". A line that is
// indented further belongs to the one above it; a line that begins with + continues it, one that begins with # is a comment. Sections of
// other names or without lines, and tables ("each") without rows are refused.
//
//	site fair
//	  category crafts
//	  event f1 f2 start=2030-07-01T10:00 terms=crafts _EventCost=5
//
//	test D99 what is tested
//	  on fair
//	  let BAD = 400 rest_invalid_param categories
//	  /events?categories=crafts                       -> f1 f2
//	  each WORD in none "" {f1}
//	    /events?categories=$WORD                      -> $BAD
//	  contributor,author PATCH /events/{f1} {"cost":"6"} -> 403 rest_forbidden
//	  admin PATCH /events/{f1} {"cost":"6"} -> 200
//	    cost = "$6"
//	    venue = []
//
// A request is: callers (anonymous, unless a line "as" above names others), method (GET), path, JSON body, and after the arrow the expected
// answer. That is for a list its slugs in order, with "of" and the total if a page does not hold all; for an item its slug; for an error
// status, code and the parameters at fault; or just the status and code. Without arrow any status 2xx passes. "fr:" before a path sends it
// to another root. A write must change some row if it is accepted, and none if it is refused.
//
// Lines below a request describe more of the answer, or how the request is
// sent:
//
//	venue/city = "Gent"              a member, as JSON; absent if there is none
//	rest_url?page = 2                a parameter of an address; without a name, the names of all
//	organizer/*/slug = a b           a member of each object of a list
//	keys venue = id author           the members of an object in their order
//	types = id:number author:string  the same with their types
//	items events = 5                 how many items a list has
//	links description = /a/ /b/      the addresses that a text links to
//	header Allow = GET, POST         a header
//	text = {"id":25}                 the whole body
//	not header ETag = $TAG           none of the above
//	has TEXT, lacks TEXT             what the body contains or not
//	shows NAME in events/0           all lines of the section "members NAME"
//	again                            the rest_url of a list returns the same
//	walks 9                          the pages of a list are, one after the other, the list; it has so many items at least
//	changes = posts postmeta         the tables that a write changes
//	made := venue/id                 {made} is that id from now on; in capitals, $MADE is that JSON
//	TAG := header ETag               $TAG is that header from now on
//	with If-Match: "x"               a header of the request
//
// Other lines of a test:
//
//	on SITE                          continues with a new site: a section, blank, "polyglot" and the form of its languages,
//	                                 recorded (the recorded site, which no test changes) or copy (one to write to)
//	open OPTION=VALUE                mounts the calendar again with these options only
//	beside, swap                     adds a process that also gets the reads; sends writes to the other process
//	later 1m                         moves the clock
//	caller NAME ID CAPABILITY        adds a caller; with "stored", one with the rights of the site's rows
//	event, venue, organizer, post TYPE, category, tag, meta, assign, user, option, group, sql, occurrences without
//	                                 write rows as other programs do; names that begin with _ are meta rows
//	rows SELECT … -> a, b            the values of one column; none if there are no rows
//	consistent, languages            rows agree with each other
//	language KIND ID -> nl of …      what is stored of the language of an item; "only nl" for a group of its own
//	let A = TEXT, let A * 9 = TEXT   sets $A; each A B in 1 2 | 3 4 sets some in turn, for the lines below it; such rows may
//	                                 also be below it, each after a bar. {slug} is an id.
//	as CALLERS, case NAME, if A = B  hold for the lines below them; a case is a test of its own
package contract

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/replay"
)

// Site is the address of the recorded site, Root the one of its API.
const (
	Site = "http://site.test"
	Root = Site + "/wp-json/tribe/events/v1"
)

// Handler mounts a calendar on an engine of its own, with the recorded site's
// addresses unless the options set others.
func Handler(t testing.TB, opts calendar.Options) http.Handler {
	t.Helper()
	_, h := Mount(t, opts)
	return h
}

// Observe, if set, wraps the handlers of Mount: it returns the handler to use
// instead of h, which serves a namespace.
var Observe func(namespace string, h http.Handler) http.Handler

// Mount is Handler that also returns the calendar.
func Mount(t testing.TB, opts calendar.Options) (*calendar.Calendar, http.Handler) {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	if opts.Namespace == "" {
		opts.Namespace = "tribe/events/v1"
	}
	if opts.Languages == nil {
		opts.Languages = []calendar.Language{
			{Tag: "en", BaseURL: Site + "/wp-json"}, {Tag: "nl", BaseURL: Site + "/nl/wp-json"}, {Tag: "fr", BaseURL: Site + "/fr/wp-json"},
		}
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	}
	c, err := calendar.New(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	router := gin.New()
	if err := c.Register(router); err != nil {
		t.Fatal(err)
	}
	router.NoRoute(c.NoRoute)
	if Observe != nil && len(opts.Fields) == 0 { // the document of a host with fields is another one
		return c, Observe(opts.Namespace, router)
	}
	return c, router
}

// RecordedReads replays the recorded reads, of all callers, on a database
// with the recorded site: every compared answer matches.
func RecordedReads(t *testing.T, db *bun.DB) {
	result, err := replay.Run(context.Background(), replay.Options{
		Handler: Handler(t, calendar.Options{DB: db}), Root: Root, Corpus: "reads_a", Added: added(),
	})
	if err != nil {
		t.Fatal(err)
	}
	const compared = 942
	if result.Matched != compared || result.Compared != compared {
		t.Errorf("%d of %d matched, want %d of %d\n%s", result.Matched, result.Compared, compared, compared, result.Report(20))
	}
}
