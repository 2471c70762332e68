package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// journaled is a site with a journal, on one engine.
type journaled struct {
	*testing.T
	db       *bun.DB
	calendar *calendar.Calendar
	seen     int64 // the sequence of the last change that was read
}

// onEveryEngine runs a test on a site with a journal that knows all items: on MariaDB, and at the same time on SQLite in a
// file.
func onEveryEngine(t *testing.T, test func(t *testing.T, j *journaled)) {
	t.Helper()
	t.Run("server", func(t *testing.T) {
		t.Parallel()
		test(t, journalOf(t, testdb.SiteDates(t)))
	})
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		test(t, journalOf(t, embeddedSite(t)))
	})
}

// embeddedSite copies the site that has events with several dates to SQLite in a file.
func embeddedSite(t testing.TB) *bun.DB {
	t.Helper()
	content := snapshotOf(t, "dates", func() *bun.DB { return copiedRows(t, testdb.SiteDates(t), "wp_") })
	return countedFile(t, fileOf(t, content), nil)
}

func journalOf(t *testing.T, db *bun.DB) *journaled {
	t.Helper()
	j := &journaled{T: t, db: db}
	must.Succeed(t, schema.InstallTranslations(t.Context(), db, "wp_"))
	must.Succeed(t, schema.InstallJournal(t.Context(), db, "wp_"))
	j.calendar = j.newCalendar(nil)
	j.run(
		"INSERT INTO wp_icl_translations (element_type, element_id, trid, language_code, source_language_code) "+
			"SELECT CASE post_type WHEN 'tribe_venue' THEN 'post_tribe_venue' ELSE 'post_tribe_events' END, ID, ID, 'en', NULL "+
			"FROM wp_posts WHERE post_type IN ('tribe_events', 'tribe_venue')",
		"INSERT INTO wp_terms (term_id, name, slug) VALUES (901, 'Jazz', 'jazz'), (902, 'Folk', 'folk')",
		"INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES (911, 901, 'post_tag', ''), "+
			"(912, 902, 'tribe_events_cat', '')",
		insertedPosts("INSERT", shortPost(9001, "attachment", "abc"), shortPost(9002, "tribe_venue", "Hall"),
			shortPost(9003, "tribe_organizer", "Ann"), shortPost(9004, "tribe_events", "Concert"), shortPost(9005, "post", "News")),
		"INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (9101, 9004, '_EventURL', 'https://a.example'), "+
			"(9102, 9004, '_EventCost', '5'), (9103, 9004, '_thumbnail_id', '9001'), (9104, 9002, '_VenueCity', 'Łódź'), "+
			"(9105, 9003, '_OrganizerEmail', 'a@example.org'), (9106, 9001, '_wp_attached_file', 'a.jpg'), (9107, 9004, '_junk', '1'), "+
			"(9108, 9005, '_EventURL', 'x')",
		"INSERT INTO wp_term_relationships (object_id, term_taxonomy_id, term_order) VALUES (9004, 911, 0), (9004, 912, 0)",
		"INSERT INTO wp_tec_events (event_id, post_id, start_date, end_date, timezone, start_date_utc, end_date_utc, duration, hash, "+
			"rset) VALUES (9201, 9004, '2031-05-01 10:00:00', "+
			"'2031-05-01 12:00:00', 'UTC', '2031-05-01 10:00:00', '2031-05-01 12:00:00', 7200, "+
			"'', '')",
		"INSERT INTO wp_tec_occurrences (occurrence_id, event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, "+
			"hash, has_recurrence, sequence, is_rdate) VALUES (9301, 9201, 9004, '2031-05-01 10:00:00', '2031-05-01 10:00:00', "+
			"'2031-05-01 12:00:00', '2031-05-01 12:00:00', 7200, 'h', 0, 0, 0)",
		"INSERT INTO wp_icl_translations (translation_id, element_type, element_id, trid, language_code, source_language_code) VALUES "+
			"(9401, 'post_tribe_events', 9004, 9004, 'en', NULL), (9402, 'tax_post_tag', 911, 900000, 'en', NULL)",
	)
	must.Succeed(t, j.calendar.DeclareJournal(t.Context()))
	if first, err := j.calendar.ScanJournal(t.Context()); err != nil || !first.First || first.Changes != 0 {
		t.Fatalf("the first comparison: %+v, %v", first, err)
	}
	return j
}

