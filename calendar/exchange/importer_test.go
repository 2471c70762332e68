package exchange

import (
	"bytes"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/atonce"
	"github.com/agendahq/agenda/internal/test/must"
)

// icsFile returns an iCalendar file of events. Each argument is a UID, then lines separated by "|".
func icsFile(events ...string) Source {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Town//EN\r\n")
	for i, e := range events {
		uid, more, _ := strings.Cut(e, " ")
		fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:%s\r\nDTSTART:203105%02dT100000Z\r\nDTEND:203105%02dT110000Z\r\n%s\r\nEND:VEVENT\r\n",
			uid, i+1, i+1, strings.ReplaceAll(more, "|", "\r\n"))
	}
	b.WriteString("END:VCALENDAR\r\n")
	return ICalendar(strings.NewReader(b.String()), "town.ics", CalendarOptions{Now: atNoon()})
}

// actionsOf returns the actions of the events among outcomes.
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

// rows counts the rows of each table that an import writes to.
func (b bench) rows(t *testing.T) (counts []int) {
	t.Helper()
	for _, table := range []string{"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", "tec_events", "tec_occurrences"} {
		n := must.Get(b.db.NewSelect().Table("wp_" + table).Count(t.Context()))(t)
		counts = append(counts, int(n))
	}
	return counts
}

func (b bench) modified(t *testing.T) []string {
	t.Helper()
	return b.texts(t, "SELECT CONCAT(ID, post_title, post_modified_gmt) FROM wp_posts ORDER BY ID")
}

// Repeating an import changes what has changed in the source, and nothing else.
func TestImportsAgain(t *testing.T) {
	b := emptySite(t)
	_, all := b.load(t, icsFile("a@x SUMMARY:One|CATEGORIES:Music|LOCATION:Hall", "b@x SUMMARY:Two|LOCATION:Hall", "c@x SUMMARY:Three"))
	wantActions(t, all, Created, Created, Created)
	rows, before := b.rows(t), b.modified(t)
	_, all = b.load(t, icsFile("a@x SUMMARY:One|CATEGORIES:Music|LOCATION:Hall", "b@x SUMMARY:Two|LOCATION:Hall", "c@x SUMMARY:Three"))
	wantActions(t, all, Unchanged, Unchanged, Unchanged)
	if !slices.Equal(b.rows(t), rows) || !slices.Equal(b.modified(t), before) {
		t.Errorf("%v rows, before %v", b.rows(t), rows)
	}
	_, all = b.load(t, icsFile("a@x SUMMARY:One", "b@x SUMMARY:Second|LOCATION:Hall"))
	wantActions(t, all, Updated, Updated, Gone)
}

// With Prune, events that the source no longer contains are trashed, unless they came from elsewhere. They are restored
// when the source contains them again.
func TestPrune(t *testing.T) {
	b := emptySite(t)
	prune := func(im *Importer) { im.Prune = true }
	b.load(t, icsFile("z@x SUMMARY:Elsewhere"), func(im *Importer) { im.Source = "other" })
	b.load(t, icsFile("a@x SUMMARY:One", "b@x SUMMARY:Two"))
	_, all := b.load(t, icsFile("a@x SUMMARY:One"), prune)
	wantActions(t, all, Unchanged, Trashed)
	_, all = b.load(t, icsFile("a@x SUMMARY:One"), prune)
	wantActions(t, all, Unchanged)
	_, all = b.load(t, icsFile("a@x SUMMARY:One", "b@x SUMMARY:Two"), prune)
	wantActions(t, all, Unchanged, Updated)
}

// Events that have no UID in their source are found by title and dates, and attributed to the source. An event that was
// there before is not attributed to it.
func TestPruneWithoutUIDs(t *testing.T) {
	b := emptySite(t)
	prune := func(im *Importer) { im.Prune = true }
	table := func(rows ...string) Source {
		return CSV(strings.NewReader("title,start_date,note\n"+strings.Join(rows, "\n")), "a.csv", TableOptions{})
	}
	b.load(t, table("Here,2031-05-01,"), func(im *Importer) { im.Source = "" })
	_, all := b.load(t, table("Here,2031-05-01,", "One,2031-05-02,", "Two,2031-05-03T10:00:00+05:00,"), trusted)
	wantActions(t, all, Unchanged, Created, Created)
	_, all = b.load(t, table("One,2031-05-02,"))
	wantActions(t, all, Unchanged, Gone)
	_, all = b.load(t, table("Two,2031-05-03T10:00:00+05:00,", "One,2031-05-02,"), prune)
	wantActions(t, all, Unchanged, Unchanged)
	_, all = b.load(t, table("One,tomorrow,", "Two,2031-05-03T10:00:00+05:00,"), prune)
	wantActions(t, all, Refused, Unchanged)
	_, all = b.load(t, table("One,2031-05-02,"), prune)
	wantActions(t, all, Unchanged, Trashed)
}

