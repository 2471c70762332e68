package registry_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// termFields returns the fields of categories and tags.
func termFields() []calendar.Field {
	return slices.DeleteFunc(contract.HostFields(), func(f calendar.Field) bool { return f.Kind == "events" || f.Kind == "venues" })
}

// rank executes a statement that changes the rows of ranks.
func (w town) rank(t *testing.T, statement string, term int64) {
	t.Helper()
	must.Get(w.db.NewRaw(statement, term).Exec(t.Context()))(t)
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
	w.rank(t, "INSERT INTO wp_termmeta (meta_key, meta_value, term_id) VALUES ('_host_rank', '4', ?)", top)
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
	w.rank(t, "DELETE FROM wp_termmeta WHERE meta_key = '_host_rank' AND term_id = ?", top)
	export := func(from town) string {
		var out strings.Builder
		e := &exchange.Exporter{Calendar: from.Calendar, Principal: w.admin, Format: exchange.FormatJSON}
		must.Get(e.Export(t.Context(), &out))(t)
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
