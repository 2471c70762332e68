package registry_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/registry"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// shows checks that a string contains others.
func shows(t *testing.T, where, text string, want ...string) {
	t.Helper()
	for _, one := range want {
		if !strings.Contains(text, one) {
			t.Errorf("%s lacks %s: %.3000s", where, one, text)
		}
	}
}

// get reads a path over HTTP as an anonymous caller.
func (w town) get(t *testing.T, path string) string {
	t.Helper()
	r := httptest.NewRecorder()
	w.Handler().ServeHTTP(r, httptest.NewRequest("GET", "/wp-json/vendor/events/v1"+path, nil))
	if r.Code != 200 {
		t.Fatalf("%s: %d %s", path, r.Code, r.Body)
	}
	return strings.ReplaceAll(r.Body.String(), `\/`, "/")
}

// sendWrite sends a write as the administrator, and returns the response and the id in it.
func (w town) sendWrite(t *testing.T, method, path, body string) (string, int64) {
	t.Helper()
	answer, err := w.Do(calendar.WithPrincipal(t.Context(), w.admin), method, path, nil, json.RawMessage(body))
	var item struct{ ID int64 }
	if err == nil {
		err = json.Unmarshal(answer, &item)
	}
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return strings.ReplaceAll(string(answer), `\/`, "/"), item.ID
}

// TestDeclaredFieldsAndKindsAreServed checks that declared fields and resources are in everything that the API returns,
// accepts and documents, and in the values of the Go API. Import and export are tested by
// TestDeclaredFieldsAndKindsMove.
func TestDeclaredFieldsAndKindsAreServed(t *testing.T) {
	w := newTown(t, patroned(), testdb.SiteA(t), "")
	all := []string{`"motto":"Rock & roll"`, `"members_only":true`, `"patron":[{"id":`, `"level":"gold"`}
	made, id := w.sendWrite(t, "POST", "/events", `{"title":"Declared 1","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00",
		"motto":"Rock & roll","members_only":true,"patron":[{"patron":"Bank","level":"gold"}]}`)
	shows(t, "the answer to a write", made, all...)
	path := fmt.Sprint("/events/", id)
	shows(t, "the item", w.get(t, path), all...)
	patrons := w.get(t, "/patrons?search=Bank")
	shows(t, "the list of the kind", patrons, `"patrons":[{"id":`, `"level":"gold"`, `"total":1`)
	var list struct{ Patrons []struct{ ID int64 } }
	must.Succeed(t, json.Unmarshal([]byte(patrons), &list))
	of := fmt.Sprint("/events?start_date=2031-06-06&end_date=2031-06-07&patron=", list.Patrons[0].ID)
	shows(t, "the list, filtered by the kind", w.get(t, of), append(all, `"total":1`)...)

	part, _ := w.sendWrite(t, "PATCH", path, `{"members_only":false}`)
	shows(t, "a partial update of one", part, all[0], `"members_only":false`, all[2], all[3])
	part, _ = w.sendWrite(t, "PATCH", path, `{"motto":"Late","members_only":true}`)
	shows(t, "a partial update of others", part, `"motto":"Late"`, all[1], all[2], all[3])
	part, _ = w.sendWrite(t, "PATCH", fmt.Sprint("/patrons/", list.Patrons[0].ID), `{"level":"silver"}`)
	shows(t, "a partial update of the kind", part, `"patron":"Bank"`, `"level":"silver"`)

	shows(t, "the index", w.get(t, ""), `/patrons/by-slug/(?P<slug>`, `"level":{`)
	shows(t, "the document", w.get(t, "/doc"), `"motto":{`, `"members_only":{`, `"Patron":{`, `"listPatrons"`,
		`"PatronDataLinks":{`)
	event := must.Get(w.Event(t.Context(), id))(t)
	shows(t, "the Go API", string(event.JSON), `"motto":"Late"`, all[1], `"level":"silver"`)

	var names []string
	for _, k := range registry.Of(w.Calendar).Events.Resources() {
		names = append(names, k.Collection)
	}
	want := []string{"events", "venues", "organizers", "patrons", "categories", "tags"}
	others := func(name string) bool { return !slices.Contains(want, name) } // resources of an exercise
	if got := slices.DeleteFunc(slices.Clone(names), others); !slices.Equal(got, want) {
		t.Errorf("kinds %q, want %q", names, want)
	}
}
