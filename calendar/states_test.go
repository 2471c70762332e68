package calendar_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/atonce"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// sqliteError is an error with a result code of SQLite, like those of the driver of the embedded database.
type sqliteError int

func (e sqliteError) Error() string { return fmt.Sprintf("of the file (%d)", int(e)) }
func (e sqliteError) Code() int     { return int(e) }

// inner matches details of the database that no answer may show.
var inner = regexp.MustCompile("secret|dial|SELECT|wp_|SQL|WSREP|driver|onnection|EOF")

// TestPassingStates checks that a temporary failure of the database is answered with 503 and Retry-After, for reads and
// writes, a lasting one with another error code, and a mistake in our SQL with 500. Reads log each failure, except for
// lasting ones.
func TestPassingStates(t *testing.T) {
	t.Parallel()
	db, counter := testdb.Counted(t, testdb.SiteA)
	log := &record{}
	h := contract.Handler(t, calendar.Options{DB: db, Logger: log.logger(), Now: frozen, Authenticator: administrator()})
	want := map[string][]error{}
	for code, numbers := range map[string][]uint16{
		"rest_unavailable":      {1040, 1203, 1226, 1047, 1053, 1927, 1290, 1836, 1317, 1114, 1021, 1205, 1213, 4031, 3101, 2003, 2013},
		"rest_timeout":          {1969, 3024},
		"rest_database_fault":   {1044, 1045, 1049, 1142, 1143, 1146, 1194, 1356, 1932, 3159},
		"internal_server_error": {1064},
	} {
		for _, n := range numbers {
			want[code] = append(want[code], &mysql.MySQLError{Number: n, Message: "secret words of the connection near 'SELECT'"})
		}
	}
	want["rest_unavailable"] = append(want["rest_unavailable"], mysql.ErrInvalidConn, sqliteError(5), sqliteError(13), sqliteError(5|2<<8),
		&mysql.MySQLError{Number: 1030, Message: `Got error 28 "No space left on device" from storage engine Aria`},
		&net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connect: connection refused")}, io.EOF,
		fmt.Errorf("reading: %w", mysql.ErrInvalidConn))
	want["rest_database_fault"] = append(want["rest_database_fault"], sqliteError(11),
		&mysql.MySQLError{Number: 1030, Message: "Got error 127"})
	want["internal_server_error"] = append(want["internal_server_error"], errors.New("something of the driver"))
	for code, failures := range want {
		status := http.StatusServiceUnavailable
		if code == "internal_server_error" {
			status = http.StatusInternalServerError
		}
		for i, failure := range failures {
			for _, c := range []struct{ method, path, body, marker string }{
				{http.MethodGet, "/events/25?password=" + secret, "", "SELECT"}, {http.MethodGet, "/events?search=a", "", "SELECT"},
				{http.MethodPost, "/events/25", `{"title":"Other"}`, "UPDATE `wp_posts`"},
			} {
				// A write retries for longer, and classifies errors with the same function as reads.
				if i > 0 && c.method == http.MethodPost {
					continue
				}
				counter.Reset()
				counter.Before(func(_ context.Context, _ int, query string) error {
					if strings.Contains(query, c.marker) && !strings.Contains(query, "wp_options") {
						return failure
					}
					return nil
				})
				log.takeRecords()
				w := send(h, c.method, c.path, c.body, append(credentials, asJSON)...)
				wantError(t, w, status, code)
				passes := w.Header().Get("Retry-After") != ""
				if passes != (status == http.StatusServiceUnavailable) || inner.MatchString(w.Body.String()) {
					t.Errorf("%v: %v %s", failure, w.Header(), w.Body)
				}
				logged := log.takeRecords()
				if code == "rest_database_fault" || c.method == http.MethodPost { // these are not logged each time
					continue
				}
				if len(logged) != 1 || strings.Contains(logged[0], secret) || !strings.Contains(logged[0], code) {
					t.Errorf("%v: logged %q", failure, logged)
				}
			}
		}
	}
	counter.Reset()
	if w := get(h, "/events/25"); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "Other") {
		t.Errorf("afterwards: %d", w.Code)
	}
}

