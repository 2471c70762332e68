package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
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

// importing contains the flags of import.
type importing struct {
	exchanging
	mapping, zone, dates, status, expand, source, adopt string
	trust                                               trust
	maxItems                                            int64
	dryRun, prune, privateSources                       bool
}

// trust is the value of --trust: which sources are trusted, or "" for none.
type trust string

const (
	trustFiles     trust = "file"
	trustAddresses trust = "address"
)

// String, Set and Type implement pflag.Value. Without a value, the flag means files.
func (t *trust) String() string { return string(*t) }

func (t *trust) Set(text string) error {
	if yes, err := strconv.ParseBool(text); err == nil {
		text = map[bool]string{true: string(trustFiles)}[yes]
	}
	switch to := trust(text); to {
	case "", trustFiles, trustAddresses:
		*t = to
		return nil
	}
	return errors.New("use --trust for files, or --trust=address")
}

func (t *trust) Type() string { return "trust" }

// importCommand imports events into a calendar.
func importCommand() *cobra.Command {
	var m importing
	cmd := &cobra.Command{
		Use: "import SOURCE...", Short: "Import events from files, addresses and other calendars",
		Long: "Import events with their venues, organizers, categories, tags and images. A SOURCE is an iCalendar file or address, a\n" +
			"directory of .ics files, a CSV file, JSON lines of 'agenda export', the address of another such calendar (of its site or\n" +
			"its API), or - for standard input. Items that were imported before are found again: what changed is updated, nothing is\n" +
			"created twice, and events that the source no longer has are listed, and trashed with --prune. An interrupted import can\n" +
			"be run again. Items that came from another source, or were created here, are never changed: an item that names one is\n" +
			"skipped and listed. --trust is for your own sources. The exit code is 1 if an item was rejected: each is listed with its\n" +
			"line, field and reason.",
		Example: `  agenda import --dry-run calendar.ics
  agenda import --expand 2y --language nl webcal://example.org/calendar.ics
  agenda import --mapping columns.txt --zone Europe/Amsterdam events.csv
  agenda import --prune https://example.org/
  agenda import --trust calendar.jsonl`,
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
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "dates" { // its former name; now --dates sets how lists show recurring events
			name = "date-order"
		}
		return pflag.NormalizedName(name)
	})
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"ics", "csv", "jsonl", "rest"},
		cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagDirname("data")
	_ = cmd.MarkFlagFilename("mapping")
	return cmd
}

func (m *importing) importFlags(f *pflag.FlagSet) {
	f.StringVar(&m.format, "format", "", "Format of the source: ics, csv, jsonl or rest (default: by name and content)")
	f.BoolVar(&m.dryRun, "dry-run", false, "Print what would happen and store nothing (default false)")
	f.BoolVar(&m.prune, "prune", false, "Trash events that came from the source and are no longer in it (default false)")
	f.StringVar(&m.expand, "expand", "",
		"Split recurring events into single ones for a time from now, such as 2y, 18m or 90d (default: one event each)")
	f.StringVar(&m.mapping, "mapping", "", "File that names the columns of a CSV file, with one line \"column = field\" for each")
	f.StringVar(&m.zone, "zone", "", "Time zone of times without one (default the site's)")
	f.StringVar(&m.dates, "date-order", "", "Order of dates such as 03/04/2031 in CSV files: dmy or mdy (default: reject them)")
	f.StringVar(&m.language, "language", "", "Language of items that name none (default the site's)")
	f.StringVar(&m.status, "status", "", "Status of new events (default publish)")
	f.StringVar(&m.source, "source", "", "Name of the source, by which the next import recognizes it (default its path or address)")
	f.StringVar(&m.adopt, "adopt-source", "",
		"Former name of the source, whose items are then its own (default none)")
	f.Var(&m.trust, "trust",
		"Accept statuses, passwords, rows and HTML of the source, and let it change what it finds; --trust=address for addresses, too")
	f.Lookup("trust").NoOptDefVal = string(trustFiles)
	f.BoolVar(&m.plainHTTP, "plain-http", false,
		"Fetch webcal: addresses unencrypted where HTTPS fails, and send logins over http: (default false)")
	f.BoolVar(&m.privateSources, "private-sources", false,
		"Let the name of an address lead into this machine's network (default false: only IP addresses and localhost may)")
	f.Int64Var(&m.maxItems, "max-items", exchange.DefaultMaxItems, "Maximum number of items at an address (default 100000)")
}

var span = regexp.MustCompile(`^([0-9]{1,4})([ymd])$`)

