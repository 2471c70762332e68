package schema

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// Report is what a database has and lacks. Names of tables have the prefix.
type Report struct {
	Missing  []string // required tables that do not exist
	Denied   []string // tables from which the account may not SELECT: required ones and tec_occurrences
	Optional []string // of tec_occurrences, tec_events, termmeta, agenda_idempotency: absent ones; but for the first, unreadable too
	SQLMode  string   // of the session, as the host's DSN and server set it; empty on SQLite
	Charsets []string // of the session's statements, literals and results, without duplicates; none on SQLite
	UTF8MB3  []string // columns for texts that lack characters of four bytes, such as emoji: older sites have them
	Version  int      // of an SQLite file; 0 elsewhere
	Prefixes []string // where there is no site with the prefix: those of the sites that the account sees

	Misread []string        // columns whose texts are UTF-8 though they say latin1
	Foreign []ForeignColumn // of other programs, that rows have to name

	UserPrefix string // of the tables of the site's users: see SiteTables

	// Uncommitted reports that the session's autocommit is off, by a DSN or the server. Each connection would then see
	// the data of its first read, as long as it is in the pool.
	Uncommitted bool

	// Qualified reports that results name columns with their table before them, as the driver does by its DSN parameter
	// columnsWithAlias. Rows would not be recognised.
	Qualified bool

	// Dates is what the tables of dates have, and whether that is all for events with several dates. Rows of these are no
	// fault.
	Dates DateColumns

	// HasOccurrences reports whether events can be filtered and ordered by tec_occurrences, and not only by
	// their post meta.
	HasOccurrences bool
}

// Check examines a database and changes nothing. It sends eight statements to a complete site, one more per table to one
// that lacks some, and three to a database without a site of this prefix. An error means that it could not ask (no
// connection, no database selected, invalid prefix), and says what to do; the findings are in the Report and its Err.
func Check(ctx context.Context, db *bun.DB, prefix string) (Report, error) {
	return CheckSite(ctx, db, SiteTables{Prefix: prefix})
}

// CheckSite is Check for a site that may have its users elsewhere. A prefix of a numbered site of a network costs up to
// three statements more.
func CheckSite(ctx context.Context, db *bun.DB, site SiteTables) (Report, error) {
	var report Report
	db, err := Bind(db, site.Prefix)
	if err != nil {
		return report, err
	}
	if site.UserPrefix != "" && !ValidPrefix(site.UserPrefix) {
		return report, fmt.Errorf("schema: prefix of the users' tables %q: it must be 1 to %d letters, digits or underscores",
			site.UserPrefix, maxPrefix)
	}
	if report, err = check(ctx, db, site); err != nil {
		return Report{}, fmt.Errorf("schema: check: %w", explain(err))
	}
	return report, nil
}

func check(ctx context.Context, db *bun.DB, site SiteTables) (report Report, err error) {
	prefix := site.Prefix
	if err = checkCollation(ctx, db); err != nil {
		return report, err
	}
	if report.Version, err = fileVersion(ctx, db); err != nil {
		return report, err
	}
	if !isSQLite(db) {
		if err := session(ctx, db, &report); err != nil {
			return report, err
		}
	}
	if !isSQLite(db) {
		rows, err := readColumns(ctx, db, prefix)
		if err != nil {
			return report, err
		}
		report.UTF8MB3, report.Foreign = narrowColumns(rows), foreignColumns(prefix, rows)
		if report.Misread, err = misreadColumns(ctx, db, rows); err != nil {
			return report, err
		}
	}
	if report.UserPrefix = site.UserPrefix; report.UserPrefix == "" {
		if report.UserPrefix, err = userPrefix(ctx, db, prefix); err != nil {
			return report, err
		}
	}
	missing, denied, err := probeRequired(ctx, db, prefix, report.UserPrefix)
	if err != nil {
		return report, err
	}
	absent, deniedOptional, err := probe(ctx, db, prefix, optionalTables)
	if err != nil {
		return report, err
	}
	for _, name := range deniedOptional {
		// Reads do not need the other tables. Without this one they would differ from the site's own software; an account
		// with rights to single tables is denied it even if the table does not exist, as the server hides that.
		if name == occurrencesTable {
			denied = append(denied, prefix+name)
		} else {
			absent = append(absent, name)
		}
	}
	if slices.Contains(missing, prefix+"posts") && slices.Contains(missing, prefix+"options") {
		if report.Prefixes, err = prefixes(ctx, db); err != nil {
			return report, err
		}
	}
	ownAbsent, ownDenied, err := probe(ctx, db, prefix, ownTables)
	if err != nil {
		return report, err
	}
	absent = slices.Concat(absent, ownAbsent, ownDenied)
	if report.Dates, err = ReadDateColumns(ctx, db); err != nil {
		return report, err
	}
	report.HasOccurrences = !slices.Contains(absent, occurrencesTable) && !slices.Contains(denied, prefix+occurrencesTable)
	report.Missing, report.Denied, report.Optional = missing, denied, prefixed(prefix, absent)
	return report, nil
}

