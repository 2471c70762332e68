package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/cli"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/zonedata"
	"github.com/agendahq/agenda/schema"
)

// runDoctor runs agenda doctor, which must succeed, and returns its output.
func runDoctor(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errOut := ran(t, append([]string{"doctor"}, args...)...)
	if code != 0 || errOut != "" {
		t.Fatalf("code %d: %s", code, errOut)
	}
	return out
}

// examined is the report of agenda doctor in JSON.
type examined struct {
	Worst    schema.Level
	Embedded bool
	Server   string
	Tables   []schema.Table
	Findings []schema.Finding
	Advice   schema.Advice
	Plans    []schema.Plan
	DDL      []string
}

// examine returns the report, and the findings that are not ok.
func examine(t *testing.T, database ...string) (d examined, complaints []string) {
	t.Helper()
	must.Succeed(t, json.Unmarshal([]byte(runDoctor(t, append(database, "-json")...)), &d))
	for _, f := range d.Findings {
		if f.Level != schema.OK && f.Check != "zone data" { // zone data depends on the machine
			complaints = append(complaints, strings.TrimSpace(string(f.Level)+" "+f.Check+" "+f.Subject))
		}
	}
	return d, complaints
}

func execute(t *testing.T, db *bun.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		change(t, db, s)
	}
}

func TestDoctorOnEverySite(t *testing.T) {
	t.Parallel()
	onEverySite(t, func(t *testing.T, database []string) {
		text := runDoctor(t, database...)
		for _, want := range []string{"Server\n", "Tables\n", "Events\n", "Indexes\n", " events, ", "wp_postmeta",
			"default list", "by venue"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in %s", want, text)
			}
		}
		d, complaints := examine(t, database...)
		tables := 11
		if d.Embedded { // with the table of stored responses
			tables++
		}
		if d.Server == "" || len(d.Tables) != tables || len(d.Findings) < 15 || len(d.Plans) != 4 ||
			d.Embedded != strings.HasPrefix(d.Server, "SQLite") {
			t.Errorf("%+v", d)
		}
		for _, c := range complaints {
			if !strings.HasPrefix(c, "note indexes ") { // the recorded site lacks this module's indexes
				t.Errorf("found %s", c)
			}
		}
	})
}

// withZoneData makes the program find zone data of an unknown release, which the doctor does not report.
func withZoneData(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	must.Succeed(t, os.MkdirAll(filepath.Join(dir, "Europe"), 0o755))
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "Europe", "London"), nil, 0o644))
	t.Setenv("ZONEINFO", dir)
}

func TestDoctorPrintsWhatAClientCanRun(t *testing.T) {
	withZoneData(t)
	db := testdb.SiteA(t)
	database := []string{"-dsn", testdb.DSNOf(t, db)}
	script := runDoctor(t, append(database, "-ddl")...)
	if text := runDoctor(t, database...); !strings.HasSuffix(text, "\n\n"+script) {
		t.Errorf("the report does not end with the statements: %s", text)
	}
	client := testdb.Reopen(t, db, testdb.WithSQLMode(testdb.MySQL8), testdb.WithDSNParams("multiStatements=true"))
	execute(t, client, script)
	if d, complaints := examine(t, database...); len(complaints) > 0 || len(d.DDL) > 0 || d.Worst != schema.OK {
		t.Errorf("after %s: %q", script, complaints)
	}
	if out := runDoctor(t, append(database, "-ddl")...); out != "-- Nothing to run.\n" {
		t.Errorf("nothing is to be done, printed %s", out)
	}
	if out := runDoctor(t, database...); !strings.HasSuffix(out, "Nothing was found that is slow or wrong.\n") {
		t.Errorf("printed %s", out)
	}
}

