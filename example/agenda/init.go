package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/uptrace/bun"
	"golang.org/x/term"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/languages"
	"github.com/agendahq/agenda/example/internal/transfer"
	"github.com/agendahq/agenda/example/internal/users"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/cost"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// passwordVariable is the environment variable with the password of the first administrator. There is no flag for it,
// because every user of a machine can see command lines.
const passwordVariable = "AGENDA_PASSWORD"

// newSite contains the flags of init.
type newSite struct {
	settings
	account                  users.Account
	chosen                   string // application password, or "" for a random one
	passwordFile             string
	title, siteURL, timeZone string
	siteLocales              []string
	languages                []languages.Language // in which items are stored, if there are several
	weekStart                int
	currency, position       string // of costs, or "" for the default of The Events Calendar
}

// initCommand creates a new site in an empty database.
func initCommand() *cobra.Command {
	var n newSite
	cmd := &cobra.Command{
		Use: "init", Short: "Create a new site in an empty database or a new file",
		Long: "Create the tables, the settings and the first administrator of a new site, in an empty database or a new file.\n" +
			"A database in which the site's tables have rows is rejected and not changed.\n" +
			"The administrator gets an application password, which is printed once unless a file or the environment has one.",
		Example: `  agenda init --email anna@example.org --title 'Town calendar' --time-zone Europe/Amsterdam --locale nl_NL
  agenda init --dsn 'user:password@tcp(127.0.0.1:3306)/calendar' --email anna@example.org --site-url https://example.org
  agenda init --data town --email anna@example.org --password-file password.txt`,
		Annotations: map[string]string{cli.Variable: passwordVariable},
		RunE:        func(cmd *cobra.Command, _ []string) error { return n.run(cmd) },
	}
	f := cmd.Flags()
	cli.Group(f, "Database", n.Flags, n.waitFlag)
	cli.Group(f, "First administrator", func(f *pflag.FlagSet) {
		f.StringVar(&n.account.Login, "login", "admin", loginUsage)
		f.StringVar(&n.account.Email, "email", "", emailUsage)
		f.StringVar(&n.passwordFile, "password-file", "",
			"File with the application password, - for standard input (default: a random one is printed)")
	})
	cli.Group(f, "Settings", func(f *pflag.FlagSet) {
		f.StringVar(&n.title, "title", "Agenda", "Name of the site (default Agenda)")
		f.StringVar(&n.siteURL, "site-url", "http://localhost:8080", "Public address of the site (default http://localhost:8080)")
		f.StringVar(&n.timeZone, "time-zone", "UTC", "Time zone of the site, such as Europe/Amsterdam (default UTC)")
		f.StringSliceVar(&n.siteLocales, "locale", []string{"en_US"}, "Language of the site, such as nl_NL; several, "+
			"comma-separated, for a site with items in each of them, the first being the default (default en_US)")
		f.IntVar(&n.weekStart, "week-start", 1, "First day of the week, from 0 for Sunday to 6 for Saturday (default 1)")
		f.StringVar(&n.currency, "currency", "", "Currency of costs that name none: a code such as EUR, or a symbol such as € (default $)")
		f.StringVar(&n.position, "currency-position", "",
			"Where the currency symbol is: prefix as in €10, or postfix as in 10€ (default prefix)")
	})
	_ = cmd.RegisterFlagCompletionFunc("currency-position", cobra.FixedCompletions([]string{"prefix", "postfix"},
		cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagDirname("data")
	_ = cmd.MarkFlagFilename("password-file")
	return cmd
}

func (n *newSite) run(cmd *cobra.Command) (err error) {
	defer func() { err = n.explained(err) }()
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	options, err := n.options()
	if err != nil {
		return err
	}
	n.account.Role = users.Administrator
	if err := n.account.Check(); err != nil {
		return cli.Usage(err)
	}
	if n.chosen, err = n.password(cmd.InOrStdin(), cmd.ErrOrStderr()); err != nil {
		return err
	}
	held, err := n.lockData()
	if err != nil {
		return err
	}
	defer held.release()
	db, err := n.openEmpty(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	plain, err := n.fill(ctx, db, options)
	if err != nil {
		return err
	}
	place := n.File()
	if n.DSN != "" {
		place = "the database"
	}
	fmt.Fprintf(out, "The site was created in %s, with the user %s.\n", place, n.account.Login)
	if n.chosen == "" {
		fmt.Fprintf(out, "The application password, which is not shown again:\n%s\n", plain)
	}
	return nil
}

// options returns the settings of the new site by option name.
func (n *newSite) options() (map[string]string, error) {
	if n.DSN == "" && n.Data == embedded.Memory {
		return nil, cli.Usagef("--data :memory: would be lost at the end: name a directory, or a database with --dsn")
	}
	if err := n.CheckPrefix(); err != nil {
		return nil, err
	}
	if n.title = strings.TrimSpace(n.title); n.title == "" {
		return nil, cli.Usagef("--title is empty: name the site")
	}
	u, err := url.Parse(n.siteURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, cli.Usagef("--site-url %q: use an address such as https://example.org", n.siteURL)
	}
	if _, err := time.LoadLocation(n.timeZone); err != nil || n.timeZone == "" || n.timeZone == "Local" {
		return nil, cli.Usagef("--time-zone %q: use a name such as Europe/Amsterdam, or UTC", n.timeZone)
	}
	for _, l := range n.siteLocales {
		if !locale.MatchString(l) {
			return nil, cli.Usagef("--locale %q: use a locale such as nl_NL, fr_FR or en_US", l)
		}
	}
	if len(n.siteLocales) == 0 {
		return nil, cli.Usagef("--locale is empty: name a locale such as nl_NL, fr_FR or en_US")
	}
	if len(n.siteLocales) > 1 {
		if n.languages, err = languages.FromLocales(n.siteLocales); err != nil {
			return nil, cli.Usagef("--locale %w", err)
		}
	}
	if n.weekStart < 0 || n.weekStart > 6 {
		return nil, cli.Usagef("--week-start %d: use 0 for Sunday to 6 for Saturday", n.weekStart)
	}
	calendar, err := n.calendar()
	if err != nil {
		return nil, err
	}
	stored := n.siteLocales[0]
	if stored == "en_US" || stored == "en" {
		stored = "" // the form in which a site stores it
	}
	address := strings.TrimRight(n.siteURL, "/")
	options := map[string]string{
		schema.OptionHome: address, schema.OptionSiteURL: address, schema.OptionBlogName: wp.EscapeHTML(n.title),
		schema.OptionTimezone: n.timeZone, schema.OptionLanguage: stored, schema.OptionStartOfWeek: strconv.Itoa(n.weekStart),
	}
	if calendar != "" {
		options[schema.OptionCalendar] = calendar
	}
	return options, nil
}

// calendar returns the stored settings of The Events Calendar, or "" if its defaults apply.
func (n *newSite) calendar() (string, error) {
	if n.currency == "" && n.position == "" {
		return "", nil
	}
	var currency cost.Currency
	if n.currency != "" {
		var known bool
		if currency, known = cost.FromText(n.currency); !known {
			return "", cli.Usagef("--currency %q: use an ISO 4217 code such as EUR, GBP or USD, or a symbol of a single currency: "+
				"%s", n.currency, strings.Join(cost.Signs(), " "))
		}
	}
	switch n.position {
	case "", "prefix", "postfix":
	default:
		return "", cli.Usagef("--currency-position %q: use prefix, as in €10, or postfix, as in 10€", n.position)
	}
	currency.Position = n.position
	return site.NewCalendar(currency), nil
}

var locale = regexp.MustCompile(`^[a-z]{2,3}(_[A-Z]{2})?(_[a-z]+)?$`)

// password returns the password of the administrator, or "" for a random one.
func (n *newSite) password(in io.Reader, errOut io.Writer) (string, error) {
	given := os.Getenv(passwordVariable)
	if given == "" && n.passwordFile == "" {
		return "", nil
	}
	if given != "" && n.passwordFile != "" {
		return "", cli.Usagef("--password-file and %s are both set: use one of them", passwordVariable)
	}
	if given == "" {
		text, err := n.readPassword(in, errOut)
		if err != nil {
			return "", cli.Usagef("--password-file %s: %w", n.passwordFile, err)
		}
		given = strings.TrimRight(string(text), "\r\n")
	}
	if err := users.CheckPassword(given); err != nil {
		return "", cli.Usage(err)
	}
	return given, nil
}

// readPassword reads the password file. If standard input is a terminal, it prompts for the password.
func (n *newSite) readPassword(in io.Reader, errOut io.Writer) ([]byte, error) {
	if n.passwordFile != "-" {
		return os.ReadFile(n.passwordFile)
	}
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintf(errOut, "Application password of %s (not shown): ", n.account.Login)
		defer fmt.Fprintln(errOut)
		return term.ReadPassword(int(f.Fd()))
	}
	const longest = 1 << 16
	return io.ReadAll(io.LimitReader(in, longest))
}

// openEmpty opens a database in which no table of a site has rows.
func (n *newSite) openEmpty(ctx context.Context) (db *bun.DB, err error) {
	place := "--dsn"
	if n.DSN != "" {
		db, err = cli.OpenMySQL(ctx, n.DSN, cli.MySQL{Wait: n.wait})
	} else {
		place = "--data " + n.Data
		if old, wrong := embedded.Outdated(ctx, n.File()); wrong == nil && old && hasContent(n.File()) {
			return nil, cli.Usagef("%s: there is already a database of an older version, and nothing is overwritten", place)
		}
		if db, err = embedded.Open(ctx, n.File()); err != nil {
			err = cli.Usagef("%s: %w", place, err)
		}
	}
	if err != nil {
		return nil, err
	}
	if err = n.mustBeWhole(ctx, db); err == nil {
		if err = transfer.Empty(ctx, db, n.Prefix); err != nil {
			err = cli.Usagef("%s: %w", place, err)
		}
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func hasContent(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Size() > 0
}

// fill creates the tables, then stores the settings and the administrator in one transaction: a site that an
// interrupted run leaves behind is still empty.
func (n *newSite) fill(ctx context.Context, db *bun.DB, options map[string]string) (plain string, err error) {
	if err := schema.Install(ctx, db, n.Prefix); err != nil {
		return "", err
	}
	site, err := users.Open(db, n.Tables())
	if err != nil {
		return "", err
	}
	plain, err = site.Begin(ctx, n.account, n.chosen, options, func(ctx context.Context, tx bun.IDB) error {
		return languages.Add(ctx, tx, n.languages)
	}, time.Now())
	var mistake users.Mistake
	if errors.As(err, &mistake) {
		return "", cli.Usage(mistake)
	}
	return plain, err
}
