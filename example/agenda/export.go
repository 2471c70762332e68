package main

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/progress"
)

// exporting contains the flags of export.
type exporting struct {
	exchanging
	query, status string
	leaveOut      []string
	excel         bool
}

// exportCommand exports events of a calendar.
func exportCommand() *cobra.Command {
	var e exporting
	cmd := &cobra.Command{
		Use: "export [FILE]", Short: "Export events as iCalendar, CSV or JSON lines",
		Long: "Write events to FILE, or to standard output: as iCalendar, as CSV, or as JSON lines, which contain everything that is\n" +
			"stored, with venues, organizers, categories, tags, languages and the addresses of images. FILE is replaced when the\n" +
			"export is complete. --query selects events with the parameters of GET /events.",
		Example: `  agenda export calendar.ics
  agenda export --query 'categories=music&start_date=2031-01-01' music.csv
  agenda export --format jsonl | gzip > calendar.jsonl.gz`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usagef("export needs one FILE, not %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return e.run(cmd, args) },
	}
	f := cmd.Flags()
	cli.Group(f, "Database", e.Flags)
	cli.Group(f, "Export", func(f *pflag.FlagSet) {
		f.StringVar(&e.format, "format", "", "Format of the file: ics, csv or jsonl (default: by its name, else jsonl)")
		f.StringVar(&e.query, "query", "", "Parameters of the list of events, such as 'categories=music&search=jazz' (default: all events)")
		f.StringVar(&e.status, "status", "", "Statuses of the events to export, comma-separated (default publish)")
		f.StringVar(&e.language, "language", "", "Language to export (default the site's; all for JSON lines)")
		f.BoolVar(&e.excel, "excel", false, "Begin CSV with a byte order mark, as Excel on Windows needs it (default false)")
		f.StringSliceVar(&e.leaveOut, "leave-out", nil, leaveOutUsage)
	})
	cli.Group(f, "Site", e.siteFlags)
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"ics", "csv", "jsonl"},
		cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagDirname("data")
	return cmd
}

// exportFormat returns the format of a file.
func exportFormat(format, name string) (exchange.Format, error) {
	if format == "" {
		switch ext := strings.ToLower(filepath.Ext(name)); ext {
		case ".ics", ".csv", ".jsonl":
			format = ext[1:]
		case "":
			format = "jsonl"
		default:
			return "", cli.Usagef("export: name the format of %s with --format: ics, csv or jsonl", name)
		}
	}
	switch f := exchange.Format(format); f {
	case exchange.FormatICalendar, exchange.FormatCSV, exchange.FormatJSON:
		return f, nil
	}
	return "", cli.Usagef("--format %q: use ics, csv or jsonl", format)
}

func (e *exporting) run(cmd *cobra.Command, args []string) (err error) {
	defer func() { err = e.explained(err) }()
	ctx, out, errOut := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	to := append(args, "-")[0]
	format, err := exportFormat(e.format, strings.TrimPrefix(to, "-"))
	if err != nil {
		return err
	}
	if e.excel && format != exchange.FormatCSV {
		return cli.Usagef("--excel is only for CSV, and this format is %s: use --format csv", format)
	}
	query, err := url.ParseQuery(e.query)
	if err != nil {
		return cli.Usagef("--query %q: use parameters such as 'categories=music&search=jazz'", e.query)
	}
	for _, name := range []string{"page", "per_page"} {
		if query.Has(name) {
			return cli.Usagef("--query %q: %s: an export contains all pages; start_date and end_date limit it", e.query, name)
		}
	}
	if e.status != "" {
		query.Set("status", e.status)
	}
	c, as, closeAll, err := e.open(ctx, errOut)
	if err != nil {
		return err
	}
	defer closeAll()
	bar := progress.Bar(errOut, "events")
	left := 0
	x := &exchange.Exporter{
		Calendar: c, Principal: as, Format: format, Query: query, Language: e.language, LeaveOut: e.leaveOut,
		BOM:      e.excel,
		Progress: func(done, total int64) { bar("export", done, total) },
		Left: func(p *exchange.Problem) {
			if p.Item != "" && p.Field != exchange.LeaveOutDates {
				left++
			}
			fmt.Fprintln(errOut, p)
		},
	}
	var n int64
	if to == "-" {
		n, err = x.Export(ctx, out)
	} else {
		n, err = x.ExportFile(ctx, to)
	}
	var refused *calendar.Error
	var unheld *exchange.UnheldError
	var several *exchange.SeveralDatesError
	switch {
	case errors.As(err, &several):
		for _, one := range several.Events {
			fmt.Fprintln(errOut, "export:", one)
		}
		return fmt.Errorf("export: recurring events: %d; this format holds one date of each, so nothing was written; "+
			"--leave-out %s exports them with their own date only", len(several.Events), exchange.LeaveOutDates)
	case errors.As(err, &unheld):
		return fmt.Errorf("%w: nothing was written; --leave-out %s exports without it", err, strings.Join(unheld.Names(), ","))
	case errors.As(err, &refused) && refused.Status < 500:
		return cli.Usagef("export: %s%s", refused.Message, parameterReasons(refused))
	case errors.Is(err, exchange.ErrLanguage), errors.Is(err, exchange.ErrLeaveOut):
		return cli.Usage(err)
	case err != nil:
		return exchangeError(err)
	}
	if to != "-" {
		fmt.Fprintf(out, "%s events were written to %s.\n", progress.Grouped(n), to)
	}
	if left > 0 {
		return fmt.Errorf("export: %d items could not be exported", left)
	}
	return nil
}

// parameterReasons lists the validation errors of parameters.
func parameterReasons(e *calendar.Error) (text string) {
	for _, name := range slices.Sorted(maps.Keys(e.Params)) {
		text += "; " + name + ": " + e.Params[name]
	}
	return text
}
