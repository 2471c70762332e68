package schema

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// dateColumns are the columns that a site whose events have several dates has besides those of Install, by table.
var dateColumns = []table{
	{name: eventsTable, columns: []column{{"rset", longTextOrNull}}},
	{name: occurrencesTable, columns: []column{{"has_recurrence", mark}, {"sequence", sequence}, {"is_rdate", mark}}},
}

// series is the table of Series. Install does not make it, nor the columns above: a site that has them is one whose
// events may have several dates.
var series = table{name: seriesTable, columns: []column{
	{"relationship_id", autoID}, {"series_post_id", owner}, {"event_id", owner}, {"event_post_id", owner},
}, keys: []key{
	{name: "series_post_id", columns: []string{"series_post_id"}},
	{name: "event_post_id", columns: []string{"event_post_id"}},
}}

// InstallDates adds to the tables of Install the columns of EventDates and OccurrenceDates that they lack, and the table
// of Series if it does not exist: it is for copies of a site whose events have several dates.
func InstallDates(ctx context.Context, db *bun.DB, prefix string) error {
	db, err := Bind(db, prefix)
	if err != nil {
		return err
	}
	err = withDefinitionMode(ctx, db, func(ctx context.Context, conn bun.IDB) error {
		for _, t := range dateColumns {
			if err := addColumns(ctx, conn, prefix, t); err != nil {
				return err
			}
		}
		absent, _, err := probe(ctx, conn, prefix, []string{series.name})
		if err != nil || len(absent) == 0 {
			return err
		}
		return createTable(ctx, conn, prefix, series)
	})
	if err != nil {
		return fmt.Errorf("schema: install dates: %w", err)
	}
	return nil
}

// addColumns adds those columns of t that its table lacks.
func addColumns(ctx context.Context, conn bun.IDB, prefix string, t table) error {
	there, err := columnsOf(ctx, conn.NewSelect(), t.name)
	if err != nil {
		return err
	}
	for _, c := range t.columns {
		if there[c.name] {
			continue
		}
		definition := c.kind.mysql
		if isSQLite(conn) {
			definition = c.kind.sqlite
		}
		_, err := conn.NewRaw("ALTER TABLE ? ADD COLUMN ? ?", bun.Ident(prefix+t.name), bun.Ident(c.name), bun.Safe(definition)).Exec(ctx)
		if err != nil {
			return fmt.Errorf("table %s%s: %w", prefix, t.name, err)
		}
	}
	return nil
}