// An empty source trashes nothing: reading it may have failed.
func TestPruneOfNothing(t *testing.T) {
	b := emptySite(t)
	prune := func(im *Importer) { im.Prune = true }
	b.load(t, icsFile("a@x SUMMARY:One", "b@x SUMMARY:Two"))
	const head = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a@x\nSUMMARY:One\nDTSTART:20310501T100000Z\nDTEND:20310501T110000Z\nEND:VEVENT\n"
	for text, src := range map[string]Source{
		"CSV":       CSV(strings.NewReader("title,start_date\n"), "a.csv", TableOptions{}),
		"JSON":      JSONLines(strings.NewReader(`{"format":"agenda","version":1}`), "a.jsonl"),
		"iCalendar": icsFile(),
		"HTML":      ICalendar(strings.NewReader("<html>\n<p>Error: none\n"), "a.ics", CalendarOptions{}),
		"a part":    ICalendar(strings.NewReader(head), "a.ics", CalendarOptions{}),
	} {
		_, all := b.load(t, src, prune)
		said := false
		for _, o := range all {
			said = said || strings.Contains(fmt.Sprint(o.Problems), "nothing is trashed")
		}
		if slices.Contains(actionsOf(all), Trashed) || !said {
			t.Errorf("%s: %v", text, all)
		}
	}
	_, all := b.load(t, ICalendar(strings.NewReader(head+"BEGIN:VTODO\nEND:VTODO\nEND:VCALENDAR\n"), "a.ics", CalendarOptions{}), prune)
	wantActions(t, all, Unchanged, Trashed)
	b.load(t, icsFile("a@x SUMMARY:One", "b@x SUMMARY:Two"))
	canceled := strings.Replace(head, "BEGIN:VEVENT", "METHOD:CANCEL\nBEGIN:VEVENT", 1) + "END:VCALENDAR\n"
	_, all = b.load(t, ICalendar(strings.NewReader(canceled), "a.ics", CalendarOptions{}), prune)
	wantActions(t, all, Updated)
}

// Of two items with the same UID the first one is always imported, and the other does not change it.
func TestSameUIDTwice(t *testing.T) {
	for _, size := range []int{1, 64} {
		b := emptySite(t)
		batch := func(im *Importer) { im.Batch = size }
		dry := func(im *Importer) { im.DryRun = true }
		_, all := b.load(t, icsFile("a@x SUMMARY:One", "a@x SUMMARY:Two", "b@x SUMMARY:Three"), batch, dry)
		wantActions(t, all, Created, Created)
		_, all = b.load(t, icsFile("a@x SUMMARY:One", "a@x SUMMARY:Two", "b@x SUMMARY:Three"), batch)
		wantActions(t, all, Created, Created) // of two revisions with the same number the last one counts
		if got := fmt.Sprint(all[0].Notes, all[1].Notes); got != "[has the same UID as the event at line 4, which is left out: Two] []" {
			t.Errorf("notes %s", got)
		}
		if got := b.texts(t, "SELECT post_title FROM wp_posts WHERE post_type = 'tribe_events' ORDER BY 1"); !slices.Equal(got,
			[]string{"Three", "Two"}) {
			t.Errorf("stored %q", got)
		}
		_, all = b.load(t, icsFile("a@x SUMMARY:One", "a@x SUMMARY:Two", "b@x SUMMARY:Three"), batch)
		wantActions(t, all, Unchanged, Unchanged)
		elsewhere := func(im *Importer) { im.Source = "other" }
		same := `{"kind":"events","uid":"c@x","values":{"title":"C","start_date":"2031-06-01","end_date":"2031-06-01"}}` + "\n"
		_, all = b.load(t, JSONLines(strings.NewReader(same+same), "c.jsonl"), batch, elsewhere, dry)
		wantActions(t, all, Created, Unchanged)
		_, all = b.load(t, JSONLines(strings.NewReader(same+same), "c.jsonl"), batch, elsewhere)
		wantActions(t, all, Created, Unchanged)
		_, all = b.load(t, JSONLines(strings.NewReader(same+same), "c.jsonl"), batch, trusted, func(im *Importer) { im.Source = "a third" })
		wantActions(t, all, Unchanged, Unchanged)
		other := strings.Replace(same, `"title":"C"`, `"title":"Another"`, 1)
		for _, as := range []func(*Importer){dry, batch} { // the first counts, in each import
			_, all = b.load(t, JSONLines(strings.NewReader(same+other), "c.jsonl"), batch, elsewhere, as)
			wantActions(t, all, Unchanged, Refused)
			if got := fmt.Sprint(all[1].Problems); !strings.Contains(got, sameUID) {
				t.Errorf("problems %s", got)
			}
		}
	}
}

