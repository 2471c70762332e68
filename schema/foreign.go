package schema

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// ForeignColumn is a column that a plugin added to a table, and that is NOT NULL without a default. In strict mode, an
// INSERT without it fails.
type ForeignColumn struct {
	Table  string // with the table prefix
	Column string
	Type   string // as the server describes it
	// Zero is the zero value of its type as an SQL literal. Since WordPress's sessions are not strict, the server
	// stores it for WordPress. "" if the type has none.
	Zero string
}

// filledTables are the tables into which rows are inserted.
var filledTables = []string{
	"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", "termmeta", "options", eventsTable, occurrencesTable,
}

// columnRow is a row of information_schema.COLUMNS.
type columnRow struct {
	TableName, ColumnName, DataType, ColumnType, Charset, Extra string
	Default                                                     string
	Required, NotNull                                           bool
}

// readColumns reads the columns of the tables into which rows are inserted.
func readColumns(ctx context.Context, db bun.IDB, prefix string) (rows []columnRow, err error) {
	return tableColumns(ctx, db, prefix, filledTables)
}

// tableColumns reads the columns of tables.
func tableColumns(ctx context.Context, db bun.IDB, prefix string, tables []string) (rows []columnRow, err error) {
	// CONCAT turns a column into an expression. With columnsWithAlias in the DSN, the driver prefixes names of columns
	// with the table, but not those of expressions.
	err = db.NewRaw("SELECT CONCAT(TABLE_NAME) AS table_name, CONCAT(COLUMN_NAME) AS column_name, LOWER(DATA_TYPE) AS data_type, "+
		"CONCAT(COLUMN_TYPE) AS column_type, COALESCE(CHARACTER_SET_NAME, '') AS charset, LOWER(EXTRA) AS extra, "+
		"COALESCE(COLUMN_DEFAULT, '') AS `default`, IS_NULLABLE = 'NO' AS not_null, "+
		"IS_NULLABLE = 'NO' AND COLUMN_DEFAULT IS NULL AS required FROM information_schema.COLUMNS "+
		"WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (?) ORDER BY TABLE_NAME, ORDINAL_POSITION",
		bun.List(prefixed(prefix, tables))).Scan(ctx, &rows)
	return rows, err
}

// ForeignColumns returns the columns that plugins added to a site's tables and that an INSERT has to set. There are
// none on SQLite.
func ForeignColumns(ctx context.Context, db bun.IDB, prefix string) ([]ForeignColumn, error) {
	if isSQLite(db) {
		return nil, nil
	}
	rows, err := readColumns(ctx, db, prefix)
	return foreignColumns(prefix, rows), err
}

// noDefault is the error number of a server for a row that lacks a column without a default.
const noDefault = 1364

// InsertNaming runs an INSERT into a table of a site, given the table's prefix and name. If the server requires values
// for columns that plugins have added, it reads which, and repeats the statement with the zero values of their types.
// It is for rows that are rarely inserted. A failed statement does not end its transaction.
func InsertNaming(ctx context.Context, db bun.IDB, prefix, table string, q *bun.InsertQuery) error {
	_, err := q.Exec(ctx)
	if number(err) != noDefault {
		return err
	}
	rows, failed := tableColumns(ctx, db, prefix, []string{table})
	if failed != nil {
		return failed
	}
	for _, c := range foreignColumns(prefix, rows) {
		if c.Zero == "" {
			return err
		}
		q = q.Value(c.Column, c.Zero)
	}
	_, err = q.Exec(ctx)
	return err
}

// insertNaming is InsertNaming with the prefix that is bound to the database.
func insertNaming(ctx context.Context, db bun.IDB, table string, q *bun.InsertQuery) error {
	return InsertNaming(ctx, db, q.DB().QueryGen().FormatQuery("?(prefix)"), table, q)
}

func foreignColumns(prefix string, rows []columnRow) (found []ForeignColumn) {
	for _, r := range rows {
		columns := translations.columns
		if name := strings.ToLower(strings.TrimPrefix(r.TableName, prefix)); name != translations.name {
			columns = tableOf(name).columns
		}
		own := slices.ContainsFunc(columns, func(c column) bool { return strings.EqualFold(c.name, r.ColumnName) })
		if own || !r.Required || strings.Contains(r.Extra, "auto_increment") || strings.Contains(r.Extra, "generated") {
			continue
		}
		found = append(found, ForeignColumn{Table: r.TableName, Column: r.ColumnName, Type: r.ColumnType, Zero: zeros[r.DataType]})
	}
	return found
}

// zeros maps column types to the values that a server stores in a session that is not strict for a column without a
// default.
var zeros = func() map[string]string {
	zeros := map[string]string{
		"date": "'0000-00-00'", "datetime": "'0000-00-00 00:00:00'", "timestamp": "'0000-00-00 00:00:00'", "time": "'00:00:00'",
		"enum": "1", // index of the first value
		"uuid": "'00000000-0000-0000-0000-000000000000'", "inet6": "'::'", "inet4": "'0.0.0.0'", "json": "'null'",
	}
	for _, number := range []string{
		"tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double", "bit", "year",
	} {
		zeros[number] = "0"
	}
	for _, text := range []string{
		"char", "varchar", "tinytext", "text", "mediumtext", "longtext", "binary", "varbinary", "tinyblob", "blob", "mediumblob",
		"longblob", "set",
	} {
		zeros[text] = "''"
	}
	return zeros
}()

// itemTexts are the columns, of any table, that contain texts of items.
var itemTexts = []string{"post_title", "post_content", "post_excerpt", "meta_value", "name", "description"}

// narrowColumns returns the columns with texts of items whose character set is not utf8mb4.
func narrowColumns(rows []columnRow) (columns []string) {
	for _, r := range rows {
		if r.Charset != "" && r.Charset != "utf8mb4" && slices.Contains(itemTexts, r.ColumnName) {
			columns = append(columns, r.TableName+"."+r.ColumnName)
		}
	}
	return columns
}

// askForeign reports columns of plugins that an INSERT has to set.
func askForeign(ctx context.Context, p *examinedDB) (found []Finding, err error) {
	columns, err := ForeignColumns(ctx, p, p.prefix)
	if err != nil {
		return nil, err
	}
	accounts := cmp.Or(p.Report.UserPrefix, p.prefix)
	rows, err := tableColumns(ctx, p, accounts, userTables)
	for _, c := range append(columns, foreignColumns(accounts, rows)...) {
		if c.Zero == "" {
			found = append(found, finding(Problem, c.Table, "give the column a default, or let it be NULL",
				"nothing can be added: another program's column %s (%s) is NOT NULL without a default, and its type has no zero",
				c.Column, c.Type))
			continue
		}
		found = append(found, finding(Note, c.Table, "", "another program's column %s (%s) is NOT NULL without a default: new rows "+
			"get %s",
			c.Column, c.Type, c.Zero))
	}
	return found, err
}
