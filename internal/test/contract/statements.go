package contract

import (
	"context"
	"embed"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// sent is a statement of a request.
type sent struct {
	text   string
	within bool // sent while the write locks the row that all writers lock first
}

// sending sends a request as the administrator, and returns its response and its statements.
func (b *bench) sending(method, path, body string) (a apitest.Answer, list []sent) {
	b.T.Helper()
	b.counter.Reset()
	locking := 0 // the number of the last transaction that locked that row
	b.counter.Before(func(_ context.Context, n int, query string) error {
		tx := b.counter.Transactions()
		if strings.Contains(query, "option_id") && strings.Contains(query, schema.OptionLastSavePost) {
			locking = tx.Begun
		}
		if n > 0 {
			list = append(list, sent{query, tx.Begun > tx.Committed+tx.RolledBack && tx.Begun == locking})
		}
		return nil
	})
	a = b.DoWithin(b.T.Context(), "admin", method, b.fill(path), b.fill(body))
	b.counter.Reset()
	if a.Status < http.StatusOK || a.Status >= http.StatusMultipleChoices {
		b.T.Fatalf("%s: %s", a.Request, a.Summary())
	}
	return a, list
}

// ofShape reports whether a statement queries the columns of a table, or whether it exists.
func ofShape(query string) bool {
	return strings.HasSuffix(query, "WHERE (1 = 0)") || strings.Contains(query, "information_schema") ||
		strings.Contains(query, "sqlite_master")
}

// counting returns the number of statements, leaving out the settings of sessions and queries of the structure of
// tables, which are sent when the structure may have changed. It fails the test if such a query is sent within the
// transaction.
func (b *bench) counting(about string, list []sent) (n int) {
	b.T.Helper()
	for _, s := range list {
		switch {
		case ofShape(s.text) && s.within:
			b.T.Errorf("%s: asked within the transaction: %s", about, s.text)
		case !ofShape(s.text) && !strings.HasPrefix(s.text, "SET @") && !strings.HasPrefix(s.text, "SET SESSION "):
			n++
		}
	}
	return n
}

var (
	literals = regexp.MustCompile(`'(?:[^'\\]|''|\\.)*'|\b\d+(?:\.\d+)?\b`)
	several  = regexp.MustCompile(`\(\?(?:, \?)+\)`)
	moreRows = regexp.MustCompile(`(\([^()]*\?[^()]*\)), \([^()]*\?[^()]*\)(?:, \([^()]*\?[^()]*\))*`)
	limits   = regexp.MustCompile(`^SET STATEMENT max_statement_time=\? FOR |/\*\+ MAX_EXECUTION_TIME\(\?\) \*/ ?`)
)

// shown returns a statement in the form of the golden files: without its values and their number.
func (s sent) shown() string {
	text := literals.ReplaceAllString(strings.Join(strings.Fields(s.text), " "), "?")
	text = several.ReplaceAllString(limits.ReplaceAllString(text, ""), "(…)")
	text = moreRows.ReplaceAllString(text, "$1, …")
	if s.within {
		return "\t" + text
	}
	return text
}

// most is the maximum number of statements of a request on MariaDB and on SQLite.
type most struct{ mariadb, sqlite int }

// routesSQL contains the requests whose statements are in the golden files, in an order in which the items of each
// exist. A request that creates an item stores its id under a name.
var routesSQL = []struct {
	method, path, body, name string
	most                     most
}{
	{"POST", "/venues", `{"venue":"Hall","city":"Gent"}`, "hall", most{}},
	{"POST", "/organizers", `{"organizer":"Org"}`, "org", most{}},
	{"POST", "/categories", `{"name":"Music"}`, "music", most{}},
	{"POST", "/tags", `{"name":"Free"}`, "free", most{}},
	{"POST", "/events", `{"title":"Fair","start_date":"2030-07-01 10:00","end_date":"2030-07-01 12:00"}`, "fair", most{18, 18}},
	{"POST", "/events",
		`{"title":"Ball","start_date":"2030-07-02 10:00","end_date":"2030-07-02 12:00","venue":{hall},"categories":[{music}]}`,
		"ball", most{}},
	{"PATCH", "/events/{fair}", `{"title":"Spring fair"}`, "", most{14, 13}},
	{"PATCH", "/events/{fair}", `{"title":"Spring fair"}`, "", most{}}, // nothing changes
	{"PATCH", "/events/{fair}", `{"start_date":"2030-07-01 11:00"}`, "", most{}},
	{"PATCH", "/venues/{hall}", `{"venue":"Town hall"}`, "", most{}},
	{"PATCH", "/categories/{music}", `{"description":"Loud"}`, "", most{}},
	{"GET", "/events?start_date=2030-06-01", "", "", most{}},
	{"GET", "/events/{fair}", "", "", most{}},
	{"GET", "/events/by-slug/ball", "", "", most{}},
	{"GET", "/venues", "", "", most{}},
	{"GET", "/venues/{hall}", "", "", most{}},
	{"GET", "/organizers", "", "", most{}},
	{"GET", "/categories", "", "", most{}},
	{"GET", "/categories/{music}", "", "", most{}},
	{"GET", "/tags", "", "", most{}},
	{"DELETE", "/events/{fair}", "", "", most{}},
	{"DELETE", "/events/{fair}?force=true", "", "", most{}},
	{"DELETE", "/venues/{hall}", "", "", most{}},
	{"DELETE", "/categories/{music}", "", "", most{}},
}

//go:embed testdata/sql
var sqlFiles embed.FS

// statementsOfRoutes compares the SQL of each route with a golden file, and counts the statements of writes.
func statementsOfRoutes(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.open(calendar.Options{Cache: calendar.Cache{Bytes: calendar.None}})
	mariadb := b.host.Dialect().Name() == dialect.MySQL
	b.admin("POST", "/events", `{"title":"First","start_date":"2030-06-30","end_date":"2030-08-01"}`, http.StatusCreated)
	var golden strings.Builder
	for _, r := range routesSQL {
		a, list := b.sending(r.method, r.path, r.body)
		if r.name != "" {
			b.id[r.name] = a.Number("id")
		}
		n, most := b.counting(r.method+" "+r.path, list), r.most.sqlite
		if mariadb {
			most = r.most.mariadb
		}
		if most > 0 && n > most {
			t.Errorf("%s %s: %d statements, want at most %d", r.method, r.path, n, most)
		}
		fmt.Fprintf(&golden, "%s %s %s\n", r.method, r.path, r.body)
		for _, s := range list {
			if !ofShape(s.text) {
				fmt.Fprintln(&golden, s.shown())
			}
		}
		golden.WriteString("\n")
	}
	// The clock stands still, so that a group of events is as large as it may be, however long it takes on a busy machine. Half of
	// Settle is the limit for its transaction.
	patient := b.another(calendar.Options{Cache: calendar.Cache{Bytes: calendar.None, Settle: 4 * time.Minute}})
	if per := patient.batched(); per > 13.5 {
		t.Errorf("%.1f statements for an event of a batch", per)
	} else {
		t.Logf("%.1f statements for an event of a batch", per)
	}
	if !mariadb { // its poll also detects changes of columns
		_, list := b.sending("PATCH", "/events/{ball}", `{"title":"Summer ball"}`)
		for _, s := range list {
			if ofShape(s.text) && !strings.Contains(s.text, schema.CompanionTable) { // which is asked for every two seconds
				t.Errorf("asked again: %s", s.text)
			}
		}
	}
	b.Exec("ALTER TABLE ?(prefix)tec_events ADD COLUMN more text")
	if _, list := b.sending("PATCH", "/events/{ball}", `{"title":"Winter ball"}`); b.counting("after a change", list) > 0 &&
		!slices.ContainsFunc(list, func(s sent) bool { return ofShape(s.text) }) {
		t.Error("the columns of a table have changed, and are not asked for")
	}
	name := "sqlite.txt"
	if mariadb {
		name = "mariadb.txt"
	}
	compareSQL(t, name, strings.ReplaceAll(golden.String(), b.prefix, schema.DefaultPrefix), mariadb && testdb.IsMySQL(t, b.host))
}

// batched returns the number of statements per event with a new venue in a batch, several of which share a transaction.
func (b *bench) batched() float64 {
	b.T.Helper()
	const events = 20
	var entries []string
	for i := range events {
		day := fmt.Sprintf("2030-07-%02d", i+1)
		entries = append(entries, entry("", "/events", fmt.Sprintf(
			`{"title":"Concert %d","start_date":"%s 10:00","end_date":"%s 12:00","venue":{"venue":"Hall %d"}}`, i, day, day, i)))
	}
	answer, list := b.sending("POST", batchRoute, batchOf("", entries...))
	if made := statuses(answer); strings.Count(made, "201") != events {
		b.T.Errorf("a batch of %d events: %s", events, made)
	}
	return float64(b.counting("POST "+batchRoute, list)) / events
}

// returning matches the clause of INSERT on servers that return generated ids.
var returning = regexp.MustCompile(" RETURNING `\\w+`")

// compareSQL compares statements with a golden file. If AGENDA_UPDATE_SQL names a directory, the file is written there.
// The statements of MySQL are those of MariaDB, except that INSERT returns no ids.
func compareSQL(t *testing.T, name, text string, mysql bool) {
	t.Helper()
	if dir := os.Getenv("AGENDA_UPDATE_SQL"); dir != "" {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		return
	}
	stored := must.Get(sqlFiles.ReadFile("testdata/sql/" + name))(t)
	if mysql {
		stored = returning.ReplaceAll(stored, nil)
	}
	is, want := strings.Split(text, "\n"), strings.Split(string(stored), "\n")
	for i := range max(len(is), len(want)) {
		if i >= len(is) || i >= len(want) || is[i] != want[i] {
			t.Fatalf("%s differs from line %d on:\n got  %q\n want %q", name, i+1, is[min(i, len(is)):min(i+3, len(is))],
				want[min(i, len(want)):min(i+3, len(want))])
		}
	}
}