// TestOneUIDForAll checks that an import of a file whose events all have the same UID names some of those that are left
// out, and counts the others.
func TestOneUIDForAll(t *testing.T) {
	var events []string
	for i := range 25 {
		events = append(events, fmt.Sprintf("a@x SUMMARY:%d", i))
	}
	_, all := emptySite(t).load(t, icsFile(events...))
	wantActions(t, all, Created)
	notes := all[0].Notes
	if len(notes) != 11 || notes[10] != "has the same UID as 14 more events, which are left out: 24" {
		t.Errorf("%q", notes)
	}
}

// JSON lines may be written by hand. Their rows of meta cannot change what only a validated write may change.
func TestRowsThatNoExportHas(t *testing.T) {
	b := emptySite(t)
	line := `{"kind":"events","uid":"a@x","values":{"title":"A","start_date":"2031-05-01 10:00:00","end_date":"2031-05-01 11:00:00"},` +
		`"rows":{"_EventStartDate":["1999-01-01 00:00:00"],"_ecp_custom_7":["mine"],"_thumbnail_id":["1"]}}`
	_, all := b.load(t, JSONLines(strings.NewReader(line), "a.jsonl"), trusted)
	wantActions(t, all, Created)
	if got := fmt.Sprint(all[0].Problems); strings.Count(got, "rows: cannot be imported") != 2 {
		t.Errorf("problems %s", got)
	}
	stored := b.texts(t, "SELECT CONCAT(meta_key, meta_value) FROM wp_postmeta "+
		"WHERE meta_key IN ('_EventStartDate', '_ecp_custom_7', '_thumbnail_id')")
	slices.Sort(stored)
	if want := []string{"_EventStartDate2031-05-01 10:00:00", "_ecp_custom_7mine"}; !slices.Equal(stored, want) {
		t.Errorf("rows %q, want %q", stored, want)
	}
}

// A parent category that is created because its child needs it is counted, too.
func TestCountsParents(t *testing.T) {
	b := emptySite(t)
	s, _ := b.load(t, CSV(strings.NewReader("title,start_date,categories\nA,2031-05-01,Music > Jazz > Bebop\n"), "a.csv", TableOptions{}))
	if n := s.Counts[Categories][Created]; n != 3 {
		t.Errorf("%d categories, want 3", n)
	}
}

// Two instants that have the same local time survive all formats.
func TestTimesShownTwice(t *testing.T) {
	const text = "BEGIN:VCALENDAR\nX-WR-TIMEZONE:Europe/Brussels\n" +
		"BEGIN:VEVENT\nUID:a@x\nSUMMARY:A\nDTSTART:20311026T003000Z\nDTEND:20311026T013000Z\nEND:VEVENT\n" +
		"BEGIN:VEVENT\nUID:b@x\nSUMMARY:B\nDTSTART:20311026T001000Z\nDTEND:20311026T002000Z\nEND:VEVENT\n" +
		"BEGIN:VEVENT\nUID:c@x\nSUMMARY:C\nDTSTART:20311026T011000Z\nDTEND:20311026T012000Z\nEND:VEVENT\nEND:VCALENDAR\n"
	dates := func(b bench) []string {
		return b.texts(t, "SELECT CONCAT(p.post_title, m.meta_key, m.meta_value) FROM wp_postmeta AS m "+
			"JOIN wp_posts AS p ON p.ID = m.post_id WHERE m.meta_key IN ('_EventStartDateUTC', '_EventEndDateUTC') "+
			"ORDER BY p.post_title, m.meta_key")
	}
	first := emptySite(t)
	first.load(t, ICalendar(strings.NewReader(text), "a.ics", CalendarOptions{Now: atNoon()}))
	want := dates(first)
	if len(want) != 6 || want[1] != "A_EventStartDateUTC2031-10-26 00:30:00" {
		t.Fatalf("stored %q", want)
	}
	for _, f := range []Format{FormatJSON, FormatCSV, FormatICalendar} {
		text := first.export(t, f)
		open := func() Source {
			switch f {
			case FormatJSON:
				return JSONLines(strings.NewReader(text), "a")
			case FormatCSV:
				return rowsOf{CSV(strings.NewReader(text), "a", TableOptions{})}
			}
			return ICalendar(strings.NewReader(text), "a", CalendarOptions{Now: atNoon()})
		}
		other := emptySite(t)
		other.load(t, open())
		if got := dates(other); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", f, got, want)
		}
		wantUnchanged(t, other, open())
		if f != FormatICalendar { // iCalendar has the second hour in UTC, without the name of the time zone
			wantUnchanged(t, first, open())
		}
	}
}

