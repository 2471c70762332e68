package calendartest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// page is a page of events, with the members that a client needs.
type page struct {
	Events []event
	Total  int
	Next   string `json:"next_rest_url"` // "" on the last page
}

type event struct {
	Title string
	Start string `json:"start_date"`
	Venue place  // empty if a password hides it
}

type place struct{ Venue, City string }

// UnmarshalJSON accepts the empty list that replaces a missing venue.
func (p *place) UnmarshalJSON(data []byte) error {
	if string(data) == "[]" {
		return nil
	}
	type plain place
	return json.Unmarshal(data, (*plain)(p))
}

// fetchPage returns the page at an address.
func fetchPage(ctx context.Context, c *http.Client, address string) (p page, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return p, err
	}
	answer, err := c.Do(r)
	if err != nil {
		return p, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return p, fmt.Errorf("%s: %s", address, answer.Status)
	}
	return p, json.NewDecoder(answer.Body).Decode(&p)
}

// This example reads all events of two months over HTTP, page by page.
func Example_read() {
	ctx := context.Background()
	site, err := calendartest.Open(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer site.Close()
	next := site.URL + "/events?start_date=2030-06-20&end_date=2030-07-31&per_page=3"
	for next != "" {
		p, err := fetchPage(ctx, site.Client(), next)
		if err != nil {
			log.Fatal(err)
		}
		for _, e := range p.Events {
			fmt.Println(strings.TrimSpace(e.Start + " " + e.Title + " " + e.Venue.Venue))
		}
		next = p.Next // it begins with the site's address, for which the client sends requests to the site
	}
	// Output:
	// 2030-06-21 20:00:00 Jazz Night Town Hall
	// 2030-06-24 00:00:00 Midsummer Day Riverside Park
	// 2030-06-25 10:00:00 Story Hour
	// 2030-06-28 19:00:00 Members&#8217; Evening
	// 2030-07-02 10:00:00 Story Hour
	// 2030-07-05 14:00:00 Summer Festival Riverside Park
}
