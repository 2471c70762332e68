package calendar_test

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

var (
	tableName = regexp.MustCompile("`?\\bwp_[a-z_]+")
	quoted    = regexp.MustCompile(`'([^']*)'`)
)

// TestChangesAreToldFromTheStart checks that New logs how changes in the database are detected, and that Stats contains
// it before the first request.
func TestChangesAreToldFromTheStart(t *testing.T) {
	log := &record{}
	c := must.Get(calendar.New(t.Context(), calendar.Options{DB: testdb.SiteA(t), Logger: log.logger()}))(t)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	by := c.Stats().Cache.Changes
	if by == "" || strings.Count(log.String(), `"msg":"changes in the database are detected","by":"`+by+`"`) != 1 {
		t.Errorf("by %q: %s", by, log)
	}
}

// TestReadsUseWatchedTables checks that the tracker watches every table and option from which anonymous answers are
// made. A change of one that it does not watch would go unnoticed.
func TestReadsUseWatchedTables(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	watched := store.Watched("wp_")
	_, h := contract.Mount(t, calendar.Options{DB: db, Now: frozen, Cache: calendar.Cache{Bytes: calendar.None}, Fields: []calendar.Field{
		{Kind: "categories", Name: "colour", Key: "host_colour", Type: calendar.FieldText, Description: "A colour."},
		{Kind: "venues", Name: "lift", Key: "host_lift", Type: calendar.FieldYesNo, Description: "A lift."},
	}})
	counter.Reset()
	for _, collection := range []string{"events", "venues", "organizers", "categories", "tags"} {
		list := "/" + collection
		for _, query := range []string{
			"", "?search=a", "?include=25,26", "?status=draft", "?author=1", "?event=25", "?has_events=1", "?only_with_upcoming=1",
			"?venue=7&organizer=18&categories=1&tags=1", "?featured=1&ticketed=1&geoloc=1", "?geoloc_lat=50&geoloc_lng=4",
			"?start_date=2000-01-01&end_date=2040-01-01&per_page=50", "?post_parent=1", "?orderby=title", "?i18n_language=fr", "?slug=x",
			"?hide_empty=0&parent=0", "?password=x",
		} {
			get(h, list+query)
		}
		for _, id := range []string{"1", "7", "18", "25", "26", "33", "999999"} {
			get(h, list+"/"+id)
		}
		get(h, list+"/by-slug/x")
	}
	get(h, "")
	get(h, "/doc")
	sent := counter.Statements()
	if len(sent) < 100 {
		t.Fatalf("%d statements", len(sent))
	}
	options := site.OptionNames("wp_")
	for _, s := range sent {
		for _, table := range tableName.FindAllString(quoted.ReplaceAllString(s, "''"), -1) {
			table = strings.Trim(table, "`")
			if table == "wp_options" {
				for _, name := range quoted.FindAllStringSubmatch(s, -1) {
					if !slices.Contains(options, name[1]) {
						t.Errorf("option %s is not watched: %s", name[1], s)
					}
				}
			} else if !slices.Contains(watched, table) {
				t.Errorf("%s is not watched: %s", table, s)
			}
		}
	}
}

// TestSharedAnswersAreWhole checks that requests which wait for the same answer all receive the complete answer, no
// matter which of them created it.
func TestSharedAnswersAreWhole(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	db.SetMaxOpenConns(80)
	c, h := contract.Mount(t, calendar.Options{DB: db, Now: frozen})
	known, other := get(h, "/events/25"), testdb.Reopen(t, db)
	for range 20 {
		prepare(t, other, "UPDATE wp_posts SET comment_count = comment_count + 1 WHERE ID = 26") // empties the cache
		first, others, block := make(chan struct{}), make(chan struct{}), sync.Once{}
		counter.Before(func(_ context.Context, n int, _ string) error {
			if n > 0 {
				block.Do(func() { close(first); <-others })
			}
			return nil
		})
		var all sync.WaitGroup
		all.Go(func() { get(h, "/events/25") })
		<-first
		for i := range 6 {
			all.Go(func() {
				if i%2 == 0 {
					w := get(h, "/events/25", header{"If-None-Match", known.Header().Get("ETag")})
					if w.Code != http.StatusNotModified || w.Body.Len() > 0 {
						t.Errorf("known: %d %.100s", w.Code, w.Body)
					}
				} else if w := get(h, "/events/25"); w.Code != http.StatusOK || w.Body.String() != known.Body.String() {
					t.Errorf("not known: %d, %d bytes of %d", w.Code, w.Body.Len(), known.Body.Len())
				}
			})
		}
		waiting(c, 7)
		close(others)
		all.Wait()
	}
}

