package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/fill"
	"github.com/agendahq/agenda/example/internal/progress"
	"github.com/agendahq/agenda/example/internal/sqlite"
	"github.com/agendahq/agenda/schema"
)

// maxEvents is far above what anybody measures with.
const maxEvents = 100_000_000

// benchFill fills a database of one's own with events.
func benchFill(ctx context.Context, args []string, out, errOut io.Writer) error {
	var s settings
	var events int64
	var seed uint64
	f := newFlags("bench fill")
	s.databaseFlags(f)
	f.Int64Var(&events, "events", 0, "how many events the database shall have, such as 1000, 10000, 100000 or 1000000")
	f.Uint64Var(&seed, "seed", 1, "another number gives other events (default 1)")
	if err := parse(f, args, out); err != nil {
		return err
	}
	switch {
	case events < 1 || events > maxEvents:
		return usageError{fmt.Errorf("-events %d: use a number from 1 to %d", events, maxEvents)}
	case !schema.ValidPrefix(s.prefix):
		return badPrefix(s.prefix)
	case s.dsn == "" && s.data == sqlite.Memory:
		return usageError{errors.New("-data :memory: would be gone at the end: name a directory, or a database with -dsn")}
	}
	db, err := s.openOwn(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	bar := progress.Bar(errOut, "events")
	sum, err := fill.Run(ctx, db, fill.Options{
		Prefix: s.prefix, Events: events, Seed: seed, Progress: func(done, total int64) { bar("filling", done, total) },
	})
	switch {
	case errors.Is(err, fill.ErrNotOurs):
		return usageError{fmt.Errorf("bench fill: %w", err)}
	case ctx.Err() != nil:
		fmt.Fprintln(errOut) // ends the line of the bar
		return fmt.Errorf("bench fill: interrupted at %d of %d events; the same command continues from there", sum.Events, events)
	case err != nil:
		fmt.Fprintln(errOut)
		return fmt.Errorf("bench fill: %w", err)
	}
	printSummary(out, sum)
	return nil
}

// openOwn opens the database that the flags name.
func (s *settings) openOwn(ctx context.Context) (*bun.DB, error) {
	if s.dsn != "" {
		return openMySQL(ctx, s.dsn, mysqlUse{})
	}
	db, err := sqlite.Open(ctx, s.data)
	if err != nil {
		return nil, usageError{fmt.Errorf("-data %s: %w", s.data, err)}
	}
	return db, nil
}

func printSummary(out io.Writer, sum fill.Summary) {
	if sum.Rows == 0 {
		fmt.Fprintf(out, "The database has %d events already; nothing was added.\n", sum.Events)
		return
	}
	seconds := max(sum.Took.Seconds(), time.Millisecond.Seconds())
	fmt.Fprintf(out, "The database has %d events. Added: %d events, %d posts, %d rows in %.1f s, %.0f rows/s.\n",
		sum.Events, sum.Events-sum.Begun, sum.Posts, sum.Rows, seconds, float64(sum.Rows)/seconds)
}
