package schema

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
)

func tableNamed(t *testing.T, name string) table {
	t.Helper()
	i := slices.IndexFunc(tables, func(table table) bool { return table.name == name })
	if i < 0 {
		t.Fatalf("no table %s", name)
	}
	return tables[i]
}

func TestEveryTableIsRequiredOrOptional(t *testing.T) {
	var described []string
	for _, table := range tables {
		described = append(described, table.name)
	}
	named := slices.Concat(requiredTables, optionalTables, ownTables)
	slices.Sort(described)
	slices.Sort(named)
	if !slices.Equal(described, named) {
		t.Errorf("described %v, named %v", described, named)
	}
}

func TestCreateSQLite(t *testing.T) {
	want := []string{
		`CREATE TABLE "b_options" (
  "option_id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "option_name" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "option_value" TEXT COLLATE site_ci NOT NULL DEFAULT '',
  "autoload" TEXT COLLATE site_ci NOT NULL DEFAULT 'yes'
)`,
		`CREATE UNIQUE INDEX "b_options_option_name" ON "b_options" ("option_name")`,
		`CREATE INDEX "b_options_autoload" ON "b_options" ("autoload")`,
	}
	if got := createSQLite(tableNamed(t, "options"), "b_"); !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	links := createSQLite(tableNamed(t, "term_relationships"), "b_")[0]
	if !strings.Contains(links, `PRIMARY KEY ("object_id", "term_taxonomy_id")`) || strings.Contains(links, "AUTOINCREMENT") {
		t.Error(links)
	}
	// The index of post_id is left out, since another one begins with it.
	indexes := []string{
		`CREATE INDEX "b_postmeta_meta_key" ON "b_postmeta" ("meta_key")`,
		`CREATE INDEX "b_postmeta_agenda_value" ON "b_postmeta" ("meta_key", "meta_value", "post_id")`,
		`CREATE INDEX "b_postmeta_agenda_post" ON "b_postmeta" ("post_id", "meta_key")`,
	}
	if got := createSQLite(tableNamed(t, "postmeta"), "b_")[1:]; !slices.Equal(got, indexes) {
		t.Error(strings.Join(got, "\n"))
	}
	for _, statement := range createSQLite(tableNamed(t, "tec_occurrences"), "b_") {
		if strings.Contains(statement, "*") || strings.Contains(statement, "_date\" TEXT COLLATE") {
			t.Error(statement)
		}
	}
}

// TestSQLiteColumnTypes checks that no declared type contains TIME or DATE, since SQLite drivers would then not return
// the stored string.
func TestSQLiteColumnTypes(t *testing.T) {
	for _, table := range tables {
		for _, c := range table.columns {
			declared, _, _ := strings.Cut(c.kind.sqlite, " ")
			isDate := strings.HasPrefix(c.kind.mysql, "datetime") || strings.Contains(c.name, "_date") || c.name == "updated_at"
			if isDate && (declared != "TEXT" || strings.Contains(c.kind.sqlite, "COLLATE")) {
				t.Errorf("%s.%s is %s", table.name, c.name, c.kind.sqlite)
			}
			if !slices.Contains([]string{"TEXT", "INTEGER"}, declared) && c.kind != blob {
				t.Errorf("%s.%s is %s", table.name, c.name, c.kind.sqlite)
			}
		}
	}
}

func TestTableError(t *testing.T) {
	for _, c := range []struct {
		err            error
		absent, denied bool
	}{
		{&mysql.MySQLError{Number: 1146}, true, false},
		{&mysql.MySQLError{Number: 1142}, false, true},
		{&mysql.MySQLError{Number: 1143}, false, true},
		{&mysql.MySQLError{Number: 1044}, false, true},
		{&mysql.MySQLError{Number: 1046, Message: "No database selected"}, false, false},
		{errors.New("SQL logic error: no such table: wp_posts (1)"), true, false},
		{errors.New("database is locked (5)"), false, false},
	} {
		if absent, denied := tableError(c.err); absent != c.absent || denied != c.denied {
			t.Errorf("%v: absent %t, denied %t", c.err, absent, denied)
		}
	}
}

func TestRetryable(t *testing.T) {
	for _, number := range []uint16{1062, 1213, 1205, 1020, 1047, 1180, 3101} {
		if !retryable(&mysql.MySQLError{Number: number}) {
			t.Errorf("%d is not repeated", number)
		}
	}
	if retryable(&mysql.MySQLError{Number: 1064}) || retryable(errors.New("no such column")) ||
		!retryable(errors.New("database is locked (5)")) {
		t.Error("wrong errors are repeated")
	}
}

func TestRegisteredStatuses(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range RegisteredStatuses {
		seen[s] = true
	}
	if len(seen) != 20 || len(RegisteredStatuses) != 20 {
		t.Errorf("%d statuses, %d distinct", len(RegisteredStatuses), len(seen))
	}
}
