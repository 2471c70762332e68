package calendar_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// The second read of an event renders nothing: its texts are found by their
// content, in every language version.
func TestTextsAreRenderedOnce(t *testing.T) {
	db := testdb.SiteA(t)
	c, err := calendar.New(context.Background(), calendar.Options{
		DB: db, Namespace: "tribe/events/v1",
		Languages: []calendar.Language{{Tag: "en", BaseURL: contract.Site + "/wp-json"},
			{Tag: "fr", BaseURL: contract.Site + "/fr/wp-json"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	router := gin.New()
	if err := c.Register(router); err != nil {
		t.Fatal(err)
	}
	read := func(path string) {
		if w := get(router, contract.Site+path); w.Code != http.StatusOK {
			t.Fatalf("%s: %d", path, w.Code)
		}
	}
	const list = "/wp-json/tribe/events/v1/events?start_date=2018-01-01&end_date=2036-01-01&per_page=50"
	read(list)
	read("/wp-json/tribe/events/v1/events/26")
	first := c.Stats()
	if first.TextMisses == 0 || first.TextBytes == 0 || first.Requests != 2 || first.InFlight != 0 || first.Failures != 0 {
		t.Errorf("%+v", first)
	}
	read(list)
	read("/fr" + list)
	read("/fr/wp-json/tribe/events/v1/events/26")
	second := c.Stats()
	if second.TextMisses != first.TextMisses || second.TextBytes != first.TextBytes || second.TextHits <= first.TextHits {
		t.Errorf("texts were rendered again: %+v, then %+v", first, second)
	}
	if _, err := db.Exec("UPDATE wp_posts SET post_title = 'Ander \"verhaal\"' WHERE ID = 26"); err != nil {
		t.Fatal(err)
	}
	read("/wp-json/tribe/events/v1/events/26")
	if third := c.Stats(); third.TextMisses != second.TextMisses+1 {
		t.Errorf("a changed title was not rendered alone: %+v", third)
	}
}

// TestPublishingIsCounted: rounds, those that failed, and the posts.
func TestPublishingIsCounted(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	if _, err := db.Exec("UPDATE wp_posts SET post_status = 'future', post_date_gmt = '2020-01-01 00:00:00' WHERE ID = 26"); err != nil {
		t.Fatal(err)
	}
	c := made(t, calendar.Options{DB: db, Now: frozen})
	if got := c.Stats().Publishing; got != (calendar.PublishStats{}) {
		t.Errorf("before: %+v", got)
	}
	counter.Before(func(_ context.Context, _ int, statement string) error {
		if strings.Contains(statement, "'future'") {
			return errors.New("on purpose")
		}
		return nil
	})
	if n, err := c.PublishDue(t.Context()); n != 0 || err == nil {
		t.Fatal(n, err)
	}
	if got := c.Stats().Publishing; got != (calendar.PublishStats{Failures: 1}) {
		t.Errorf("after a failure: %+v", got)
	}
	counter.Reset()
	for range 2 {
		if _, err := c.PublishDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.Stats().Publishing; got != (calendar.PublishStats{Posts: 1, Rounds: 2, Failures: 1, Last: frozen()}) {
		t.Errorf("after publishing: %+v", got)
	}
}
