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
