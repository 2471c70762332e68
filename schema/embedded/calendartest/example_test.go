package calendartest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// board is a host's own page with the next events, which it reads from a calendar's API.
func board(client *http.Client, api string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		answer, err := client.Get(api + "/events?per_page=2")
		if err != nil {
			http.Error(w, "the calendar does not answer", http.StatusBadGateway)
			return
		}
		defer answer.Body.Close()
		var list struct {
			Events []struct {
				Title string
				Start string `json:"start_date"`
			}
		}
		if err := json.NewDecoder(answer.Body).Decode(&list); err != nil {
			http.Error(w, "the calendar answers something else", http.StatusBadGateway)
			return
		}
		for _, e := range list.Events {
			fmt.Fprintf(w, "%s  %s\n", e.Start, e.Title)
		}
	})
}

// This example tests a host. In a test, site := calendartest.New(t) replaces the first lines.
func Example() {
	site, err := calendartest.Open(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	defer site.Close()

	page := httptest.NewRecorder()
	board(site.Client(), site.URL).ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/", nil))
	fmt.Print(page.Body)

	site.Clock.Set(calendartest.Now.AddDate(0, 0, 10)) // the 25th
	page = httptest.NewRecorder()
	board(site.Client(), site.URL).ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/", nil))
	fmt.Print(page.Body)
	// Output:
	// 2030-06-18 10:00:00  Story Hour
	// 2030-06-21 20:00:00  Jazz Night
	// 2030-06-25 10:00:00  Story Hour
	// 2030-06-28 19:00:00  Members&#8217; Evening
}
