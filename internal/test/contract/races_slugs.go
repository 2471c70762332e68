package contract

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// given is a post that another program created, and the posts that had its slug immediately afterwards.
type given struct {
	id   int64
	slug string
	seen []int64
}

// give creates an event like other programs: it selects a free slug and then inserts the post, without a lock.
func (s *site) give(ctx context.Context, title string) (g given, err error) {
	var used []string
	err = s.DB.NewSelect().TableExpr("?(prefix)posts").Column("post_name").Where("post_type = 'tribe_events'").
		Where("post_name LIKE ?", title+"%").Scan(ctx, &used)
	if err != nil {
		return g, err
	}
	g.slug = title
	for n := 2; slices.Contains(used, g.slug); n++ {
		g.slug = fmt.Sprint(title, "-", n)
	}
	const day = "2030-01-01 00:00:00"
	post := &schema.Post{
		Author: 1, Date: day, DateGMT: day, Modified: day, ModifiedGMT: day, Title: title,
		Name: g.slug, Status: schema.StatusPublish, Type: "tribe_events", CommentStatus: "closed", PingStatus: "closed",
	}
	if _, err = s.DB.NewInsert().Model(post).Exec(ctx); err != nil {
		return g, err
	}
	g.id = post.ID
	return g, s.DB.NewSelect().TableExpr("?(prefix)posts").Column("ID").Where("post_type = 'tribe_events'").
		Where("post_name = ?", g.slug).Scan(ctx, &g.seen)
}

// slugsOfPrograms checks that the service assigns no slug that another program has assigned, while both create posts
// with the same titles. If two posts have the same slug, the post of the other program, which does not check again,
// must be the later one (D63).
func slugsOfPrograms(t *testing.T, e Engine) {
	const clients, each = 8, 25
	b := raceBench(t, e)
	var mu sync.Mutex
	ours, theirs := map[string]int64{}, []given{}
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			for n := range each {
				body := fmt.Sprintf(`{"title":"Title %d","start_date":"2030-07-01","end_date":"2030-07-01"}`, (i+n)%5)
				a := b.DoWithin(t.Context(), "admin", http.MethodPost, "/events", body)
				mu.Lock()
				if ours[a.Word("slug")] = a.Number("id"); a.Status != http.StatusCreated {
					t.Errorf("%d %s", a.Status, a.Text)
				}
				mu.Unlock()
			}
		})
		wg.Go(func() {
			for n := range each {
				g, err := b.give(t.Context(), fmt.Sprint("title-", (i+n)%5))
				if answer := new(mysql.MySQLError); errors.As(err, &answer) && answer.Number == 1213 {
					continue // a deadlock, after which such a program gives up
				}
				mu.Lock()
				if theirs = append(theirs, g); err != nil {
					t.Error(err)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(ours) != clients*each {
		t.Errorf("%d slugs for %d events of the service", len(ours), clients*each)
	}
	shared := 0
	for _, g := range theirs {
		id, both := ours[g.slug]
		if both {
			shared++
		}
		if both && !slices.Contains(g.seen, id) {
			t.Errorf("%q was given to %d when %d had it", g.slug, id, g.id)
		}
	}
	t.Logf("%d slugs were given by both", shared)
	b.settle()
}

// slugBeforeCommit checks that every write waits for a slug which another program has assigned but not committed yet
// (D63).
func slugBeforeCommit(t *testing.T, e Engine) {
	b := raceBench(t, e)
	b.event(thing{slug: "other", start: "2030-07-01 10:00"})
	b.event(thing{slug: "third", start: "2030-07-01 10:00", status: "draft"})
	for i, w := range []request{
		{"POST", "/events", `{"title":"Given 0","start_date":"2030-07-01","end_date":"2030-07-01"}`},
		{"PATCH", b.fill("/events/{other}"), `{"slug":"given-1"}`},
		{"PATCH", b.fill("/events/{third}"), `{"slug":"given-2","status":"publish"}`},
	} {
		slug := fmt.Sprint("given-", i)
		tx := must.Get(b.DB.BeginTx(t.Context(), nil))(t)
		give := tx.NewRaw("UPDATE ?(prefix)posts SET post_name = ?, post_type = 'tribe_events' WHERE ID = ?", slug, b.idOf("picture"))
		must.Get(give.Exec(t.Context()))(t)
		asked := make(chan struct{})
		once := sync.OnceFunc(func() { close(asked) })
		b.counter.Before(func(_ context.Context, _ int, query string) error {
			if strings.Contains(query, "post_name = '"+slug+"'") && strings.HasSuffix(query, "FOR UPDATE") {
				once()
			}
			return nil
		})
		answered := make(chan apitest.Answer)
		go func() { answered <- b.DoWithin(t.Context(), "admin", w.method, w.path, w.body) }()
		if b.DB.Dialect().Name() == dialect.MySQL { // on SQLite the whole write waits
			select {
			case <-asked:
			case a := <-answered:
				t.Fatalf("%s: %d %s without a second check", a.Request, a.Status, a.Word("slug"))
			}
		}
		must.Succeed(t, tx.Commit())
		if a := <-answered; a.Word("slug") != slug+"-2" {
			t.Errorf("%s: %d, slug %q, want %s-2", a.Request, a.Status, a.Word("slug"), slug)
		}
		b.counter.Reset()
	}
	b.settle()
}
