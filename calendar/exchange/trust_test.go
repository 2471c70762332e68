package exchange

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// jsonl returns JSON lines of events on 2031-05-01, each with further members after its UID and title.
func jsonl(members ...string) Source {
	var b strings.Builder
	for i, more := range members {
		fmt.Fprintf(&b, `{"kind":"events","uid":"%d@evil.test","values":{"title":"Item %d","start_date":"2031-05-01 10:00:00",`+
			`"end_date":"2031-05-01 11:00:00"%s}`+"\n", i, i, more)
	}
	return JSONLines(strings.NewReader(b.String()), "evil.jsonl")
}

// texts runs a query of one column.
func (b bench) texts(t *testing.T, query string, args ...any) (list []string) {
	t.Helper()
	must.Succeed(t, b.db.NewRaw(query, args...).Scan(t.Context(), &list))
	return list
}

// dump returns everything that is stored of items and of what they link.
func (b bench) dump(t *testing.T) (all []string) {
	t.Helper()
	for _, query := range []string{
		"SELECT CONCAT_WS('|', ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, " +
			"post_password, post_name, post_modified_gmt, menu_order, post_type) FROM wp_posts ORDER BY ID",
		"SELECT CONCAT_WS('|', meta_id, post_id, meta_key, meta_value) FROM wp_postmeta ORDER BY meta_id",
		"SELECT CONCAT_WS('|', x.term_taxonomy_id, t.name, t.slug, x.description, x.parent, x.count) FROM wp_terms AS t " +
			"JOIN wp_term_taxonomy AS x ON x.term_id = t.term_id ORDER BY 1",
		"SELECT CONCAT_WS('|', object_id, term_taxonomy_id) FROM wp_term_relationships ORDER BY 1",
	} {
		all = append(all, b.texts(t, query)...)
	}
	return all
}

// wantKept checks that no row of before has changed or is missing.
func wantKept(t *testing.T, before, after []string) {
	t.Helper()
	for _, row := range before {
		if !slices.Contains(after, row) {
			t.Errorf("changed or gone: %.300s", row)
		}
	}
}

