package calendar_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

const newEvent = `{"title":"New","start_date":"2033-01-01","end_date":"2033-01-01"}`

// sums returns the checksums of the site's tables.
func sums(t *testing.T, db *bun.DB) string {
	t.Helper()
	var rows []struct {
		Name     string `bun:"Table"`
		Checksum int64  `bun:"Checksum"`
	}
	const tables = "wp_posts, wp_postmeta, wp_options, wp_terms, wp_term_taxonomy, wp_term_relationships, wp_usermeta, wp_tec_occurrences"
	must.Succeed(t, db.NewRaw("CHECKSUM TABLE "+tables).Scan(t.Context(), &rows))
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(r.Name + " " + strconv.FormatInt(r.Checksum, 10) + "\n")
	}
	return b.String()
}

// onlyReads checks that a calendar with the options o writes nothing. An anonymous caller's writes are rejected for
// lack of capabilities first (D52), those of an administrator because the calendar is read-only, and scheduled posts
// are not published. The pool admin may read the checksums of the tables.
func onlyReads(t *testing.T, db, admin *bun.DB, o calendar.Options) {
	t.Helper()
	before := sums(t, admin)
	o.DB, o.Now = db, func() time.Time { return frozen().AddDate(30, 0, 0) }
	o.PublishEvery = time.Millisecond
	c, anonymous := contract.Mount(t, o)
	wantError(t, send(anonymous, http.MethodPost, "/events", newEvent, asJSON), http.StatusUnauthorized, "rest_forbidden")
	o.Authenticator, o.Logger = administrator(), quiet()
	h := contract.Handler(t, o)
	wantStatus(t, get(h, "/events/25"), http.StatusOK)
	for _, r := range []struct{ method, path, body string }{
		{http.MethodPost, "/events", newEvent}, {http.MethodPut, "/events/25", `{"title":"Other"}`}, {http.MethodDelete, "/venues/7", ""},
		{http.MethodPost, "/tags", `{"name":"New"}`}, {http.MethodDelete, "/events/25?force=true", ""},
	} {
		wantError(t, send(h, r.method, r.path, r.body, asJSON), http.StatusServiceUnavailable, "rest_read_only")
	}
	if n, err := c.PublishDue(t.Context()); n != 0 || err != nil {
		t.Errorf("published %d, %v", n, err)
	}
	if after := sums(t, admin); after != before {
		t.Errorf("something was written:\n%s\nbefore:\n%s", after, before)
	}
}

// TestReadOnlyOption checks a calendar with Options.ReadOnly.
func TestReadOnlyOption(t *testing.T) {
	db := testdb.SiteA(t)
	onlyReads(t, db, db, calendar.Options{ReadOnly: true, Logger: quiet()})
}

// TestRightsToWrite checks that New asks the server for the account's privileges, however they were granted, and starts
// read-only if one is missing, which is logged.
func TestRightsToWrite(t *testing.T) {
	t.Parallel()
	golden.Each(t, "rights.txt", func(name string, grants []string, missing string) {
		t.Run(name, func(t *testing.T) {
			admin, db := testdb.Granted(t, grants...)
			log := &record{}
			if missing != "" {
				onlyReads(t, db, admin, calendar.Options{Logger: log.logger()})
				if lines := log.takeRecords(); len(lines) != 1 || !strings.Contains(lines[0], missing) {
					t.Errorf("logged %q, want %q", lines, missing)
				}
				return
			}
			h := contract.Handler(t, calendar.Options{DB: db, Now: frozen, Authenticator: administrator(), Logger: log.logger()})
			wantStatus(t, send(h, http.MethodPost, "/events", newEvent, asJSON), http.StatusCreated)
			if lines := log.takeRecords(); len(lines) != 0 {
				t.Errorf("logged %q", lines)
			}
		})
	})
}

// TestReadOnlyServer checks that a server with read_only set counts as a temporary failure and not as a missing
// privilege: writes are answered with 503, and succeed as soon as the server accepts them.
func TestReadOnlyServer(t *testing.T) {
	admin, db := testdb.Granted(t, "GRANT SELECT, INSERT, UPDATE, DELETE ON {db}.* TO {user}")
	exec(t, admin, "SET GLOBAL read_only = 1")
	defer func() { _, _ = admin.ExecContext(context.Background(), "SET GLOBAL read_only = 0") }()
	h := contract.Handler(t, calendar.Options{DB: db, Now: frozen, Authenticator: administrator(), Logger: quiet()})
	w := send(h, http.MethodPost, "/events", newEvent, asJSON)
	wantError(t, w, http.StatusServiceUnavailable, "rest_unavailable")
	if w.Header().Get("Retry-After") == "" {
		t.Errorf("%v", w.Header())
	}
	wantStatus(t, get(h, "/events/25"), http.StatusOK)
	exec(t, admin, "SET GLOBAL read_only = 0")
	wantStatus(t, send(h, http.MethodPost, "/events", newEvent, asJSON), http.StatusCreated)
}

// TestDoctorReportsRights checks that schema.Diagnose names the missing privileges.
func TestDoctorReportsRights(t *testing.T) {
	_, db := testdb.Granted(t, "GRANT SELECT ON {db}.* TO {user}")
	d := must.Get(schema.Diagnose(t.Context(), db, "wp_", schema.DefaultNames()))(t)
	for _, f := range d.Findings {
		if f.Check == "rights" && f.Level == schema.Warning && strings.Contains(f.Text, "INSERT on wp_posts") {
			return
		}
	}
	t.Errorf("%+v", d.Findings)
}
