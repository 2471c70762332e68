// Package contract holds the tests that hold on every engine: the root module runs them on MariaDB, the example on its
// embedded database. What is a request and its answer stands in a case file; what needs a loop over recorded data, faults,
// goroutines or a model is Go.
//
// # Case files
//
// testdata/cases/*.txt hold tests, one "test NAME" each, and what they share. A line that stands farther to the right
// belongs to the one above it; a line that begins with + continues it, one that begins with # is a remark.
//
//	site fair
//	  category crafts
//	  event f1 f2 start=2030-07-01T10:00 terms=crafts _EventCost=5
//
//	test D99 what is proved
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
// A request is: callers (nobody, where no line "as" above says otherwise), method (GET), path, JSON body, and behind the
// arrow what is answered. That is for a list its slugs in order, with "of" and the total if a page does not hold all; for
// an item its slug; for a refusal status, code and the parameters at fault; or just the status and code. Without arrow any
// status 2xx is right. "fr:" before a path sends it to another root. A write has to change some row if it is accepted, and
// none if it is refused.
//
// Below a request stands more of what is answered:
//
//	venue/city = "Gent"                a member, as JSON; absent if there is none
//	rest_url?page = 2                  a parameter of an address; with no name, the names of all
//	organizer/*/slug = a b             a member of each object of a list
//	keys venue = id author …           the members of an object in their order; types: each with its type
//	items events = 5                   how many items a list has
//	header Allow = GET, POST           a header
//	has TEXT, lacks TEXT               what the body holds
//	links description = /a/ /b/        the addresses that a text links to
//	shows NAME in events/0             all lines of "members NAME"
//	with NAME: VALUE                   a header of the request
//	unchanged                          the write changes nothing
//	made := venue/id                   {made} is that id from now on; in capitals, $MADE is that text
//
// Other lines: on SITE (blank for an empty one) begins anew; event, venue, organizer, post TYPE, category, tag, meta, assign,
// user, option and sql write rows; caller NAME ID CAPABILITY… adds a caller; open OPTION=VALUE… mounts the calendar anew;
// rows SELECT … -> VALUES compares one column; consistent compares tables with each other; case NAME runs the lines below it
// as a test of their own; let NAME = TEXT and let NAME * 9 = TEXT set a variable, each A B in 1 2 | 3 4 sets some in turn,
// where rows may also stand below it, each after a bar. {slug} is an id.
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
// addresses unless the options name others, and without kept totals unless they
// say how long.
func Handler(t testing.TB, opts calendar.Options) http.Handler {
	t.Helper()
	_, h := Mount(t, opts)
	return h
}

// Observe, if set, sees what the handlers of Mount are asked and what they
// answer: it returns the handler that takes the place of h, which serves a
// namespace.
var Observe func(namespace string, h http.Handler) http.Handler

// Mount is Handler with the calendar itself.
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
	if opts.Cache.TotalTTL == 0 {
		opts.Cache.TotalTTL = calendar.None // tests write behind the calendar's back
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
	if Observe != nil {
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
