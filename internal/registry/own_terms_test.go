package registry_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/store"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// termFields returns fields of categories and of tags. Two of them have the same key.
func termFields() []calendar.Field {
	return []calendar.Field{
		{Kind: "categories", Name: "colour", Key: "host_colour", Type: calendar.FieldText, Description: "A colour.", Max: bound(10)},
		{Kind: "categories", Name: "aliases", Key: "host_aliases", Type: calendar.FieldList, Description: "Other names."},
		{Kind: "categories", Name: "rank", Key: "host_rank", Type: calendar.FieldNumber, Description: "A rank.", Read: "read_budget"},
		{Kind: "tags", Name: "shade", Key: "host_colour", Type: calendar.FieldText, Description: "A shade."},
	}
}

// termRows returns the meta rows of a term.
func (w town) termRows(t *testing.T, term int64) (rows []string) {
	t.Helper()
	if err := w.db.NewRaw("SELECT CONCAT(meta_key, '=', meta_value) FROM wp_termmeta WHERE term_id = ? ORDER BY meta_id", term).
		Scan(t.Context(), &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// rank executes a statement that changes the rows of ranks.
func (w town) rank(t *testing.T, statement string, term int64) {
	t.Helper()
	if _, err := w.db.NewRaw(statement, term).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestOwnFieldsOfTerms checks that fields of categories and tags are part of lists, items and the terms of events, that
// they can be written separately, are validated and documented, and are hidden from callers who may not read them.
func TestOwnFieldsOfTerms(t *testing.T) {
	w := newTown(t, registry.More{}, testdb.SiteA(t), "", termFields()...)
	clerk := w.admin
	w.admin.Capabilities = maps.Clone(w.admin.Capabilities)
	w.admin.Capabilities["read_budget"] = true

	made, id := w.sendWrite(t, "POST", "/categories", `{"name":"Opera","colour":"<b>red</b>","aliases":["Sung","Sung drama"],"rank":4}`)
	shows(t, "the answer to a write", made, `"colour":"red"`, `"aliases":["Sung","Sung drama"]`, `"rank":4`)
	_, tag := w.sendWrite(t, "POST", "/tags", `{"name":"Verdi","shade":"green"}`)
	if _, err := w.db.NewRaw("INSERT INTO wp_termmeta (term_id, meta_key, meta_value) VALUES (?, 'Host_Colour', 'of others')", id).
		Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, event := w.sendWrite(t, "POST", "/events", fmt.Sprintf(`{"title":"Declared 1","start_date":"2031-06-06 20:00",
		"end_date":"2031-06-06 23:00","categories":[%d],"tags":[%d]}`, id, tag))
	path := fmt.Sprint("/categories/", id)
	for _, address := range []string{
		path, "/categories?hide_empty=0&search=Opera", fmt.Sprint("/events/", event), "/events?search=Declared",
	} {
		text := w.get(t, address)
		shows(t, address, text, `"colour":"red"`, `"aliases":["Sung","Sung drama"]`)
		if strings.Contains(text, `"rank"`) {
			t.Errorf("%s shows what the caller may not read: %s", address, text)
		}
		if strings.Contains(address, "/events") {
			shows(t, address, text, `"shade":"green"`)
		}
	}

	part, _ := w.sendWrite(t, "PATCH", path, `{"colour":"blue"}`)
	shows(t, "a partial update", part, `"name":"Opera"`, `"colour":"blue"`, `"aliases":["Sung","Sung drama"]`, `"rank":4`)
	w.sendWrite(t, "PATCH", path, `{"aliases":["Sung"],"rank":null}`)
	rows := []string{"host_aliases=Sung", "host_colour=blue", "Host_Colour=of others"}
	if got := w.termRows(t, id); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(rows))) {
		t.Errorf("rows %q, want %q", got, rows)
	}
	part, _ = w.sendWrite(t, "PATCH", path, `{"colour":"","aliases":[],"rank":3}`)
	if strings.Contains(part, `"colour"`) || strings.Contains(part, `"aliases"`) {
		t.Errorf("what was removed is there: %s", part)
	}
	for _, body := range []string{`{"colour":"much too long"}`, `{"rank":"first"}`, `{"aliases":[["a"]]}`} {
		if status := w.status(t, w.admin, path, body); status != http.StatusBadRequest {
			t.Errorf("%s: %d", body, status)
		}
	}
	for _, body := range []string{`{"rank":3}`, `{"rank":5}`} {
		if status := w.status(t, clerk, path, body); status != http.StatusForbidden {
			t.Errorf("%s: %d", body, status)
		}
	}

	// ETags depend on the values, except for those that the caller may not read.
	for _, address := range []string{path, fmt.Sprint("/events/", event)} {
		before := w.etag(t, address)
		w.sendWrite(t, "PATCH", path, `{"rank":9}`)
		if after := w.etag(t, address); after != before || before == "" {
			t.Errorf("%s: validators %s and %s", address, before, after)
		}
		w.sendWrite(t, "PATCH", path, fmt.Sprintf(`{"rank":3,"colour":"c%d"}`, len(address)))
		if after := w.etag(t, address); after == before {
			t.Errorf("%s: the validator stays %s", address, before)
		}
	}
	r := httptest.NewRecorder()
	request := httptest.NewRequest("GET", "/wp-json/vendor/events/v1"+fmt.Sprint("/events/", event), nil)
	request.Header.Set("If-None-Match", w.etag(t, fmt.Sprint("/events/", event)))
	if w.Handler().ServeHTTP(r, request); r.Code != http.StatusNotModified {
		t.Errorf("the event as it was: %d", r.Code)
	}

	shows(t, "the index", w.get(t, ""), `"colour":{`, `"A colour."`, `"shade":{`)
	shows(t, "the document", w.get(t, "/doc"), `"EventCategory":{`, `"EventTag":{`, "Other names.", `"maxLength":10`)
	w.sendWrite(t, "DELETE", path, `{}`)
	if left := w.termRows(t, id); len(left) != 0 {
		t.Errorf("rows of a term that was deleted: %q", left)
	}
}

// TestOwnFieldsOfTermsTakeOneStatement checks that fields of terms cost one more statement for the terms of events, and
// none if no such field is declared.
func TestOwnFieldsOfTermsTakeOneStatement(t *testing.T) {
	counts := map[int]int{}
	for _, n := range []int{0, len(termFields())} {
		w := newTown(t, registry.More{}, testdb.SiteA(t), "", termFields()[:n]...)
		w.get(t, "/events?start_date=2000-01-01&per_page=50")
		stop := store.Observe(func(string, string, []string) { counts[n]++ })
		w.get(t, "/events?start_date=2000-01-01&per_page=49")
		stop()
	}
	if counts[len(termFields())] != counts[0]+1 {
		t.Errorf("%v statements by the number of fields", counts)
	}
}

// TestOwnFieldsOfTermsMove checks that JSON lines and the import from the API of another calendar include the fields of
// terms, and that the other formats reject them by name.
func TestOwnFieldsOfTermsMove(t *testing.T) {
	w := newTown(t, registry.More{}, emptied(t), "", termFields()...)
	_, top := w.sendWrite(t, "POST", "/categories", `{"name":"Stage","colour":"red"}`)
	_, id := w.sendWrite(t, "POST", "/categories", fmt.Sprintf(`{"name":"Opera","colour":"blue","aliases":["Sung"],"parent":%d}`, top))
	_, tag := w.sendWrite(t, "POST", "/tags", `{"name":"Verdi","shade":"green"}`)
	w.sendWrite(t, "POST", "/events", fmt.Sprintf(`{"title":"Declared 1","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00",
		"categories":[%d],"tags":[%d]}`, id, tag))
	w.rank(t, "INSERT INTO wp_termmeta (meta_key, meta_value, term_id) VALUES ('host_rank', '4', ?)", top)
	for form, names := range map[exchange.Format]string{
		exchange.FormatJSON: `the field "categories.rank"`,
		exchange.FormatCSV: `the field "categories.colour", the field "categories.aliases", the field "categories.rank", ` +
			`the field "tags.shade"`,
	} {
		e := &exchange.Exporter{Calendar: w.Calendar, Principal: w.admin, Format: form}
		if _, err := e.Export(t.Context(), &strings.Builder{}); err == nil || !strings.HasSuffix(err.Error(), "no place for "+names) {
			t.Errorf("%s: %v", form, err)
		}
	}
	w.rank(t, "DELETE FROM wp_termmeta WHERE meta_key = 'host_rank' AND term_id = ?", top)
	export := func(from town) string {
		var out strings.Builder
		e := &exchange.Exporter{Calendar: from.Calendar, Principal: w.admin, Format: exchange.FormatJSON}
		if _, err := e.Export(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	text, other := export(w), newTown(t, registry.More{}, emptied(t), "", termFields()...)
	shows(t, "JSON lines", text, `"colour":"red"`, `"colour":"blue"`, `"aliases":["Sung"]`)
	load := func(text string) string { return other.load(t, exchange.JSONLines(strings.NewReader(text), "a.jsonl")) }
	load(text)
	if again := export(other); again != text {
		t.Errorf("they came back as\n%s\nwere\n%s", again, text)
	}
	if said := load(text); strings.Contains(said, "updated") {
		t.Errorf("the same again: %s", said)
	}
	load(strings.ReplaceAll(text, `"colour":"blue"`, `"colour":"black"`))
	shows(t, "an update", export(other), `"colour":"black"`, `"colour":"red"`)
}
