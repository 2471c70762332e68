package contract

import (
	"net/http"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// termsElsewhere proves that terms which another program or another process of
// the service made, renamed, moved or deleted are so in the next request,
// however long totals are kept (C2).
func termsElsewhere(t *testing.T, e Engine) {
	b := newBench(t, e)
	here, there := b.beside(time.Hour, calendar.Options{}), b.beside(time.Hour, calendar.Options{})
	b.categories("top", "side")
	b.event(thing{slug: "fair", start: "2030-07-01 10:00", terms: []string{"cat"}})
	get := func(path, want string) {
		t.Helper()
		for _, of := range []*bench{here, there} {
			if a := of.DoWithin(t.Context(), "", http.MethodGet, b.fill(path), ""); a.Summary() != want {
				t.Errorf("%s\n got  %s\n want %s", a.Request, a.Summary(), want)
			}
		}
	}
	put := func(body string, status int) apitest.Answer {
		t.Helper()
		return here.admin(http.MethodPatch, b.fill("/events/{fair}"), b.fill(body), status)
	}
	t.Run("another program", func(*testing.T) { termsOfPrograms(b, here, get, put) })
	t.Run("another process", func(*testing.T) { termsOfProcesses(b, there, get, put) })
	here.settle()
}

const wrongCategories = "400 rest_invalid_param categories"

func termsOfPrograms(b, here *bench, get func(path, want string), put func(body string, status int) apitest.Answer) {
	t, wrong := b.T, wrongCategories
	t.Helper()
	// Everything that could be kept is.
	get("/events?categories=cat", "fair")
	get("/events?categories=top", "")
	get("/categories?hide_empty=0&orderby=id", "cat top side")
	get("/categories/{top}", "top")
	get("/events?categories=new", wrong)
	b.next += 1000
	b.categories("new")
	get("/events?categories=new", "")
	get("/events?categories={new}", "")
	get("/categories/{new}", "new")
	get("/categories?include={new}&hide_empty=0", "new")
	get("/categories?parent={new}&hide_empty=0", "")
	if a := put(`{"categories":[{new}]}`, http.StatusOK); a.At("categories", "0", "slug") != `"new"` {
		t.Errorf("%s: %s", a.Request, a.At("categories"))
	}
	here.admin(http.MethodPatch, b.fill("/categories/{side}"), b.fill(`{"parent":{new}}`), http.StatusOK)
	get("/events?categories=new", "fair")

	b.Exec("UPDATE ?(prefix)terms SET name = 'Fresh', slug = 'fresh' WHERE term_id = ?", b.of("new"))
	get("/categories/{new}", "fresh")
	get("/events?categories=Fresh", "fair")
	get("/events?categories=new", wrong)
	if a := here.DoWithin(t.Context(), "", http.MethodGet, b.fill("/events/{fair}"), ""); a.At("categories", "0", "name") != `"Fresh"` {
		t.Errorf("%s: %s", a.Request, a.At("categories"))
	}

	get("/events?categories=top", "")
	b.Exec("UPDATE ?(prefix)term_taxonomy SET parent = ? WHERE term_id = ?", b.of("top"), b.of("new"))
	get("/events?categories=top", "fair")
	if a := here.admin(http.MethodGet, b.fill("/categories/{new}"), "", http.StatusOK); a.Word("url") != Site+"/events/category/top/fresh/" {
		t.Errorf("%s: %s", a.Request, a.Word("url"))
	}

	for _, table := range []string{"term_relationships", "term_taxonomy"} {
		b.Exec("DELETE FROM ?(prefix)"+table+" WHERE term_taxonomy_id = ?", b.of("new")+termShift)
	}
	b.Exec("DELETE FROM ?(prefix)terms WHERE term_id = ?", b.of("new"))
	get("/events?categories=fresh", wrong)
	get("/events?categories={new}", wrong)
	get("/events?categories=top", "")
	get("/categories/{new}", "400 rest_invalid_param id")
	put(`{"categories":[{new}]}`, http.StatusBadRequest)
}

func termsOfProcesses(b, there *bench, get func(path, want string), put func(body string, status int) apitest.Answer) {
	b.T.Helper()
	for _, step := range []struct{ method, path, body, filter, want string }{
		{"POST", "/categories", `{"name":"Late"}`, "late", ""},
		{"PATCH", "/categories/{late}", `{"name":"Later","slug":"later"}`, "later", ""},
		{"DELETE", "/categories/{late}", ``, "later", wrongCategories},
	} {
		a := there.DoWithin(b.T.Context(), "admin", step.method, b.fill(step.path), step.body)
		if step.method == "POST" {
			b.id["late"] = a.Number("id")
		}
		get("/events?status=publish&start_date=2031-01-01&categories="+step.filter, step.want)
		want := map[string]int{"": http.StatusOK, wrongCategories: http.StatusBadRequest}[step.want]
		put(`{"categories":[{late}]}`, want)
	}
}
