package schema

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/uptrace/bun"
)

// Old sites may have stored UTF-8 through connections with the character set latin1. The bytes are UTF-8, but the
// columns are declared as latin1. A program that trusts the declaration reads "Ã©" for "é", and the site cannot read
// what that program writes.

// misreadSample is how many values of a column are examined.
const misreadSample = 1000

// misreadColumns returns the columns declared as latin1 that contain UTF-8: in the sample, at least two values are not
// ASCII, and all of those are valid UTF-8.
func misreadColumns(ctx context.Context, db bun.IDB, rows []columnRow) (columns []string, err error) {
	valid := 0
	for _, r := range rows {
		if r.Charset != "latin1" || !slices.Contains(itemTexts, r.ColumnName) {
			continue
		}
		column := bun.Ident(r.ColumnName)
		var texts [][]byte
		err := db.NewRaw("SELECT CAST(? AS BINARY) FROM ? WHERE CAST(? AS BINARY) <> CAST(CONVERT(? USING ascii) AS BINARY) LIMIT ?",
			column, bun.Ident(r.TableName), column, column, misreadSample).Scan(ctx, &texts)
		if err != nil {
			if absent, denied := tableErrorOf(err); absent || denied {
				continue
			}
			return nil, fmt.Errorf("column %s.%s: %w", r.TableName, r.ColumnName, err)
		}
		for _, text := range texts {
			if !utf8.Valid(text) {
				return nil, nil
			}
			valid++
		}
		if len(texts) > 0 {
			columns = append(columns, r.TableName+"."+r.ColumnName)
		}
	}
	if valid < 2 {
		return nil, nil
	}
	return columns, nil
}

// askMisread reports columns declared as latin1 that contain UTF-8, with the statements that correct the declaration.
func askMisread(ctx context.Context, p *examinedDB) (found []Finding, err error) {
	if len(p.Report.Misread) == 0 {
		return nil, nil
	}
	rows, err := readColumns(ctx, p, p.prefix)
	if err != nil {
		return nil, err
	}
	for _, table := range tablesOf(p.Report.Misread) {
		f := finding(Problem, table, "take a backup and stop the site, run the statements, and set DB_CHARSET to utf8mb4 in "+
			"wp-config.php; "+
			"where the texts are right as they are, serve with --latin1 as-is",
			"columns declared as latin1 hold UTF-8 (%s): texts are read wrongly, and nothing is written",
			strings.Join(columnsIn(table, p.Report.Misread), ", "))
		f.DDL = retyped(table, rows)
		found = append(found, f)
	}
	return found, nil
}

// tablesOf returns the tables of columns, without duplicates.
func tablesOf(columns []string) (tables []string) {
	for _, c := range columns {
		if table, _, _ := strings.Cut(c, "."); !slices.Contains(tables, table) {
			tables = append(tables, table)
		}
	}
	return tables
}

func columnsIn(table string, columns []string) (names []string) {
	for _, c := range columns {
		if name, is := strings.CutPrefix(c, table+"."); is {
			names = append(names, name)
		}
	}
	return names
}

// retyped returns the statements that declare the latin1 columns of a table as utf8mb4 without changing their bytes.
func retyped(table string, rows []columnRow) []string {
	var binaries, texts []string
	for _, r := range rows {
		if r.TableName == table && r.Charset == "latin1" {
			binary, text := retype(r)
			binaries, texts = append(binaries, binary), append(texts, text)
		}
	}
	alter := "ALTER TABLE `" + table + "` "
	return []string{alter + strings.Join(binaries, ", "), alter + strings.Join(texts, ", ")}
}

// retype returns two definitions of a column: with a binary type, which drops the character set without converting, and
// with its text type as utf8mb4.
func retype(r columnRow) (binary, text string) {
	kind := strings.NewReplacer("varchar", "varbinary", "char", "binary", "text", "blob").Replace(strings.ToLower(r.ColumnType))
	rest := " NULL"
	if r.NotNull {
		rest = " NOT NULL"
	}
	if strings.Contains(kind, "binary") && r.NotNull && !r.Required {
		rest += " DEFAULT ''"
	}
	modify := "MODIFY `" + r.ColumnName + "` "
	return modify + kind + rest, modify + r.ColumnType + " CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci" + defaulted(rest,
		r.Default)
}

// defaulted replaces an empty default at the end of a column's definition by the column's own.
func defaulted(rest, value string) string {
	if value == "" || value == "''" || value == "NULL" {
		return rest
	}
	return strings.Replace(rest, " DEFAULT ''", " DEFAULT '"+strings.Trim(value, "'")+"'", 1)
}
