package calendar_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// processes are calendars on one database that share nothing else: each has
// connections of its own.
func processes(t *testing.T, db *bun.DB, n int, now func() time.Time) (calendars []*calendar.Calendar, handlers []http.Handler) {
	t.Helper()
	for range n {
		c, h := contract.Mount(t, calendar.Options{DB: testdb.Reopen(t, db), Now: now, Authenticator: administrator(), Logger: quiet()})
		calendars, handlers = append(calendars, c), append(handlers, h)
	}
	return calendars, handlers
}

// TestSeveralProcesses: writers in several processes take turns like those in
// one, and of several that publish what is due, each post is published once.
func TestSeveralProcesses(t *testing.T) {
	var mu sync.Mutex
	clock := frozen()
	db := testdb.SiteA(t)
	calendars, handlers := processes(t, db, 4, func() time.Time { mu.Lock(); defer mu.Unlock(); return clock })
	// A venue that differs from those that are stored is a new one (D71).
	const event = `{"title":"All at once","start_date":"2033-01-01","end_date":"2033-01-01","date":"2032-01-01",` +
		`"categories":["Made once"],"venue":{"venue":"Hall at once","phone":"%d"}}`
	answers := make([]*httptest.ResponseRecorder, 32)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			answers[i] = send(handlers[i%len(handlers)], http.MethodPost, "/events", fmt.Sprintf(event, i), asJSON)
		})
	}
	wg.Wait()
	events, venues := map[string]bool{}, map[string]bool{}
	for _, w := range answers {
		var a struct {
			Slug, Status string
			Venue        struct{ Slug string }
			Categories   []struct{ Name string }
		}
		parse(t, w.Body.String(), &a)
		if w.Code != http.StatusCreated || a.Status != "future" || len(a.Categories) != 1 {
			t.Errorf("%d %.300s", w.Code, w.Body)
		}
		events[a.Slug], venues[a.Venue.Slug] = true, true
	}
	for n := 2; n <= len(answers); n++ {
		if !events[fmt.Sprint("all-at-once-", n)] || !venues[fmt.Sprint("hall-at-once-", n)] {
			t.Errorf("number %d is missing: %v %v", n, events, venues)
		}
	}
	var found struct{ Categories []struct{ Count int } }
	if parse(t, get(handlers[0], "/categories?hide_empty=0&search=Made+once").Body.String(), &found); len(found.Categories) != 1 {
		t.Errorf("%d categories", len(found.Categories))
	}

	due, err := db.NewSelect().Table("wp_posts").Where("post_status = 'future'").Where("post_type LIKE 'tribe%'").Count(t.Context())
	if err != nil || due < int64(len(answers)) {
		t.Fatalf("%d posts wait, %v", due, err)
	}
	mu.Lock()
	clock = clock.AddDate(10, 0, 0)
	mu.Unlock()
	published := make([]int, len(calendars))
	for i, c := range calendars {
		wg.Go(func() {
			n, err := c.PublishDue(t.Context())
			if published[i] = n; err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, n := range published {
		sum += n
	}
	if again, err := calendars[0].PublishDue(t.Context()); int64(sum) != due || again != 0 || err != nil {
		t.Errorf("%v of %d published, then %d, %v", published, due, again, err)
	}
	if parse(t, get(handlers[1], "/categories?search=Made+once").Body.String(), &found); len(found.Categories) != 1 ||
		found.Categories[0].Count != len(answers) {
		t.Errorf("the category counts %+v", found.Categories)
	}
}