// waiting returns when the given number of requests is in flight and none of them polls for changes any more.
func waiting(c *calendar.Calendar, clients int64) {
	for looks, same := int64(-1), 0; same < 20; time.Sleep(5 * time.Millisecond) {
		s := c.Stats()
		if same++; s.InFlight < clients || s.Cache.Looks != looks {
			looks, same = s.Cache.Looks, 0
		}
	}
}

// TestOneSearchForAll checks that 64 clients with the same slow search cause two searches: that of the first client,
// and one for all clients that came while it ran.
func TestOneSearchForAll(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	db.SetMaxOpenConns(80)
	c, h := contract.Mount(t, calendar.Options{DB: db, Now: frozen})
	first, others := make(chan struct{}), make(chan struct{})
	var searches []string
	var mu sync.Mutex
	counter.Before(func(ctx context.Context, _ int, query string) error {
		if !strings.Contains(query, "%jazz%") || strings.Contains(query, "COUNT") {
			return nil
		}
		mu.Lock()
		searches = append(searches, query)
		n := len(searches)
		mu.Unlock()
		if n == 1 {
			close(first)
			<-others
		}
		return nil
	})
	const clients = 64
	bodies := make([]string, clients)
	ask := func(i int) {
		if w := get(h, "/events?search=jazz&start_date=2000-01-01"); w.Code == http.StatusOK {
			bodies[i] = w.Body.String()
		}
	}
	var all sync.WaitGroup
	all.Go(func() { ask(0) })
	<-first
	for i := 1; i < clients; i++ {
		all.Go(func() { ask(i) })
	}
	waiting(c, clients)
	close(others)
	all.Wait()
	if len(searches) != 2 {
		t.Errorf("%d searches", len(searches))
	}
	for i, body := range bodies {
		if body == "" || body != bodies[0] {
			t.Errorf("client %d got %.200q", i, body)
		}
	}
}

// TestTextsAreRenderedOnce checks that the second read of an event renders nothing, in any language version: rendered
// texts are cached by their source.
func TestTextsAreRenderedOnce(t *testing.T) {
	db := testdb.SiteA(t)
	c := must.Get(calendar.New(context.Background(), calendar.Options{
		DB: db, Namespace: "tribe/events/v1",
		Languages: []calendar.Language{{Tag: "en", BaseURL: contract.Site + "/wp-json"},
			{Tag: "fr", BaseURL: contract.Site + "/fr/wp-json"}},
	}))(t)
	router := gin.New()
	must.Succeed(t, c.Register(router))
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
	must.Get(db.Exec("UPDATE wp_posts SET post_title = 'Ander \"verhaal\"' WHERE ID = 26"))(t)
	read("/wp-json/tribe/events/v1/events/26")
	if third := c.Stats(); third.TextMisses != second.TextMisses+1 {
		t.Errorf("a changed title was not rendered alone: %+v", third)
	}
}

// TestPublishingIsCounted checks that rounds of publishing, failed rounds and published posts are counted.
func TestPublishingIsCounted(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	must.Get(db.Exec("UPDATE wp_posts SET post_status = 'future', post_date_gmt = '2020-01-01 00:00:00' WHERE ID = 26"))(t)
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
		must.Get(c.PublishDue(t.Context()))(t)
	}
	if got := c.Stats().Publishing; got != (calendar.PublishStats{Posts: 1, Rounds: 2, Failures: 1, Last: frozen()}) {
		t.Errorf("after publishing: %+v", got)
	}
}
