package calendar_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// allocated returns the bytes that f allocates.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// heavy sets the contents of n public events to 1,000,000 times "&", the character whose form in answers is the
// longest. This is about as long as a text in a request may be.
func heavy(t *testing.T, db *bun.DB, n int) {
	t.Helper()
	prepare(t, db, fmt.Sprintf("UPDATE wp_posts SET post_content = REPEAT('&', 1000000) WHERE post_type = 'tribe_events' "+
		"AND post_status = 'publish' AND post_password = '' ORDER BY ID LIMIT %d", n))
}

const tooLarge = "rest_answer_too_large"

// TestLongLargeAnswers checks that callers cannot make the calendar allocate much memory by requesting many long texts,
// on any route (D80).
func TestLongLargeAnswers(t *testing.T) {
	const mib = 1 << 20
	db := testdb.SiteA(t)
	heavy(t, db, 116)
	prepare(t, db,
		"UPDATE wp_posts SET post_content = REPEAT('y', 2000000) WHERE post_type = 'tribe_venue'",
		"UPDATE wp_term_taxonomy SET description = REPEAT('t', 2000000) WHERE taxonomy = 'post_tag'",
	)
	h := contract.Handler(t, calendar.Options{DB: db, Now: frozen, Authenticator: administrator()})
	// Lists never end early. They omit the largest descriptions instead (D97).
	for _, path := range []string{wide + "&per_page=30", wide + "&per_page=50&page=2", wide + "&per_page=30&_fields=id",
		"/venues?per_page=50", "/tags?per_page=50", wide + "&per_page=12", wide + "&_format=ics"} {
		code := 0
		if taken := allocated(func() { code = get(h, path).Code }); code != http.StatusOK || taken > 1400*mib {
			t.Errorf("%s: %d, takes %d MiB", path, code, taken/mib)
		}
	}
	// A single item has no pages, so the message of the error must not mention per_page.
	prepare(t, db, "UPDATE wp_posts SET post_content = REPEAT('y', 10000000) WHERE ID IN ("+eventID+", "+venueID+")",
		"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES ("+eventID+", '_EventURL', REPEAT('y', 10000000)), ("+
			venueID+", '_VenueAddress', REPEAT('y', 10000000))",
		"UPDATE wp_posts SET post_name = 'large' WHERE ID = "+venueID)
	for _, path := range []string{"/events/" + eventID, "/events/by-slug/" + eventSlug, "/events/" + eventID + "?_format=ics",
		"/venues/" + venueID, "/venues/by-slug/large"} {
		taken := allocated(func() {
			if a := wantError(t, get(h, path), http.StatusRequestEntityTooLarge, tooLarge); strings.Contains(a.Message, "per_page") {
				t.Errorf("%s: %s", path, a.Message)
			}
		})
		if taken > 24*mib { // one text of 10 MB, and what reading it allocates
			t.Errorf("%s takes %d MiB", path, taken/mib)
		}
	}
	// Answers within the limit are sent, and without a limit all are.
	wantStatus(t, get(h, wide+"&per_page=2"), http.StatusOK)
	h = contract.Handler(t, calendar.Options{DB: db, Now: frozen, Limits: calendar.Limits{MaxAnswer: calendar.None}})
	if w := get(h, "/venues/"+venueID); w.Code != http.StatusOK || w.Body.Len() < 10000000 {
		t.Errorf("without bound: %d with %d bytes", w.Code, w.Body.Len())
	}
}

// TestLargeTextsTakeOneStatement checks that reading texts of more than 64 KiB takes one more statement. Rows contain
// the lengths of their texts, so that only long texts are read separately.
func TestLargeTextsTakeOneStatement(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	m := &meter{t, contract.Handler(t, calendar.Options{DB: db, Now: frozen}), counter}
	before := map[string]int{}
	paths := []string{"/events/" + eventID, "/venues/" + venueID, "/tags/" + tagID, "/tags?per_page=50", wide + "&per_page=50"}
	for _, path := range paths {
		_, sent := m.countStatements(http.MethodGet, path)
		before[path] = len(sent)
	}
	long := strings.Repeat("é", 32<<10)
	prepare(t, db,
		"UPDATE wp_posts SET post_content = '"+long+"x' WHERE ID IN ("+eventID+", "+venueID+")",
		"UPDATE wp_postmeta SET meta_value = REPEAT('5,', 40000) WHERE meta_key = '_EventCost'",
		"UPDATE wp_term_taxonomy SET description = '"+long+"x' WHERE taxonomy = 'post_tag'",
	)
	for _, path := range paths {
		w, sent := m.countStatements(http.MethodGet, path)
		most := before[path] + 1
		if strings.HasPrefix(path, wide) {
			most++ // the texts of linked items are read after those of the events
		}
		if w.Code != http.StatusOK || len(sent) > most {
			t.Errorf("%s: %d with %d statements, before %d", path, w.Code, len(sent), before[path])
		}
		if want := strings.Repeat(`\u00e9`, 32<<10) + "x"; !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s lacks a long text", path)
		}
	}
}

