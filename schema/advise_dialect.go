package schema

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"

	"github.com/uptrace/bun"
)

// readIndexes returns those of our tables that exist, by their names in lower case. Views are left out.
func readIndexes(ctx context.Context, conn bun.IDB, prefix string) (map[string]indexedTable, error) {
	names := prefixed(prefix, namesOf(tables))
	if isSQLite(conn) {
		return indexesSQLite(ctx, conn, names)
	}
	return indexesMySQL(ctx, conn, names)
}

func indexesMySQL(ctx context.Context, conn bun.IDB, names []string) (map[string]indexedTable, error) {
	var engines []struct{ Name, Engine string }
	err := conn.NewRaw("SELECT TABLE_NAME AS name, COALESCE(ENGINE, '') AS engine FROM information_schema.TABLES "+
		"WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE' AND TABLE_NAME IN (?)", bun.List(names)).Scan(ctx, &engines)
	if err != nil {
		return nil, err
	}
	found := make(map[string]indexedTable, len(engines))
	for _, e := range engines {
		found[strings.ToLower(e.Name)] = indexedTable{engine: e.Engine}
	}
	// All columns are selected, because the column that shows whether the optimizer ignores an index has another name
	// on each server, or does not exist.
	var rows []map[string]any
	err = conn.NewRaw("SELECT * FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (?) "+
		"ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX", bun.List(names)).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		kind := cell(row, "INDEX_TYPE")
		if strings.EqualFold(cell(row, "IS_VISIBLE"), "NO") || strings.EqualFold(cell(row, "IGNORED"), "YES") {
			kind = "" // the optimizer does not use it, but its name is taken
		}
		of := strings.ToLower(cell(row, "TABLE_NAME"))
		length, _ := strconv.Atoi(cell(row, "SUB_PART"))
		found[of] = found[of].with(existingIndex{
			name: cell(row, "INDEX_NAME"), unique: cell(row, "NON_UNIQUE") == "0", kind: kind,
		}, indexedColumn{cell(row, "COLUMN_NAME"), length})
	}
	return found, nil
}

// with adds the next column of an index. Rows of an index have to be consecutive.
func (t indexedTable) with(x existingIndex, column indexedColumn) indexedTable {
	if last := len(t.indexes) - 1; last < 0 || t.indexes[last].name != x.name {
		t.indexes = append(t.indexes, x)
	}
	last := &t.indexes[len(t.indexes)-1]
	last.columns = append(last.columns, column)
	return t
}

// cell returns a value from a row of a statement with unknown columns as a string, "" if it is NULL or if there is no such
// column. Servers differ in the case of column names.
func cell(row map[string]any, column string) string {
	for name, value := range row {
		if !strings.EqualFold(name, column) {
			continue
		}
		if v, ok := value.(driver.Valuer); ok { // sql.NullInt64 and similar types
			inner, err := v.Value()
			if err != nil {
				return ""
			}
			value = inner
		}
		switch v := value.(type) {
		case nil:
			return ""
		case []byte:
			return string(v)
		default:
			return fmt.Sprint(v)
		}
	}
	return ""
}

// indexesSQLite returns the indexes of an SQLite file, without partial indexes and those on expressions.
func indexesSQLite(ctx context.Context, conn bun.IDB, names []string) (map[string]indexedTable, error) {
	var rows []struct {
		Name, IndexName, ColumnName string
		IsUnique                    bool
	}
	err := conn.NewRaw("SELECT s.name AS name, COALESCE(l.name, '') AS index_name, COALESCE(c.name, '') AS column_name, "+
		"COALESCE(l.\"unique\", 0) AS is_unique FROM sqlite_schema AS s LEFT JOIN pragma_index_list(s.name) AS l ON l.partial = 0 "+
		"LEFT JOIN pragma_index_info(l.name) AS c WHERE s.type = 'table' AND s.name IN (?) ORDER BY s.name, l.name, c.seqno",
		bun.List(names)).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	found := make(map[string]indexedTable)
	for _, r := range rows {
		of := strings.ToLower(r.Name)
		if _, seen := found[of]; !seen {
			found[of] = indexedTable{}
		}
		if r.IndexName == "" {
			continue
		}
		// On SQLite, Install prefixes an index's name with the table's. freeName must not see that prefix.
		name := strings.TrimPrefix(r.IndexName, r.Name+"_")
		found[of] = found[of].with(existingIndex{name: name, unique: r.IsUnique, kind: btree}, indexedColumn{name: r.ColumnName})
	}
	return found, nil
}

// addIndex returns the statement that adds an index, without blocking readers and writers if the storage engine
// supports that. file means SQLite.
func addIndex(file bool, table, name string, k key, engine string) string {
	if file {
		return "CREATE " + k.qualifier() + `INDEX "` + table + "_" + name + `" ON "` + table + `" ` + columnsSQLite(k.columns)
	}
	statement := "ALTER TABLE `" + table + "` ADD " + k.qualifier() + "INDEX `" + name + "` " + columnsMySQL(k.columns)
	if strings.EqualFold(engine, innoDB) {
		statement += ", ALGORITHM=INPLACE, LOCK=NONE"
	}
	return statement
}

// qualifier returns the word before INDEX or KEY in a statement that adds an index.
func (k key) qualifier() string {
	if k.unique {
		return "UNIQUE "
	}
	return ""
}

func addPrimary(table string, k key) string {
	return "ALTER TABLE `" + table + "` ADD PRIMARY KEY " + columnsMySQL(k.columns)
}

// btree is the type of sorted indexes.
const btree = "BTREE"

// innoDB is the transactional storage engine of MySQL and MariaDB.
const innoDB = "InnoDB"

// definitionMode sets an sql_mode in which tables with zero dates can be altered. Some modes reject such dates even
// when an index is added.
const definitionMode = "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'"