// Importing the site's own iCalendar export changes nothing, although it contains less than the events.
func TestExportComesHome(t *testing.T) {
	b := emptySite(t)
	for _, uid := range []string{"", "a@x"} { // an event that was created here, and one that was imported
		line := `{"kind":"events","uid":"` + uid + `","values":{"title":"It's \"one\" -- & <em>more</em> ` + uid +
			`","website":"https://x.example/a","description":"<p>\"Some\" <em>text</em> -- [gallery]</p>","timezone":"UTC+2",` +
			`"start_date":"2031-05-01 10:00:00","end_date":"2031-05-01 11:00:00"},"venues":[{"values":{"venue":"Hall"}}]}`
		_, all := b.load(t, JSONLines(strings.NewReader(line), "a.jsonl"), func(im *Importer) { im.Source = "test" + uid })
		wantActions(t, all, Created)
	}
	home := func(im *Importer) { im.Source = "home" }
	text, before := b.export(t, FormatICalendar), b.export(t, FormatJSON)
	_, all := b.load(t, ICalendar(strings.NewReader(text), "a.ics", CalendarOptions{}), home, trusted)
	wantActions(t, all, Unchanged, Unchanged)
	if after := b.export(t, FormatJSON); after != before {
		t.Errorf("%s\nis after the import\n%s", before, after)
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, "SUMMARY:It's", "SUMMARY:It is"), "DTEND:20310501T090000Z", "DTEND:20310501T093000Z")
	_, all = b.load(t, ICalendar(strings.NewReader(text), "a.ics", CalendarOptions{}), home, trusted)
	wantActions(t, all, Updated, Updated)
	after := b.export(t, FormatJSON)
	for _, part := range []string{`"title":"It is`, "<em>text</em>", `"website":"https://x.example/a"`} {
		if strings.Count(after, part) != 2 {
			t.Errorf("%s is not in both of %s", part, after)
		}
	}
}

// D80: the size limit of an answer does not limit an export. It reads as many events at a time as stay below the limit,
// or a single larger one.
func TestExportsOfMuch(t *testing.T) {
	b := siteA(t)
	execSQL(t, b.db, "UPDATE wp_posts SET post_content = REPEAT('y', 20000) WHERE post_type IN ('tribe_events', 'tribe_venue')")
	execSQL(t, b.db, "UPDATE wp_posts SET post_content = REPEAT('&', 300000) WHERE ID IN (25, 26)")
	bound := openWithin(t, b.db, calendar.Limits{MaxAnswer: 100_000, Answers: calendar.NewMemory(100_000)})
	for _, f := range []Format{FormatJSON, FormatCSV, FormatICalendar} {
		whole, parts := b.export(t, f), bound.export(t, f)
		if whole != parts || len(whole) < 140*20000 {
			t.Errorf("%s: %d bytes, within a bound %d", f, len(whole), len(parts))
		}
	}
}

// A rejected event leaves nothing behind, not even its terms, and does not prevent others.
func TestRefusedItems(t *testing.T) {
	b := emptySite(t)
	long := strings.Repeat("x", 70000) // for a title; that of an untrusted source would be truncated
	_, all := b.load(t, icsFile("a@x SUMMARY:"+long+"|CATEGORIES:Lost|LOCATION:Nowhere", "b@x SUMMARY:Two|CATEGORIES:Kept"), trusted)
	wantActions(t, all, Refused, Created)
	if len(all[0].Problems) != 1 || all[0].Problems[0].Field != "title" || all[0].Problems[0].Place.Line == 0 {
		t.Errorf("problems %v", all[0].Problems)
	}
	if names := b.texts(t, "SELECT name FROM wp_terms"); !slices.Equal(names, []string{"Kept"}) {
		t.Errorf("terms %v", names)
	}
}

