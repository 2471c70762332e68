package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

var journalEvents = flag.Int("journal.events", 300, "how many events BenchmarkJournal compares")

// BenchmarkJournal compares all items of a site of which none has changed. It measures the processor time of the
// database server (for SQLite, of the process), the longest statement, the memory of the process, and the fraction of
// its rate that another writer keeps meanwhile.
func BenchmarkJournal(b *testing.B) {
	b.Run("server", func(b *testing.B) { compareMany(b, testdb.SiteDates(b)) })
	b.Run("embedded", func(b *testing.B) { compareMany(b, embeddedSite(b)) })
}

func compareMany(b *testing.B, db *bun.DB) {
	must.Succeed(b, schema.InstallJournal(b.Context(), db, "wp_"))
	insertMany(b, db, *journalEvents)
	counter := &testdb.Counter{}
	pool := db
	if db.Dialect().Name() != dialect.SQLite {
		pool = testdb.Reopen(b, db, testdb.WithCounter(counter))
	}
	c, err := calendar.New(b.Context(), calendar.Options{DB: pool, JournalShare: calendar.None, Logger: slog.New(slog.DiscardHandler)})
	must.Succeed(b, err)
	b.Cleanup(func() { _ = c.Close(context.Background()) })
	must.Succeed(b, c.DeclareJournal(b.Context()))
	scan := func() {
		if _, err := c.ScanJournal(b.Context()); err != nil {
			b.Error(err)
		}
	}
	began := time.Now()
	scan()
	first := time.Since(began)
	var longest time.Duration
	var most uint64
	var sent time.Time
	counter.Before(func(context.Context, int, string) error { sent = time.Now(); return nil })
	counter.After(func(string) { longest = max(longest, time.Since(sent)) })
	processor := processorOf(b, db)
	for b.Loop() {
		was := processor()
		scan()
		b.ReportMetric(float64(processor()-was)/1e6, "database-ms")
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapInuse)
	}
	counter.Reset()
	b.ReportMetric(float64(first.Milliseconds()), "first-ms")
	b.ReportMetric(float64(longest.Microseconds())/1e3, "longest-ms")
	b.ReportMetric(float64(most)/(1<<20), "heap-MB")
	b.ReportMetric(writerBeside(b, db, scan), "writer-ratio")
}

// insertMany adds events with the rows that The Events Calendar writes for each, by statements of 200 events.
func insertMany(b *testing.B, db *bun.DB, n int) {
	const at = "'2031-05-01 10:00:00'"
	keys := strings.Fields("_EventStartDate _EventEndDate _EventStartDateUTC _EventEndDateUTC _EventTimezone _EventTimezoneAbbr " +
		"_EventDuration _EventVenueID _EventOrganizerID _EventCost _EventURL _EventShowMap _EventShowMapLink _EventOrigin " +
		"_tribe_modified_fields _EventCurrencySymbol _EventHideFromUpcoming")
	text := strings.Repeat("Music in the hall, with a word about who plays. ", 30)
	for from := 0; from < n; from += 200 {
		var posts, metas, terms, events, occurrences []string
		for i := from; i < min(from+200, n); i++ {
			id := 100_000 + i
			posts = append(posts, fmt.Sprintf("(%d, 1, 'Event %d', '%s', '', 'publish', 'event-%d', 'tribe_events', '', '', '', '', '', "+
				"%s, %s, %s, %s)", id, id, text, id, at, at, at, at))
			for _, k := range keys {
				metas = append(metas, fmt.Sprintf("(%d, '%s', '2031-05-01 10:00:00')", id, k))
			}
			terms = append(terms, fmt.Sprintf("(%d, 1)", id), fmt.Sprintf("(%d, 2)", id))
			events = append(events, fmt.Sprintf("(%d, %d, %s, %s, 'UTC', %s, %s, 7200, '')", id, id, at, at, at, at))
			occurrences = append(occurrences, fmt.Sprintf("(%d, %d, %s, %s, %s, %s, 7200, 'h%d')", id, id, at, at, at, at, id))
		}
		for into, rows := range map[string][]string{
			"posts (ID, post_author, post_title, post_content, post_excerpt, post_status, post_name, post_type, post_mime_type, to_ping, " +
				"pinged, post_content_filtered, guid, post_date, post_date_gmt, post_modified, post_modified_gmt)": posts,
			"postmeta (post_id, meta_key, meta_value)":                                                                     metas,
			"term_relationships (object_id, term_taxonomy_id)":                                                             terms,
			"tec_events (event_id, post_id, start_date, end_date, timezone, start_date_utc, end_date_utc, duration, hash)": events,
			"tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash)":      occurrences,
		} {
			must.Get(db.DB.ExecContext(b.Context(), "INSERT INTO wp_"+into+" VALUES "+strings.Join(rows, ", ")))(b)
		}
	}
}

// processorOf returns a function that returns the processor time in nanoseconds that a database server on this machine
// has used, or for SQLite this process.
func processorOf(b *testing.B, db *bun.DB) func() int64 {
	process := strconv.Itoa(os.Getpid())
	if db.Dialect().Name() != dialect.SQLite {
		var file string
		must.Succeed(b, db.NewRaw("SELECT @@pid_file").Scan(b.Context(), &file))
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatalf("the server has to be on this machine: %v", err)
		}
		process = strings.TrimSpace(string(text))
	}
	return func() (sum int64) {
		threads, _ := filepath.Glob("/proc/" + process + "/task/*/schedstat")
		for _, name := range threads {
			text, err := os.ReadFile(name)
			if words := strings.Fields(string(text)); err == nil && len(words) > 0 {
				used, _ := strconv.ParseInt(words[0], 10, 64)
				sum += used
			}
		}
		return sum
	}
}

// writerBeside returns the fraction of its rate that a writer of another program keeps during continuous comparisons.
// It measures with and without them in turns.
func writerBeside(b *testing.B, db *bun.DB, scan func()) float64 {
	var alone, beside float64
	for turn := range 6 {
		done, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			for turn%2 == 1 {
				select {
				case <-done:
					return
				default:
					scan()
				}
			}
		}()
		n, began := 0, time.Now()
		for time.Since(began) < time.Duration(min(*journalEvents, 2000))*time.Millisecond/2 {
			must.Get(db.DB.ExecContext(b.Context(), "UPDATE wp_postmeta SET meta_value = ? WHERE post_id = 1", n))(b)
			n++
		}
		rate := float64(n) / time.Since(began).Seconds()
		close(done)
		<-ended
		if turn%2 == 0 {
			alone += rate
		} else {
			beside += rate
		}
	}
	return beside / alone
}
