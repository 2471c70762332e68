package calendartest_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// texts contains a language that the API lacks, and another wording of one message. Ids and variables are those of
// locales/active.en.toml.
func texts() *i18n.Bundle {
	bundle := i18n.NewBundle(language.English)
	const notFound = "error_event_not_found"
	bundle.MustAddMessages(language.German, &i18n.Message{ID: notFound, Other: "Keine Veranstaltung hat die ID {{.ID}}."})
	bundle.MustAddMessages(language.English, &i18n.Message{ID: notFound, Other: "Nothing is on under the number {{.ID}}."})
	return bundle
}

// This example adds messages. The API uses its own for those that are missing.
func Example_texts() {
	site, err := calendartest.Open(context.Background(), func(o *calendar.Options) {
		o.Texts = texts()
		o.Languages = append(o.Languages, calendar.Language{Tag: "de", BaseURL: calendartest.Home + "/de/wp-json"})
	})
	if err != nil {
		log.Fatal(err)
	}
	defer site.Close()
	for _, root := range []string{"", "/nl", "/fr", "/de"} {
		w := httptest.NewRecorder()
		path := root + "/wp-json/vendor/events/v1/events/1000"
		site.Handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		fmt.Println(w.Body)
	}
	// Output:
	// {"code":"rest-event-not-found","message":"Nothing is on under the number 1000.","data":{"status":404}}
	// {"code":"rest-event-not-found","message":"Er is geen evenement met de id 1000.","data":{"status":404}}
	// {"code":"rest-event-not-found","message":"Aucun \u00e9v\u00e9nement n\u2019a l\u2019identifiant 1000.","data":{"status":404}}
	// {"code":"rest-event-not-found","message":"Keine Veranstaltung hat die ID 1000.","data":{"status":404}}
}
