package calendar_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"
	"golang.org/x/text/language"

	"github.com/agendahq/agenda/calendar"
)

// connect opens the database of a site. Because of readTimeout, a server that stops responding is noticed.
func connect(address string) *bun.DB {
	pool, err := sql.Open("mysql", "user:password@tcp("+address+")/site?readTimeout=30s")
	if err != nil {
		log.Fatal(err)
	}
	return bun.NewDB(pool, mysqldialect.New())
}

// Register is all that a host needs for one language version at the address of the site. The driver is registered by an
// import of github.com/go-sql-driver/mysql.
func ExampleRegister() {
	pool, err := sql.Open("mysql", "user:password@tcp(127.0.0.1:3306)/site?readTimeout=30s")
	if err != nil {
		log.Fatal(err)
	}
	router := gin.New()
	router.GET("/healthz", func(g *gin.Context) { g.String(http.StatusOK, "ok") })
	if err := calendar.Register(router, calendar.Options{DB: bun.NewDB(pool, mysqldialect.New())}); err != nil {
		log.Fatal(err) // names all problems, not only the first one
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", router))
}

// A host that calls New instead of Register can answer unknown paths in the form of the API, publish scheduled posts,
// and shut down without losing anything: first the server, then the calendar, then the database.
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
		time.AfterFunc(20*time.Second, cancel) // limits the time of the whole shutdown
		answered <- server.Shutdown(end)       // returns when all requests in flight have been answered
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
	// ListenAndServe returned when Shutdown began, not when it ended.
	if err := <-answered; err != nil {
		log.Print("requests were still in flight: ", err)
	}
	if err := events.Close(end); err != nil { // ends other writes, and waits for the change hook
		log.Print("changes were still being reported: ", err)
	}
	_ = db.Close()
}

// A host without gin passes the requests below /wp-json/ to Handler.
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

// Three language versions use one router. Each has a separate root, with descriptions and error messages in its
// language. A request can ask for one of the other languages with i18n_language.
func ExampleOptions_languages() {
	router := gin.New()
	err := calendar.Register(router, calendar.Options{
		DB: connect("127.0.0.1:3306"),
		Languages: []calendar.Language{
			{Tag: "en", BaseURL: "https://example.org/wp-json"},
			{Tag: "nl", BaseURL: "https://example.org/nl/wp-json", SiteURL: "https://example.org/nl"},
			// This one has a separate host name; the router recognizes it by its path.
			{Tag: "fr", BaseURL: "https://fr.example.org/wp-json", SiteURL: "https://fr.example.org", Mount: "/fr/wp-json"},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
}

// A host can add a language that the API lacks, and replace messages of a language that it has. The API's messages are
// used for all that Texts does not contain.
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

// The change hook keeps a search index up to date: published events are added to it, and all others are removed.
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

	// The calendar calls the hook with these changes after a draft was published, a draft was changed, an event was
	// moved to the trash and a tag was deleted:
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