func TestDryRunWritesNoRow(t *testing.T) {
	b := emptySite(t)
	rows := b.rows(t)
	s, all := b.load(t, icsFile("a@x SUMMARY:One|CATEGORIES:Music|LOCATION:Hall", "b@x SUMMARY:Two|LOCATION:Hall"),
		func(im *Importer) { im.DryRun, im.Batch = true, 1 })
	wantActions(t, all, Created, Created)
	if s.Counts[Venues][Created] != 1 || s.Counts[Categories][Created] != 1 || !slices.Equal(b.rows(t), rows) {
		t.Errorf("%v, %v rows, before %v", s.Counts, b.rows(t), rows)
	}
}

// The events of a contributor are pending, without scripts and without terms that a contributor may not create.
func TestImportsWithRights(t *testing.T) {
	b := emptySite(t)
	contributor := calendar.Principal{UserID: 1, Capabilities: map[string]bool{"edit_tribe_events": true, "edit_posts": true}}
	src := icsFile("a@x SUMMARY:One|CATEGORIES:Music|X-ALT-DESC;FMTTYPE=text/html:<p>Text<script>alert(1)</script></p>")
	_, all := b.load(t, src, func(im *Importer) { im.Principal, im.Status = contributor, "publish" })
	wantActions(t, all, Created)
	if p := all[0].Problems; len(p) != 1 || p[0].Field != "categories" {
		t.Errorf("problems %v", p)
	}
	stored := b.texts(t, "SELECT CONCAT(post_status, post_content) FROM wp_posts WHERE post_type = 'tribe_events'")
	if len(stored) != 1 || !strings.HasPrefix(stored[0], "pending") || strings.Contains(stored[0], "<script") {
		t.Errorf("stored %q", stored)
	}
}

