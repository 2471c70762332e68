package exchange

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// feed is an iCalendar file of events with a UID and a title each.
func feed(events ...string) Source {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Town//EN\r\n")
	for i, e := range events {
		uid, more, _ := strings.Cut(e, " ")
		fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:%s\r\nDTSTART:203105%02dT100000Z\r\nDTEND:203105%02dT110000Z\r\n%s\r\nEND:VEVENT\r\n", uid, i+1, i+1,
			strings.ReplaceAll(more, "|", "\r\n"))
	}
	b.WriteString("END:VCALENDAR\r\n")
	return ICalendar(strings.NewReader(b.String()), "town.ics", CalendarOptions{Now: atNoon()})
}

// actionsOf are the actions of the events among outcomes.
func actionsOf(all []Outcome) (list []Action) {
	for _, o := range all {
		if o.Kind == Events {
			list = append(list, o.Action)
		}
	}
	return list
}

func wantActions(t *testing.T, all []Outcome, want ...Action) {
	t.Helper()
	if got := actionsOf(all); !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
}

// rows counts the rows of all tables that an import writes.
func (b bench) rows(t *testing.T) (counts []int) {
	t.Helper()
	for _, table := range []string{"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", "tec_events", "tec_occurrences"} {
		n, err := b.db.NewSelect().Table("wp_" + table).Count(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, int(n))
	}
	return counts
}

func (b bench) modified(t *testing.T) (list []string) {
	t.Helper()
	if err := b.db.NewRaw("SELECT CONCAT(ID, post_title, post_modified_gmt) FROM wp_posts ORDER BY ID").Scan(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// An import that is run again changes what changed in the source, and nothing else.
func TestImportsAgain(t *testing.T) {
	b := emptied(t)
	_, all := b.load(t, feed("a@x SUMMARY:One|CATEGORIES:Music|LOCATION:Hall", "b@x SUMMARY:Two|LOCATION:Hall", "c@x SUMMARY:Three"))
	wantActions(t, all, Created, Created, Created)
	rows, before := b.rows(t), b.modified(t)
	_, all = b.load(t, feed("a@x SUMMARY:One|CATEGORIES:Music|LOCATION:Hall", "b@x SUMMARY:Two|LOCATION:Hall", "c@x SUMMARY:Three"))
	wantActions(t, all, Unchanged, Unchanged, Unchanged)
	if !slices.Equal(b.rows(t), rows) || !slices.Equal(b.modified(t), before) {
		t.Errorf("%v rows, before %v", b.rows(t), rows)
	}
	_, all = b.load(t, feed("a@x SUMMARY:One", "b@x SUMMARY:Second|LOCATION:Hall"))
	wantActions(t, all, Updated, Updated, Gone)
}

// What disappeared is trashed if that is asked for, unless it came from elsewhere, and
// comes back with its source.
func TestPrune(t *testing.T) {
	b := emptied(t)
	prune := func(im *Importer) { im.Prune = true }
	b.load(t, feed("z@x SUMMARY:Elsewhere"), func(im *Importer) { im.Source = "other" })
	b.load(t, feed("a@x SUMMARY:One", "b@x SUMMARY:Two"))
	_, all := b.load(t, feed("a@x SUMMARY:One"), prune)
	wantActions(t, all, Unchanged, Trashed)
	_, all = b.load(t, feed("a@x SUMMARY:One"), prune)
	wantActions(t, all, Unchanged)
	_, all = b.load(t, feed("a@x SUMMARY:One", "b@x SUMMARY:Two"), prune)
	wantActions(t, all, Unchanged, Updated)
}

// A refused event leaves nothing behind, not even its terms, and does not keep others out.
func TestRefusedItems(t *testing.T) {
	b := emptied(t)
	long := strings.Repeat("x", 70000)
	_, all := b.load(t, feed("a@x SUMMARY:"+long+"|CATEGORIES:Lost|LOCATION:Nowhere", "b@x SUMMARY:Two|CATEGORIES:Kept"))
	wantActions(t, all, Refused, Created)
	if len(all[0].Problems) != 1 || all[0].Problems[0].Field != "title" || all[0].Problems[0].Place.Line == 0 {
		t.Errorf("problems %v", all[0].Problems)
	}
	var names []string
	if err := b.db.NewRaw("SELECT name FROM wp_terms").Scan(t.Context(), &names); err != nil || !slices.Equal(names, []string{"Kept"}) {
		t.Errorf("terms %v %v", names, err)
	}
}

func TestDryRunWritesNoRow(t *testing.T) {
	b := emptied(t)
	rows := b.rows(t)
	s, all := b.load(t, feed("a@x SUMMARY:One|CATEGORIES:Music|LOCATION:Hall", "b@x SUMMARY:Two|LOCATION:Hall"),
		func(im *Importer) { im.DryRun, im.Batch = true, 1 })
	wantActions(t, all, Created, Created)
	if s.Counts[Venues][Created] != 1 || s.Counts[Categories][Created] != 1 || !slices.Equal(b.rows(t), rows) {
		t.Errorf("%v, %v rows, before %v", s.Counts, b.rows(t), rows)
	}
}

// A contributor's events wait for review, without the terms that a contributor cannot make,
// and without scripts.
func TestImportsWithRights(t *testing.T) {
	b := emptied(t)
	contributor := calendar.Principal{UserID: 1, Capabilities: map[string]bool{"edit_tribe_events": true, "edit_posts": true}}
	src := feed("a@x SUMMARY:One|CATEGORIES:Music|X-ALT-DESC;FMTTYPE=text/html:<p>Text<script>alert(1)</script></p>")
	_, all := b.load(t, src, func(im *Importer) { im.Principal, im.Status = contributor, "publish" })
	wantActions(t, all, Created)
	if p := all[0].Problems; len(p) != 1 || p[0].Field != "categories" {
		t.Errorf("problems %v", p)
	}
	var stored []string
	query := "SELECT CONCAT(post_status, post_content) FROM wp_posts WHERE post_type = 'tribe_events'"
	if err := b.db.NewRaw(query).Scan(t.Context(), &stored); err != nil {
		t.Fatal(err)
	}
	if len(stored) != 1 || !strings.HasPrefix(stored[0], "pending") || strings.Contains(stored[0], "<script") {
		t.Errorf("stored %q", stored)
	}
}

// Two imports of one file at once make each event once.
func TestImportsOfOneFileAtOnce(t *testing.T) {
	b := emptied(t)
	var events []string
	for i := range 25 {
		events = append(events, fmt.Sprintf("%d@x SUMMARY:Event %d|CATEGORIES:Music|LOCATION:Hall", i, i))
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			im := &Importer{Calendar: b.Calendar, Principal: editor, Source: "test", Batch: 4}
			if _, err := im.Import(t.Context(), feed(events...)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for kind, want := range map[string]int{"tribe_events": 25, "tribe_venue": 1} {
		n, err := b.db.NewSelect().Table("wp_posts").Where("post_type = ?", kind).Count(t.Context())
		if err != nil || int(n) != want {
			t.Errorf("%d of %s, want %d: %v", n, kind, want, err)
		}
	}
	var count int
	if err := b.db.NewRaw("SELECT count FROM wp_term_taxonomy").Scan(t.Context(), &count); err != nil || count != 25 {
		t.Errorf("the category has %d events: %v", count, err)
	}
}
