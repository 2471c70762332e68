package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/progress"
)

// importing are the flags of import.
type importing struct {
	exchanging
	mapping, zone, dates, status, expand, source string
	dryRun, prune                                bool
}

// importCommand brings events into a calendar.
func importCommand() *cobra.Command {
	var m importing
	cmd := &cobra.Command{
		Use: "import SOURCE...", Short: "bring events in from files, addresses and other calendars",
		Long: "Bring events in, with their venues, organizers, categories, tags and images. A SOURCE is an iCalendar file or\n" +
			"address, a directory of .ics files, a CSV file, JSON lines of 'agenda export', another calendar of this kind by the\n" +
			"address of its site or API, or - for the standard input. What was imported before is found again: nothing is made\n" +
			"twice, what changed is updated, what the source has no more is listed, and trashed with --prune. An import that was\n" +
			"interrupted is run again. Exit code 1 where something was refused: it is listed with its line, field and reason.",
		Example: `  agenda import --dry-run calendar.ics
  agenda import --expand 2y --language nl webcal://example.org/calendar.ics
  agenda import --mapping columns.txt --zone Europe/Amsterdam events.csv
  agenda import --prune https://example.org/`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("import needs a SOURCE: a file, a directory or an address; see \"agenda import --help\"")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return m.run(cmd, args) },
	}
	f := cmd.Flags()
	cli.Group(f, "Database", m.Flags)
	cli.Group(f, "Import", m.importFlags)
	cli.Group(f, "Site", m.siteFlags, func(f *pflag.FlagSet) { f.StringVar(&m.uploads, "uploads", "", uploadsUsage) })
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"ics", "csv", "jsonl", "rest"},
		cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagDirname("data")
	_ = cmd.MarkFlagFilename("mapping")
	return cmd
}

func (m *importing) importFlags(f *pflag.FlagSet) {
	f.StringVar(&m.format, "format", "", formatUsage)
	f.BoolVar(&m.dryRun, "dry-run", false, "print what would happen and store nothing (default false)")
	f.BoolVar(&m.prune, "prune", false, "trash events that came from the source and are in it no more (default false)")
	f.StringVar(&m.expand, "expand", "",
		"make recurring events into single ones, for so long from now: 2y, 18m, 90d (default: refuse them)")
	f.StringVar(&m.mapping, "mapping", "", "file that names the columns of a CSV file: one line \"column = field\" each")
	f.StringVar(&m.zone, "zone", "", "time zone of times without one (default the site's)")
	f.StringVar(&m.dates, "dates", "", "order of dates such as 03/04/2031 in CSV files: dmy or mdy (default: refuse them)")
	f.StringVar(&m.language, "language", "", languageUsage)
	f.StringVar(&m.status, "status", "", statusUsage)
	f.StringVar(&m.source, "source", "", "name under which the source is known when it is imported again (default its path or address)")
}

var span = regexp.MustCompile(`^([0-9]{1,4})([ymd])$`)

// spanEnd returns the end of a span of time that begins now.
func spanEnd(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	parts := span.FindStringSubmatch(text)
	if parts == nil {
		return time.Time{}, cli.Usagef("--expand %q: use years, months or days such as 2y, 18m or 90d", text)
	}
	n, _ := strconv.Atoi(parts[1])
	switch parts[2] {
	case "y":
		return now.AddDate(n, 0, 0), nil
	case "m":
		return now.AddDate(0, n, 0), nil
	}
	return now.AddDate(0, 0, n), nil
}

func (m *importing) run(cmd *cobra.Command, sources []string) (err error) {
	defer func() { err = m.explained(err) }()
	ctx, out, errOut := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	o, err := m.openOptions(cmd.InOrStdin())
	if err != nil {
		return err
	}
	if m.source != "" && len(sources) > 1 {
		return cli.Usagef("--source names one source, but there are %d", len(sources))
	}
	c, as, closeAll, err := m.open(ctx, errOut)
	if err != nil {
		return err
	}
	defer closeAll()
	if o.Zone == nil {
		if o.Zone, err = exchange.Zone(ctx, c); err != nil {
			return err
		}
	}
	problems := int64(0)
	for _, name := range sources {
		im := &exchange.Importer{Calendar: c, Principal: as, Language: m.language, Status: m.status, DryRun: m.dryRun, Prune: m.prune}
		n, err := m.one(ctx, im, name, o, out, errOut)
		if problems += n; err != nil {
			return err
		}
	}
	if problems > 0 {
		return fmt.Errorf("import: items of which something was refused: %d", problems)
	}
	return nil
}

