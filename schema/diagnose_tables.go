package schema

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// askTables reads the tables and their indexes from the catalogue, and reports missing tables.
func askTables(ctx context.Context, p *examinedDB) (found []Finding, err error) {
	if p.Tables, err = p.readTables(ctx); err != nil {
		return nil, err
	}
	if p.Advice, err = advise(ctx, p, p.prefix); err != nil {
		return nil, err
	}
	for _, name := range p.Report.Missing {
		found = append(found, finding(Problem, name, "check database and table prefix", "does not exist; nothing can be served without it"))
	}
	for _, name := range p.Report.Denied {
		found = append(found, finding(Problem, name, "grant SELECT on it to this account", "may not be read"))
	}
	for _, name := range p.Report.Optional {
		switch short := strings.TrimPrefix(name, p.prefix); {
		case p.unmigrated && (short == occurrencesTable || short == eventsTable):
			found = append(found, finding(OK, name, "", "does not exist or may not be read; The Events Calendar creates it when needed"))
		case short == occurrencesTable:
			found = append(found, finding(Warning, name, "let The Events Calendar create it, or call schema.Backfill",
				"does not exist: lists take dates from the events' values, which is slow on a large site"))
		case short == eventsTable:
			found = append(found,
				finding(Note, name, "let The Events Calendar create it, or call schema.Backfill", "does not exist or may not be read"))
		case short == idempotencyTable:
			found = append(found, finding(OK, name, "",
				"does not exist or may not be read; the header Idempotency-Key is rejected ('agenda idempotency' creates the table)"))
		default:
			found = append(found, finding(Note, name, "", "does not exist or may not be read; it is not needed"))
		}
	}
	return found, nil
}

func (p *examinedDB) readTables(ctx context.Context) (list []Table, err error) {
	names := prefixed(p.prefix, append([]string{series.name}, namesOf(tables)...))
	if p.Embedded {
		var there []string
		err = p.NewRaw("SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN (?) ORDER BY name", bun.List(names)).Scan(ctx,
			&there)
		for _, name := range there {
			t := Table{Name: name}
			if err == nil {
				err = p.NewRaw("SELECT COUNT(*) FROM ?", bun.Ident(name)).Scan(ctx, &t.Rows)
			}
			list = append(list, t)
		}
		return list, err
	}
	var rows []struct {
		Name, Engine, Collation string
		RowCount, Bytes         int64
		Plain                   bool
	}
	err = p.NewRaw("SELECT t.TABLE_NAME AS name, COALESCE(t.ENGINE, 'view') AS engine, COALESCE(t.TABLE_COLLATION, '') AS collation, "+
		"COALESCE(t.TABLE_ROWS, 0) AS row_count, COALESCE(t.DATA_LENGTH + t.INDEX_LENGTH, 0) AS bytes, "+
		"t.ENGINE IS NOT NULL AND COALESCE(e.TRANSACTIONS, 'NO') <> 'YES' AS plain "+
		"FROM information_schema.TABLES AS t LEFT JOIN information_schema.ENGINES AS e ON e.ENGINE = t.ENGINE "+
		"WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_NAME IN (?) ORDER BY 1", bun.List(names)).Scan(ctx, &rows)
	for _, r := range rows {
		list = append(list, Table{Name: r.Name, Engine: r.Engine, Collation: r.Collation, Rows: r.RowCount, Bytes: r.Bytes, plain: r.Plain})
	}
	return list, err
}

// rows returns the number of rows in a table, named without the prefix.
func (p *examinedDB) rows(name string) int64 {
	for _, t := range p.Tables {
		if strings.EqualFold(t.Name, p.prefix+name) {
			return t.Rows
		}
	}
	return 0
}

func askEngines(_ context.Context, p *examinedDB) (found []Finding, err error) {
	for _, t := range p.Tables {
		if !t.plain {
			continue
		}
		f := finding(Problem, t.Name, "take a backup, then change the engine while nobody writes",
			"uses the engine %s, which has no transactions: a write that fails halfway is not undone, and writers wait for the whole table",
			t.Engine)
		f.DDL = []string{"ALTER TABLE `" + t.Name + "` ENGINE=" + innoDB}
		found = append(found, f)
	}
	return found, nil
}

// askKeys finds tables that have lost their primary key or AUTO_INCREMENT, as happens in incomplete copies.
func askKeys(ctx context.Context, p *examinedDB) (found []Finding, err error) {
	for _, m := range p.Advice.Missing {
		if m.Primary {
			f := finding(Problem, m.Table, "remove rows of the same number, if there are any, then add it", "has no primary key, which %s",
				m.Why)
			f.DDL = []string{m.DDL}
			found = append(found, f)
		}
	}
	var numbered []string
	err = p.NewRaw("SELECT LOWER(CONCAT(TABLE_NAME, '.', COLUMN_NAME)) FROM information_schema.COLUMNS "+
		"WHERE TABLE_SCHEMA = DATABASE() AND EXTRA LIKE '%auto_increment%'").Scan(ctx, &numbered)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		full, id := p.prefix+t.name, t.columns[0]
		there := slices.ContainsFunc(p.Tables, func(x Table) bool { return strings.EqualFold(x.Name, full) && x.Engine != "view" })
		if !there || t.primary != "" || slices.Contains(numbered, strings.ToLower(full+"."+id.name)) {
			continue
		}
		f := finding(Problem, full, "", "does not number its rows: nothing can be added")
		f.DDL = []string{"ALTER TABLE `" + full + "` MODIFY `" + id.name + "` " + id.kind.mysql}
		found = append(found, f)
	}
	return found, nil
}

