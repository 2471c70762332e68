package schema

import (
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"
)

// dateColumns are the columns, by table, that only sites with recurring events have.
var dateColumns = []table{
	{name: eventsTable, columns: []column{{"rset", longTextOrNull}}},
	{name: occurrencesTable, columns: []column{{"has_recurrence", mark}, {"sequence", sequence}, {"is_rdate", mark}}},
}

// withDateColumns returns tables with the columns for recurring events.
func withDateColumns(tables []table) []table {
	tables = slices.Clone(tables)
	for _, more := range dateColumns {
		t := &tables[slices.IndexFunc(tables, func(t table) bool { return t.name == more.name })]
		t.columns = slices.Concat(t.columns, more.columns)
	}
	return tables
}

// series is the table of the model Series. Install does not create it, since sites that Agenda created have no series.
var series = table{name: "tec_series_relationships", columns: []column{
	{"relationship_id", autoID}, {"series_post_id", owner}, {"event_id", owner}, {"event_post_id", owner},
}, keys: []key{
	{name: "series_post_id", columns: []string{"series_post_id"}},
	{name: "event_post_id", columns: []string{"event_post_id"}},
}}

// InstallDates adds the missing columns of EventDates and OccurrenceDates to existing tables, and creates the table of
// Series if it does not exist. It is meant for copies of sites with recurring events.
func InstallDates(ctx context.Context, db *bun.DB, prefix string) error {
	return change(ctx, db, prefix, "install dates", func(ctx context.Context, conn bun.IDB) error {
		if err := addDateColumns(ctx, conn, prefix); err != nil {
			return err
		}
		return createTables(ctx, conn, prefix, series)
	})
}

// addDateColumns adds the missing columns for recurring events.
func addDateColumns(ctx context.Context, conn bun.IDB, prefix string) error {
	for _, t := range dateColumns {
		statements, err := addingColumns(ctx, conn, prefix, t)
		if err != nil {
			return err
		}
		for _, statement := range statements {
			if _, err := conn.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("table %s%s: %w", prefix, t.name, err)
			}
		}
	}
	return nil
}

// addingColumns returns the statements that add the columns of t that the table lacks.
func addingColumns(ctx context.Context, conn bun.IDB, prefix string, t table) (statements []string, err error) {
	there, err := columnsOf(ctx, conn.NewSelect(), t.name)
	if err != nil {
		return nil, err
	}
	for _, c := range t.columns {
		if there[c.name] {
			continue
		}
		definition := c.kind.mysql
		if isSQLite(conn) {
			definition = c.kind.sqlite
		}
		add := conn.NewRaw("ALTER TABLE ? ADD COLUMN ? ?", bun.Ident(prefix+t.name), bun.Ident(c.name), bun.Safe(definition))
		statements = append(statements, add.String())
	}
	return statements, nil
}