func (m *importing) openOptions(in io.Reader) (o exchange.OpenOptions, err error) {
	o = exchange.OpenOptions{Format: exchange.Format(m.format), Mapping: m.mapping, Now: time.Now(), Stdin: in}
	switch o.Format {
	case "", exchange.FormatICalendar, exchange.FormatCSV, exchange.FormatJSON, exchange.FormatREST:
	default:
		return o, cli.Usagef("--format %q: use ics, csv, jsonl or rest", m.format)
	}
	switch m.status {
	case "", "publish", "draft", "pending", "private", "future":
	default:
		return o, cli.Usagef("--status %q: use publish, draft, pending or private", m.status)
	}
	switch m.dates {
	case "":
	case "dmy":
		o.Dates = exchange.DayFirst
	case "mdy":
		o.Dates = exchange.MonthFirst
	default:
		return o, cli.Usagef("--dates %q: use dmy or mdy", m.dates)
	}
	if m.zone != "" {
		if o.Zone, err = time.LoadLocation(m.zone); err != nil {
			return o, cli.Usagef("--zone %q: use a name such as Europe/Amsterdam", m.zone)
		}
	}
	o.Expand, err = spanEnd(m.expand, o.Now)
	return o, err
}

// one imports one source and prints what became of it. The number is that of the items of
// which something was refused.
func (m *importing) one(ctx context.Context, im *exchange.Importer, name string, o exchange.OpenOptions,
	out, errOut io.Writer) (int64, error) {
	src, err := exchange.Open(ctx, name, o)
	switch {
	case errors.Is(err, exchange.ErrSource):
		return 0, cli.Usage(err)
	case err != nil:
		return 0, fmt.Errorf("import: %w", err)
	}
	defer src.Close()
	if im.Source = src.Name; m.source != "" {
		im.Source = m.source
	}
	var lines outcomes
	bar, what := progress.Bar(errOut, "items"), filepath.Base(name)
	im.Done = func(o exchange.Outcome) {
		lines.add(o, m.dryRun)
		bar(what, o.At, max(src.Total, o.At+1))
	}
	summary, err := im.Import(ctx, src)
	if errors.Is(err, exchange.ErrLanguage) {
		return 0, cli.Usage(err)
	}
	if err == nil {
		bar(what, src.Total, src.Total)
	}
	if wrong := lines.print(out, name, summary, m.dryRun); err == nil {
		err = wrong
	}
	switch {
	case errors.Is(err, context.Canceled):
		err = errors.New("import: interrupted: the same command goes on where this one ended")
	case err != nil:
		err = ended(err)
	}
	return summary.Problems, err
}

// outcomes are what an import prints in the end.
type outcomes struct {
	rows     []string // of the table of a dry run
	gone     []string
	problems []string
	notes    []string
}

func (r *outcomes) add(o exchange.Outcome, all bool) {
	if all && o.Action != exchange.Unchanged {
		r.rows = append(r.rows, fmt.Sprintf("%s\t%s\t%s\t%s", o.Action, o.Kind, printable(o.Name), o.Place))
	}
	if o.Action == exchange.Gone || o.Action == exchange.Trashed {
		r.gone = append(r.gone, fmt.Sprintf("%s %d %q: the source has it no more", o.Action, o.ID, o.Name))
	}
	if o.Action == exchange.Skipped {
		r.notes = append(r.notes, fmt.Sprintf("%s: %q is in the trash and stays there", o.Place, o.Name))
	}
	for _, p := range o.Problems {
		r.problems = append(r.problems, p.Error())
	}
	for _, note := range o.Notes {
		r.notes = append(r.notes, fmt.Sprintf("%s: %s", o.Place, note))
	}
}

// actions are the columns of the table of counts.
var actions = []exchange.Action{
	exchange.Created, exchange.Updated, exchange.Unchanged, exchange.Refused, exchange.Skipped, exchange.Gone, exchange.Trashed,
}

func (r *outcomes) print(out io.Writer, name string, s *exchange.Summary, dry bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if dry {
		fmt.Fprintln(w, "ACTION\tKIND\tNAME\tPLACE")
		for _, row := range r.rows {
			fmt.Fprintln(w, row)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	for _, lines := range [][]string{r.gone, r.notes, r.problems} {
		for _, line := range lines {
			fmt.Fprintln(out, line)
		}
	}
	what := "Imported"
	if dry {
		what = "Would be imported"
	}
	fmt.Fprintf(out, "%s from %s:\n", what, name)
	var head []string
	for _, a := range actions {
		head = append(head, strings.ToUpper(string(a)))
	}
	fmt.Fprintln(w, "KIND\t"+strings.Join(head, "\t"))
	for _, kind := range []exchange.Kind{exchange.Events, exchange.Venues, exchange.Organizers, exchange.Categories, exchange.Tags} {
		counts := s.Counts[kind]
		if counts == nil {
			continue
		}
		row := []string{string(kind)}
		for _, a := range actions {
			row = append(row, progress.Grouped(counts[a]))
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}