// spanEnd returns the end of a time span that begins now.
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
	// What the import of an event allocates is garbage soon after. With the default of 100 the process would take twice
	// the memory that it uses, and with 60 it would collect garbage for a tenth of its time.
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(80))
	}
	ctx := cmd.Context()
	o, err := m.openOptions(cmd.InOrStdin())
	if err != nil {
		return err
	}
	if len(sources) > 1 && (m.source != "" || m.adopt != "") {
		return cli.Usagef("--source and --adopt-source need a single SOURCE, but there are %d", len(sources))
	}
	for _, name := range sources {
		if m.trust == trustFiles && exchange.IsAddress(name) {
			return cli.Usagef("--trust is only for files, since the content of an address can change. To trust it, run:\n  %s",
				commandLine(cmd, name, "--trust=address"))
		}
	}
	c, as, closeAll, err := m.open(ctx, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer closeAll()
	o.Calendar = c
	problems := int64(0)
	for _, name := range sources {
		im := &exchange.Importer{
			Calendar: c, Principal: as, Language: m.language, Status: m.status, DryRun: m.dryRun, Prune: m.prune,
			AdoptSource: m.adopt, Trust: m.trust != "",
		}
		n, err := m.one(cmd, im, name, o)
		if problems += n; err != nil {
			return err
		}
	}
	if problems > 0 {
		return fmt.Errorf("import: items that were rejected, in part or whole: %d", problems)
	}
	return nil
}

func (m *importing) openOptions(in io.Reader) (o exchange.OpenOptions, err error) {
	o = exchange.OpenOptions{
		Format: exchange.Format(m.format), Mapping: m.mapping, Now: time.Now(), Stdin: in, PlainHTTP: m.plainHTTP,
		PrivateSources: m.privateSources, MaxItems: m.maxItems,
	}
	if m.maxItems < 1 {
		return o, cli.Usagef("--max-items %d: use a number of at least 1", m.maxItems)
	}
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
		return o, cli.Usagef("--date-order %q: use dmy or mdy", m.dates)
	}
	if m.zone != "" {
		if o.Zone, err = time.LoadLocation(m.zone); err != nil || m.zone == "Local" {
			return o, cli.Usagef("--zone %q: use a name such as Europe/Amsterdam", m.zone)
		}
	}
	o.Expand, err = spanEnd(m.expand, o.Now)
	return o, err
}

// one imports one source and prints the outcome. It returns the number of items that were rejected, or of which a part
// was.
func (m *importing) one(cmd *cobra.Command, im *exchange.Importer, name string, o exchange.OpenOptions) (int64, error) {
	ctx, out, errOut := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	src, err := exchange.Open(ctx, name, o)
	if err != nil {
		return 0, notOpened(cmd, name, err)
	}
	defer src.Close()
	if im.Source = src.Name; m.source != "" {
		im.Source = m.source
	}
	var lines outcomes
	bar, what := progress.Bar(errOut, "items"), filepath.Base(exchange.Shown(name))
	var read int64
	im.Done = func(o exchange.Outcome) {
		lines.addOutcome(o, m.dryRun)
		read = o.At
		bar(what, read, max(src.Total, read+1))
	}
	summary, err := im.Import(ctx, src)
	if errors.Is(err, exchange.ErrLanguage) || errors.Is(err, exchange.ErrAdopt) {
		return 0, cli.Usage(err)
	}
	if err == nil {
		bar(what, read, read) // Total is approximate
	}
	lines.allowed(cmd, name)
	if wrong := lines.print(out, exchange.Shown(name), summary, m.dryRun); err == nil {
		err = wrong
	}
	switch {
	case errors.Is(err, context.Canceled):
		err = errors.New("import: interrupted: run the same command again to continue")
	case errors.Is(err, exchange.ErrTooMany):
		err = notOpened(cmd, name, err)
	case err != nil:
		err = exchangeError(err)
	}
	return summary.Problems, err
}

// notOpened returns the error of a source that cannot be read, with a command that would read it if there is one.
func notOpened(cmd *cobra.Command, name string, err error) error {
	for refused, more := range map[error][]string{
		exchange.ErrJSONLines:     {"--format", "jsonl"},
		exchange.ErrUnencrypted:   {"--plain-http"},
		exchange.ErrTooMany:       {"--max-items", "N"},
		exchange.ErrPrivateSource: {"--private-sources"},
	} {
		if errors.Is(err, refused) {
			err = fmt.Errorf("%w. Run this instead:\n  %s", err, commandLine(cmd, name, more...))
		}
	}
	if at, https := strings.CutPrefix(name, "https://"); https && errors.Is(err, exchange.ErrNotEncrypted) {
		return cli.Usagef("%w. Run this instead:\n  %s", err, commandLine(cmd, "http://"+at))
	}
	for _, usage := range []error{
		exchange.ErrSource, exchange.ErrUnencrypted, exchange.ErrNotEncrypted, exchange.ErrPrivateSource,
	} {
		if errors.Is(err, usage) {
			return cli.Usage(err)
		}
	}
	return fmt.Errorf("import: %w", err)
}

