package schema

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// CompanionRow records what one write changed, for the companion plugin of the site.
// deploy/wordpress/agenda-companion.php reads the rows with greater numbers than it read last, and makes WordPress drop
// cached copies. The columns contain comma-separated names, not values. The table is one of Agenda's own: see
// InstallCompanion.
type CompanionRow struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_told,alias:ct"`

	Number  int64  `bun:"number,pk,autoincrement"`
	Moment  int64  `bun:"moment"`  // Unix time in seconds, by the clock of the database
	Posts   string `bun:"posts"`   // ids
	Terms   string `bun:"terms"`   // "taxonomy:id"
	Users   string `bun:"users"`   // ids
	Options string `bun:"options"` // names

	Comments string `bun:"comments"` // ids
}

// CompanionTable is the name of the table of CompanionRow, without the prefix.
const CompanionTable = "agenda_told"

var companionDefinitions = []table{
	{name: CompanionTable, columns: []column{
		{"number", autoID}, {"moment", counter}, {"posts", longText}, {"terms", longText}, {"users", longText}, {"options", longText},
		{"comments", longText},
	}, keys: []key{
		{name: "moment", columns: []string{"moment"}},
	}},
}

var companionTables = []string{CompanionTable}

// InstallCompanion creates the table agenda_told if it does not exist. From then on, every write records in it what it
// changed: see CompanionRow. A site gets the table only if its owner calls this function. Running calendars notice it
// within seconds. The account needs the privilege to CREATE the table, and to read the site's options.
func InstallCompanion(ctx context.Context, db *bun.DB, prefix string) error {
	return change(ctx, db, prefix, "install companion", func(ctx context.Context, conn bun.IDB) error {
		if err := requireOptions(ctx, conn, prefix); err != nil {
			return err
		}
		if has, err := HasCompanion(ctx, conn, prefix); has || err != nil {
			return err
		}
		if err := createTables(ctx, conn, prefix, companionDefinitions...); err != nil {
			return needs(err, "CREATE", prefix, companionTables)
		}
		return beginCompanion(ctx, conn)
	})
}

// beginCompanion inserts an empty first row. Row numbers start with the current time, so that after the table was
// removed and installed again, they are greater than the number that the companion remembers.
func beginCompanion(ctx context.Context, conn bun.IDB) error {
	first := &CompanionRow{}
	_, err := conn.NewInsert().Model(first).Value("number", CompanionClock(conn)+" * 1000").Value("moment", CompanionClock(conn)).
		Returning("NULL").Exec(ctx)
	return err
}

// CompanionClock returns an SQL expression for the current time in the form of CompanionRow.Moment.
func CompanionClock(conn bun.IDB) string {
	if isSQLite(conn) {
		return "CAST(strftime('%s', 'now') AS INTEGER)"
	}
	return "UNIX_TIMESTAMP()"
}

// RemoveCompanion drops the table of InstallCompanion, if it exists. The account needs the privilege to DROP it.
func RemoveCompanion(ctx context.Context, db *bun.DB, prefix string) error {
	site, err := Bind(db, prefix)
	if err != nil {
		return err
	}
	if err := dropTables(ctx, site, prefix, companionTables); err != nil {
		return fmt.Errorf("schema: remove companion: %w", needs(err, "DROP", prefix, companionTables))
	}
	return nil
}

// CompanionReport is the result of CheckCompanion.
type CompanionReport struct {
	Installed bool     // the table exists and the account may read it
	Missing   []string // missing privileges, such as "INSERT on wp_agenda_told"
	Rows      int64
	Newest    int64   // number of the newest row
	Moment    int64   // Unix time of the newest row, in seconds
	Caches    []Cache // caches that the database shows
}

// Ready reports whether writes can record what they change.
func (r *CompanionReport) Ready() bool { return r.Installed && len(r.Missing) == 0 }

// CheckCompanion examines the table of InstallCompanion, and which caches the database shows. It changes nothing. It
// cannot find out whether the companion is running on the site.
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

// HasCompanion reports whether the table of InstallCompanion exists and the account may read it.
func HasCompanion(ctx context.Context, site bun.IDB, prefix string) (bool, error) {
	absent, denied, err := probe(ctx, site, prefix, companionTables)
	return err == nil && len(absent)+len(denied) == 0, err
}
