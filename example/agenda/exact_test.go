package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/internal/store/versions"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestLongExact runs the test of the same name in package calendar on the embedded database.
func TestLongExact(t *testing.T) {
	path := filepath.Join(t.TempDir(), cli.FileName)
	contract.NewExact(t, calendar.Cache{Settle: 3 * time.Second}, func(c *testdb.Counter) *bun.DB { return countedFile(t, path, c) }).Run(0)
}

// TestPollsOfEmbedded checks that the embedded database is not polled for each request while nobody commits, and that
// the next request notices a commit of any program, another connection and another file.
func TestPollsOfEmbedded(t *testing.T) {
	install := func(path string) *bun.DB {
		db := countedFile(t, path, nil)
		must.Succeed(t, schema.Install(t.Context(), db, "wp_"))
		return db
	}
	dir := t.TempDir()
	path := filepath.Join(dir, cli.FileName)
	db := install(path)
	db.SetMaxOpenConns(3) // of which trackers share one
	site := versions.Site{
		DB: db, Prefix: "wp_", Tables: []string{"posts", "options"}, MaxAge: time.Hour, Logger: slog.New(slog.DiscardHandler),
		Options: func(context.Context, bun.Conn) (map[string]string, error) { return map[string]string{}, nil },
	}
	beside, _ := versions.Share(site)
	site.Settle = time.Second // so that it is not the same tracker
	c, why := versions.Share(site)
	if c == nil {
		t.Fatal(why)
	}
	defer versions.Leave(beside)
	defer versions.Leave(c)
	beside.Poll(t.Context())
	program := countedFile(t, path, nil)
	epoch := func() uint64 { return c.Poll(t.Context()).Epoch(3) } // of both tables
	polls := func(n int) int64 {
		before := c.Stats().Looks
		for range n {
			epoch()
		}
		return c.Stats().Looks - before
	}
	for _, x := range []struct {
		name string
		do   func()
	}{
		{"a commit", func() {
			must.Get(program.NewRaw("INSERT INTO wp_terms (name, slug) VALUES ('Name', 'slug')").Exec(t.Context()))(t)
		}},
		{"another connection", beside.Reconnect},
		{"another file", func() {
			other := filepath.Join(dir, "other.db")
			must.Succeed(t, install(other).Close())
			must.Succeed(t, os.Rename(other, path))
		}},
	} {
		before := epoch()
		if n := polls(200); epoch() != before || runtime.GOOS == "linux" && n > 100 { // a poll is due each second
			t.Errorf("before %s: %d polls, epoch %d is %d", x.name, n, before, epoch())
		}
		if x.do(); epoch() == before {
			t.Errorf("%s is not noticed", x.name)
		}
	}
}
