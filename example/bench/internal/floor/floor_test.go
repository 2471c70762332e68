package floor

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

func TestTextsAreJSON(t *testing.T) {
	for _, text := range []string{"", "plain", `"quoted"`, `back\slash`, "two\nlines\r\tand \x00\x1f\x7f", "é–😀", `\"`} {
		var got string
		b := append(appendText([]byte{'"'}, []byte(text)), '"')
		if err := json.Unmarshal(b, &got); err != nil || got != text {
			t.Errorf("%q: %s, %v", text, b, err)
		}
	}
}

func TestIDsOfTexts(t *testing.T) {
	var ids []int64
	for _, text := range []string{"7", "", "0", "12 and more", "x", "7", "9"} {
		ids = appendID(ids, []byte(text))
	}
	if !slices.Equal(ids, []int64{7, 12, 9}) {
		t.Errorf("%v", ids)
	}
}

// crowd returns a site on which many events begin at the same few times.
func crowd(t *testing.T, n int) (*Floor, []int64) {
	t.Helper()
	db, err := embedded.Open(t.Context(), embedded.Memory)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := schema.Install(t.Context(), db, "wp_"); err != nil {
		t.Fatal(err)
	}
	bound, err := schema.Bind(db, "wp_")
	if err != nil {
		t.Fatal(err)
	}
	var rows []*schema.Post
	var dates []*schema.Occurrence
	for i := range n {
		id := int64(i + 1)
		p := &schema.Post{ID: id, Type: "tribe_events", Status: "publish", Date: fmt.Sprintf("2026-01-%02d 10:00:00", 1+i*7%19)}
		if i%10 == 3 {
			p.Status = "draft"
		}
		start := fmt.Sprintf("2027-01-%02d 20:00:00", 1+(i/130+i%3)%5)
		rows = append(rows, p)
		dates = append(dates, &schema.Occurrence{ID: id, EventID: id, PostID: id, StartDate: start, EndDate: start, StartDateUTC: start,
			EndDateUTC: start, Hash: fmt.Sprint(id)})
	}
	meta := []*schema.PostMeta{{ID: 1, PostID: 5, Key: schema.MetaHideFromUpcoming, Value: "yes"},
		{ID: 2, PostID: 7, Key: schema.MetaFeatured, Value: "1"}}
	for _, model := range []any{&rows, &dates, &meta} {
		if _, err := bound.NewInsert().Model(model).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	order := make([]int, 0, n)
	for i := range n {
		if rows[i].Status == "publish" && rows[i].ID != 5 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(dates[a].StartDate, dates[b].StartDate), cmp.Compare(rows[a].Date, rows[b].Date), cmp.Compare(a, b))
	})
	var ids []int64
	for _, i := range order {
		ids = append(ids, rows[i].ID)
	}
	return New(db.DB, Site{Prefix: "wp_", SQLite: true}), ids
}

type list struct {
	IDs   []int64
	Total int
	Posts [][]string
}

func ask(t *testing.T, f *Floor, path string, status int) (l list) {
	t.Helper()
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), http.MethodGet, path, nil))
	if w.Code != status {
		t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	if status == http.StatusOK {
		if err := json.Unmarshal(w.Body.Bytes(), &l); err != nil {
			t.Fatalf("%s: %v in %s", path, err, w.Body)
		}
	}
	return l
}

// Pages are in the order of the whole list, however many events begin at the
// same time, near the beginning and far from it.
func TestPagesAreInOrder(t *testing.T) {
	f, all := crowd(t, 700)
	for offset := 0; offset < len(all)+20; offset += 10 {
		l := ask(t, f, fmt.Sprintf("%s?start=2027-01-01&end=2028-01-01&limit=10&offset=%d", Events, offset), http.StatusOK)
		want := all[min(offset, len(all)):min(offset+10, len(all))]
		if !slices.Equal(l.IDs, want) || l.Total != len(all) || len(l.Posts) != len(want) {
			t.Fatalf("from %d: %v of %d with %d posts, want %v of %d", offset, l.IDs, l.Total, len(l.Posts), want, len(all))
		}
	}
}

func TestTotalIsKept(t *testing.T) {
	f, _ := crowd(t, 40)
	path := Events + "?start=2027-01-01&end=2028-01-01&limit=10&offset=0"
	ask(t, f, path, http.StatusOK)
	first := f.Statements()
	ask(t, f, path, http.StatusOK)
	if again := f.Statements() - first; again != first-1 {
		t.Errorf("%d statements, then %d", first, again)
	}
}

func TestWhatIsNotThere(t *testing.T) {
	f, _ := crowd(t, 10)
	for _, path := range []string{"/nowhere", Event + "?id=999", Event + "?id=x", Event + "?slug=nothing", Events,
		Events + "?limit=10&offset=0&terms=1)", Venues, Categories + "?limit=x"} {
		ask(t, f, path, http.StatusInternalServerError)
	}
	if l := ask(t, f, Event+"?id=7", http.StatusOK); !slices.Equal(l.IDs, []int64{7}) || len(l.Posts) != 1 || len(l.Posts[0]) != 17 {
		t.Errorf("%+v", l)
	}
	ask(t, f, NotChanged+"?id=7", http.StatusNotModified)
}
