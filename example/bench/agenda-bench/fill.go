package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/bench/internal/fill"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/progress"
	"github.com/agendahq/agenda/schema/embedded"
)

// maxEvents is far above what is useful to measure with.
const maxEvents = 100_000_000

// fillCommand fills a dedicated database with events.
func fillCommand() *cobra.Command {
	var c filling
	cmd := &cobra.Command{
		Use: "fill", Short: "Fill a new database with events",
		Long:    "Fill a new database with events, venues, organizers, categories, tags and pictures.",
		Example: "  agenda-bench fill --data bench --events 10000",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	cli.Group(f, "Database", c.Flags)
	f.Int64Var(&c.events, "events", 0, "Number of events in the database, such as 1000, 10000, 100000 or 1000000")
	f.Uint64Var(&c.seed, "seed", 1, "Seed of random numbers: another one makes other events (default 1)")
	return cmd
}

// filling contains the flags of fill.
type filling struct {
	cli.Database
	events int64
	seed   uint64
}

func (c *filling) run(ctx context.Context, out, errOut io.Writer) error {
	d, events, seed := &c.Database, c.events, c.seed
	switch {
	case events < 1 || events > maxEvents:
		return cli.Usagef("--events %d: use a number from 1 to %d", events, maxEvents)
	case d.CheckPrefix() != nil:
		return d.CheckPrefix()
	case d.DSN == "" && d.Data == embedded.Memory:
		return cli.Usagef("--data :memory: would be lost at the end: name a directory, or a database with --dsn")
	}
	db, err := openOwn(ctx, d)
	if err != nil {
		return err
	}
	defer db.Close()
	bar := progress.Bar(errOut, "events")
	sum, err := fill.Run(ctx, db, fill.Options{
		Prefix: d.Prefix, Events: events, Seed: seed, Progress: func(done, total int64) { bar("filling", done, total) },
	})
	switch {
	case errors.Is(err, fill.ErrNotOurs):
		return cli.Usagef("fill: %w", err)
	case ctx.Err() != nil:
		fmt.Fprintln(errOut) // ends the line of the progress bar
		return fmt.Errorf("fill: interrupted at %d of %d events; the same command continues from there", sum.Events, events)
	case err != nil:
		fmt.Fprintln(errOut)
		return fmt.Errorf("fill: %w", err)
	}
	printSummary(out, sum)
	return nil
}

// openOwn opens the database that the flags name.
func openOwn(ctx context.Context, d *cli.Database) (*bun.DB, error) {
	if d.DSN != "" {
		return cli.OpenMySQL(ctx, d.DSN, cli.MySQL{})
	}
	db, err := embedded.Open(ctx, d.File())
	if err != nil {
		return nil, cli.Usagef("--data %s: %w", d.Data, err)
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
