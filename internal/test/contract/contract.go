// Package contract contains the tests that must pass on every engine: the root module runs them on MariaDB, and the
// example on SQLite. Tests of requests and responses are in case files; those that require a loop over recorded data,
// faults, goroutines or a model are in Go.
//
// # Case files
//
// The files testdata/cases/*.txt contain tests, each in a section "test NAME", and what tests share, in sections
// "site", "list" and "members". A line that is indented further belongs to the line above it. A line that begins with +
// continues the previous one, and one that begins with # is a comment. Other sections, empty sections, and tables
// ("each") without rows are errors.
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
// A request consists of callers (default: anonymous, or those of a line "as" above it), a method (default: GET), a
// path, a JSON body, and after the arrow the expected response. For a list, these are the slugs in order, followed by
// "of" and the total if there are more pages; for an item, its slug; for an error, the status, the code and the invalid
// parameters; or only the status and code. Without an arrow, any status 2xx is accepted. "fr:" before a path sends the
// request to the root of that language, "site:" to the address of the site. A write must change some row if it is
// accepted, and none if it is rejected.
//
// Lines below a request check more of the response, or change how the request is sent:
//
//	venue/city = "Gent"              a member, as JSON; "= absent" if there is none
//	rest_url?page = 2                a parameter in a URL; without a name, the names of all
//	organizer/*/slug = a b           a member of each object of a list
//	keys venue = id author           the members of an object in their order
//	types = id:number author:string  the same, with their types
//	items events = 5                 the number of items in a list
//	links description = /a/ /b/      the URLs that a text links to
//	header Allow = GET, POST         a header of the response
//	text = {"id":25}                 the whole body
//	calendar = A B | C               the lines of each event of an iCalendar response, except those of its row
//	not header ETag = $TAG           the opposite of one of the above
//	has TEXT, lacks TEXT             what the body contains, or does not contain
//	shows NAME in events/0           checks all lines of the section "members NAME"
//	again                            the rest_url of a list returns the same list
//	twice                            the same request, sent again, changes nothing and returns this response again (with a key)
//	walks 9                          the pages of a list together are the whole list, which has at least 9 items
//	changes = posts postmeta         the tables that a write changes
//	made := venue/id                 sets {made} to an id; for a name in capitals, sets $MADE to the JSON
//	TAG := header ETag               sets $TAG to a header of the response
//	with If-Match: "x"               adds a header to the request
//
// Other lines of a test:
//
//	on SITE                          continues on a new site: of a section, blank, "polyglot" and the form of its languages,
//	                                 recorded (the recorded site, which tests must not change) or copy (a copy of it)
//	open OPTION=VALUE                mounts the calendar again, with only these options
//	beside, swap                     adds a process that receives the reads, too; exchanges the processes for writes
//	later 1m                         advances the clock
//	due                              publishes what is due, and adds the occurrences of rules without an end
//	answers                          adds the table of stored responses
//	own                              marks the site as one of our own, which stores recurring events
//	caller NAME ID CAPABILITY        adds a caller; "stored" gives it the rights in the site's rows, a name those of that caller
//	event, venue, organizer, post TYPE, category, tag, meta, assign, user, option, settings, group, sql, occurrences without,
//	occurrences left, dated          write rows like other programs; names that begin with _ are meta rows; settings are JSON,
//	                                 which is stored in the form of PHP
//	rows SELECT … -> a, b            checks the values of one column; "none" if there are no rows
//	consistent, languages            check that rows agree with each other
//	language KIND ID -> nl of …      checks the stored language of an item; "only nl" for a group of its own
//	let A = TEXT, let A * 9 = TEXT   sets $A. "each A B in 1 2 | 3 4" runs the lines below it for each row of values; rows may
//	                                 also be on lines below it, each after a bar. {slug} is an id.
//	as CALLERS, case NAME, if A = B  apply to the lines below them; a case is a subtest
package contract

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/test/replay"
)

// Site is the URL of the recorded site, and Root that of its API.
const (
	Site = "http://site.test"
	Root = Site + "/wp-json/tribe/events/v1"
)

// Handler mounts a calendar on an engine of its own, with the recorded site's URLs unless the options contain others.
func Handler(t testing.TB, opts calendar.Options) http.Handler {
	t.Helper()
	_, h := Mount(t, opts)
	return h
}

// observing contains the function that wraps the handlers of a test.
type observing struct {
	test string // its name
	wrap func(namespace string, h http.Handler) http.Handler
}

var observer atomic.Pointer[observing]

// Observe wraps the handlers that Mount returns to a test and its subtests, until the test ends: wrap returns the handler
// to use instead of h, which serves a namespace. Only one test at a time may call it.
func Observe(t testing.TB, wrap func(namespace string, h http.Handler) http.Handler) {
	observer.Store(&observing{t.Name(), wrap})
	t.Cleanup(func() { observer.Store(nil) })
}

// covers reports whether a test is the observed one or one of its subtests.
func (o *observing) covers(t testing.TB) bool {
	return t.Name() == o.test || strings.HasPrefix(t.Name(), o.test+"/")
}

// Mount is like Handler, and also returns the calendar.
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
	c := must.Get(calendar.New(context.Background(), opts))(t)
	router := gin.New()
	must.Succeed(t, c.Register(router))
	router.NoRoute(c.NoRoute)
	if o := observer.Load(); o != nil && o.covers(t) && len(opts.Fields) == 0 { // the document of a host with fields differs
		return c, o.wrap(opts.Namespace, router)
	}
	return c, router
}

// RecordedReads replays the recorded reads of all callers on a database with the recorded site. Every compared response
// must match.
func RecordedReads(t *testing.T, db *bun.DB) {
	result := must.Get(replay.Run(context.Background(), replay.Options{
		Handler: Handler(t, calendar.Options{DB: db}), Root: Root, Corpus: "reads_a", Added: added(),
	}))(t)
	const compared = 942
	if result.Matched != compared || result.Compared != compared {
		t.Errorf("%d of %d matched, want %d of %d\n%s", result.Matched, result.Compared, compared, compared, result.Report(20))
	}
}