// Two simultaneous imports of one file create each event once.
func TestImportsOfOneFileAtOnce(t *testing.T) {
	b := emptySite(t)
	var events []string
	for i := range 25 {
		events = append(events, fmt.Sprintf("%d@x SUMMARY:Event %d|CATEGORIES:Music|LOCATION:Hall", i, i))
	}
	atonce.Run(2, func(int) {
		im := &Importer{Calendar: b.Calendar, Principal: editor, Source: "test", Batch: 4}
		if _, err := im.Import(t.Context(), icsFile(events...)); err != nil {
			t.Error(err)
		}
	})
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

// insertImage adds an image of another user than the editor's to the library.
func (b bench) insertImage(t *testing.T, id int, file string) {
	t.Helper()
	execSQL(t, b.db, "INSERT INTO wp_posts (ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, "+
		"post_status, post_name, to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered, guid, post_type, "+
		"post_mime_type) VALUES (?, 2, '2026-05-01 10:00:00', '2026-05-01 08:00:00', '', 'Stage', '', 'inherit', ?, '', '', "+
		"'2026-05-01 10:00:00', '2026-05-01 08:00:00', '', ?, 'attachment', 'image/jpeg')", id, fmt.Sprint("stage-", id),
		fmt.Sprint("http://before.example/?attachment_id=", id))
	execSQL(t, b.db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, '_wp_attached_file', ?)", id, file)
}

// An image whose address is in this site's media library is that attachment, even with another scheme or as a smaller
// size. Nothing is fetched.
func TestImagesOfTheOwnLibrary(t *testing.T) {
	b := emptySite(t)
	b.insertImage(t, 700000, "2026/05/plan.jpg")
	b.insertImage(t, 700001, "2026/05/stage.jpg")
	b.insertImage(t, 700002, "2026/05/huge-scaled.jpg")
	b.insertImage(t, 700003, "2026/05/plan-40x30.jpg") // the file's own name, not a size
	at := "site.test/wp-content/uploads/2026/05/"
	b.load(t, icsFile("a@x SUMMARY:As stored|ATTACH;FMTTYPE=image/jpeg:http://"+at+"stage.jpg",
		"b@x SUMMARY:A size|ATTACH;FMTTYPE=image/jpeg:https://"+at+"stage-300x200.jpg?w=1",
		"c@x SUMMARY:Too large|ATTACH;FMTTYPE=image/jpeg:https://"+at+"huge-1024x768.jpg",
		"d@x SUMMARY:Named so|ATTACH;FMTTYPE=image/jpeg:https://"+at+"plan-40x30.jpg",
		"e@x SUMMARY:None|ATTACH;FMTTYPE=image/jpeg:https://"+at+"gone.jpg",
		"f@x SUMMARY:Elsewhere|ATTACH;FMTTYPE=image/jpeg:https://other.invalid/wp-content/uploads/2026/05/stage.jpg"))
	got := b.texts(t, "SELECT CONCAT_WS(' ', post_title, meta_value) FROM wp_posts LEFT JOIN wp_postmeta ON post_id = ID "+
		"AND meta_key = '_thumbnail_id' WHERE post_type = 'tribe_events' ORDER BY ID")
	want := []string{"As stored 700001", "A size 700001", "Too large 700002", "Named so 700003"}
	if len(got) != 6 || !slices.Equal(got[:4], want) || regexp.MustCompile(" 70000[0-3]").MatchString(fmt.Sprint(got[4:])) {
		t.Errorf("%q, want %q and two others", got, want)
	}
}

// TestDryRunsCountAsImports checks that a dry run counts what the import then creates, in files of several batches: items
// of one name, items that further events link, and items with a line of their own.
func TestDryRunsCountAsImports(t *testing.T) {
	rows := "title,start_date,end_date,venue,venue.city,organizer,categories\n"
	for i := range 12 {
		rows += fmt.Sprintf("Fair %d,2031-05-01,2031-05-01,Hall,City %d,Club,%s > Jazz\n", i, i%2, []string{"Music", "Dance"}[i%2])
	}
	b := emptySite(t)
	few := func(im *Importer) { im.Batch = 5 }
	table := func() Source { return CSV(strings.NewReader(rows), "a.csv", TableOptions{}) }
	compare := func(b bench, src func() Source, change ...func(*Importer)) {
		t.Helper()
		tried, _ := b.load(t, src(), append(change, func(im *Importer) { im.DryRun = true })...)
		done, _ := b.load(t, src(), change...)
		two, four := done.Counts[Venues][Created], done.Counts[Categories][Created]
		if fmt.Sprint(tried.Counts) != fmt.Sprint(done.Counts) || two != 2 || four != 4 {
			t.Errorf("a dry run counts %v, the import %v", tried.Counts, done.Counts)
		}
	}
	compare(b, table, few)
	lines := b.export(t, FormatJSON)
	compare(emptySite(t), func() Source { return JSONLines(strings.NewReader(lines), "a.jsonl") }, few, trusted)
}

// TestEventsWithoutUIDsAreFound checks that events without a UID are found again though daylight saving time skips their
// start, or their title has no letters.
func TestEventsWithoutUIDsAreFound(t *testing.T) {
	const rows = "title,start_date,end_date,timezone\nNight,2031-03-30 02:30,2031-03-30 04:00,Europe/Brussels\n" +
		"Day,2031-09-07,2031-09-07,America/Santiago\n???,2031-05-01,2031-05-01,UTC\n&,2031-05-02,2031-05-02,UTC\n"
	b := emptySite(t)
	table := func() Source { return CSV(strings.NewReader(rows), "a.csv", TableOptions{}) }
	wantAll(t, b, table(), Created)
	wantUnchanged(t, b, table())
}

// TestRejectedTermsAreNoFaults checks that an import that leaves out a tag logs no failed request.
func TestRejectedTermsAreNoFaults(t *testing.T) {
	var log bytes.Buffer
	db := emptySite(t).db
	o := calendar.Options{DB: db, Now: atNoon, Logger: slog.New(slog.NewTextHandler(&log, nil))}
	b := bench{must.Get(calendar.New(t.Context(), o))(t), db}
	rows := "title,start_date,tags\nA,2031-05-01," + strings.Repeat("x", 300) + "\n"
	_, all := b.load(t, CSV(strings.NewReader(rows), "a.csv", TableOptions{}))
	must.Succeed(t, b.Close(t.Context()))
	wantActions(t, all, Created)
	if strings.Contains(log.String(), "level=ERROR") || len(all[0].Problems) != 1 {
		t.Errorf("%v\n%s", all[0].Problems, log.String())
	}
}
