package calendar_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/userstore"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestForeignColumns checks that a column of another plugin without a default gets the zero value of its type, and that
// a column whose type has none is named in the answer. Neither needs a restart.
func TestForeignColumns(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	s, others := beside(t, db, "wp_", "wp_users"), testdb.OfOthers(t, db).DB
	for i, kind := range []string{
		"INT", "DECIMAL(5,2)", "VARCHAR(20)", "TEXT", "BLOB", "DATE", "DATETIME", "TIME", "YEAR", "ENUM('x','y')", "SET('x','y')", "DOUBLE",
		"BIT(3)",
	} {
		execute(t, others, fmt.Sprintf("ALTER TABLE wp_posts ADD plugin_%d %s NOT NULL", i, kind))
	}
	execute(t, others, "ALTER TABLE wp_postmeta ADD plugin_meta INT NOT NULL")
	execute(t, others, "ALTER TABLE wp_terms ADD plugin_term INT NOT NULL")
	execute(t, others, "ALTER TABLE wp_tec_occurrences ADD plugin_date INT NOT NULL")
	id := s.Must(http.StatusCreated, "admin", "POST", "/events", event("Named", `,"categories":["Brand new"]`)).ID()
	if got := s.word("SELECT CONCAT_WS('|', plugin_0, plugin_2, plugin_9) FROM wp_posts WHERE ID = ?", id); got != "0||x" {
		t.Errorf("stored %s", got)
	}
	execute(t, others, "ALTER TABLE wp_posts ADD place POINT") // MySQL has no value of this type for existing rows
	execute(t, others, "UPDATE wp_posts SET place = POINT(0, 0)")
	execute(t, others, "ALTER TABLE wp_posts MODIFY place POINT NOT NULL")
	if a := s.Must(http.StatusServiceUnavailable, "admin", "POST", "/events", event("Not named", "")); !strings.Contains(a.Text, "place") {
		t.Errorf("%s", a)
	}
}

// TestForeignColumnsOfOtherTables checks that all tables into which rows are inserted may have such columns: those of
// accounts, of tickets, of occurrences that schema.Backfill adds, and the table of languages. schema.Diagnose reports
// such columns.
func TestForeignColumnsOfOtherTables(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	s, others := beside(t, db, "wp_", "wp_users"), testdb.OfOthers(t, db).DB
	s.db = others
	s.option("active_plugins", `a:1:{i:0;s:31:"event-tickets/event-tickets.php";}`)
	s.option("tribe_events_calendar_options", `a:1:{s:25:"ticket-enabled-post-types";a:1:{i:0;s:12:"tribe_events";}}`)
	s.phase("migration-complete")
	for _, table := range []string{
		"users", "usermeta", "options", "postmeta", "termmeta", "term_taxonomy", "term_relationships", "tec_events", "tec_occurrences",
	} {
		execute(t, others, "ALTER TABLE wp_"+table+" ADD plugin_number INT NOT NULL, ADD plugin_text VARCHAR(9) NOT NULL")
	}
	bound := must.Get(schema.Bind(db, "wp_"))(t)
	execute(t, s.db, "DELETE FROM wp_options WHERE option_name = 'using_application_passwords'")
	users := userstore.New(bound, "wp_capabilities")
	n := userstore.NewUser{Login: "anna", Email: "anna@example.org", Role: "editor", PasswordHash: "!"}
	id, err := users.Add(t.Context(), n, time.Now(), func(string, []string) error { return nil })
	if err != nil {
		t.Errorf("a user: %v", err)
	}
	if err := users.AllowPasswords(t.Context()); err != nil {
		t.Errorf("an option: %v", err)
	}
	err = users.UpdatePasswords(t.Context(), id, func(string) (string, bool) { return "a:0:{}", true })
	if got := s.word("SELECT COUNT(*) FROM wp_usermeta WHERE user_id = ?", id); err != nil || got != "15" {
		t.Errorf("a password: %v, %s rows", err, got)
	}
	event := s.Must(http.StatusCreated, "admin", "POST", "/events", event("With a ticket", "")).ID()
	execute(t, s.db, "INSERT INTO wp_posts (ID, post_type, post_status, post_content, post_title, post_excerpt, to_ping, pinged, "+
		"post_content_filtered) VALUES (900001, 'tribe_rsvp_tickets', 'publish', '', '', '', '', '', '')")
	execute(t, s.db, fmt.Sprintf("INSERT INTO wp_postmeta (post_id, meta_key, meta_value, plugin_number, plugin_text) "+
		"VALUES (900001, '_tribe_rsvp_for_event', '%d', 0, '')", event))
	s.Must(http.StatusOK, "admin", "PATCH", fmt.Sprintf("/events/%d", event), `{"start_date":"2031-06-01 09:00:00"}`)
	got := s.word("SELECT COALESCE(MAX(meta_value), '') FROM wp_postmeta WHERE post_id = 900001 AND meta_key = '_ticket_end_date'")
	if got != "2031-06-01 09:00:00" {
		t.Errorf("the ticket: %q", got)
	}
	for _, table := range []string{"tec_occurrences", "tec_events"} {
		execute(t, s.db, fmt.Sprintf("DELETE FROM wp_%s WHERE post_id = %d", table, event))
	}
	if n, err := schema.Backfill(t.Context(), db, "wp_", schema.DefaultNames()); err != nil || n == 0 {
		t.Errorf("dates: %d, %v", n, err)
	}
	report := must.Get(schema.Diagnose(t.Context(), db, "wp_", schema.DefaultNames()))(t)
	found := fmt.Sprint(report.Findings)
	for _, table := range []string{"wp_users", "wp_usermeta", "wp_options"} {
		if !strings.Contains(found, table+" another program's column plugin_number") {
			t.Errorf("the doctor does not name the column of %s", table)
		}
	}
	must.Succeed(t, schema.InstallTranslations(t.Context(), db, "wp_"))
	execute(t, others, "ALTER TABLE wp_icl_translations ADD plugin_number INT NOT NULL")
	err = bound.RunInTx(t.Context(), nil, func(ctx context.Context, tx bun.Tx) error {
		row := &schema.Translation{Type: "post_tribe_events", Element: event, Group: 1, Language: "fr"}
		return schema.InsertNaming(ctx, tx, "wp_", "icl_translations", tx.NewInsert().Model(row).Returning("NULL"))
	})
	if err != nil {
		t.Errorf("a language: %v", err)
	}
}

