package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/nudge"
	"github.com/agendahq/agenda/example/internal/progress"
	"github.com/agendahq/agenda/schema"
)

// companionCommand lets a site with an object cache follow the writes of this program. A server never installs that by
// itself.
func companionCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "companion", Short: "Let WordPress drop cached copies of what is written here",
		Long: "Keep the object cache (Redis, Memcached) or the page cache of a WordPress site in step with what is written here: writes\n" +
			"record their changes in a table, which deploy/wordpress/agenda-companion.php reads at each request of the site.\n" +
			"Without it the site shows old data, and writes it back when it saves.",
		Example: "  agenda companion install && cp agenda-companion.php /var/www/site/wp-content/mu-plugins/",
	}
	root.AddCommand(
		companionPart("install", "Add the companion's table to a site's database",
			"Add the table agenda_told to the database of a site; the account needs the right to CREATE it. Servers find it\n"+
				"within seconds. Rows are kept for a day.", installCompanion),
		companionPart("check", "Show the state of the companion",
			"Show whether writes are recorded, which rights are missing, and which caches the database shows. It changes nothing,\n"+
				"and cannot find out whether the site reads the table.", checkCompanion),
		companionPart("remove", "Drop the companion's table", "Drop the companion's table. Remove its file from the site, too.",
			removeCompanion),
	)
	return root
}

func companionPart(name, short, long string,
	run func(ctx context.Context, db *bun.DB, prefix string, out io.Writer) error) *cobra.Command {
	var d cli.Database
	cmd := &cobra.Command{
		Use: name, Short: short, Long: long, Args: cobra.NoArgs,
		Example: "  agenda companion " + name + " --dsn 'user:password@tcp(127.0.0.1:3306)/site'",
		RunE: func(cmd *cobra.Command, _ []string) error {
			db, err := d.OpenSite(cmd.Context())
			if err != nil {
				return err
			}
			defer db.Close()
			return run(cmd.Context(), db, d.Prefix, cmd.OutOrStdout())
		},
	}
	cli.Group(cmd.Flags(), "Database", d.Flags)
	_ = cmd.MarkFlagDirname("data")
	return cmd
}

func installCompanion(ctx context.Context, db *bun.DB, prefix string, out io.Writer) error {
	if err := schema.InstallCompanion(ctx, db, prefix); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out,
		"The table exists, and writes record their changes in it. Now copy deploy/wordpress/agenda-companion.php into the\n"+
			"directory wp-content/mu-plugins of the site, and flush its object cache once.")
	return err
}

func checkCompanion(ctx context.Context, db *bun.DB, prefix string, out io.Writer) error {
	report, err := schema.CheckCompanion(ctx, db, prefix)
	if err != nil {
		return err
	}
	for _, c := range report.Caches {
		what := "rows"
		if c.Pages {
			what = "pages"
		}
		fmt.Fprintf(out, "The database shows a cache of %s: %s.\n", what, c.Name)
	}
	switch {
	case len(report.Missing) > 0:
		return cli.Usagef("companion: the account lacks %s", strings.Join(report.Missing, ", "))
	case !report.Installed:
		fmt.Fprintln(out, "The companion's table does not exist. 'agenda companion install' creates it.")
		return nil
	}
	fmt.Fprintf(out, "The table has %s rows, the newest of %s.\n", progress.Grouped(report.Rows),
		time.Unix(report.Moment, 0).UTC().Format(time.RFC3339))
	return nil
}

func removeCompanion(ctx context.Context, db *bun.DB, prefix string, out io.Writer) error {
	if err := schema.RemoveCompanion(ctx, db, prefix); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "The companion's table was dropped. Remove agenda-companion.php from wp-content/mu-plugins, too.")
	return err
}

// warnOfCaches logs a warning if the site caches data and cannot be notified of writes.
func warnOfCaches(ctx context.Context, db *bun.DB, prefix string, log *slog.Logger) {
	if report, err := schema.CheckCompanion(ctx, db, prefix); err == nil && report.Installed && !report.Ready() {
		log.Warn("the companion is installed, but writes cannot be recorded", "missing", report.Missing)
	}
	if text, err := schema.CacheWarning(ctx, db, prefix); err == nil && text != "" {
		log.Warn(text, "advice", schema.CacheAdvice)
	}
}

// newNudger returns the Nudger that wakes the site's companion after writes, or nil if no address is given.
func newNudger(companion string, log *slog.Logger) (*nudge.Nudger, error) {
	if companion == "" {
		return nil, nil
	}
	n, err := nudge.New(companion, log)
	if err != nil {
		return nil, cli.Usagef("--companion %q: %v", companion, err)
	}
	return n, nil
}
