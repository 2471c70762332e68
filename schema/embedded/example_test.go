package embedded_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// owner authenticates every request as a caller who may write events, as in a program for one person.
type owner struct{}

func (owner) Authenticate(*http.Request) (calendar.Principal, error) {
	return calendar.Principal{Login: "owner", Capabilities: map[string]bool{
		"edit_tribe_events": true, "publish_tribe_events": true,
	}}, nil
}

// This example creates a calendar in a file, which exists after the first start.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "calendar-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	db, err := embedded.Open(ctx, filepath.Join(dir, "calendar.db"))
	if err != nil {
		log.Fatal(err) // the error says what to do
	}
	defer db.Close()
	if err := schema.Install(ctx, db, schema.DefaultPrefix); err != nil { // at every start: it creates what is missing
		log.Fatal(err)
	}
	events, err := calendar.New(ctx, calendar.Options{
		DB:            db,
		Languages:     []calendar.Language{{Tag: "en", BaseURL: "https://events.example.org/wp-json"}},
		Authenticator: owner{},
		Now:           func() time.Time { return time.Date(2030, time.June, 15, 12, 0, 0, 0, time.UTC) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer events.Close(ctx)

	handler := events.Handler() // to be passed to http.ListenAndServe
	const address = "/wp-json/vendor/events/v1/events"
	event := `{"title":"Jazz Night","start_date":"2030-06-21 20:00","end_date":"2030-06-21 23:00","status":"publish"}`
	r := httptest.NewRequest(http.MethodPost, address, strings.NewReader(event))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Header().Get("Location"))

	w = httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address+"/1?_fields=title,start_date,timezone", nil))
	fmt.Println(w.Code, w.Body)
	// Output:
	// 201 https://events.example.org/wp-json/vendor/events/v1/events/1
	// 200 {"title":"Jazz Night","start_date":"2030-06-21 20:00:00","timezone":"UTC"}
}