// TestD94TicketsAndCommentsAreTold checks D94: each write adds one row to the companion's table, which also names the
// tickets whose dates of sale move with their event, and the comments that go into the trash with it.
func TestD94TicketsAndCommentsAreTold(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	s := beside(t, db, "wp_", "wp_users")
	s.db = testdb.OfOthers(t, db).DB
	s.option("active_plugins", `a:1:{i:0;s:31:"event-tickets/event-tickets.php";}`)
	s.option("tribe_events_calendar_options", `a:1:{s:25:"ticket-enabled-post-types";a:1:{i:0;s:12:"tribe_events";}}`)
	event := s.Must(http.StatusCreated, "admin", "POST", "/events", event("With tickets", "")).ID()
	for ticket, meta := range map[int]string{
		900001: "'_ticket_end_date', '2031-05-01 00:00:00'", 900002: "'_price', '0'",
		900003: "'_tribe_ticket_manual_updated', '_ticket_end_date'), (900003, '_ticket_start_date', '2031-01-01 00:00:00'",
	} {
		execute(t, s.db, fmt.Sprintf("INSERT INTO wp_posts (ID, post_type, post_status, post_content, post_title, post_excerpt, to_ping, "+
			"pinged, post_content_filtered) VALUES (%d, 'tribe_rsvp_tickets', 'publish', '', '', '', '', '', '')", ticket))
		execute(t, s.db, fmt.Sprintf("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (%d, '_tribe_rsvp_for_event', '%d'), "+
			"(%d, %s)", ticket, event, ticket, meta))
	}
	must.Succeed(t, schema.InstallCompanion(t.Context(), db, "wp_"))
	s = beside(t, db, "wp_", "wp_users")
	execute(t, s.db, "CREATE TABLE IF NOT EXISTS wp_comments (comment_ID bigint PRIMARY KEY, comment_post_ID bigint NOT NULL, "+
		"comment_approved varchar(20) NOT NULL DEFAULT '1', comment_type varchar(20) NOT NULL DEFAULT 'comment')")
	execute(t, s.db, fmt.Sprintf("INSERT INTO wp_comments (comment_ID, comment_post_ID) VALUES (900001, %d), (900002, %[1]d)", event))
	for _, write := range []struct{ method, body, want string }{
		{"PATCH", `{"start_date":"2031-06-01 09:00:00"}`, fmt.Sprintf("1|%d,900001,900002|", event)},
		{"DELETE", "", fmt.Sprintf("1|%d|900001,900002", event)},
	} {
		told := s.word("SELECT MAX(number) FROM wp_agenda_told")
		s.Must(http.StatusOK, "admin", write.method, fmt.Sprintf("/events/%d", event), write.body)
		if got := s.word("SELECT CONCAT(COUNT(*), '|', MAX(posts), '|', MAX(comments)) FROM wp_agenda_told WHERE number > ?",
			told); got != write.want {
			t.Errorf("%s: told %s, want %s", write.method, got, write.want)
		}
	}
}
