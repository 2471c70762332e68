package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// links returns which items each item links in its last known state, in the form "events 5 venues 7".
func (j *journaled) links() (list []string) {
	j.Helper()
	var rows []schema.JournalLink
	j.readRows(&rows, "object_id > 900")
	for _, l := range rows {
		list = append(list, fmt.Sprintf("%s %d %s %d", l.Kind, l.ID, l.LinkedKind, l.LinkedID))
	}
	slices.Sort(list)
	return list
}

// TestJournalKnowsLinks checks that the journal contains which items each item links in its last known state.
func TestJournalKnowsLinks(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		const first = "categories 902 categories 901, events 9004 categories 902, events 9004 images 9001, events 9004 tags 901"
		j.run("UPDATE wp_term_taxonomy SET parent = 901 WHERE term_id = 902")
		j.changes()
		want := func(links string) {
			t.Helper()
			if got := strings.Join(j.links(), ", "); got != links {
				t.Errorf("linked: %s\nwant %s", got, links)
			}
		}
		want(first)
		j.run("INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (9501, 9004, '_EventVenueID', '9002'), "+
			"(9502, 9004, '_EventOrganizerID', '9003'), (9503, 9004, '_EventOrganizerID', 'a:2:{i:0;s:4:\"9005\";i:1;i:9003;}'), "+
			"(9504, 9002, '_thumbnail_id', '9001'), (9505, 9004, '_eventvenueid', '9005')", "UPDATE wp_terms SET slug = 'x'")
		want(first) // unchanged until the next comparison
		j.changes()
		want("categories 902 categories 901, events 9004 categories 902, events 9004 images 9001, events 9004 organizers 9003, " +
			"events 9004 organizers 9005, events 9004 tags 901, events 9004 venues 9002, venues 9002 images 9001")
		j.run("DELETE FROM wp_postmeta WHERE meta_id >= 9501", "DELETE FROM wp_posts WHERE ID = 9002")
		j.changes()
		want(first)
		j.run("DELETE FROM wp_term_relationships WHERE object_id = 9004", "DELETE FROM wp_postmeta WHERE post_id = 9004",
			"DELETE FROM wp_term_taxonomy WHERE term_id = 902")
		j.changes()
		want("")
	})
}

// TestJournalOfAnotherRelease checks that tables of another release are rejected with an error that names the command
// that recreates them, and that the command does so.
func TestJournalOfAnotherRelease(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		becomes := func(release int, says string) {
			t.Helper()
			j.own(fmt.Sprint("UPDATE wp_agenda_journal SET release_no = ", release))
			if _, err := j.calendar.ScanJournal(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("release %d: %v", release, err)
			}
		}
		was := j.head()
		becomes(schema.JournalRelease+1, "use a newer program")
		if err := schema.InstallJournal(t.Context(), j.db, "wp_"); err == nil || !strings.Contains(err.Error(), "use a newer program") {
			t.Errorf("of a newer program: %v", err)
		}
		becomes(0, "'agenda journal install' creates it again")
		report, err := schema.CheckJournal(t.Context(), j.db, "wp_")
		if err != nil || !report.Installed || !report.Older || report.Ready() {
			t.Errorf("of an older program: %+v, %v", report, err)
		}
		must.Succeed(t, schema.InstallJournal(t.Context(), j.db, "wp_"))
		if is := j.head(); is.Release != schema.JournalRelease || is.Incarnation == was.Incarnation || is.Declarations != "" {
			t.Errorf("made anew: %+v", is)
		}
		// A journal that was only recreated takes the declarations of the first comparison.
		if first, err := j.calendar.ScanJournal(t.Context()); err != nil || !first.First {
			t.Errorf("made anew: %+v, %v", first, err)
		}
	})
}