// slow is the ResponseWriter of a client that does not read its answer until go_ is closed. begun is closed when the
// answer is written.
type slow struct {
	sink
	begun, go_ chan struct{}
}

func (s *slow) Write(p []byte) (int, error) {
	close(s.begun)
	<-s.go_
	return s.sink.Write(p)
}

// begin sends a request whose client does not read the answer until read is called, which returns when the request has
// ended. It returns when the answer is written.
func begin(t *testing.T, h http.Handler, method, address, body string) (read func()) {
	t.Helper()
	client := &slow{sink{header: http.Header{}}, make(chan struct{}), make(chan struct{})}
	ctx, end := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	var one sync.WaitGroup
	one.Go(func() {
		defer end()
		h.ServeHTTP(client, r)
	})
	<-client.begun
	return func() {
		close(client.go_)
		one.Wait()
	}
}

// TestAnswersInTheMaking checks that answers count as memory in use until slow clients have read them. Until then other
// large answers are rejected, but small ones are sent; afterwards large ones are sent again (D80).
func TestAnswersInTheMaking(t *testing.T) {
	db := testdb.SiteA(t)
	prepare(t, db, "UPDATE wp_posts SET post_content = REPEAT('y', 900000) WHERE ID IN (25, 26, 27, 28)")
	memory := calendar.NewMemory(3 << 20)
	h := contract.Handler(t, calendar.Options{DB: db, Now: frozen,
		Limits: calendar.Limits{Answers: memory, RequestTimeout: 6 * time.Second}, Cache: calendar.Cache{Bytes: calendar.None}})
	one := begin(t, h, http.MethodGet, contract.Root+"/events/25", "")
	two := begin(t, h, http.MethodGet, contract.Root+"/events/26", "")
	if used := memory.Used(); used < 2*(1800000-64<<10) {
		t.Errorf("two answers of 1.8 MB wait for their readers, %d bytes are counted", used)
	}
	refused := get(h, "/events/28")
	if wantError(t, refused, http.StatusServiceUnavailable, "rest_busy"); refused.Header().Get("Retry-After") == "" {
		t.Errorf("no Retry-After: %v", refused.Header())
	}
	wantStatus(t, get(h, "/venues/"+venueID), http.StatusOK)
	one()
	two()
	if used := memory.Used(); used != 0 {
		t.Errorf("%d bytes are still counted", used)
	}
	wantStatus(t, get(h, "/events/28"), http.StatusOK)
}

// TestPagesInTheMaking checks that pages and feeds count as memory in use until slow visitors have read them, and that
// other large pages are rejected until then.
func TestPagesInTheMaking(t *testing.T) {
	db := testdb.SiteA(t)
	prepare(t, db, "UPDATE wp_posts SET post_content = REPEAT('y ', 450000) WHERE ID IN (25, 26, 27)")
	memory := calendar.NewMemory(5 << 20)
	c := made(t, calendar.Options{DB: db, Namespace: namespace, Now: frozen,
		Languages: []calendar.Language{{Tag: "nl", BaseURL: contract.Site + "/wp-json"}},
		Limits:    calendar.Limits{Answers: memory, RequestTimeout: 6 * time.Second}, Cache: calendar.Cache{Bytes: calendar.None}})
	shown := pages.New(c, pages.Options{Now: frozen})
	page := func(id int) string {
		var slug string
		must.Succeed(t, db.NewRaw("SELECT post_name FROM wp_posts WHERE ID = ?", id).Scan(t.Context(), &slug))
		return contract.Site + "/event/" + slug + "/"
	}
	const counted = 900_000 - 64<<10
	counts := int64(0)
	for _, url := range []string{page(25), page(26) + "?ical=1"} {
		defer begin(t, shown, http.MethodGet, url, "")()
		// The memory that only rendering needs is released soon.
		settled(t, func() bool { return memory.Used() < counts+counted+1<<20 })
		if used := memory.Used(); used < counts+counted {
			t.Errorf("%s waits for its reader, %d bytes are counted, %d before", url, used, counts)
		}
		counts = memory.Used()
	}
	must.Succeed(t, calendar.Reserve(t.Context(), c, 5<<20)) // the one reservation that may exceed the limit
	if w := get(shown, page(27)); w.Code != http.StatusServiceUnavailable || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("a large page beside them: %d %v", w.Code, w.Header())
	}
}

