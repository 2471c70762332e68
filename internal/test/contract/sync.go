package contract

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// journaled is a site with a journal, on which tests of sync write like other programs.
type journaled struct {
	*site
	apitest.Client
	cal  *calendar.Calendar
	opts calendar.Options // options of the host
	at   func() time.Time // the clock; nil for a constant time
}

// newJournaled creates a small site without a journal.
func newJournaled(t testing.TB, e Engine) *journaled {
	t.Helper()
	s := &journaled{site: siteOn(t, e, e.Lasting(t))}
	if err := schema.RemoveJournal(t.Context(), s.host, s.prefix); err != nil { // remove the journal of a new site
		t.Fatal(err)
	}
	s.categories("music", "jazz")
	s.tags("free")
	s.venue(thing{slug: "hall"})
	s.organizer(thing{slug: "club"})
	s.event(thing{slug: "e1", start: "2030-07-01 10:00", venues: []string{"hall"}, organizers: []string{"club"}, terms: []string{"jazz"}})
	s.event(thing{slug: "e2", start: "2020-07-02 10:00"})
	s.event(thing{slug: "e3", start: "2030-07-03 10:00", terms: []string{"free"}})
	s.event(thing{slug: "draft", start: "2030-07-04 10:00", status: schema.StatusDraft, author: 13})
	s.event(thing{slug: "closed", start: "2030-07-05 10:00", status: schema.StatusPrivate})
	s.event(thing{slug: "run", start: "2030-08-01 10:00", author: 13, occurrences: [][2]string{
		{"2030-08-01 10:00:00", "2030-08-01 11:00:00"}, {"2030-08-02 10:00:00", "2030-08-02 11:00:00"}}})
	return s
}

// open mounts the calendar.
func (s *journaled) open(opts calendar.Options) {
	opts.DB, opts.Site.Prefix, opts.Authenticator = s.host, s.prefix, callersOf(s.site.T, s.DB, s.prefix)
	if opts.Now = s.at; opts.Now == nil {
		opts.Now = func() time.Time { return now }
	}
	s.Client.T = s.site.T
	s.cal, s.Handler = Mount(s.site.T, opts)
}

// install creates the journal, and records all items.
func (s *journaled) install() {
	s.site.T.Helper()
	must.Succeed(s.site.T, schema.InstallJournal(s.site.T.Context(), s.host, s.prefix))
	s.open(s.opts)
	must.Succeed(s.site.T, s.cal.DeclareJournal(s.site.T.Context()))
	s.scan()
}

func (s *journaled) scan() {
	s.site.T.Helper()
	for {
		if _, err := s.cal.ScanJournal(s.site.T.Context()); err == nil {
			return
		} else if !strings.Contains(err.Error(), "another process compares") {
			s.site.T.Fatal(err)
		}
		time.Sleep(5 * time.Millisecond) // the calendar itself is updating the journal
	}
}

// mirror is the state of a client of sync.
type mirror struct {
	s     *journaled
	as    string
	path  string            // of the list, with its filters
	items map[string]string // JSON by id
	token string
	until time.Time
	told  []string // ids that the last pull reported as deleted
	pages int      // number of pages of the last pull

	between func() // called between two pages; may be nil
}

func (s *journaled) mirror(as, path string) *mirror {
	return &mirror{s: s, as: as, path: path}
}

// pull does a sync: a complete one if there is no token, or if it has expired.
func (m *mirror) pull() {
	m.s.site.T.Helper()
	next := m.address("sync=1")
	if m.token != "" {
		next = m.list() + "?sync_token=" + m.token
	} else {
		m.items = map[string]string{}
	}
	m.told, m.pages = nil, 0
	for next != "" {
		a := m.s.Get(m.as, next)
		for try := 0; a.Status == http.StatusServiceUnavailable && try < 100; try++ { // like a real client
			time.Sleep(time.Millisecond)
			a = m.s.Get(m.as, next)
		}
		if a.Status == http.StatusGone {
			m.token = ""
			m.pull()
			return
		}
		if a.Status != http.StatusOK {
			m.s.site.T.Fatalf("%s\n answered %d %s", next, a.Status, apitest.Clip(a.Text))
		}
		m.pages++
		if m.pages > 1000 { // more than any test has items
			m.s.site.T.Fatalf("no end of the pages of %s", m.path)
		}
		if next = m.applyPage(a); next != "" && m.between != nil {
			m.between()
		}
	}
}

func (m *mirror) list() string { return strings.Split(m.path, "?")[0] }

