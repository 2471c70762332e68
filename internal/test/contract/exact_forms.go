package contract

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// Forms lets another program store numbers in every way that a server supports, one after the other. It reads each
// number immediately through all of its views, while other readers are active. The server must not be shared with other
// tests.
func (x *Exact) Forms(rounds int) {
	x.T.Helper()
	defer x.Logged()
	x.prepareForms()
	defer x.elsewhere()()
	defer x.Read(4)()
	facts := map[string]*fact{}
	for _, f := range x.facts {
		facts[f.name] = f
	}
	commits := 0
	for range rounds {
		for _, form := range commitForms {
			f := facts[form.fact]
			n := f.stored + 1
			if err := x.execute(form, n); err != nil {
				x.T.Fatalf("%s: %v", form.name, err)
			}
			f.stored = n
			f.publish(n, false)
			commits++
			for range 2 { // the second response may come from memory
				for _, v := range f.views {
					x.readFact(f, v)
				}
			}
			if x.T.Failed() {
				x.T.Fatalf("after %s", form.name)
			}
		}
	}
	x.T.Logf("%d commits, %d reads, %d from memory, %+v", commits, x.reads.Load(), x.Cached(), x.cal.Stats().Cache)
}

// commitForm is a way in which a program stores a number of a fact. In its statements, {n} is the number and {row} the
// id of the row that contains it; "" waits for more than a second.
type commitForm struct {
	name, fact string
	statements []string
}

const (
	setForm   = "UPDATE ?(prefix)posts SET post_title = 'Title {n}' WHERE ID = {row}"
	undone    = "UPDATE ?(prefix)posts SET post_title = 'Title 0' WHERE ID = {row}"
	loadForms = "LOAD DATA LOCAL INFILE 'Reader::{reader}' REPLACE INTO TABLE "
)

var commitForms = []commitForm{
	{"autocommit", "title0", []string{setForm}},
	{"transaction", "title0", []string{"BEGIN", setForm, "COMMIT"}},
	{"transaction longer than a second", "title0", []string{"BEGIN", setForm, "", "COMMIT"}},
	{"behind one that was rolled back", "title0", []string{"BEGIN", undone, "ROLLBACK", setForm}},
	{"savepoint", "title0", []string{"BEGIN", "SAVEPOINT a", undone, "ROLLBACK TO a", setForm, "COMMIT"}},
	{"XA", "title0", []string{"XA START 'x{n}'", setForm, "XA END 'x{n}'", "XA PREPARE 'x{n}'", "XA COMMIT 'x{n}'"}},
	{"XA in one phase", "title0", []string{"XA START 'x{n}'", setForm, "XA END 'x{n}'", "XA COMMIT 'x{n}' ONE PHASE"}},
	{"prepared", "title0", []string{
		"PREPARE s FROM \"" + setForm + "\"", "EXECUTE s", "DEALLOCATE PREPARE s"}},
	{"several tables", "title0", []string{"UPDATE ?(prefix)posts AS p JOIN ?(prefix)postmeta AS m ON m.post_id = p.ID " +
		"SET p.post_title = 'Title {n}', m.meta_key = m.meta_key WHERE p.ID = {row}"}},
	{"trigger", "title0", []string{"REPLACE INTO exact_titles VALUES ({row}, {n})"}},
	{"view", "title0", []string{"UPDATE exact_view SET post_title = 'Title {n}' WHERE ID = {row}"}},
	{"LOAD DATA with a trigger", "title0", []string{loadForms + "exact_titles"}},
	{"ALTER TABLE", "title0", []string{"ALTER TABLE ?(prefix)posts ADD COLUMN exact_{n} int NULL", setForm,
		"ALTER TABLE ?(prefix)posts DROP COLUMN exact_{n}"}},
	{"another table in its place", "title0", []string{"CREATE TABLE exact_new LIKE ?(prefix)posts",
		"INSERT INTO exact_new SELECT * FROM ?(prefix)posts", "UPDATE exact_new SET post_title = 'Title {n}' WHERE ID = {row}",
		"RENAME TABLE ?(prefix)posts TO exact_old, exact_new TO ?(prefix)posts", "DROP TABLE exact_old", viewOfForms}},
	{"REPLACE", "city0", []string{"REPLACE INTO ?(prefix)postmeta (meta_id, post_id, meta_key, meta_value) " +
		"SELECT meta_id, post_id, meta_key, 'City {n}' FROM ?(prefix)postmeta AS old WHERE meta_id = {row}"}},
	{"ON DUPLICATE KEY", "city0", []string{"INSERT INTO ?(prefix)postmeta (meta_id, post_id, meta_key, meta_value) " +
		"VALUES ({row}, 0, '', '') ON DUPLICATE KEY UPDATE meta_value = 'City {n}'"}},
	{"cascade", "category0", []string{"UPDATE exact_names SET name = 'Name {n}' WHERE term = {row}"}},
}

const viewOfForms = "CREATE OR REPLACE VIEW exact_view AS SELECT * FROM ?(prefix)posts"