// TestLastingFaultIsLoggedOnceAMinute checks that a missing table is logged once a minute, and that requests succeed as
// soon as it exists again.
func TestLastingFaultIsLoggedOnceAMinute(t *testing.T) {
	db := testdb.SiteA(t)
	log, clock := &record{}, frozen()
	h := contract.Handler(t, calendar.Options{DB: db, Logger: log.logger(), Now: func() time.Time { return clock }})
	ask := func(logged int) {
		t.Helper()
		for range 3 {
			w := get(h, "/events/25?password="+secret, credentials...)
			wantError(t, w, http.StatusServiceUnavailable, "rest_database_fault")
			if w.Header().Get("Retry-After") == "" || strings.Contains(w.Body.String(), "wp_") {
				t.Errorf("%v %s", w.Header(), w.Body)
			}
		}
		lines := log.takeRecords()
		if len(lines) != logged || strings.Contains(strings.Join(lines, ""), secret) || logged > 0 && !strings.Contains(lines[0], "1146") {
			t.Errorf("%d lines: %q", len(lines), lines)
		}
	}
	prepare(t, db, "RENAME TABLE wp_posts TO wp_posts_away")
	ask(1)
	clock = clock.Add(59 * time.Second)
	ask(0)
	clock = clock.Add(time.Second)
	ask(1)
	prepare(t, db, "RENAME TABLE wp_term_taxonomy TO wp_taxonomy_away")
	for _, logged := range []int{1, 0} { // the first fault does not suppress another
		wantError(t, get(h, "/tags"), http.StatusServiceUnavailable, "rest_database_fault")
		if lines := log.takeRecords(); len(lines) != logged {
			t.Errorf("another fault: %q", lines)
		}
	}
	prepare(t, db, "RENAME TABLE wp_posts_away TO wp_posts", "RENAME TABLE wp_taxonomy_away TO wp_term_taxonomy")
	wantStatus(t, get(h, "/events/25"), http.StatusOK)
}

// slowly makes reading each row of wp_posts last ten seconds, until mend is called.
func slowly(t *testing.T, db *bun.DB) (mend func()) {
	t.Helper()
	prepare(t, db, "RENAME TABLE wp_posts TO wp_posts_away",
		"CREATE ALGORITHM=MERGE VIEW wp_posts AS SELECT * FROM wp_posts_away WHERE SLEEP(10) = 0")
	return func() { prepare(t, db, "DROP VIEW wp_posts", "RENAME TABLE wp_posts_away TO wp_posts") }
}

// TestAbandonedListsEnd checks that 30 slow lists end in the database soon after the limit of their time, whether their
// clients wait until then or leave before. Clients that wait get 503.
func TestAbandonedListsEnd(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	h := contract.Handler(t, calendar.Options{DB: testdb.Reopen(t, db), Logger: quiet(), Now: frozen,
		Limits: calendar.Limits{RequestTimeout: 2 * time.Second}})
	if w := get(h, "/events"); w.Code != http.StatusOK { // caches the settings
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	defer slowly(t, db)()
	atonce.Run(30, func(i int) {
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		if i%2 == 0 {
			time.AfterFunc(200*time.Millisecond, leave)
		}
		w := apitest.Send(ctx, h, http.MethodGet, fmt.Sprint("/venues?search=a&per_page=", i+1), "")
		if i%2 == 0 {
			if w.Code < 400 {
				t.Errorf("a client that left: %d", w.Code)
			}
			return
		}
		wantError(t, w, http.StatusServiceUnavailable, "rest_timeout")
		if w.Header().Get("Retry-After") == "" {
			t.Errorf("%v", w.Header())
		}
	})
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		left := testdb.Statements(t, db)
		if len(left) == 0 {
			break
		}
		if time.Since(began) > 2*time.Minute { // without the limit they would last more than ten minutes
			t.Fatalf("%d statements go on: %.2000s", len(left), fmt.Sprint(left))
		}
	}
}

// TestKilledStatements checks that requests whose statement or connection is killed on the server are answered with 503
// and Retry-After.
func TestKilledStatements(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	log := &record{}
	h := contract.Handler(t, calendar.Options{DB: testdb.Reopen(t, db), Logger: log.logger(), Now: frozen, Authenticator: administrator()})
	if w := get(h, "/events"); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	mend := slowly(t, db)
	for _, how := range []string{"KILL QUERY ", "KILL "} {
		answer := make(chan *httptest.ResponseRecorder, 1)
		go func() { answer <- get(h, "/venues?search=a") }()
		var w *httptest.ResponseRecorder
		for w == nil {
			for _, statement := range testdb.Statements(t, db) {
				if strings.Contains(statement.Text, "FROM wp_posts AS p") {
					_, _ = db.ExecContext(t.Context(), fmt.Sprint(how, statement.Connection)) // fails if it has ended
					break
				}
			}
			select {
			case w = <-answer:
			case <-time.After(10 * time.Millisecond):
			}
		}
		wantError(t, w, http.StatusServiceUnavailable, "rest_unavailable")
		if w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %v", how, w.Header())
		}
	}
	mend()
	wantStatus(t, get(h, "/venues?search=a"), http.StatusOK)
	log.takeRecords()
}
