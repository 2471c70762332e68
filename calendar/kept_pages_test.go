package calendar_test

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// keptPages are requests for the index and the documentation, which are written
// once, in every form that they are asked for.
var keptPages = []struct {
	method, address string
	headers         []header
}{
	{"GET", "", nil}, {"GET", "/", nil}, {"GET", "/doc", nil}, {"HEAD", "/doc", nil}, {"HEAD", "", nil}, {"OPTIONS", "/events", nil},
	{"GET", "?i18n_language=nl", nil}, {"GET", "/doc?i18n_language=fr", nil}, {"GET", contract.Site + "/nl/wp-json/" + namespace, nil},
	{"GET", contract.Site + "/nl/wp-json/" + namespace + "/doc", nil},
	{"GET", contract.Site + "/fr/wp-json/" + namespace + "/doc?i18n_language=en", nil},
	{"GET", "?_fields=namespace", nil}, {"GET", "/doc?_fields=info.title,servers", nil}, {"GET", "?_envelope&_pretty", nil},
	{"GET", "/doc?_pretty", nil},
	{"GET", "?namespace=tribe/events/v1&context=edit", nil}, {"GET", "?namespace=other", nil}, {"GET", "/doc?i18n_language=xx", nil},
	{"GET", "", []header{{"Origin", "https://elsewhere.example"}}}, {"GET", "/doc", []header{{"If-None-Match", "*"}}},
	{"GET", "/doc", []header{{"Accept-Language", "fr"}}}, {"POST", "?_method=GET", nil},
}

// TestKeptPagesAreExact: the index and the documentation that were written for
// earlier requests are, to the byte and with their headers, what they would be
// without them: at another time, with another page size, on a site with another
// address and zone (B4).
func TestKeptPagesAreExact(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	at := frozen()
	options := calendar.Options{DB: db, Now: func() time.Time { return at }}
	ask := func(h http.Handler) (answers []*httptest.ResponseRecorder) {
		for _, p := range keptPages {
			answers = append(answers, send(h, p.method, p.address, "", p.headers...))
		}
		return answers
	}
	kept := contract.Handler(t, options)
	first := ask(kept)
	for step, change := range []func(){
		func() {},
		func() { at = at.Add(40*time.Hour + 17*time.Second) },
		func() {
			exec(t, db, "UPDATE wp_options SET option_value = '7' WHERE option_name = 'posts_per_page'")
			exec(t, db, "UPDATE wp_options SET option_value = 'http://moved.test' WHERE option_name IN ('siteurl', 'home')")
			exec(t, db, "UPDATE wp_options SET option_value = 'Asia/Tokyo' WHERE option_name = 'timezone_string'")
		},
	} {
		change()
		fresh := ask(contract.Handler(t, options))
		if step == 2 {
			awaitSettings(t, kept, fresh[0].Body.String())
		}
		again := ask(kept)
		for i, p := range keptPages {
			if again[i].Code != fresh[i].Code || again[i].Body.String() != fresh[i].Body.String() ||
				!reflect.DeepEqual(again[i].Header(), fresh[i].Header()) {
				t.Errorf("step %d: %s %q is not what it would be now:\n%d %.200s\n%d %.200s",
					step, p.method, p.address, again[i].Code, again[i].Body, fresh[i].Code, fresh[i].Body)
			}
		}
		if same := again[0].Body.String() == first[0].Body.String(); same != (step == 0) {
			t.Errorf("step %d: the index stays as it was: %v", step, same)
		}
		if same := again[2].Body.String() == first[2].Body.String(); same != (step < 2) {
			t.Errorf("step %d: the documentation stays as it was: %v", step, same)
		}
	}
	tag := get(kept, "/doc").Header().Get("ETag")
	if w := get(kept, "/doc", header{"If-None-Match", tag}); tag == "" || w.Code != http.StatusNotModified || w.Body.Len() > 0 {
		t.Errorf("with the tag %s: %d %.100s", tag, w.Code, w.Body)
	}
}

// awaitSettings waits until a calendar has noticed a change of settings.
func awaitSettings(t *testing.T, h http.Handler, index string) {
	t.Helper()
	for range 600 {
		if get(h, "").Body.String() == index {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the settings stay as they were")
}

// TestKeptPagesAreWrittenOnce: an answer that is kept takes a small part of the
// memory that writing it does.
func TestKeptPagesAreWrittenOnce(t *testing.T) {
	h := siteHandler(t)
	for _, path := range []string{"", "/doc"} {
		var size int
		cost := testing.AllocsPerRun(20, func() { size = get(h, path).Body.Len() })
		if size < 10_000 || cost > 400 {
			t.Errorf("%q: %.0f allocations for %d bytes", path, cost, size)
		}
	}
}