// prepareForms creates what the forms require.
func (x *Exact) prepareForms() {
	x.T.Helper()
	mysql.RegisterReaderHandler(x.reader(), func() io.Reader { return strings.NewReader(x.line) })
	x.rows = map[string]int64{"title0": x.idOf("title0"), "category0": x.idOf("category0"),
		"city0": x.metaRow("city0", schema.MetaVenueCity)}
	for _, statement := range []string{
		"SET GLOBAL local_infile = 1", viewOfForms,
		"CREATE TABLE exact_titles (post bigint PRIMARY KEY, n bigint)",
		"CREATE TRIGGER exact_trigger BEFORE INSERT ON exact_titles FOR EACH ROW " +
			"UPDATE ?(prefix)posts SET post_title = CONCAT('Title ', NEW.n) WHERE ID = NEW.post",
		"CREATE TABLE exact_names AS SELECT MIN(term_id) AS term, name FROM ?(prefix)terms GROUP BY name",
		"ALTER TABLE exact_names ADD PRIMARY KEY (name)",
		"ALTER TABLE ?(prefix)terms ADD INDEX exact (name)",
		"ALTER TABLE ?(prefix)terms ADD FOREIGN KEY (name) REFERENCES exact_names (name) ON UPDATE CASCADE",
	} {
		if _, err := x.program.NewRaw(statement).Exec(x.T.Context()); err != nil {
			x.T.Fatalf("%s: %v", statement, err)
		}
	}
}

// reader returns the name of the data for LOAD DATA, which is unique in the process.
func (x *Exact) reader() string { return fmt.Sprintf("exact%p", x) }

// elsewhere lets a program write to another database of the server until stop is called.
func (x *Exact) elsewhere() (stop func()) {
	x.T.Helper()
	for _, statement := range []string{"CREATE DATABASE exact_elsewhere", "CREATE TABLE exact_elsewhere.other (n bigint)",
		"INSERT INTO exact_elsewhere.other VALUES (0)"} {
		if _, err := x.program.NewRaw(statement).Exec(x.T.Context()); err != nil {
			x.T.Fatalf("%s: %v", statement, err)
		}
	}
	var wg sync.WaitGroup
	ended := make(chan struct{})
	wg.Go(func() {
		for {
			if _, err := x.program.NewRaw("UPDATE exact_elsewhere.other SET n = n + 1").Exec(x.T.Context()); err != nil {
				x.T.Error(err)
				return
			}
			select {
			case <-ended:
				return
			case <-time.After(upTo(100 * time.Millisecond)):
			}
		}
	})
	return func() { close(ended); wg.Wait() }
}

// execute executes the statements of a form on one connection.
func (x *Exact) execute(f commitForm, n int64) error {
	conn, err := x.program.Conn(x.T.Context())
	if err != nil {
		return err
	}
	defer conn.Close()
	row := x.rows[f.fact]
	x.line = fmt.Sprintf("%d\t%d\n", row, n)
	fill := strings.NewReplacer("{n}", itoa(n), "{row}", itoa(row), "{reader}", x.reader())
	statements := append([]string{"SET SESSION sql_mode = ''"}, f.statements...) // the tables contain zero dates
	for _, statement := range statements {
		if statement == "" {
			time.Sleep(1100 * time.Millisecond)
			continue
		}
		if _, err := conn.NewRaw(fill.Replace(statement)).Exec(x.T.Context()); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// withReaders returns a calendar without an Authenticator, and a handler that serves its pages, and its API to anonymous
// callers, as a process that needs no host does. Others are served by writers, a calendar on the same pool.
func withReaders(t testing.TB, o calendar.Options, writers http.Handler) (*calendar.Calendar, http.Handler) {
	t.Helper()
	c, readers := Mount(t, o)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	shown := pages.New(c, pages.Options{Now: func() time.Time { return now }, Logger: slog.New(slog.DiscardHandler)})
	return c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !strings.Contains(r.URL.Path, "/wp-json"):
			shown.ServeHTTP(w, r)
		case r.Header.Get(apitest.CallerHeader) != "":
			writers.ServeHTTP(w, r)
		default:
			readers.ServeHTTP(w, r)
		}
	})
}

// onPage returns a view of a page for people. The word before the number must occur at least once, always with the same
// number.
func onPage(path, word string) exactView { return exactView{Site + path, []string{word}} }

// page reports whether the view is a page for people.
func (v exactView) page() bool {
	return strings.HasPrefix(v.path, Site) && !strings.Contains(v.path, "/wp-json")
}

// get requests a view.
func (x *Exact) get(v exactView) apitest.Answer {
	if !v.page() {
		c := apitest.Client{T: x.T, Handler: x.handlers[0]}
		return c.Get("", v.path)
	}
	w := apitest.Send(x.T.Context(), x.handlers[0], http.MethodGet, v.path, "")
	return apitest.Answer{Request: v.path, Status: w.Code, Text: w.Body.String()}
}

// shown finds the number in a response.
func (v exactView) shown(a apitest.Answer) []string {
	if v.page() {
		return regexp.MustCompile(v.at[0] + `(\d+)`).FindStringSubmatch(a.Text)
	}
	return lastNumber.FindStringSubmatch(a.At(v.at...))
}
