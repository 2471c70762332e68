package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/progress"
	"github.com/agendahq/agenda/schema"
)

// journaling contains the flags of the journal commands.
type journaling struct{ site exchanging }

// journalCommand manages the journal of changes. A server never installs that by itself.
func journalCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "journal", Short: "Keep a journal of all changes on a site, by any writer",
		Long: "Keep a journal of the events, venues, organizers, categories, tags, images and settings of a site that changed or\n" +
			"were deleted, by any writer: their states are compared with the last known ones. Nothing is added to tables of other\n" +
			"programs. A server keeps the journal if it finds one when it starts or within a minute. The commands work on one\n" +
			"site, that of --dsn or --data.",
		Example: "  agenda journal install && agenda journal scan",
	}
	root.AddCommand(
		journalPart("install", "Add the journal's tables to a site's database",
			"Add the journal's tables to a site's database, or on SQLite a file next to it. The account needs the right to CREATE\n"+
				"them. The journal of a program with other declarations starts again.", (*journaling).install),
		journalPart("check", "Show the state of the journal",
			"Show how far the journal is and which rights are missing. It changes nothing.",
			(*journaling).check),
		journalPart("scan", "Compare all items with the journal and record changes",
			"Compare all items with the journal and record what changed. The first time only their states are recorded.",
			(*journaling).scan),
		journalPart("remove", "Drop the journal's tables", "Drop the journal's tables with everything in them.",
			(*journaling).remove),
	)
	return root
}

func journalPart(name, short, long string, run func(*journaling, context.Context, *bun.DB, *cobra.Command) error) *cobra.Command {
	var j journaling
	cmd := &cobra.Command{
		Use: name, Short: short, Long: long, Args: cobra.NoArgs,
		Example: "  agenda journal " + name + " --dsn 'user:password@tcp(127.0.0.1:3306)/site'",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			defer func() { err = j.site.explained(err) }()
			db, err := j.site.OpenSite(cmd.Context())
			if err != nil {
				return err
			}
			defer db.Close()
			return run(&j, cmd.Context(), db, cmd)
		},
	}
	cli.Group(cmd.Flags(), "Database", func(f *pflag.FlagSet) { j.site.Database.Flags(f) })
	cli.Group(cmd.Flags(), "Site", func(f *pflag.FlagSet) { f.StringVar(&j.site.fields, "fields", "", fieldsUsage) })
	_ = cmd.MarkFlagDirname("data")
	return cmd
}

// with calls fn with the calendar that a server with the same flags would serve.
func (j *journaling) with(ctx context.Context, db *bun.DB, errOut io.Writer, fn func(*calendar.Calendar) error) error {
	c, remove, err := j.site.calendar(ctx, db, errOut)
	if err != nil {
		return err
	}
	defer remove()
	err = fn(c)
	ended, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_ = c.Close(ended)
	return err
}

func (j *journaling) install(ctx context.Context, db *bun.DB, cmd *cobra.Command) error {
	if err := schema.InstallJournal(ctx, db, j.site.Prefix); err != nil {
		return err
	}
	err := j.with(ctx, db, cmd.ErrOrStderr(), func(c *calendar.Calendar) error { return c.DeclareJournal(ctx) })
	if err != nil {
		return err
	}
	fmt.Fprintln(cmd.OutOrStdout(),
		"The journal was added. Servers keep it within a minute, those with --publish-every 0 after a restart;\n"+
			"'agenda journal scan' compares at once.")
	return nil
}

func (j *journaling) check(ctx context.Context, db *bun.DB, cmd *cobra.Command) error {
	report, err := schema.CheckJournal(ctx, db, j.site.Prefix)
	out := cmd.OutOrStdout()
	switch {
	case err != nil:
		return err
	case !report.Installed && len(report.Missing) == 0:
		fmt.Fprintln(out, "There is no journal. 'agenda journal install' creates one.")
		return nil
	case report.Older:
		return cli.Usagef("journal: it was made by an older program: 'agenda journal install' creates it again")
	case !report.Installed:
		return cli.Usagef("journal: the account lacks %s, or there is no journal", strings.Join(report.Missing, ", "))
	case !report.Ready():
		return cli.Usagef("journal: the account lacks %s", strings.Join(report.Missing, ", "))
	}
	until := "the first comparison is not finished"
	if report.Head.Complete != 0 {
		until = "complete until " + time.UnixMilli(report.Head.Complete).UTC().Format(time.RFC3339)
	}
	fmt.Fprintf(out, "%s items, %s changes, the newest has number %s; %s.\n", progress.Grouped(report.Objects),
		progress.Grouped(report.Changes), progress.Grouped(report.Head.Sequence), until)
	return nil
}

func (j *journaling) scan(ctx context.Context, db *bun.DB, cmd *cobra.Command) error {
	return j.with(ctx, db, cmd.ErrOrStderr(), func(c *calendar.Calendar) error {
		found, err := c.ScanJournal(ctx)
		if err != nil {
			return err
		}
		noted := progress.Grouped(int64(found.Changes)) + " changes were recorded"
		if found.First {
			noted = "The states of all items were recorded; " + noted
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s; the newest has number %s; complete until %s; took %s.\n", noted,
			progress.Grouped(found.Sequence), found.Until.Format(time.RFC3339), found.Took.Round(time.Millisecond))
		return nil
	})
}

func (j *journaling) remove(ctx context.Context, db *bun.DB, cmd *cobra.Command) error {
	if err := schema.RemoveJournal(ctx, db, j.site.Prefix); err != nil {
		return err
	}
	fmt.Fprintln(cmd.OutOrStdout(), "The journal was removed.")
	return nil
}