func (j *journaled) newCalendar(counter *testdb.Counter) *calendar.Calendar {
	j.Helper()
	db := j.db
	if counter != nil {
		db = testdb.Reopen(j.T, db, testdb.WithCounter(counter))
	}
	c := must.Get(calendar.New(j.Context(), calendar.Options{DB: db, Logger: slog.New(slog.DiscardHandler), JournalShare: calendar.None,
		Site: calendar.Site{Translations: calendar.TranslationsTable}, Fields: journaledFields()}))(j)
	j.Cleanup(func() { _ = c.Close(context.Background()) })
	return c
}

// journaledFields returns the host's fields of all calendars on the site of a journal, which are part of its
// declarations.
func journaledFields() []calendar.Field {
	return []calendar.Field{
		{Kind: "events", Name: "seats", Key: "host_seats", Type: calendar.FieldNumber, Description: "Seats."},
		{Kind: "events", Name: "budget", Key: "host_budget", Type: calendar.FieldNumber, Read: "edit_others_tribe_events",
			Description: "Euros."},
		{Kind: "tags", Name: "colour", Key: "host_colour", Type: calendar.FieldText, Description: "A colour."},
	}
}

func shortPost(id int, kind, title string) string {
	return fmt.Sprintf("(%d, '%s', 'abc', '', 'publish', 'slug-%d', '%s', '', '', '', '', '', '2030-01-01 10:00:00', "+
		"'2030-01-01 10:00:00', '2030-01-01 10:00:00', '2030-01-01 10:00:00')", id, title, id, kind)
}

func (j *journaled) run(statements ...string) {
	j.Helper()
	for _, s := range statements {
		if _, err := j.db.DB.ExecContext(j.Context(), s); err != nil {
			j.Fatalf("%s: %v", s, err)
		}
	}
}

// changes compares, and returns the changes since the last call in the form "changed events 12", in the order of the
// ids.
func (j *journaled) changes() []string {
	j.Helper()
	must.Get(j.calendar.ScanJournal(j.Context()))(j)
	return j.noted()
}

func (j *journaled) noted() (list []string) {
	j.Helper()
	for _, c := range j.since() {
		list = append(list, fmt.Sprintf("%s %s %d", c.Operation, c.Kind, c.ID))
	}
	slices.Sort(list)
	return list
}

// readRows reads rows from the database that contains the journal.
func (j *journaled) readRows(rows any, where string, args ...any) {
	j.Helper()
	own := must.Get(schema.OpenJournal(j.Context(), j.db, "wp_", false))(j)
	defer own.Close()
	must.Succeed(j, own.DB.NewSelect().Model(rows).Where(where, args...).Scan(j.Context()))
}

// after returns the changes after a sequence, in order.
func (j *journaled) after(sequence int64) (rows []schema.JournalChange) {
	j.Helper()
	j.readRows(&rows, "sequence > ?", sequence)
	slices.SortFunc(rows, func(a, b schema.JournalChange) int { return cmp.Compare(a.Sequence, b.Sequence) })
	return rows
}

// since returns the changes since the last call, in order. It fails the test if the sequence has gaps.
func (j *journaled) since() (rows []schema.JournalChange) {
	j.Helper()
	rows = j.after(j.seen)
	for _, c := range rows {
		if j.seen++; c.Sequence != j.seen || c.Mark == "" || c.Moment == 0 {
			j.Errorf("after %d: %+v", j.seen-1, c)
		}
	}
	return rows
}