// textColumn is a column of a text type.
type textColumn struct{ TableName, ColumnName, Charset, Collation string }

func (p *examinedDB) textColumns(ctx context.Context) (columns []textColumn, err error) {
	names := make([]string, len(p.Tables))
	for i, t := range p.Tables {
		names[i] = t.Name
	}
	err = p.NewRaw("SELECT TABLE_NAME AS table_name, COLUMN_NAME AS column_name, CHARACTER_SET_NAME AS charset, "+
		"COLLATION_NAME AS collation FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (?) "+
		"AND CHARACTER_SET_NAME IS NOT NULL ORDER BY TABLE_NAME, ORDINAL_POSITION", bun.List(names)).Scan(ctx, &columns)
	return columns, err
}

func askCharsets(ctx context.Context, p *examinedDB) (found []Finding, err error) {
	columns, err := p.textColumns(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range p.Tables {
		var narrow, sets []string
		for _, c := range columns {
			if c.TableName == t.Name && c.Charset != "utf8mb4" {
				narrow = append(narrow, c.ColumnName)
				if !slices.Contains(sets, c.Charset) {
					sets = append(sets, c.Charset)
				}
			}
		}
		if len(narrow) == 0 || len(columnsIn(t.Name, p.Report.Misread)) > 0 { // converting misdeclared columns would corrupt them
			continue
		}
		level := Warning
		if short := strings.TrimPrefix(t.Name, p.prefix); short == eventsTable || short == occurrencesTable {
			level = Note // these contain only dates and hashes
		}
		f := finding(level, t.Name, "take a backup first; where texts look wrong on the site today (Ã© for é), do not convert",
			"holds texts as %s, which has no emoji and lacks other characters (%s)", strings.Join(sets, ", "), strings.Join(narrow, ", "))
		f.DDL = []string{fmt.Sprintf("ALTER TABLE `%s` CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci", t.Name)}
		found = append(found, f)
	}
	return found, nil
}

// compared are the columns by which posts and terms are found and sorted.
var compared = []string{"post_title", "post_content", "post_name", "meta_value", "name", "slug"}

func askCollations(ctx context.Context, p *examinedDB) (found []Finding, err error) {
	columns, err := p.textColumns(ctx)
	if err != nil {
		return nil, err
	}
	used := map[string][]string{}
	for _, c := range columns {
		if !slices.Contains(compared, c.ColumnName) || c.TableName == p.prefix+"options" {
			continue
		}
		used[c.Collation] = append(used[c.Collation], c.TableName+"."+c.ColumnName)
		if strings.HasSuffix(c.Collation, "_bin") || strings.HasSuffix(c.Collation, "_cs") {
			found = append(found, finding(Warning, c.TableName, "give the column the collation of the others",
				"%s compares by %s: searches and slugs depend on the case of letters", c.ColumnName, c.Collation))
		}
	}
	if len(used) < 2 || len(found) > 0 {
		return found, nil
	}
	var parts []string
	for name, columns := range used {
		parts = append(parts, name+" ("+strings.Join(columns, ", ")+")")
	}
	slices.Sort(parts)
	return []Finding{finding(Note, "", "one collation for all tables makes searches and orders agree",
		"texts compare in several ways: %s", strings.Join(parts, "; "))}, nil
}

func countPosts(ctx context.Context, p *examinedDB) ([]Finding, error) {
	err := p.NewSelect().Model((*Post)(nil)).ColumnExpr("p.post_type AS type, p.post_status AS status, COUNT(*) AS count").
		Where("p.post_type IN (?)", bun.List([]string{p.names.Event, p.names.Venue, p.names.Organizer})).
		GroupExpr("p.post_type, p.post_status").OrderExpr("p.post_type, p.post_status").Scan(ctx, &p.Posts)
	if err != nil {
		return nil, err
	}
	if err := p.findNewest(ctx); err != nil {
		return nil, err
	}
	total := map[string]int64{}
	for _, c := range p.Posts {
		total[c.Type] += c.Count
	}
	return []Finding{finding(OK, "", "", "%d events, %d venues, %d organizers",
		total[p.names.Event], total[p.names.Venue], total[p.names.Organizer])}, nil
}

// published returns the number of published posts of a type.
func (p *examinedDB) published(postType string) int64 {
	for _, c := range p.Posts {
		if c.Type == postType && c.Status == StatusPublish {
			return c.Count
		}
	}
	return 0
}