func (m *mirror) address(parameter string) string {
	if strings.Contains(m.path, "?") {
		return m.path + "&" + parameter
	}
	return m.path + "?" + parameter
}

// applyPage applies a page, and returns the path of the next one.
func (m *mirror) applyPage(a apitest.Answer) (next string) {
	m.s.site.T.Helper()
	var page map[string]json.RawMessage
	var items []json.RawMessage
	must.Succeed(m.s.site.T, json.Unmarshal([]byte(a.Text), &page))
	if err := json.Unmarshal(page[path.Base(m.list())], &items); err != nil {
		m.s.site.T.Fatal(err, a.Text)
	}
	for _, text := range items {
		var head struct {
			ID      int64
			Deleted bool
		}
		must.Succeed(m.s.site.T, json.Unmarshal(text, &head))
		id := strconv.FormatInt(head.ID, 10)
		if head.Deleted {
			m.told = append(m.told, id)
			delete(m.items, id)
		} else {
			m.items[id] = string(text)
		}
	}
	if address := a.Word("next_rest_url"); address != "" {
		at := must.Get(url.Parse(address))(m.s.site.T)
		return m.list() + "?" + at.RawQuery
	}
	until, err := time.Parse(time.RFC3339, a.Word("complete_until"))
	if err != nil {
		m.s.site.T.Fatal(err, a.Text)
	}
	m.token, m.until = a.Word("next_sync_token"), until
	return ""
}

// ids returns the ids that the client has.
func (m *mirror) ids() string { return strings.Join(slices.Sorted(maps.Keys(m.items)), " ") }

// check compares the client's items with those of a new, complete sync.
func (m *mirror) check(when string) {
	m.s.site.T.Helper()
	full := m.s.mirror(m.as, m.path)
	full.pull()
	for _, id := range slices.Sorted(maps.Keys(full.items)) {
		if m.items[id] != full.items[id] {
			has, is := differing(m.items[id], full.items[id])
			m.s.site.T.Errorf("%s: %s as %q: %s is\n%s\n and not\n%s", when, m.path, m.as, id, has, is)
		}
	}
	for id := range m.items {
		if full.items[id] == "" {
			m.s.site.T.Errorf("%s: %s as %q: %s is there no more", when, m.path, m.as, id)
		}
	}
}

// differing returns the parts of two strings after their common prefix.
func differing(a, b string) (string, string) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	i = max(i-20, 0)
	return apitest.Clip(a[min(i, len(a)):]), apitest.Clip(b[min(i, len(b)):])
}

// syncBegins follows a list of each resource, from the beginning until items are deleted.
func syncBegins(t *testing.T, e Engine) {
	s := newJournaled(t, e)
	s.open(calendar.Options{})
	s.refused(http.StatusNotImplemented, "rest_no_journal", "/events?sync=1", "/tags?sync_token=x.y", "/venues/sync", "/organizers/sync",
		"/categories/sync")
	must.Succeed(t, schema.InstallJournal(t.Context(), s.host, s.prefix))
	s.open(calendar.Options{JournalShare: calendar.None})                             // it does not update the journal
	s.refused(http.StatusServiceUnavailable, "rest_sync_not_ready", "/events?sync=1") // it does not declare the journal either
	must.Succeed(t, s.cal.DeclareJournal(t.Context()))
	s.refused(http.StatusServiceUnavailable, "rest_sync_not_ready", "/events?sync=1", "/tags?sync=1")
	if a := s.Get("", "/events?sync=1"); a.Header.Get("Retry-After") == "" {
		t.Errorf("the header is %v", a.Header)
	}
	s.install()
	s.journal("UPDATE ?(prefix)agenda_journal SET declarations = CONCAT(declarations, 'x') WHERE name = 'journal'")
	s.refused(http.StatusNotImplemented, "rest_no_journal", "/events?sync=1")
	s.install()
	all := s.mirror("", "/events?per_page=2")
	all.pull()
	if want := s.fill("{e1} {e2} {e3} {run}"); all.ids() != want || all.pages != 2 {
		t.Errorf("%d pages: %s, want %s", all.pages, all.ids(), want)
	}
	a := s.Get("", "/events?sync=1")
	if a.Header.Get("ETag") != "" || !strings.Contains(a.Header.Get("Cache-Control"), "no-store") || a.At("total") != "absent" {
		t.Errorf("the header is %v, the answer %s", a.Header, apitest.Clip(a.Text))
	}
	kinds := []*mirror{all}
	for _, path := range []string{
		"/venues", "/organizers", "/categories", "/tags", "/events?categories=jazz", "/events?start_date=2030-01-01",
	} {
		m := s.mirror("", path)
		m.pull()
		if len(m.items) == 0 || m.pages != 1 {
			t.Errorf("%s: %d pages, %v", path, m.pages, m.items)
		}
		kinds = append(kinds, m)
	}
	for _, k := range newKinds() { // the site has no items of these
		m := s.mirror("", "/"+k.Collection)
		m.pull()
		kinds = append(kinds, m)
	}
	admin := s.mirror("admin", "/events")
	admin.pull()
	if len(admin.items) != 6 {
		t.Errorf("the administrator gets %s", admin.ids())
	}
	kinds = append(kinds, admin)
	for i, change := range []string{
		"UPDATE ?(prefix)posts SET post_title = 'New' WHERE ID = {hall}",
		"UPDATE ?(prefix)posts SET post_status = 'trash' WHERE ID = {e3}",
		"UPDATE ?(prefix)posts SET post_status = 'publish' WHERE ID IN ({draft}, {e3})",
		"UPDATE ?(prefix)terms SET name = 'Improvised' WHERE term_id = {jazz}",
		"DELETE FROM ?(prefix)posts WHERE ID = {e1}",
		"UPDATE ?(prefix)posts SET post_status = 'private' WHERE ID IN ({hall}, {club})",
	} {
		s.Exec(s.fill(change))
		s.scan()
		for _, m := range kinds {
			m.pull()
			m.check(fmt.Sprint("change ", i))
		}
	}
}