// session reads the connection's settings for statements, texts and results.
func session(ctx context.Context, db bun.IDB, report *Report) error {
	rows, err := db.QueryContext(ctx, "SELECT @@SESSION.sql_mode, @@SESSION.autocommit, @@SESSION.character_set_client, "+
		"@@SESSION.character_set_connection, @@SESSION.character_set_results, t.x FROM (SELECT 1 AS x) AS t")
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil || !rows.Next() {
		return errors.Join(err, rows.Err())
	}
	var committing bool
	var client, literals, results sql.NullString // character sets
	var one int
	if err := rows.Scan(&report.SQLMode, &committing, &client, &literals, &results, &one); err != nil {
		return err
	}
	report.Uncommitted, report.Qualified = !committing, names[len(names)-1] != "x"
	for _, c := range []sql.NullString{client, literals, results} {
		if c.Valid && !slices.Contains(report.Charsets, c.String) {
			report.Charsets = append(report.Charsets, c.String)
		}
	}
	return rows.Err()
}

func prefixed(prefix string, names []string) []string {
	for i := range names {
		names[i] = prefix + names[i]
	}
	return names
}

// probeRequired is probe for the required tables, those of users with a prefix of their own. The names have the prefixes.
func probeRequired(ctx context.Context, db bun.IDB, prefix, users string) (absent, denied []string, err error) {
	names := requiredTables
	if users != prefix {
		names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(userTables, name) })
	}
	if absent, denied, err = probe(ctx, db, prefix, names); err != nil {
		return nil, nil, err
	}
	absent, denied = prefixed(prefix, absent), prefixed(prefix, denied)
	if users == prefix {
		return absent, denied, nil
	}
	absentUsers, deniedUsers, err := probe(ctx, db, users, userTables)
	return append(absent, prefixed(users, absentUsers)...), append(denied, prefixed(users, deniedUsers)...), err
}

// probe returns which of the tables do not exist and which may not be read. The catalogue is not enough: it hides
// tables without rights and treats letter case in its own way. One statement checks all tables; only if that fails is
// each checked alone.
func probe(ctx context.Context, db bun.IDB, prefix string, names []string) (absent, denied []string, err error) {
	all := make([]bun.Ident, len(names))
	for i, name := range names {
		all[i] = bun.Ident(prefix + name)
	}
	ask := func(tables []bun.Ident) error {
		_, err := db.NewRaw("SELECT 1 FROM ? WHERE 1 = 0", bun.List(tables)).Exec(ctx)
		return err
	}
	if ask(all) == nil {
		return nil, nil, nil
	}
	for i, name := range names {
		err := ask(all[i : i+1])
		if err == nil {
			continue
		}
		switch isAbsent, isDenied := tableError(err); {
		case isAbsent:
			absent = append(absent, name)
		case isDenied:
			denied = append(denied, name)
		default:
			return nil, nil, fmt.Errorf("table %s%s: %w", prefix, name, err)
		}
	}
	return absent, denied, nil
}

// Problems returns one sentence for each reason not to serve the tables, none if they can be served.
func (r Report) Problems() []string {
	var problems []string
	if len(r.Missing) > 0 {
		advice := "is this the site's database and table prefix? for a new site run schema.Install"
		if len(r.Prefixes) > 0 {
			advice = "the sites in this database have the table prefix " + strings.Join(r.Prefixes, ", ")
		}
		if !slices.ContainsFunc(r.Missing, func(name string) bool { return !isUserTable(name) }) {
			advice = "a site of a network shares the users of its first one: name the prefix of their tables, " +
				"with --users-prefix, or in Site.UserPrefix of a host"
		}
		problems = append(problems, "missing tables: "+strings.Join(r.Missing, ", ")+" ("+advice+")")
	}
	if len(r.Denied) > 0 {
		problems = append(problems, "no right to read: "+strings.Join(r.Denied, ", ")+" (grant SELECT on them to this account)")
	}
	if slices.Contains(strings.Split(strings.ToUpper(r.SQLMode), ","), "NO_BACKSLASH_ESCAPES") {
		problems = append(problems, "sql_mode contains NO_BACKSLASH_ESCAPES, under which texts would be stored wrongly "+
			"(remove it, for instance with the DSN parameter sql_mode)")
	}
	if r.Uncommitted {
		problems = append(problems, "autocommit is off, so that a connection would go on reading what there was when it read first "+
			"(remove autocommit=0 from the DSN, or set its parameter autocommit=1 where the server's default is off)")
	}
	if r.Qualified {
		problems = append(problems, "results name columns with their tables (remove columnsWithAlias=true from the DSN)")
	}
	if slices.ContainsFunc(r.Charsets, func(c string) bool { return c != "utf8mb4" }) {
		// Characters would be lost, and with some character sets an escaped quote is
		// none.
		problems = append(problems, "the connection's character set is "+strings.Join(r.Charsets, ", ")+
			" (set the DSN parameter charset=utf8mb4)")
	}
	if r.Version > Version {
		problems = append(problems, errNewer(r.Version).Error())
	}
	return problems
}

// Err returns nil if the tables can be served, else one error that names every problem.
func (r Report) Err() error {
	if problems := r.Problems(); len(problems) > 0 {
		return errors.New("schema: " + strings.Join(problems, "; "))
	}
	return nil
}