// TestSitemapsInTheMaking checks that what slow visitors keep of a sitemap is counted, as of pages.
func TestSitemapsInTheMaking(t *testing.T) {
	db := testdb.SiteA(t)
	prepare(t, db, "UPDATE wp_posts SET post_name = CONCAT(REPEAT('long-', 36), ID) WHERE post_type = 'tribe_events' "+
		"AND post_status = 'publish'")
	languages := []calendar.Language{{Tag: "nl", BaseURL: contract.Site + "/wp-json"}}
	for _, tag := range []string{"de", "en", "es", "fr"} {
		address := contract.Site + "/" + tag
		languages = append(languages, calendar.Language{Tag: tag, BaseURL: address + "/wp-json", SiteURL: address})
	}
	memory := calendar.NewMemory(calendar.None)
	c := made(t, calendar.Options{DB: db, Namespace: namespace, Now: frozen, Languages: languages,
		Limits: calendar.Limits{Answers: memory}, Cache: calendar.Cache{Bytes: calendar.None}})
	shown := pages.New(c, pages.Options{Now: frozen})
	const url = contract.Site + "/sitemap.xml"
	kept, free := int64(2<<10), int64(64<<10) // of the header, and what is not counted
	want := int64(get(shown, url).Body.Len()) + kept - free
	if want <= 0 {
		t.Fatalf("the sitemap is too small to be counted: %d", want)
	}
	read := begin(t, shown, http.MethodGet, url, "")
	settled(t, func() bool { return memory.Used() == want }) // what making it needed is returned
	read()
	settled(t, func() bool { return memory.Used() == 0 })
}

// TestLargeWrites checks that a write which was committed is answered, however large the answer is: the status 413
// would say that nothing was written. A write is rejected before anything is stored if there is not enough memory for
// the answer (D80).
func TestLargeWrites(t *testing.T) {
	db := testdb.SiteA(t)
	prepare(t, db, "UPDATE wp_posts SET post_content = REPEAT('&', 1000000) WHERE ID IN (25, 26)")
	memory := calendar.NewMemory(2 << 20)
	h := contract.Handler(t, calendar.Options{DB: db, Now: frozen, Authenticator: administrator(),
		Limits: calendar.Limits{MaxAnswer: 1 << 20, Answers: memory, RequestTimeout: 6 * time.Second}})
	wantError(t, get(h, "/events/25"), http.StatusRequestEntityTooLarge, tooLarge)
	w := send(h, http.MethodPost, "/events/25", `{"title":"New"}`, asJSON)
	if w.Code != http.StatusOK || w.Body.Len() < 5<<20 {
		t.Errorf("an update: %d with %d bytes, %.200s", w.Code, w.Body.Len(), w.Body)
	}
	body := strings.Repeat("&", 1<<20-200)
	w = send(h, http.MethodPost, "/events",
		`{"title":"T","start_date":"2033-01-01","end_date":"2033-01-01","description":"`+body+`"}`, asJSON)
	if w.Code != http.StatusCreated || w.Body.Len() < 5<<20 {
		t.Errorf("a new one: %d with %d bytes, %.200s", w.Code, w.Body.Len(), w.Body)
	}
	// While a slow client has not read a large answer, a write is rejected whose answer would need too much memory.
	read := begin(t, h, http.MethodPost, contract.Root+"/events/26", `{"title":"Slow"}`)
	wantError(t, send(h, http.MethodPost, "/events/25", `{"title":"Not written"}`, asJSON), http.StatusServiceUnavailable, "rest_busy")
	read()
	if title := queryText(t, db, "SELECT post_title FROM wp_posts WHERE ID = 25"); title != "New" {
		t.Errorf("the title is %q", title)
	}
	for _, path := range []string{"/events/25", "/events/25?force=true"} {
		wantStatus(t, send(h, http.MethodDelete, path, ""), http.StatusOK, path)
	}
	if used := memory.Used(); used != 0 {
		t.Errorf("%d bytes are still counted", used)
	}
}

func queryText(t *testing.T, db *bun.DB, query string) (s string) {
	t.Helper()
	must.Succeed(t, db.NewRaw(query).Scan(t.Context(), &s))
	return s
}

// TestLargeBodies checks that the body of a request counts as memory in use while it arrives, and not after the
// request.
func TestLargeBodies(t *testing.T) {
	memory := calendar.NewMemory(calendar.None)
	h := siteHandler(t, func(o *calendar.Options) { o.Limits.Answers = memory })
	body, writer := io.Pipe()
	r := httptest.NewRequest(http.MethodGet, contract.Root+"/events", body)
	r.Header.Set("Content-Type", "application/json")
	var one sync.WaitGroup
	w := httptest.NewRecorder()
	one.Go(func() { h.ServeHTTP(w, r) })
	must.Get(io.WriteString(writer, `{"any":"`+strings.Repeat("x", 512<<10)))(t)
	if _, err := io.WriteString(writer, `"`); err != nil { // returns once the handler processed the first part
		t.Fatal(err)
	}
	if used := memory.Used(); used < 400<<10 {
		t.Errorf("%d bytes of half a MiB are counted", used)
	}
	_, _ = io.WriteString(writer, "}")
	_ = writer.Close()
	one.Wait()
	if used := memory.Used(); w.Code != http.StatusOK || used != 0 {
		t.Errorf("%d, %d bytes are still counted", w.Code, used)
	}
}