// refused checks that requests for paths fail.
func (s *journaled) refused(status int, code string, paths ...string) {
	s.site.T.Helper()
	for _, path := range paths {
		if a := s.Get("", path); a.Status != status || a.Code() != code {
			s.site.T.Errorf("%s answered %s, want %d %s", path, a, status, code)
		}
	}
}

// syncCountsNothingHidden checks that neither tokens nor pages reveal the number of edits that the caller may not see.
func syncCountsNothingHidden(t *testing.T, e Engine) {
	s := newJournaled(t, e)
	s.install()
	m := s.mirror("", "/events?per_page=1")
	m.pull()
	token := m.token
	readable := func(token string) string {
		body, _, _ := strings.Cut(token, ".")
		text := must.Get(base64.RawURLEncoding.DecodeString(body))(t)
		var members map[string]any
		must.Succeed(t, json.Unmarshal(text, &members))
		delete(members, "p") // encrypted
		return fmt.Sprint(members)
	}
	for n := range 9 { // drafts, which anonymous callers do not see
		s.Must(http.StatusCreated, "admin", "POST", "/events",
			fmt.Sprintf(`{"title":"Hidden","status":"draft","start_date":"2030-07-0%d","end_date":"2030-07-09"}`, n+1))
	}
	if m.pull(); m.pages != 1 || len(m.told) > 0 {
		t.Errorf("after hidden edits there are %d pages, which name %q", m.pages, m.told)
	}
	if was, is := readable(token), readable(m.token); was != is || len(token) != len(m.token) {
		t.Errorf("hidden edits are to be read from\n%s, which was\n%s", is, was)
	}
	if token = m.token; m.token != "" {
		m.pull()
	}
	if m.token == token {
		t.Error("tokens of one position are equal, so that they change with it")
	}
}