// TestDoctorStrict checks that with --strict, warnings and problems change the exit code, and notes do not.
func TestDoctorStrict(t *testing.T) {
	withZoneData(t)
	db := testdb.SiteA(t)
	args := []string{"doctor", "-strict", "-dsn", testdb.DSNOf(t, db)}
	if code, out, _ := ran(t, append(args, "-replica", "me:geheim@tcp(127.0.0.1:1)/site")...); code != 1 ||
		!strings.Contains(out, "replica 1") || strings.Contains(out, "geheim") {
		t.Errorf("a replica that is away: code %d %s", code, out)
	}
	moved(t, 0, args...)
	for _, c := range [][2]string{ // each makes the worst level of the report worse
		{"UPDATE wp_term_taxonomy SET count = 99", "warning"}, {"ALTER TABLE wp_terms ENGINE=MyISAM", "problem"},
	} {
		statement, level := c[0], c[1]
		execute(t, db, statement)
		if code, out, text := ran(t, args...); code != 1 || !strings.Contains(text, level) || !strings.Contains(out, "  "+level) {
			t.Errorf("%s: code %d %s", statement, code, text)
		}
		moved(t, 0, slices.Delete(slices.Clone(args), 1, 2)...) // not strict
	}
}

func TestLongDoctorOnTheEmbeddedDatabase(t *testing.T) {
	t.Parallel()
	const event = "(SELECT ID FROM wp_posts WHERE post_type = 'tribe_events' AND post_status = 'publish' ORDER BY ID LIMIT 1)"
	dir, _ := earlier(t)
	if _, complaints := examine(t, "-data", dir); len(complaints) > 0 {
		t.Fatalf("the demo: %q", complaints)
	}
	golden.Each(t, "defects.txt", func(name string, ddl bool, want, seed string) {
		t.Run(name, func(t *testing.T) {
			dir, db := earlier(t)
			execute(t, db, strings.ReplaceAll(seed, "{event}", event))
			d, complaints := examine(t, "-data", dir)
			if strings.Join(complaints, ", ") != want || ddl != (len(d.DDL) > 0) {
				t.Fatalf("found %q, statements %q", complaints, d.DDL)
			}
			if !ddl {
				return
			}
			if printed := runDoctor(t, "-data", dir, "-run", "all"); printed != strings.Join(d.DDL, ";\n")+";\n" {
				t.Errorf("ran %s, want %q", printed, d.DDL)
			}
			if _, complaints := examine(t, "-data", dir); len(complaints) > 0 {
				t.Errorf("after %q: %q", d.DDL, complaints)
			}
		})
	})
}

func content(t *testing.T, file string) [32]byte {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	return sha256.Sum256(text)
}

func TestDoctorWritesNothingToAFile(t *testing.T) {
	t.Parallel()
	dir, db := earlier(t)
	execute(t, db, "DROP INDEX wp_posts_post_name", "UPDATE wp_term_taxonomy SET count = 99")
	must.Succeed(t, db.Close())
	file := filepath.Join(dir, cli.FileName)
	before := content(t, file)
	runDoctor(t, "-data", dir)
	if content(t, file) != before {
		t.Error("the file changed")
	}
}

// TestDoctorLeavesAnOldFileAsItIs checks that the doctor does not update a file of an earlier version, as the server
// does.
func TestDoctorLeavesAnOldFileAsItIs(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"PRAGMA user_version = 0", "PRAGMA application_id = 1095172096"} {
		dir, db := earlier(t)
		execute(t, db, mark)
		must.Succeed(t, db.Close())
		file := filepath.Join(dir, cli.FileName)
		before := content(t, file)
		if code, out, text := ran(t, "doctor", "-data", dir); code != 2 || out != "" || !strings.Contains(text, "start the server once") {
			t.Errorf("%s: code %d %s", mark, code, text)
		}
		if content(t, file) != before {
			t.Errorf("%s: the file changed", mark)
		}
	}
}

func TestDoctorHoldsAConnectionToReadingForAMoment(t *testing.T) {
	t.Parallel()
	_, db := earlier(t)
	db.SetMaxOpenConns(1)
	must.Get(schema.Diagnose(t.Context(), db, "wp_", schema.DefaultNames()))(t)
	execute(t, db, "DELETE FROM wp_postmeta")
}