// TestJournalFindsEachColumn changes the columns in which items are stored, one at a time, and checks that the journal
// names only the item that changed.
func TestJournalFindsEachColumn(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		check := func(want, statement string) {
			t.Helper()
			j.run(statement)
			if got := strings.Join(j.changes(), ", "); got != want {
				t.Errorf("%s: %q, want %q", statement, got, want)
			}
		}
		set := func(want, table, where string, values ...string) {
			t.Helper()
			for _, v := range values {
				check(want, "UPDATE wp_"+table+" SET "+v+" WHERE "+where)
			}
		}
		const event, day = "changed events 9004", "'2031-06-02 11:00:00'"
		const four = event + ", changed images 9001, changed organizers 9003, changed venues 9002"
		set(four, "posts", "ID BETWEEN 9001 AND 9004", "post_author = 7", "post_date = "+day, "post_date_gmt = "+day,
			"post_content = 'ABC'", "post_content = 'ábc'", "post_content = 'abc '", "post_title = 'other'", "post_excerpt = 'x'",
			"post_status = 'draft'", "post_password = 'p'", "post_name = 'n'", "post_modified = "+day, "post_modified_gmt = "+day,
			"post_parent = 3", "guid = 'g'", "menu_order = -1", "post_mime_type = 'image/png'",
			"post_title = '1', post_excerpt = '2'", "post_title = '2', post_excerpt = '1'")
		set("", "posts", "ID BETWEEN 9001 AND 9004", "comment_status = 'closed', ping_status = 'closed', to_ping = 'x', pinged = 'x', "+
			"post_content_filtered = 'x', comment_count = 4", "post_title = '2'")
		set("", "posts", "ID = 9005", "post_title = 'other'")
		for ids, names := range map[string]string{"9101, 9104, 9105, 9106": four, "9102": event} {
			set(names, "postmeta", "meta_id IN ("+ids+")", "meta_value = 'abc'", "meta_value = 'ABC'", "meta_value = 'äbc'",
				"meta_value = ''", "meta_value = NULL", "meta_value = 'x', meta_key = meta_key", "meta_id = meta_id + 10000")
		}
		check("", "UPDATE wp_postmeta SET meta_id = meta_id + 0 WHERE meta_id BETWEEN 19101 AND 19106")
		set(event, "postmeta", "meta_id = 19101", "meta_key = '_EventTimezone'", "meta_key = '_eventtimezone'")
		set("", "postmeta", "meta_id = 19101", "meta_value = 'of another key'")
		set("", "postmeta", "meta_id IN (9107, 9108)", "meta_value = '2'")
		check(event, "INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (9110, 9004, '_EventCost', '7')")
		check(event, "DELETE FROM wp_postmeta WHERE meta_id = 9110")
		for id, name := range map[string]string{"901": "changed tags 901", "902": "changed categories 902"} {
			set(name, "terms", "term_id = "+id, "name = 'NAME'", "name = 'name'", "slug = 's"+id+"'", "term_group = 7")
			set(name, "term_taxonomy", "term_id = "+id, "description = 'x'", "parent = 5")
			set("", "term_taxonomy", "term_id = "+id, "count = 9")
		}
		for table, name := range map[string]string{"postmeta (post_id": event, "termmeta (term_id": "changed tags 901"} {
			id := name[strings.LastIndex(name, " ")+1:]
			for _, key := range []string{"host_seats", "host_colour", "Host_Colour"} { // the keys that are declared, for each resource
				want := ""
				if key == map[string]string{event: "host_seats"}[name] || name != event && key == "host_colour" {
					want = name
				}
				check(want, "INSERT INTO wp_"+table+", meta_key, meta_value) VALUES ("+id+", '"+key+"', '7')")
			}
		}
		set("changed tags 901", "termmeta", "meta_key = 'host_colour' AND meta_value = '7' AND term_id = 901", "meta_value = '8'")
		set(event, "term_relationships", "object_id = 9004 AND term_taxonomy_id = 911", "term_order = 2")
		check(event, "DELETE FROM wp_term_relationships WHERE object_id = 9004 AND term_taxonomy_id = 911")
		check(event, "INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (9004, 911)")
		set(event, "tec_events", "event_id = 9201", "start_date = "+day, "end_date = "+day, "timezone = 'Europe/Paris'",
			"start_date_utc = "+day, "end_date_utc = "+day, "duration = 5", "rset = 'RDATE'", "rset = NULL")
		set(event, "tec_occurrences", "occurrence_id = 9301", "start_date = "+day, "end_date = "+day, "event_id = 3",
			"start_date_utc = "+day, "end_date_utc = '2031-06-02 11:00:01'", "duration = 5", "has_recurrence = 1", "is_rdate = 1",
			"sequence = 5", "sequence = NULL", "occurrence_id = 9302")
		set("", "tec_occurrences", "occurrence_id = 9302", "hash = 'other'", "updated_at = "+day)
		check(event, "DELETE FROM wp_tec_occurrences WHERE occurrence_id = 9302")
		set(event, "icl_translations", "translation_id = 9401", "trid = 77", "language_code = 'fr'", "source_language_code = ''",
			"source_language_code = 'en'")
		set("changed tags 901", "icl_translations", "translation_id = 9402", "trid = 78", "language_code = 'fr'")
		set("changed settings 1", "options", "option_name = 'timezone_string'", "option_value = 'Pacific/Apia'")
		set("changed settings 1", "options", "option_name = 'permalink_structure'", "option_value = '/x/%postname%/'")
		set("", "options", "option_name IN ('blogdescription', 'wp_user_roles')", "option_value = ''")
		check("changed events 9004, gone images 9001", "DELETE FROM wp_postmeta WHERE meta_key = '_thumbnail_id' AND post_id = 9004")
		check("gone events 9004", "UPDATE wp_posts SET post_type = 'post' WHERE ID = 9004")
		check("gone venues 9002", "DELETE FROM wp_posts WHERE ID = 9002")
		check("gone tags 901", "DELETE FROM wp_term_taxonomy WHERE term_id = 901")
	})
}

