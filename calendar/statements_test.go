package calendar_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
)

// meter counts the statements that requests need on the recorded site, where every event has an image in addition to
// its venues, organizers and terms. It does not count statements that read the settings, because that happens every few
// seconds, nor those that read which columns the tables of occurrences have, because that happens only until the tables
// count as unchanged.
type meter struct {
	t       *testing.T
	handler http.Handler
	counter *testdb.Counter
}

// neverKept makes a calendar treat its tables as just changed, however long a test takes, so that nothing is cached and
// each request sends all its statements.
var neverKept = calendar.Cache{Settle: time.Hour, MaxAge: time.Hour}

func newMeter(t *testing.T) *meter {
	t.Helper()
	db, counter := testdb.Counted(t, testdb.SiteA)
	prepare(t, db,
		"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) "+
			"SELECT ID, '_thumbnail_id', '182' FROM wp_posts WHERE post_type = 'tribe_events'",
		"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) "+
			"VALUES (23, '_tribe_rsvp_for_event', '25'), (23, '_tribe_rsvp_for_event', '26')",
	)
	return &meter{t, contract.Handler(t, calendar.Options{DB: db, Now: frozen, Cache: neverKept}), counter}
}

func prepare(t *testing.T, db *bun.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// countStatements sends a request and returns the answer and the statements that it needed. No request may begin a
// transaction.
func (m *meter) countStatements(method, path string, header ...string) (*httptest.ResponseRecorder, []string) {
	m.t.Helper()
	m.counter.Reset()
	w := apitest.Send(m.t.Context(), m.handler, method, path, "", header...)
	sent := slices.DeleteFunc(m.counter.Statements(), func(s string) bool {
		return strings.Contains(s, "wp_options") || strings.HasSuffix(s, "WHERE (1 = 0)")
	})
	golden.Equal(m.t, path, m.counter.Transactions(), (testdb.Transactions{}))
	return w, sent
}

// want requests a path and checks the status and the number of statements.
func (m *meter) want(path string, status, number int) {
	m.t.Helper()
	w, sent := m.countStatements(http.MethodGet, path)
	if w.Code != status || len(sent) != number {
		m.t.Errorf("%s: %d with %d statements, want %d with %d\n%s", path, w.Code, len(sent), status, number, strings.Join(sent, "\n"))
	}
}

// wide is a list whose pages contain an example of everything that events can have.
const wide = "/events?" + everything

// TestVenuesNear checks that a list around a point reads the coordinates of the venues in the box around it, and not
// those of all venues.
func TestVenuesNear(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	prepare(t, db, "DELETE FROM wp_postmeta WHERE meta_key IN ('_VenueLat', '_VenueLng')",
		"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (7, '_VenueLat', '51.05'), (7, '_VenueLng', '3.72'), "+
			"(8, '_VenueLat', '52'), (8, '_VenueLng', '3.72'), (9, '_VenueLat', '51.05'), (9, '_VenueLng', '5')")
	m := &meter{t, contract.Handler(t, calendar.Options{DB: db, Now: frozen, Cache: neverKept}), counter}
	for _, path := range []string{"/venues?near=51.05,3.72&within=10km", "/events?near=51.05,3.72&within=10km"} {
		w, sent := m.countStatements(http.MethodGet, path)
		i := slices.IndexFunc(sent, func(s string) bool { return strings.Contains(s, "IN ('_VenueLat', '_VenueLng')") })
		if w.Code != http.StatusOK || i < 0 {
			t.Fatalf("%s: %d\n%s", path, w.Code, strings.Join(sent, "\n"))
		}
		var rows int
		_, query, _ := strings.Cut(sent[i], "SELECT") // omits the prefix that limits the execution time
		if err := db.NewRaw("SELECT COUNT(*) FROM (SELECT"+query+") AS places").Scan(t.Context(), &rows); err != nil || rows != 2 {
			t.Errorf("%s: %d rows of places, %v\n%s", path, rows, err, sent[i])
		}
	}
}

// TestStatementsDoNotGrowWithThePage checks that pages of ten and of fifty events need the same statements, except for
// the ids in them.
func TestStatementsDoNotGrowWithThePage(t *testing.T) {
	m := newMeter(t)
	list := regexp.MustCompile(`\((\d+|'\d+')(, (\d+|'\d+'))*\)|LIMIT \d+`)
	shapes := func(path string) []string {
		_, sent := m.countStatements(http.MethodGet, path)
		for i, s := range sent {
			sent[i] = list.ReplaceAllString(s, "(…)")
		}
		return sent
	}
	ten, fifty := shapes(wide+"&per_page=10"), shapes(wide+"&per_page=50")
	if len(ten) != 4 || !slices.Equal(ten, fifty) {
		t.Errorf("%d and %d statements\n%s\n\n%s", len(ten), len(fifty), strings.Join(ten, "\n"), strings.Join(fifty, "\n"))
	}
}

// TestStatementsOfFilters checks that a filter needs at most one more statement if its value has to be looked up, and
// no more otherwise.
func TestStatementsOfFilters(t *testing.T) {
	m := newMeter(t)
	golden.Each(t, "filters.txt", func(path string, most int) {
		path = strings.Replace(path, "/wide", wide, 1)
		if w, sent := m.countStatements(http.MethodGet, path); w.Code != http.StatusOK || len(sent) > most {
			t.Errorf("%s: %d with %d statements, want at most %d\n%s", path, w.Code, len(sent), most, strings.Join(sent, "\n"))
		}
	})
}

// TestRefusalsWithoutStatements checks that no statement is sent if the answer is known without any, and one if it is
// enough.
func TestRefusalsWithoutStatements(t *testing.T) {
	m := newMeter(t)
	large := strings.NewReplacer("{long}", strings.Repeat("x", 201), "{many}", strings.Repeat("1,", 1001))
	golden.Each(t, "refusals.txt", func(path string, status, number int) { m.want(large.Replace(path), status, number) })
}

func TestStatementsOfMethods(t *testing.T) {
	m := newMeter(t)
	for path, number := range map[string]int{
		wide: 4, wide + "&_format=ics": 3, "/events/25": 2, "/events/25?_format=ics": 2, "/venues": 3, "/categories/7": 1,
	} {
		w, _ := m.countStatements(http.MethodGet, path)
		tag := w.Header().Get("ETag")
		w, sent := m.countStatements(http.MethodGet, path, "If-None-Match", tag)
		if w.Code != http.StatusNotModified || len(sent) != number || w.Body.Len() > 0 {
			t.Errorf("%s again: %d with %d statements, want 304 with %d", path, w.Code, len(sent), number)
		}
		if w, sent := m.countStatements(http.MethodHead, path); w.Code != http.StatusOK || len(sent) != number || w.Body.Len() > 0 {
			t.Errorf("HEAD %s: %d with %d statements, want 200 with %d", path, w.Code, len(sent), number)
		}
		if w, sent := m.countStatements(http.MethodOptions, path); w.Code != http.StatusOK || len(sent) > 0 {
			t.Errorf("OPTIONS %s: %d with %d statements", path, w.Code, len(sent))
		}
		if w, sent := m.countStatements("PURGE", path); w.Code != http.StatusNotFound || len(sent) > 0 {
			t.Errorf("PURGE %s: %d with %d statements", path, w.Code, len(sent))
		}
	}
}

// TestTextOfStatements checks that values from callers occur in statements only as literals, that several values need
// no more joins than one, and that no statement contains what is slow on a large site.
func TestTextOfStatements(t *testing.T) {
	m := newMeter(t)
	joins := func(sent []string) (n int) {
		for _, s := range sent {
			if strings.Contains(s, "tec_occurrences") {
				n += strings.Count(s, "JOIN")
			}
		}
		return n
	}
	_, one := m.countStatements(http.MethodGet, wide+"&venue=10&organizer=17&categories=7&tags=17")
	_, many := m.countStatements(http.MethodGet, wide+"&venue=7,10,11,12&organizer=17,18,19&categories=7,8,9,10&tags=17,18,19,20")
	if joins(one) != joins(many) || joins(one) == 0 {
		t.Errorf("%d joins for one value each, %d for several", joins(one), joins(many))
	}
	slow := regexp.MustCompile(`(?i)SQL_CALC_FOUND_ROWS|FOUND_ROWS|CAST\([^)]*meta_value|CONVERT\([^)]*meta_value|` +
		`SELECT \*|meta_value *\+ *0|REGEXP|RAND\(`)
	// Literals are removed, with the quotes and escapes in them. Nothing of the values may be left.
	literal := regexp.MustCompile(`'(?:[^'\\]|''|\\.)*'`)
	for _, text := range []string{`zq' OR 'zq'='zq`, `zq\' OR 1=1 -- zq`, `zq\\' UNION SELECT zq`, `zq") OR ("zq`, "zq` zq",
		`zq%' ; DROP TABLE zq; /*`, `%_|zq`, "zq？zq?0 zq", "zq ?(prefix) zq", "zq\u2019 zq"} {
		v := url.QueryEscape(text)
		for _, path := range []string{
			"/events?search=" + v, "/events?categories=" + v, "/events?categories[]=" + v, "/events?tags[]=" + v,
			"/events?orderby=" + v + "&order=" + v, "/events?status=" + v, "/events?password=" + v,
			"/events?start_date=" + v, "/events?include=" + v, "/events?venue[]=" + v, "/events/by-slug/" + url.PathEscape(text),
			"/venues?search=" + v, "/venues?orderby=" + v, "/organizers?search=" + v,
			"/venues/by-slug/" + url.PathEscape(text), "/categories?search=" + v, "/categories?slug=" + v,
			"/categories?orderby=" + v + "&order=" + v, "/tags?search=" + v, "/tags?slug=" + v,
			"/tags?include[]=" + v, "/tags?exclude[]=" + v,
		} {
			w, sent := m.countStatements(http.MethodGet, path)
			if w.Code != http.StatusOK && w.Code != http.StatusBadRequest {
				t.Errorf("%s: %d %.200s", path, w.Code, w.Body)
			}
			for _, s := range sent {
				if slow.MatchString(s) {
					t.Errorf("%s: %s", path, s)
				}
				if rest := literal.ReplaceAllString(s, "''"); strings.Contains(strings.ToLower(rest), "zq") ||
					strings.ContainsAny(rest, `\"?;|#`) || strings.Contains(rest, "--") {
					t.Errorf("%s: outside of literals: %s", path, rest)
				}
			}
		}
	}
}

// TestStatementsOfDates checks the number of statements on a site with recurring events, whose lists show each
// occurrence or each event once.
func TestStatementsOfDates(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteDates)
	for form, numbers := range map[calendar.Dates]map[string]int{
		// The list needs statements for the ids, the total, the stored columns of events and occurrences, and what they
		// link. A recurring event needs one more, for its occurrences.
		calendar.DatesEach:  {"/events": 4, "/events/7": 2, "/events/by-slug/plain-single": 3, "/events/8": 3, "/events/10000006": 4},
		calendar.DatesPlain: {"/events": 3, "/events/7": 2, "/events/by-slug/plain-single": 3, "/events/8": 3},
	} {
		m := &meter{t, contract.Handler(t, calendar.Options{
			DB: db, Site: calendar.Site{Dates: form}, Now: frozen, Cache: neverKept,
		}), counter}
		for path, number := range numbers {
			m.want(path, http.StatusOK, number)
		}
	}
}