// answerServer returns the address of a server that answers every request with a text.
func answerServer(t *testing.T, media, text string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func (b bench) open(t *testing.T, name string, o OpenOptions) *Opened {
	t.Helper()
	o.Now = atNoon()
	src := must.Get(Open(t.Context(), name, o))(t)
	t.Cleanup(func() { _ = src.Close() })
	return src
}

// D77: the HTML of every source is filtered, even for a user with unfiltered_html. Only trusted JSON lines are exempt.
func TestD77FiltersHTML(t *testing.T) {
	const evil = `<p onclick=\"x()\">a</p><img src=x onerror=\"x()\"><a href=\"javascript:x()\">b</a><script>x()</script>`
	const line = `,"description":"` + evil + `","excerpt":"` + evil + `"},` +
		`"venues":[{"values":{"venue":"Hall","description":"` + evil + `"}}]`
	list := `{"events":[{"id":1,"title":"A<script>x()</script>","start_date":"2031-05-01 10:00:00","end_date":"2031-05-01 11:00:00",` +
		`"description":"` + evil + `","venue":{"id":2,"venue":"Hall","description":"` + evil + `"}}],"total":1}`
	b := emptySite(t)
	stored := func() string {
		return strings.Join(b.texts(t, "SELECT CONCAT(post_title, post_content, post_excerpt) FROM wp_posts"), "\n")
	}
	html := strings.ReplaceAll(evil, `\"`, `"`)
	for name, load := range map[string]func(){
		"JSON lines": func() { b.load(t, jsonl(line)) },
		"REST": func() {
			at := answerServer(t, "application/json", list)
			b.load(t, b.open(t, at+"/wp-json/vendor/events/v1/events", OpenOptions{}), trusted)
		},
		"iCalendar": func() { b.load(t, icsFile("a@x SUMMARY:One|X-ALT-DESC;FMTTYPE=text/html:"+html), trusted) },
		"CSV": func() {
			text := "title,start_date,description\nA,2031-05-01,\"" + strings.ReplaceAll(html, `"`, `""`) + "\"\n"
			b.load(t, CSV(strings.NewReader(text), "a.csv", TableOptions{}), trusted)
		},
	} {
		before := len(b.texts(t, "SELECT ID FROM wp_posts"))
		load()
		if text := stored(); regexp.MustCompile(`onclick|onerror|<script|javascript:`).MatchString(text) {
			t.Errorf("%s: stored %s", name, text)
		}
		if after := len(b.texts(t, "SELECT ID FROM wp_posts")); after == before {
			t.Errorf("%s: stored nothing", name)
		}
	}
	b.load(t, jsonl("", line), trusted, func(im *Importer) { im.Source = "mine" })
	if text := stored(); !strings.Contains(text, "<script>x()") {
		t.Errorf("trusted: stored %s", text)
	}
}

// D77: an item that names an event of the site by its UID changes nothing, and is reported.
func TestD77UIDsOfTheSite(t *testing.T) {
	b := siteA(t)
	ids := b.texts(t, "SELECT CONCAT(MIN(ID)) FROM wp_posts WHERE post_type = 'tribe_events' GROUP BY post_status, post_password <> ''")
	if len(ids) < 5 {
		t.Fatalf("events %v", ids)
	}
	before := b.dump(t)
	for _, form := range []string{"%s@site.test", "%s-1935396000-1935399600@site.test", "%s@http://site.test/agenda"} {
		var events, lines []string
		for i, id := range ids {
			uid := fmt.Sprintf(form, id)
			events = append(events, uid+" SUMMARY:Owned|DESCRIPTION:Owned")
			lines = append(lines, fmt.Sprintf(`{"kind":"events","uid":%q,"values":{"title":"Owned %d","status":"publish",`+
				`"start_date":"2031-05-01 10:00:00","end_date":"2031-05-01 11:00:00"},"password":"x"}`, uid, i))
		}
		for _, src := range []Source{icsFile(events...), JSONLines(strings.NewReader(strings.Join(lines, "\n")), "a.jsonl")} {
			_, all := b.load(t, src, func(im *Importer) { im.Prune = true })
			for i, o := range all {
				if o.Action != Skipped || !o.Foreign || o.Owner != "" || fmt.Sprint(o.ID) != ids[i] {
					t.Errorf("%s: %s %d %q %v", form, o.Action, o.ID, o.Owner, o.Problems)
				}
			}
		}
	}
	if after := b.dump(t); !slices.Equal(before, after) {
		wantKept(t, before, after)
		t.Errorf("%d rows, before %d", len(after), len(before))
	}
}

// D77: an item with the title and times of an event of the site is not stored a second time, and does not make the
// event the source's own. Events that a trusted source takes over are never trashed.
func TestD77TitleAndTimes(t *testing.T) {
	b := emptySite(t)
	prune := func(im *Importer) { im.Prune = true }
	const local = `{"title":"Fair","start_date":"2031-05-01 10:00:00","end_date":"2031-05-01 11:00:00","timezone":"UTC",` +
		`"description":"Ours"}`
	b.make(t, local)
	before := b.dump(t)
	_, all := b.load(t, icsFile("f@x SUMMARY:Fair|DESCRIPTION:Theirs", "g@x SUMMARY:Other"), prune)
	wantActions(t, all, Skipped, Created)
	const row = "title,start_date,end_date,timezone,description\nFair,2031-05-01 10:00,2031-05-01 11:00,UTC,Theirs\n"
	_, all = b.load(t, CSV(strings.NewReader(row), "a.csv", TableOptions{}), func(im *Importer) { im.Source = "table" })
	wantActions(t, all, Skipped)
	_, all = b.load(t, icsFile("h@x SUMMARY:Third"), prune)
	wantActions(t, all, Created, Trashed)
	wantKept(t, before, b.dump(t))

	_, all = b.load(t, icsFile("f@x SUMMARY:Fair|DESCRIPTION:Theirs"), trusted)
	wantActions(t, all, Updated, Gone)
	_, all = b.load(t, icsFile("z@x SUMMARY:Last"), prune, trusted)
	wantActions(t, all, Created, Trashed)
	got := b.texts(t, "SELECT post_status FROM wp_posts WHERE post_title = 'Fair' AND post_type = 'tribe_events'")
	if !slices.Equal(got, []string{"publish"}) {
		t.Errorf("the event that was taken over is %v", got)
	}
}

// A UID identifies an event of the site only with the site's host, and a short UID identifies no event of another
// source, even if the import is trusted.
func TestD77UIDsOfOtherSites(t *testing.T) {
	b := siteA(t)
	ids := b.texts(t, "SELECT CONCAT(ID) FROM wp_posts WHERE post_type = 'tribe_events' AND post_status = 'publish' ORDER BY ID LIMIT 1")
	for _, source := range []string{"first", "second"} {
		_, all := b.load(t, icsFile(ids[0]+"-1935396000-1935399600@other.test SUMMARY:Theirs in "+source, "1 SUMMARY:One of "+source),
			func(im *Importer) { im.Source = source }, trusted)
		want := map[string][]Action{"first": {Created, Created}, "second": {Updated, Created}}
		wantActions(t, all, want[source]...)
		if fmt.Sprint(all[0].ID) == ids[0] {
			t.Errorf("event %s of the site is that of another one", ids[0])
		}
	}
}

// D77: if two sources contain the same item, it belongs to the first, until the second adopts the first.
func TestD77OtherSources(t *testing.T) {
	b := emptySite(t)
	second := func(im *Importer) { im.Source, im.Prune = "second", true }
	b.load(t, icsFile("a@x SUMMARY:One|LOCATION:Hall", "b@x SUMMARY:Two"), func(im *Importer) { im.Source = "first" })
	before := b.dump(t)
	s, all := b.load(t, icsFile("a@x SUMMARY:Changed", "c@x SUMMARY:Two", "d@x SUMMARY:Four"), second) // c matches b by its title
	wantActions(t, all, Skipped, Skipped, Created)
	if s.Problems != 0 || all[0].Owner != "first" || !all[0].Foreign {
		t.Errorf("%d problems, %+v", s.Problems, all[0])
	}
	wantKept(t, before, b.dump(t))

	adopt := func(im *Importer) { im.Source, im.AdoptSource, im.Prune = "second", "first", true }
	dry := func(im *Importer) { im.DryRun = true }
	before = b.dump(t)
	_, all = b.load(t, icsFile("a@x SUMMARY:Changed"), adopt, dry)
	wantActions(t, all, Updated, Trashed, Trashed) // b of the first, d of the second
	if !slices.Equal(before, b.dump(t)) {
		t.Error("a dry run stored something")
	}
	for range 2 { // the second time there is nothing left to adopt
		_, all = b.load(t, icsFile("a@x SUMMARY:Changed"), adopt)
	}
	wantActions(t, all, Unchanged)
	got := b.texts(t, "SELECT DISTINCT meta_value FROM wp_postmeta WHERE meta_key = '_agenda_source'")
	if !slices.Equal(got, []string{"second"}) {
		t.Errorf("sources %v", got)
	}
	im := &Importer{Calendar: b.Calendar, Principal: editor, Source: "third", AdoptSource: "none"}
	if _, err := im.Import(t.Context(), icsFile()); err == nil || !strings.Contains(err.Error(), "nothing came from none") {
		t.Errorf("adopted nothing: %v", err)
	}
}

// D77: new events get the status of the importer. A source cannot set their author, their readers, or what else
// requires rights.
func TestD77WhoMayDoWhat(t *testing.T) {
	b := emptySite(t)
	venue := `{"venue":"Ours","address":"Here 1"}`
	must.Get(b.Do(calendar.WithPrincipal(t.Context(), editor), http.MethodPost, "/venues", nil, json.RawMessage(venue)))(t)
	id := b.texts(t, "SELECT CONCAT(ID) FROM wp_posts")[0]
	before := b.dump(t)
	lines := func() Source {
		return jsonl(`,"status":"private","author":7},"password":"secret"`, `,"status":"draft"}`,
			`,"venue":{"id":`+id+`,"venue":"Theirs"}}`,
			`},"rows":{"_EventCurrencySymbol":["<b>x</b>"],"_ecp_custom_1":["<script>"],"_EventStartDate":["1999-01-01 00:00:00"]}`,
			`},"venues":[{"uid":"venues-`+id+`@site.test","values":{"venue":"Ours","address":"There 2"}}],"state":"<b>"`)
	}
	_, all := b.load(t, lines())
	var said []string
	for _, o := range all {
		for _, p := range o.Problems {
			said = append(said, fmt.Sprintf("%s %s %v", p.Item, p.Field, p.Trust))
		}
	}
	want := []string{"Item 0 author true", "Item 2 venue true",
		"Item 3 rows true", "Item 3 rows false", "Item 3 rows true", "Item 4 state false"}
	if !slices.Equal(said, want) {
		t.Errorf("said %q\nwant %q", said, want)
	}
	wantKept(t, before, b.dump(t))
	rows := b.texts(t, "SELECT CONCAT_WS('|', post_title, post_status, post_password, post_author) FROM wp_posts "+
		"WHERE post_type = 'tribe_events' ORDER BY ID")
	for i, row := range rows {
		if status := []string{"private", "draft", "publish", "publish", "publish"}[i]; row != fmt.Sprintf("Item %d|%s||1", i,
			status) { // D85
			t.Errorf("stored %s", row)
		}
	}
	execSQL(t, b.db, "UPDATE wp_posts SET post_status = 'draft' WHERE post_title = 'Item 2'") // as an editor may do
	b.load(t, lines())
	if got := b.texts(t, "SELECT post_status FROM wp_posts WHERE post_title = 'Item 2'"); got[0] != "draft" {
		t.Errorf("the editor's status became %v", got)
	}
	other := emptySite(t)
	other.load(t, lines(), func(im *Importer) { im.Status = "pending" })
	got := other.texts(t, "SELECT DISTINCT post_status FROM wp_posts WHERE post_type = 'tribe_events'")
	if !slices.Equal(got, []string{"pending"}) {
		t.Errorf("the status asked for became %v", got)
	}
	other.load(t, jsonl("", "", "", "", "", `,"status":"private"},"password":"secret"`), trusted)
	got = other.texts(t, "SELECT CONCAT(post_status, post_password) FROM wp_posts WHERE post_title = 'Item 5'")
	if got[0] != "privatesecret" {
		t.Errorf("trusted: stored %v", got)
	}
}

// D77: a trusted source stores what its user may store, and no more.
func TestD77RightsOfTheUser(t *testing.T) {
	b := emptySite(t)
	contributor := calendar.Principal{UserID: 1, Capabilities: map[string]bool{"edit_tribe_events": true, "edit_posts": true}}
	_, all := b.load(t, jsonl(
		`},"password":"secret","rows":{"_ecp_custom_1":["<b>x</b><script>x()</script>"],"_EventCurrencySymbol":["<b>$</b>"]}`,
		`},"rows":{"_EventCurrencyCode":["`+strings.Repeat("x", 201)+`"],"_ecp_custom_2":["a\u0000b"]}`),
		trusted, func(im *Importer) { im.Principal = contributor })
	if got := fmt.Sprint(all[0].Problems, all[1].Problems); strings.Count(got, "password:") != 1 || strings.Count(got, "rows:") != 2 {
		t.Errorf("problems %s", got)
	}
	rows := b.texts(t, "SELECT CONCAT(meta_key, '=', meta_value) FROM wp_postmeta "+
		"WHERE meta_key LIKE '\\_ecp%' OR meta_key LIKE '\\_EventCurr%' ORDER BY 1")
	if want := []string{"_ecp_custom_1=<b>x</b>x()", "_EventCurrencySymbol=$"}; !slices.Equal(rows, want) {
		t.Errorf("rows %q, want %q", rows, want)
	}
	if got := b.texts(t, "SELECT post_title FROM wp_posts WHERE post_password <> ''"); len(got) > 0 {
		t.Errorf("protected %v", got)
	}
}

// D77: venues, organizers and terms of other sources are linked but not changed.
func TestD77WhatIsLinked(t *testing.T) {
	b := emptySite(t)
	first := func(im *Importer) { im.Source = "first" }
	lines := func(more string) Source {
		return JSONLines(strings.NewReader(`{"kind":"categories","values":{"name":"Music","slug":"music","description":"`+more+`"}}`+"\n"+
			`{"kind":"venues","uid":"v@x","values":{"venue":"Hall","slug":"hall","address":"`+more+`"}}`+"\n"+
			`{"kind":"organizers","values":{"organizer":"Town","slug":"town","phone":"`+more+`"}}`+"\n"), "a.jsonl")
	}
	b.load(t, lines("one"), first)
	before := b.dump(t)
	_, all := b.load(t, lines("two"))
	for _, o := range all {
		if o.Action != Skipped || !o.Foreign {
			t.Errorf("%s %s", o.Action, o.Kind)
		}
	}
	if !slices.Equal(before, b.dump(t)) {
		t.Error("something changed")
	}
	_, all = b.load(t, lines("two"), first)
	if all[1].Action != Updated {
		t.Errorf("its own venue: %s", all[1].Action)
	}
}

// D77: content that looks like JSON lines but comes from an address or a pipe is read as JSON lines only if the format
// is given.
func TestD77JSONLinesAreFiles(t *testing.T) {
	const text = `{"format":"agenda","version":1}` + "\n" + `{"kind":"events","uid":"a@x","values":{"title":"A"}}` + "\n"
	for _, media := range []string{"application/json", "application/x-ndjson", "text/plain"} {
		at := answerServer(t, media, text)
		for _, name := range []string{at + "/feed", at + "/a.jsonl"} {
			if _, err := Open(t.Context(), name, OpenOptions{}); !strings.Contains(fmt.Sprint(err), ErrJSONLines.Error()) {
				t.Errorf("%s %s: %v", media, name, err)
			}
			src := must.Get(Open(t.Context(), name, OpenOptions{Format: FormatJSON}))(t)
			if got := listRecords(t, src); !strings.HasPrefix(got, "events "+name) {
				t.Errorf("read %s", got)
			}
			_ = src.Close()
		}
	}
	at := answerServer(t, "text/calendar", text)
	src, err := Open(t.Context(), at, OpenOptions{})
	must.Succeed(t, err)
	if got := listRecords(t, src); strings.Contains(got, "a@x") {
		t.Errorf("read %s", got)
	}
	_ = src.Close()
	_, err = Open(t.Context(), "-", OpenOptions{Stdin: strings.NewReader(text)})
	if !strings.Contains(fmt.Sprint(err), ErrJSONLines.Error()) {
		t.Errorf("a pipe: %v", err)
	}
}

// D77: the status of items is used if the API was read with a login and is trusted.
func TestD77APIsKeepTheirStatus(t *testing.T) {
	at := answerServer(t, "application/json", `{"events":[{"id":1,"title":"A","status":"draft","start_date":"2031-05-01 10:00:00",`+
		`"end_date":"2031-05-01 11:00:00"}],"total":1}`) + "/wp-json/vendor/events/v1/events?status=draft"
	login := strings.Replace(at, "//", "//ann:pw@", 1)
	for _, c := range []struct {
		at     string
		trust  bool
		status string
	}{{at, true, "draft"}, {login, false, "draft"}, {login, true, "draft"}} {
		b := emptySite(t)
		b.load(t, b.open(t, c.at, OpenOptions{}), func(im *Importer) { im.Trust, im.Source = c.trust, c.at })
		if got := b.texts(t, "SELECT post_status FROM wp_posts WHERE post_type = 'tribe_events'"); !slices.Equal(got, []string{c.status}) {
			t.Errorf("%s, trusted %v: %v, want %s", c.at, c.trust, got, c.status)
		}
		got := fmt.Sprint(b.texts(t, "SELECT meta_value FROM wp_postmeta WHERE meta_key LIKE '\\_agenda%'"))
		if strings.Contains(got, "pw@") || strings.Contains(got, "=draft") {
			t.Errorf("stored %s", got)
		}
	}
}

// TestTrustedShortUIDs checks that a trusted source, such as an export of the site, finds an event by its short UID together
// with its title and times, though the event came from another source.
func TestTrustedShortUIDs(t *testing.T) {
	b := emptySite(t)
	_, all := b.load(t, icsFile("7 SUMMARY:Fair"), func(im *Importer) { im.Source = "first" })
	wantActions(t, all, Created)
	_, all = b.load(t, icsFile("7 SUMMARY:Fair"), trusted)
	wantActions(t, all, Unchanged)
}