// TestLongJournalInterrupted cancels comparisons at each of their statements, and checks that no change is lost or
// recorded twice.
func TestLongJournalInterrupted(t *testing.T) {
	t.Parallel()
	j := journalOf(t, testdb.SiteDates(t))
	counter := &testdb.Counter{}
	c := j.newCalendar(counter)
	interrupted := func(n int) error {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		left := n
		counter.Before(func(context.Context, int, string) error {
			if left--; left < 0 {
				cancel()
			}
			return nil
		})
		defer counter.Before(nil)
		_, err := c.ScanJournal(ctx)
		return err
	}
	through := false
	for n := 0; !through; n += 1 + n/12 {
		was := j.states("wp_")
		j.run(fmt.Sprintf("UPDATE wp_posts SET post_title = 'title %d' WHERE ID IN (9001, 9002, 9003, 9004)", n),
			fmt.Sprintf("UPDATE wp_terms SET name = 'name %d' WHERE term_id = 901", n))
		through = interrupted(n) == nil
		got := append(j.noted(), j.changes()...)
		slices.Sort(got)
		if want := differences(was, j.states("wp_")); !slices.Equal(got, want) {
			t.Fatalf("at statement %d: %q, want %q", n, got, want)
		}
	}
	// A first comparison continues where it was, and a second one finds what has changed meanwhile.
	for n := 5; ; n += 3 {
		j.run("UPDATE wp_agenda_journal SET complete = 0, progress = '' WHERE name = 'journal'", "DELETE FROM wp_agenda_objects",
			"DELETE FROM wp_agenda_links")
		through = interrupted(n) == nil
		was := j.known()
		j.run(fmt.Sprintf("UPDATE wp_posts SET post_title = 'again %d' WHERE ID IN (9001, 9002, 9003, 9004)", n))
		got := j.changes()
		if !through && len(was) > 0 && was["events 9004"] != "" && !slices.Contains(got, "changed events 9004") {
			t.Fatalf("a first comparison until statement %d: %q", n, got)
		}
		if was, is := j.known(), j.states("wp_"); len(was) != len(is) {
			t.Fatalf("%d items are known of %d", len(was), len(is))
		}
		if through {
			return
		}
	}
}

