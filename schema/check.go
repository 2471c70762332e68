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

// Report describes what a database contains and lacks. Names of tables include the prefix.
type Report struct {
	Missing  []string // required tables that do not exist
	Denied   []string // required tables, and tec_occurrences, for which the account has no SELECT privilege
	Optional []string // optional tables that do not exist or, but for tec_occurrences, cannot be read
	SQLMode  string   // sql_mode of the session, as set by the DSN and the server; "" on SQLite
	Charsets []string // character sets of the session (client, connection, results), without duplicates; none on SQLite
	UTF8MB3  []string // text columns that cannot store characters of four bytes, such as emoji, as on older sites
	Version  int      // schema version of an SQLite file; 0 on servers
	Prefixes []string // if there is no site with this prefix: the prefixes of the sites that the account can see

	Misread []string        // columns declared as latin1 that contain UTF-8
	Foreign []ForeignColumn // columns of plugins that an INSERT has to set

	UserPrefix string // table prefix of the site's users: see SiteTables

	// Uncommitted reports that autocommit is off in the session, because of the DSN or the server. A connection would
	// then see the data of its first read for as long as it is in the pool.
	Uncommitted bool

	// Qualified reports that result columns are named with their table, because of the DSN parameter columnsWithAlias.
	// Columns would not be recognized.
	Qualified bool

	// Dates says which columns the tables of occurrences have, and whether those for recurring events are complete.
	// Columns of The Events Calendar's add-on are not a problem.
	Dates DateColumns

	// HasOccurrences reports whether events can be filtered and sorted by tec_occurrences, rather than only by their
	// post meta.
	HasOccurrences bool
}

// Check examines a database without changing it. It sends eight statements if the site is complete, one more for each
// table if some are missing, and three if there is no site with this prefix. An error means that the database could not
// be examined (no connection, no database selected, invalid prefix) and says what to do. What was found is in the
// Report, and in its Err.
func Check(ctx context.Context, db *bun.DB, prefix string) (Report, error) {
	return CheckSite(ctx, db, SiteTables{Prefix: prefix})
}

// CheckSite is Check for a site whose users may be in tables with another prefix. For a numbered site of a multisite
// network it sends up to three more statements.
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
		// The other optional tables are not needed for reads. Without tec_occurrences, answers would differ from those
		// of The Events Calendar. If the account has privileges for single tables only, the server denies access even
		// if the table does not exist, to hide that.
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

// session reads the session's SQL mode, autocommit and character sets.
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
	var client, literals, results sql.NullString // character sets of the session
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

func prefixed(prefix string, names []string) (full []string) {
	for _, name := range names {
		full = append(full, prefix+name)
	}
	return full
}

// probeRequired is probe for the required tables, including those of users, which may have another prefix. The names
// that it returns include the prefixes.
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

// probe returns which of the tables do not exist, and which the account may not read. The catalogue does not show this:
// it hides tables without privileges, and servers compare names in it in different ways. One statement checks all
// tables at once; only if it fails, each table is checked by itself.
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

// Problems returns a sentence for each reason why the tables cannot be served, or none if they can.
func (r Report) Problems() []string {
	var problems []string
	if len(r.Missing) > 0 {
		advice := "is this the site's database and table prefix? for a new site run schema.Install"
		if len(r.Prefixes) > 0 {
			advice = "the sites in this database have the table prefix " + strings.Join(r.Prefixes, ", ")
		}
		if !slices.ContainsFunc(r.Missing, func(name string) bool { return !isUserTable(name) }) {
			advice = "a site of a network shares the users of its first site: name the prefix of their tables, " +
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
		// Other character sets lose characters. In some of them an escaped quote is not escaped.
		problems = append(problems, "the connection's character set is "+strings.Join(r.Charsets, ", ")+
			" (set the DSN parameter charset=utf8mb4)")
	}
	if r.Version > Version {
		problems = append(problems, errNewer(r.Version).Error())
	}
	return problems
}

// Err returns nil if the tables can be served, or else one error with all problems.
func (r Report) Err() error {
	if problems := r.Problems(); len(problems) > 0 {
		return errors.New("schema: " + strings.Join(problems, "; "))
	}
	return nil
}
