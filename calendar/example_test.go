package calendar_test

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"
	"golang.org/x/text/language"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// connect opens the database of a site. readTimeout notices a server that stops
// answering.
func connect(address string) *bun.DB {
	pool, err := sql.Open("mysql", "user:password@tcp("+address+")/site?readTimeout=30s")
	if err != nil {
		log.Fatal(err)
	}
	return bun.NewDB(pool, mysqldialect.New())
}

// The shortest way: one language version, at the address that the site itself
// has. The driver is registered by an import of github.com/go-sql-driver/mysql.
func ExampleRegister() {
	pool, err := sql.Open("mysql", "user:password@tcp(127.0.0.1:3306)/site?readTimeout=30s")
	if err != nil {
		log.Fatal(err)
	}
	router := gin.New()
	router.GET("/healthz", func(g *gin.Context) { g.String(http.StatusOK, "ok") })
	if err := calendar.Register(router, calendar.Options{DB: bun.NewDB(pool, mysqldialect.New())}); err != nil {
		log.Fatal(err) // names all problems
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", router))
}

// New is for hosts that want more than Register: unknown paths answered in the
// API's form, scheduled posts published, an end without loss: first the server
// ends, then the calendar, then the database.
func ExampleNew() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	db := connect("127.0.0.1:3306")
	events, err := calendar.New(ctx, calendar.Options{DB: db, PublishEvery: time.Minute})
	if err != nil {
		log.Fatal(err)
	}
	router := gin.New()
	if err := events.Register(router); err != nil {
		log.Fatal(err)
	}
	router.NoRoute(events.NoRoute)

	server := &http.Server{Addr: "127.0.0.1:8080", Handler: router, ReadHeaderTimeout: 10 * time.Second}
	end, cancel := context.WithCancel(context.Background())
	defer cancel()
	answered := make(chan error, 1)
	go func() {
		<-ctx.Done()
		time.AfterFunc(20*time.Second, cancel) // bounds all of the end
		answered <- server.Shutdown(end)       // returns when the requests in flight are answered
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
	// ListenAndServe returned when Shutdown began, not when it was done.
	if err := <-answered; err != nil {
		log.Print("requests were still in flight: ", err)
	}
	if err := events.Close(end); err != nil { // ends what still writes, and waits for the change hook
		log.Print("changes were still being reported: ", err)
	}
	_ = db.Close()
}

// A host without gin hands the calendar the requests that are its own.
func ExampleCalendar_Handler() {
	events, err := calendar.New(context.Background(), calendar.Options{DB: connect("127.0.0.1:3306")})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.Handle("/wp-json/", events.Handler())
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", mux))
}

// Three language versions below one router. Each has a root of its own, whose
// language its descriptions and error messages have; i18n_language asks for
// another one of the three.
func ExampleOptions_languages() {
	router := gin.New()
	err := calendar.Register(router, calendar.Options{
		DB: connect("127.0.0.1:3306"),
		Languages: []calendar.Language{
			{Tag: "en", BaseURL: "https://example.org/wp-json"},
			{Tag: "nl", BaseURL: "https://example.org/nl/wp-json", SiteURL: "https://example.org/nl"},
			// On a host of its own; the router recognizes it by its path.
			{Tag: "fr", BaseURL: "https://fr.example.org/wp-json", SiteURL: "https://fr.example.org", Mount: "/fr/wp-json"},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
}

// Texts of one's own: a language that the API lacks, and other words for a text
// that it has. What is missing comes from the API's own texts.
func ExampleOptions_texts() {
	texts := i18n.NewBundle(language.English)
	texts.MustAddMessages(language.German, // or texts.MustLoadMessageFile("active.de.json")
		&i18n.Message{ID: "error_event_not_found", Other: "Keine Veranstaltung hat die ID {{.ID}}."},
		&i18n.Message{ID: "fault_too_many", One: "Höchstens {{.Max}} Wert ist erlaubt.", Other: "Höchstens {{.Max}} Werte sind erlaubt."},
	)
	texts.MustAddMessages(language.English, &i18n.Message{ID: "doc_title", Other: "What is on in Ghent"})
	opts := calendar.Options{
		Texts: texts,
		Languages: []calendar.Language{
			{Tag: "en", BaseURL: "https://example.org/wp-json"}, {Tag: "de", BaseURL: "https://example.org/de/wp-json"},
		},
	}
	fmt.Println(opts.Texts.LanguageTags())
	// Output: [en de]
}

// feed lets one program in, by a token of its own, and leaves everybody else
// anonymous. What the program may do is said here and not in the site's tables.
type feed struct{ token string }

func (f feed) Authenticate(r *http.Request) (calendar.Principal, error) {
	given := r.Header.Get("X-Feed-Token")
	if given == "" {
		return calendar.Principal{}, nil // no credentials: anonymous
	}
	if subtle.ConstantTimeCompare([]byte(given), []byte(f.token)) != 1 {
		return calendar.Principal{}, &calendar.AuthError{Err: errors.New("wrong token")} // wrong ones: 401
	}
	return calendar.Principal{
		Login:        "feed",
		Capabilities: map[string]bool{"edit_tribe_events": true, "publish_tribe_events": true},
	}, nil
}

// A host lets callers in its own way: feed, above this function in
// example_test.go. An Authenticator that knows a user of the site may leave
// Capabilities nil: then they are the stored ones.
func ExampleAuthenticator() {
	opts := calendar.Options{Authenticator: feed{token: "s3cret"}}

	for _, token := range []string{"", "s3cret", "guessed"} {
		r := httptest.NewRequest(http.MethodGet, "https://example.org/wp-json/vendor/events/v1/events", nil)
		r.Header.Set("X-Feed-Token", token)
		p, err := opts.Authenticator.Authenticate(r)
		fmt.Println(p.Anonymous(), p.Can("publish_tribe_events"), err)
	}
	// Output:
	// true false <nil>
	// false true <nil>
	// true false calendar: the credentials are not valid: wrong token
}

// The change hook keeps a search index in step: what everybody may read is in
// it, everything else is taken out.
func ExampleOptions_changeHook() {
	opts := calendar.Options{
		Hooks: calendar.Hooks{OnChange: func(_ context.Context, c calendar.Change) {
			switch {
			case c.Kind != "events":
			case c.After == "publish":
				fmt.Println("index event", c.ID)
			case c.Before == "publish":
				fmt.Println("remove event", c.ID)
			}
		}},
	}

	// What the calendar calls after a draft was published, a draft was changed,
	// an event was put into the trash and a tag was deleted:
	for _, c := range []calendar.Change{
		{Kind: "events", ID: 25, Op: calendar.OpUpdate, Before: "draft", After: "publish"},
		{Kind: "events", ID: 26, Op: calendar.OpUpdate, Before: "draft", After: "draft"},
		{Kind: "events", ID: 27, Op: calendar.OpTrash, Before: "publish", After: "trash"},
		{Kind: "tags", ID: 28, Op: calendar.OpDelete},
	} {
		opts.Hooks.OnChange(context.Background(), c)
	}
	// Output:
	// index event 25
	// remove event 27
}

// replica is a server with a copy of the database. As bun's connection resolver
// it answers the selects of requests that atReplica lets it have; the primary
// answers everything else. What the calendar does in a transaction never gets
// here: it is bound to its connection. (The resolver in bun's bunexp sends each
// select to a replica, even one that locks rows.)
type replica struct{ *sql.DB }

func (r replica) ResolveConn(ctx context.Context, q bun.Query) bun.IConn {
	s, ok := q.(*bun.SelectQuery)
	if !ok || ctx.Value(replica{}) == nil || !bun.IsReadOnlyQuery(q) || strings.Contains(s.String(), " FOR UPDATE") {
		return nil // the primary
	}
	return r.DB
}

// atReplica is for requests of anonymous callers that only read. A logged-in caller
// may have changed something a moment ago, which a replica does not have yet.
func atReplica(g *gin.Context) {
	r := g.Request
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if reads && r.Header.Get("Authorization") == "" && r.Header.Get("Cookie") == "" {
		g.Request = r.WithContext(context.WithValue(r.Context(), replica{}, true))
	}
}

// A read replica takes the reads of anonymous callers: replica, bun's connection
// resolver, and atReplica, a handler, are declared above this function in
// example_test.go. Register checks the primary only: the replica needs the same
// tables, and its DSN the same parameters.
func ExampleOptions_readReplica() {
	primary, copied := connect("10.0.0.1:3306"), connect("10.0.0.2:3306")
	db := bun.NewDB(primary.DB, mysqldialect.New(), bun.WithConnResolver(replica{copied.DB}))

	router := gin.New()
	router.Use(atReplica)
	if err := calendar.Register(router, calendar.Options{DB: db}); err != nil {
		log.Fatal(err)
	}
}

// replicated mounts a calendar on two pools with different data; mark is the header
// of callers who read at the replica.
func replicated(t *testing.T, mark gin.HandlerFunc) (h http.Handler, db *bun.DB, primary, copied *testdb.Counter) {
	t.Helper()
	first, primary := testdb.Counted(t, testdb.SiteA)
	copied = new(testdb.Counter)
	second := testdb.Reopen(t, first, testdb.WithCounter(copied))
	db = bun.NewDB(first.DB, mysqldialect.New(), bun.WithConnResolver(replica{second.DB}))
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(mark)
	mounted(t, router, calendar.Options{
		DB: db, Now: frozen, Namespace: namespace, Authenticator: administrator(),
		Languages: []calendar.Language{{Tag: "en", BaseURL: contract.Site + "/wp-json"}},
	})
	return router, db, primary, copied
}

// TestReadReplica: strangers' reads go to the replica, all other requests do not.
func TestReadReplica(t *testing.T) {
	h, db, primary, copied := replicated(t, atReplica)
	for _, c := range []struct {
		method, path, body string
		header             []header
		replica            bool
	}{
		{http.MethodGet, "/events?" + everything, "", nil, true},
		{http.MethodHead, "/events/25", "", nil, true},
		{http.MethodGet, "/tags", "", nil, true},
		{http.MethodGet, "/events/25", "", []header{{"Authorization", "Basic eDp5"}}, false},
		{http.MethodGet, "/events/25", "", []header{{"Cookie", "a=b"}}, false},
		{http.MethodPost, "/events/25", `{"title":"New"}`, []header{asJSON}, false},
		{http.MethodPost, "/events/25?_method=PATCH", `{"title":"Newer"}`, []header{asJSON}, false},
		{http.MethodPost, "/events/25", `{"title":"Newest"}`, []header{asJSON, {"X-HTTP-Method-Override", "PUT"}}, false},
		{http.MethodPost, "/venues", `{"venue":"Hall"}`, []header{asJSON}, false},
		{http.MethodDelete, "/events/25", "", nil, false},
	} {
		primary.Reset()
		copied.Reset()
		w := send(h, c.method, c.path, c.body, c.header...)
		silent, busy := copied, primary
		if c.replica {
			silent, busy = primary, copied
		}
		if w.Code >= 300 || len(silent.Statements()) > 0 || len(busy.Statements()) == 0 {
			t.Errorf("%s %s: %d %.200s, replica %q, primary %q", c.method, c.path, w.Code, w.Body, copied.Statements(),
				primary.Statements())
		}
	}
	primary.Reset()
	copied.Reset()
	ctx := context.WithValue(t.Context(), replica{}, true)
	var id int64
	options := func() *bun.SelectQuery {
		return db.NewSelect().Table("wp_options").Column("option_id").Where("option_name = 'home'")
	}
	one := db.NewRaw("SELECT 1")
	if err := errors.Join(options().Scan(ctx, &id), options().For("UPDATE").Scan(ctx, &id), one.Scan(ctx, &id)); err != nil {
		t.Fatal(err)
	}
	if got := copied.Statements(); len(got) != 1 || len(primary.Statements()) != 2 || len(primary.Matching("for update")) != 1 {
		t.Errorf("replica %q, primary %q", got, primary.Statements())
	}
}

// TestReplicaOutsideWrites: even if every request may read at the replica, none
// does while it writes.
func TestReplicaOutsideWrites(t *testing.T) {
	h, _, primary, copied := replicated(t, func(g *gin.Context) {
		g.Request = g.Request.WithContext(context.WithValue(g.Request.Context(), replica{}, true))
	})
	for _, c := range []struct{ method, path, body string }{
		{http.MethodPost, "/events", `{"title":"A","start_date":"2031-01-01","end_date":"2031-01-02","venue":{"venue":"V"},` +
			`"organizer":[{"organizer":"O"}],"tags":["t"]}`},
		{http.MethodPut, "/events/25", `{"title":"B","categories":["c"]}`},
		{http.MethodPatch, "/venues/8", `{"venue":"C"}`},
		{http.MethodDelete, "/events/26", ""},
		{http.MethodDelete, "/organizers/18?force=true", ""},
	} {
		primary.Reset()
		copied.Reset()
		copied.Before(func(_ context.Context, _ int, query string) error {
			if n := primary.Transactions(); n.Begun != n.Committed+n.RolledBack {
				t.Errorf("%s %s: read at the replica within the write: %s", c.method, c.path, query)
			}
			return nil
		})
		w := send(h, c.method, c.path, c.body, asJSON)
		if n := primary.Transactions(); w.Code >= 300 || n.Committed != 1 || len(primary.Matching("for update")) == 0 {
			t.Errorf("%s %s: %d %.300s, %+v", c.method, c.path, w.Code, w.Body, n)
		}
		if len(copied.Statements()) == 0 || len(copied.Matching("for update"))+copied.Transactions().Begun > 0 {
			t.Errorf("%s %s: the replica got %q", c.method, c.path, copied.Statements())
		}
	}
}