// known returns the last known states.
func (j *journaled) known() map[string]string {
	j.Helper()
	var rows []schema.JournalObject
	j.readRows(&rows, "1 = 1")
	found := map[string]string{}
	for _, o := range rows {
		found[fmt.Sprintf("%s %d", o.Kind, o.ID)] = o.Fingerprint
	}
	return found
}

// TestJournalTurns checks that the journal rejects what would undo the work of other processes: a second comparison at
// the same time, and other declarations.
func TestJournalTurns(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		refused := func(what, says string) {
			t.Helper()
			if _, err := j.calendar.ScanJournal(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v", what, err)
			}
		}
		j.own("UPDATE wp_agenda_journal SET holder = 'other', held_until = 99999999999999 WHERE name = 'comparison'")
		refused("a lease", "another process compares")
		j.own("UPDATE wp_agenda_journal SET held_until = 1 WHERE name = 'comparison'")
		if got := j.changes(); len(got) > 0 {
			t.Errorf("after a lease: %q", got)
		}
		j.own("UPDATE wp_agenda_journal SET declarations = 'others' WHERE name = 'journal'")
		refused("declarations", "other declarations")
		before := j.head()
		must.Succeed(t, j.calendar.DeclareJournal(t.Context()))
		if first, err := j.calendar.ScanJournal(t.Context()); err != nil || !first.First || j.head().Incarnation == before.Incarnation {
			t.Errorf("begun anew: %+v, %v", first, err)
		}
		// Old changes are pruned, except for the newest one.
		j.run("UPDATE wp_posts SET post_title = 'p1' WHERE ID IN (9002, 9003, 9004)")
		if got := j.changes(); len(got) != 3 {
			t.Error(got)
		}
		j.own("UPDATE wp_agenda_changes SET moment = 1")
		if found, err := j.calendar.ScanJournal(t.Context()); err != nil || found.Pruned != 2 || found.Sequence != j.seen {
			t.Errorf("pruned: %+v, %v", found, err)
		}
	})
}

func (j *journaled) head() schema.JournalRow {
	j.Helper()
	report, err := schema.CheckJournal(j.Context(), j.db, "wp_")
	if err != nil || !report.Ready() {
		j.Fatalf("%+v, %v", report, err)
	}
	return report.Head
}

// TestJournalCommands checks the commands that install and remove a journal.
func TestJournalCommands(t *testing.T) {
	t.Parallel()
	onEverySite(t, func(t *testing.T, database []string) {
		command := func(name, want string, code int) {
			t.Helper()
			says(t, code, want, append([]string{"journal", name}, database...)...)
		}
		command("check", "There is no journal", 0)
		command("scan", "has no journal", 1)
		command("install", "was added", 0)
		command("check", "not finished", 0)
		command("scan", "states of all items were recorded", 0)
		command("install", "was added", 0)
		command("scan", "0 changes were recorded", 0)
		command("check", "complete until", 0)
		command("remove", "was removed", 0)
		command("remove", "was removed", 0)
		command("check", "There is no journal", 0)
		if len(database) > 1 && database[0] == "--data" {
			left, _ := filepath.Glob(filepath.Join(database[1], "*.changes*"))
			if len(left) > 0 {
				t.Error(left)
			}
		}
	})
}