// syncRefuses checks requests that sync does not support, and invalid tokens.
func syncRefuses(t *testing.T, e Engine) {
	s := newJournaled(t, e)
	s.install()
	m := s.mirror("", "/events?per_page=2")
	m.pull()
	token := m.token
	for path, name := range map[string]string{
		"/events?sync=1&page=9": "page", "/events?sync=1&orderby=title": "orderby", "/events?sync=1&password=x": "password",
		"/events?sync=1&start_date=today": "start_date", "/events?sync=1&end_date=%2B1+day": "end_date",
		"/events?sync=1&starts_before=tomorrow": "starts_before", "/events?sync=1&starts_after=now": "starts_after",
		"/events?sync=1&ends_before=%2B1+week": "ends_before", "/events?sync=1&ends_after=monday": "ends_after",
		"/organizers?sync=1&has_events=1": "has_events", "/organizers?sync=1&only_with_upcoming=1": "only_with_upcoming",
		"/events?sync=1&ticketed=1": "ticketed", "/events?sync=1&geoloc=1": "geoloc", "/venues?sync=1&has_events=1": "has_events",
		"/venues?sync=1&only_with_upcoming=1": "only_with_upcoming", "/venues?sync=1&event=" + s.idText("e1"): "event",
		"/tags?sync=1&hide_empty=1": "hide_empty", "/tags?sync=1&post=" + s.idText("e1"): "post", "/events?sync=1&venue=999": "venue",
		"/events?sync_token=" + token + "&venue=1":   "venue",
		"/events?sync_token=" + token[:len(token)-1]: "sync_token", "/events?sync_token=" + token[1:]: "sync_token",
		"/events?sync_token=" + strings.Replace(token, ".", "", 1): "sync_token", "/events?sync_token=": "sync_token",
		"/venues?sync_token=" + token: "sync_token", "/events?sync=1&_format=ics": "sync", "/events/ics?sync=1": "",
		"/events?sync=1" + strings.Repeat("&start_date=2030-01-01", 99): "sync",
		"/events?sync_token=" + strings.Repeat("a", 9000):               "sync_token",
	} {
		if name == "" {
			s.Must(http.StatusOK, "", "GET", path, "")
			continue
		}
		a := s.Get("", path)
		if a.Status != http.StatusBadRequest || a.Fault(name) == "" {
			t.Errorf("%s answered %s, want 400 %s", apitest.Clip(path), a, name)
		}
	}
	if a := s.Get("editor", "/events?sync_token="+token); a.Status != http.StatusBadRequest || a.Fault("sync_token") == "" {
		t.Errorf("another's token: %s", a)
	}
	other := newJournaled(t, e)
	other.option(schema.OptionHome, "https://other.test")
	other.install()
	if a := other.Get("", "/events?sync_token="+token); a.Status != http.StatusBadRequest || a.Fault("sync_token") == "" {
		t.Errorf("another site's token: %s", a)
	}
	s.Must(http.StatusOK, "", "GET", "/events?sync=1&page=1&per_page=1", "")
}

// syncFields follows fields that the host declared. Changes of a field that only editors may read must not be visible
// to others.
func syncFields(t *testing.T, e Engine) {
	s := newJournaled(t, e)
	s.opts.Fields = []calendar.Field{
		{Kind: "events", Name: "seats", Key: "_host_seats", Type: calendar.FieldNumber, Description: "How many seats."},
		{Kind: "events", Name: "budget", Key: "_host_budget", Type: calendar.FieldNumber, Read: "edit_others_tribe_events",
			Description: "What it may cost."},
	}
	s.install()
	anyone, editor := s.mirror("", "/events"), s.mirror("editor", "/events")
	shown := func(value, field string) {
		t.Helper()
		s.Exec(s.fill("INSERT INTO ?(prefix)postmeta (post_id, meta_key, meta_value) VALUES " +
			"({e1}, '_host_" + field + "', '" + value + "'), ({draft}, '_host_" + field + "', '" + value + "')"))
		s.scan()
		for _, m := range []*mirror{anyone, editor} {
			m.pull()
			m.check(field)
		}
		want := `"` + field + `":` + value
		if is := editor.items[s.idText("e1")]; !strings.Contains(is, want) {
			t.Errorf("the editor gets %s, want %s", is, want)
		}
	}
	anyone.pull()
	editor.pull()
	shown("40", "seats")
	if is := anyone.items[s.idText("e1")]; !strings.Contains(is, `"seats":40`) {
		t.Errorf("everybody gets %s", is)
	}
	was, ids := anyone.items[s.idText("e1")], anyone.ids()
	shown("7531", "budget")
	if is := anyone.items[s.idText("e1")]; is != was || anyone.ids() != ids || len(anyone.told) > 0 {
		t.Errorf("everybody gets %s, %s, and is told of %v", is, anyone.ids(), anyone.told)
	}
}

// syncShortPages has more items that a caller may not see than a page tries.
func syncShortPages(t *testing.T, e Engine) {
	s := newJournaled(t, e)
	var rows []string
	for id := range 4100 {
		rows = append(rows, fmt.Sprintf("(%d, 'tribe_events', 'draft', '', '', '', '', '', '')", 10_000+id))
	}
	s.Exec("INSERT INTO ?(prefix)posts (ID, post_type, post_status, post_title, post_content, post_excerpt, to_ping, pinged, " +
		"post_content_filtered) VALUES " + strings.Join(rows, ", "))
	s.next = 20_000
	s.event(thing{slug: "last", start: "2030-07-09 10:00"})
	s.install()
	m := s.mirror("", "/events")
	if m.pull(); m.pages != 2 || m.ids() != s.fill("{e1} {e2} {e3} {run} {last}") {
		t.Errorf("%d pages: %s", m.pages, m.ids())
	}
	m.check("with short pages")
}
