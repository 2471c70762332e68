package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

var journalTurn = flag.Duration("journal.turn", 300*time.Millisecond, "how long a turn of BenchmarkJournalKept is; 3s for steady figures")

// BenchmarkJournalKept measures a site with a journal: the fraction of its rate that one writer through the API keeps,
// with and without the journal in turns, the same of the writes per processor time (see processorOf), which other
// programs on the machine affect less, and after what time the changes of this writer and those of another program are
// recorded.
func BenchmarkJournalKept(b *testing.B) {
	b.Run("server", func(b *testing.B) { keepMany(b, testdb.SiteDates(b)) })
	b.Run("embedded", func(b *testing.B) { keepMany(b, embeddedSite(b)) })
}

func keepMany(b *testing.B, db *bun.DB) {
	ctx := calendar.WithPrincipal(b.Context(), calendar.Principal{UserID: 1})
	insertMany(b, db, *journalEvents)
	open := func() *calendar.Calendar {
		return must.Get(calendar.New(ctx, calendar.Options{DB: db, Logger: slog.New(slog.DiscardHandler)}))(b)
	}
	written := 0
	write := func(c *calendar.Calendar) { // it changes the same items in each turn, so that all turns take the same time
		written++
		path := fmt.Sprint("/events/", 100_000+written%50)
		must.Get(c.Do(ctx, "PATCH", path, nil, map[string]any{"title": fmt.Sprint("Title ", written)}))(b)
	}
	var rates, writes, used [2]float64
	processor := processorOf(b, db)
	turn := func(n int) {
		if n%2 == 0 {
			must.Succeed(b, schema.RemoveJournal(ctx, db, "wp_"))
		} else if err := schema.InstallJournal(ctx, db, "wp_"); err != nil {
			b.Fatal(err)
		}
		c := open()
		defer func() { _ = c.Close(context.Background()) }()
		if n%2 == 1 {
			must.Succeed(b, c.DeclareJournal(ctx))
			must.Get(c.ScanJournal(ctx))(b)
		}
		first, began, was := written, time.Now(), processor()
		for time.Since(began) < *journalTurn {
			write(c)
		}
		writes[n%2] += float64(written - first)
		used[n%2] += float64(processor() - was)
		rates[n%2] += float64(written-first) / time.Since(began).Seconds()
	}
	for b.Loop() {
		for n := range 6 {
			turn(n)
		}
	}
	b.ReportMetric(rates[1]/rates[0], "writer-ratio")
	b.ReportMetric(writes[1]/used[1]*used[0]/writes[0], "processor-ratio")
	b.ReportMetric(rates[0]/3, "writes/s")

	c := open()
	defer func() { _ = c.Close(context.Background()) }()
	noted := func(before int64) time.Duration {
		began := time.Now()
		for newest(b, db) <= before && time.Since(began) < time.Minute {
			time.Sleep(time.Millisecond)
		}
		return time.Since(began)
	}
	for before := int64(-1); before != newest(b, db); time.Sleep(3 * time.Second) {
		before = newest(b, db)
	}
	before := newest(b, db)
	write(c)
	b.ReportMetric(noted(before).Seconds()*1e3, "own-ms")
	time.Sleep(time.Second)
	before = newest(b, db)
	const other = "UPDATE wp_postmeta SET meta_value = 'new' WHERE post_id = 100007 AND meta_key = '_EventCost'"
	must.Get(db.DB.ExecContext(ctx, other))(b)
	b.ReportMetric(noted(before).Seconds()*1e3, "foreign-ms")
}

// newest returns the sequence of the newest change.
func newest(b *testing.B, db *bun.DB) int64 {
	report := must.Get(schema.CheckJournal(b.Context(), db, "wp_"))(b)
	return report.Head.Sequence
}

// BenchmarkKeptBesideJournal measures the fraction of their rate that cached responses keep while the journal of their
// site is written ten times a second, with and without these writes in turns.
func BenchmarkKeptBesideJournal(b *testing.B) {
	for name, db := range map[string]*bun.DB{"server": testdb.SiteDates(b), "embedded": embeddedSite(b)} {
		b.Run(name, func(b *testing.B) {
			must.Succeed(b, schema.InstallJournal(b.Context(), db, "wp_"))
			own := must.Get(schema.OpenJournal(b.Context(), db, "wp_", false))(b)
			defer own.Close()
			h := contract.Handler(b, calendar.Options{DB: db})
			rate := func(beside bool) float64 {
				n, noted, began := 0, time.Duration(0), time.Now()
				for at := time.Duration(0); at < *journalTurn; at = time.Since(began) {
					if beside && at-noted > 100*time.Millisecond {
						noted = at
						must.Get(own.DB.NewRaw("UPDATE ?(prefix)agenda_journal SET sequence = sequence").Exec(b.Context()))(b)
					}
					if w := apitest.Send(b.Context(), h, http.MethodGet, "/events", ""); w.Code != http.StatusOK {
						b.Fatal(w.Code)
					}
					n++
				}
				return float64(n) / time.Since(began).Seconds()
			}
			rate(false) // until enough time has passed since the last write that responses are cached
			var rates [2]float64
			for b.Loop() {
				for turn := range 6 {
					rates[turn%2] += rate(turn%2 == 1)
				}
			}
			b.ReportMetric(rates[0]/3/float64(b.N), "answers/s")
			b.ReportMetric(rates[1]/rates[0], "kept-ratio")
		})
	}
}
