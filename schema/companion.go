package schema

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
)

// CompanionRow is what one write changed, for the companion of the site: deploy/wordpress/agenda-companion.php reads the rows above the
// number that it read last, and has WordPress drop its copies. Lists have commas between their elements and no values. The table is
// this package's own: see InstallCompanion.
type CompanionRow struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_told,alias:ct"`

	Number  int64  `bun:"number,pk,autoincrement"`
	Moment  int64  `bun:"moment"`  // seconds since 1970, by the clock of the database
	Posts   string `bun:"posts"`   // ids
	Terms   string `bun:"terms"`   // "taxonomy:id"
	Users   string `bun:"users"`   // ids
	Options string `bun:"options"` // names
}

// CompanionTable is the name of the table of CompanionRow, without its prefix.
const CompanionTable = "agenda_told"

var companionDefinitions = []table{
	{name: CompanionTable, columns: []column{
		{"number", autoID}, {"moment", counter}, {"posts", longText}, {"terms", longText}, {"users", longText}, {"options", longText},
	}, keys: []key{
		{name: "moment", columns: []string{"moment"}},
	}},
}

var companionTables = []string{CompanionTable}

// InstallCompanion creates the table agenda_told if it does not exist, in which every write then notes what it changed: see
// CompanionRow. A site gets it only where its owner calls this. Calendars find it within seconds. It has the right to no more than to
// read the site's options; the account needs the right to CREATE the table.
func InstallCompanion(ctx context.Context, db *bun.DB, prefix string) error {
	site, err := Bind(db, prefix)
	if err != nil {
		return err
	}
	err = withDefinitionMode(ctx, site, func(ctx context.Context, conn bun.IDB) error {
		absent, denied, err := probe(ctx, conn, prefix, []string{"options"})
		if err != nil {
			return err
		}
		if len(absent)+len(denied) > 0 {
			return fmt.Errorf("there is no table %soptions that can be read: is this the site's database and table prefix?", prefix)
		}
		if absent, denied, err = probe(ctx, conn, prefix, companionTables); err != nil || len(absent)+len(denied) == 0 {
			return err
		}
		if err := createTables(ctx, conn, prefix, companionDefinitions, companionTables); err != nil {
			return companionNeeds(err, "CREATE", prefix)
		}
		return beginCompanion(ctx, conn)
	})
	if err != nil {
		return fmt.Errorf("schema: install companion: %w", err)
	}
	return nil
}

// beginCompanion adds a first row that names nothing. Numbers begin with the time, so that those of a table that was removed and
// installed again are above the number that the site knows.
func beginCompanion(ctx context.Context, conn bun.IDB) error {
	first := &CompanionRow{}
	_, err := conn.NewInsert().Model(first).Value("number", CompanionClock(conn)+" * 1000").Value("moment", CompanionClock(conn)).
		Returning("NULL").Exec(ctx)
	return err
}

// CompanionClock is the expression of the time of a database as CompanionRow has it.
func CompanionClock(conn bun.IDB) string {
	if isSQLite(conn) {
		return "CAST(strftime('%s', 'now') AS INTEGER)"
	}
	return "UNIX_TIMESTAMP()"
}

// RemoveCompanion drops the table of InstallCompanion, if it exists. The account needs the right to DROP it.
func RemoveCompanion(ctx context.Context, db *bun.DB, prefix string) error {
	site, err := Bind(db, prefix)
	if err != nil {
		return err
	}
	if err := dropJournal(ctx, site, prefix, companionTables); err != nil {
		return fmt.Errorf("schema: remove companion: %w", companionNeeds(err, "DROP", prefix))
	}
	return nil
}

func companionNeeds(err error, right, prefix string) error {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) && (answer.Number == 1142 || answer.Number == 1044) {
		return fmt.Errorf("the account needs the right to %s %s%s (%w)", right, prefix, CompanionTable, err)
	}
	return err
}

// CompanionReport is what CheckCompanion finds.
type CompanionReport struct {
	Installed bool     // the table is there, and the account may read it
	Missing   []string // rights that the account lacks, as "INSERT on wp_agenda_told"
	Rows      int64
	Newest    int64   // number of the newest row
	Moment    int64   // of that, in seconds since 1970
	Caches    []Cache // that the database shows
}

// Ready reports whether writes note what they change.
func (r *CompanionReport) Ready() bool { return r.Installed && len(r.Missing) == 0 }

// CheckCompanion examines the table of InstallCompanion, and which caches the database shows. It changes nothing, and cannot find out
// whether the site reads the table.
func CheckCompanion(ctx context.Context, db *bun.DB, prefix string) (report CompanionReport, err error) {
	site, err := Bind(db, prefix)
	if err == nil {
		err = report.check(ctx, site, prefix)
	}
	if err != nil {
		return CompanionReport{}, fmt.Errorf("schema: check companion: %w", err)
	}
	return report, nil
}

func (r *CompanionReport) check(ctx context.Context, site *bun.DB, prefix string) (err error) {
	if r.Caches, err = FindCaches(ctx, site, prefix); err != nil {
		return err
	}
	absent, denied, err := probe(ctx, site, prefix, companionTables)
	if err != nil {
		return err
	}
	if len(denied) > 0 {
		r.Missing = append(r.Missing, "SELECT on "+prefix+CompanionTable)
	}
	if r.Installed = len(absent)+len(denied) == 0; !r.Installed {
		return nil
	}
	if !isSQLite(site) {
		if r.Missing, err = appendMissing(ctx, site, prefix, r.Missing, "INSERT UPDATE DELETE", CompanionTable); err != nil {
			return err
		}
	}
	return site.NewSelect().Model((*CompanionRow)(nil)).ColumnExpr("COUNT(*), COALESCE(MAX(number), 0), COALESCE(MAX(moment), 0)").
		Scan(ctx, &r.Rows, &r.Newest, &r.Moment)
}

// HasCompanion reports whether the table of InstallCompanion exists, as far as the account may see it.
func HasCompanion(ctx context.Context, site bun.IDB, prefix string) (bool, error) {
	absent, denied, err := probe(ctx, site, prefix, companionTables)
	return err == nil && len(absent)+len(denied) == 0, err
}