func TestMistakesWithTheDoctor(t *testing.T) {
	t.Parallel()
	empty := testdb.DSN(t)
	dir, _ := earlier(t)
	mistakes(t, "doctor-mistakes.txt", strings.NewReplacer("{empty}", empty, "{dir}", dir, "{none}", t.TempDir(),
		"{site}", testdb.DSNOf(t, testdb.SiteA(t))), "doctor")
	foreign := t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(foreign, cli.FileName), bytes.Repeat([]byte("no database\n"), 500), 0o600))
	says(t, 2, "not a database", "doctor", "-data", foreign)
}

// TestDoctorNamesTheZoneData checks that the doctor reports the release and the directory of the zone data, and warns
// if the data of the system is older than that in the program.
func TestDoctorNamesTheZoneData(t *testing.T) {
	for _, c := range []struct {
		used, built string
		want        schema.Level
	}{
		{"2025b", "2025c", schema.Warning}, {"2025c", "2025c", schema.OK}, {"2026b", "2025c", schema.OK},
		{zonedata.Unknown, "2025c", schema.OK}, {"2025b", zonedata.Unknown, schema.OK},
	} {
		f := judgeZoneData(zonedata.Data{Release: c.used, Place: "/zones"}, c.built)
		if f.Level != c.want || !strings.Contains(f.Text, c.used) || !strings.Contains(f.Text, "/zones") ||
			(c.want == schema.Warning) != (strings.Contains(f.Text, c.built) && f.Advice != "") {
			t.Errorf("%s, built with %s: %+v", c.used, c.built, f)
		}
	}
}

// TestDoctorRepairsZones checks that --run zones recomputes UTC times and prints each change, also on a database
// server, where the doctor executes no other repair (D87).
func TestDoctorRepairsZones(t *testing.T) {
	t.Parallel()
	onEverySite(t, func(t *testing.T, database []string) {
		if out := runDoctor(t, append(database, "-run", "zones")...); !strings.Contains(out, "Dates computed again with release ") ||
			!strings.HasSuffix(out, ": 0\n") {
			t.Errorf("printed %s", out)
		}
	})
	db := testdb.SiteA(t)
	database := []string{"-dsn", testdb.DSNOf(t, db)}
	var post int64
	err := db.NewRaw("SELECT post_id FROM wp_tec_events WHERE timezone LIKE 'Europe/%' AND end_date_utc > '2030-01-01' AND hash = '' "+
		"LIMIT 1").
		Scan(t.Context(), &post)
	must.Succeed(t, err)
	for _, statement := range []string{
		"UPDATE wp_tec_occurrences SET start_date_utc = LEFT(start_date_utc - INTERVAL 1 HOUR, 19), " +
			"end_date_utc = LEFT(end_date_utc - INTERVAL 1 HOUR, 19)",
		"UPDATE wp_tec_events SET start_date_utc = LEFT(start_date_utc - INTERVAL 1 HOUR, 19), " +
			"end_date_utc = LEFT(end_date_utc - INTERVAL 1 HOUR, 19)",
		"UPDATE wp_postmeta SET meta_value = LEFT(meta_value - INTERVAL 1 HOUR, 19)",
	} {
		of := fmt.Sprint(" WHERE post_id = ", post)
		if strings.Contains(statement, "postmeta") {
			of += " AND meta_key LIKE '%DateUTC'"
		}
		execute(t, db, statement+of)
	}
	if _, complaints := examine(t, database...); !slices.Contains(complaints, "warning zones zones") {
		t.Errorf("found %q", complaints)
	}
	out := runDoctor(t, append(database, "-run", "zones")...)
	if !strings.Contains(out, fmt.Sprint("event ", post, ": ")) || !strings.HasSuffix(out, ": 1\n") {
		t.Errorf("printed %s", out)
	}
}
