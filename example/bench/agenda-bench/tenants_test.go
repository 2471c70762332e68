package main

import (
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

func TestTenants(t *testing.T) {
	db := testdb.New(t)
	cfg := must.Get(mysql.ParseDSN(testdb.DSNOf(t, db)))(t)
	cfg.DBName += "_many" // which does not exist
	dsn := cfg.FormatDSN()
	t.Cleanup(func() {
		for _, number := range []string{"_1", "_2"} {
			if _, err := db.Exec("DROP DATABASE IF EXISTS `" + cfg.DBName + number + "`"); err != nil {
				t.Error(err)
			}
		}
	})
	for range 2 { // the second time they exist
		code, out, errOut := runProgram(t.Context(), "tenants", "--dsn", dsn, "--calendars", "4", "--databases", "2", "--events", "3",
			"--clients", "2", "--duration", "20ms", "--idle", "1ms")
		for _, want := range []string{"4 calendars, made in", "; 4 keep answers in memory", "under load, ", "the first after a pause"} {
			if code != 0 || !strings.Contains(out, want) {
				t.Fatalf("code %d, no %q in %s\n%s", code, want, out, errOut)
			}
		}
		for line := range strings.Lines(out) {
			if fields := strings.Fields(line); strings.HasPrefix(line, "the ") && fields[len(fields)-1] != "0" {
				t.Errorf("failed: %s", line)
			}
		}
	}
	for _, args := range [][]string{{"--dsn", "geheim"}, {"--dsn", dsn, "--clients", "0"}, {"--dsn", dsn, "--calendars", "1"}} {
		if code, _, errOut := runProgram(t.Context(), append([]string{"tenants"}, args...)...); code != 2 ||
			strings.Contains(errOut, "geheim") {
			t.Errorf("%q: code %d: %s", args, code, errOut)
		}
	}
}