// commandLine returns the present command line with further flags and a single source. It omits secrets: the DSN and
// those in an address.
func commandLine(cmd *cobra.Command, source string, more ...string) string {
	words := []string{"agenda", cmd.Name()}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch value := f.Value.String(); {
		case slices.Contains(more, "--"+f.Name), f.Name == "trust" && len(more) > 0 && strings.HasPrefix(more[0], "--trust"):
		case f.Name == "dsn":
			words = append(words, "--dsn", "…")
		case f.Value.Type() == "bool" && value == "true":
			words = append(words, "--"+f.Name)
		case f.Value.Type() == "bool", f.Value.Type() == "trust":
			words = append(words, "--"+f.Name+"="+value)
		default:
			words = append(words, "--"+f.Name, shellWord(exchange.Shown(value)))
		}
	})
	for _, word := range more {
		words = append(words, shellWord(word))
	}
	return strings.Join(append(words, shellWord(exchange.Shown(source))), " ")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=,@%+…-]+$`)

// shellWord quotes a word for a shell.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// outcomes collects what an import prints at its end.
type outcomes struct {
	rows     []string // rows of a dry run's table
	gone     []string
	problems []string
	notes    []string
	commands []string // commands that would allow what was rejected

	recurs     bool            // a recurring event was rejected
	distrusted bool            // a trusted source could have set more
	owners     map[string]bool // sources of skipped items
}

func (r *outcomes) addOutcome(o exchange.Outcome, all bool) {
	if all && o.Action != exchange.Unchanged && o.Kind != "" {
		r.rows = append(r.rows, fmt.Sprintf("%s\t%s\t%s\t%s", o.Action, o.Kind, printable(o.Name), o.Place))
	}
	if o.Action == exchange.Gone || o.Action == exchange.Trashed {
		r.gone = append(r.gone, fmt.Sprintf("%s %d %q: no longer in the source", o.Action, o.ID, o.Name))
	}
	switch {
	case o.Action != exchange.Skipped:
	case o.Foreign:
		r.skipped(o)
	default:
		r.notes = append(r.notes, fmt.Sprintf("%s: %q is in the trash and stays there", o.Place, o.Name))
	}
	for _, p := range o.Problems {
		r.distrusted, r.recurs = r.distrusted || p.Trust, r.recurs || p.Recurs
		r.problems = append(r.problems, p.Error())
	}
	for _, note := range o.Notes {
		r.notes = append(r.notes, fmt.Sprintf("%s: %s", o.Place, note))
	}
}

// skipped records an item that belongs to another source, or to the site.
func (r *outcomes) skipped(o exchange.Outcome) {
	of := "of this site"
	if o.Owner != "" {
		of = "from " + exchange.Shown(o.Owner)
		if r.owners == nil {
			r.owners = map[string]bool{}
		}
		r.owners[o.Owner] = true
	}
	what := strings.TrimSuffix(string(o.Kind), "s")
	if o.Kind == exchange.Categories {
		what = "category"
	}
	r.distrusted = true
	r.notes = append(r.notes, fmt.Sprintf("%s: %q is the %s %d %s: it was skipped and not changed", o.Place, o.Name, what, o.ID, of))
}

// allowed adds the commands that would allow what was rejected.
func (r *outcomes) allowed(cmd *cobra.Command, name string) {
	for _, owner := range slices.Sorted(maps.Keys(r.owners)) {
		r.commands = append(r.commands, "If "+exchange.Shown(owner)+" is a former name of this source:\n  "+
			commandLine(cmd, name, "--adopt-source", exchange.Shown(owner)))
	}
	if r.recurs {
		r.commands = append(r.commands, "To split recurring events into single ones for two years from now:\n  "+
			commandLine(cmd, name, "--expand", "2y"))
	}
	if flag := "--trust"; r.distrusted {
		if exchange.IsAddress(name) {
			flag = "--trust=address"
		}
		r.commands = append(r.commands, "If this source is your own, and may change what it finds here:\n  "+commandLine(cmd, name, flag))
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
	for _, lines := range [][]string{r.gone, r.notes, r.problems, r.commands} {
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
	for _, kind := range s.Kinds() {
		counts := s.Counts[kind]
		row := []string{string(kind)}
		for _, a := range actions {
			row = append(row, progress.Grouped(counts[a]))
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}
