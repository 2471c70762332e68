package store

import (
	"slices"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/testdb"
	"github.com/agendahq/agenda/schema"
)

// recorded returns a store on a fresh copy of the recorded site, and its
// database.
func recorded(t *testing.T, opts ...testdb.Option) (*Store, *bun.DB) {
	t.Helper()
	db, err := schema.Bind(testdb.SiteA(t, opts...), "wp_")
	if err != nil {
		t.Fatal(err)
	}
	return New(db, schema.DefaultNames(), true, time.Now), db
}

func change(t *testing.T, db *bun.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.NewRaw(query, args...).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// anyone sees what is published.
var anyone = Visible{Statuses: []string{"publish"}}

func TestStorable(t *testing.T) {
	for date, want := range map[string]string{
		"2026-11-21 05:24:00": "2026-11-21 05:24:00", "0001-01-01 00:00:00": "0001-01-01 00:00:00", "9999-12-31 23:59:59": "9999-12-31 23:59:59",
		"0000-00-00 00:00:00": "0001-01-01 00:00:00", "-0001-11-30 00:00:00": "0001-01-01 00:00:00", "10000-01-01 00:00:00": "9999-12-31 23:59:59", "123456-01-01 00:00:00": "9999-12-31 23:59:59",
	} {
		if got := storable(date); got != want {
			t.Errorf("%s: %s, want %s", date, got, want)
		}
	}
}

func TestOperator(t *testing.T) {
	for op, want := range map[string]string{">=": ">=", "<=": "<=", ">": ">", "<": "<", "": "=", "; DROP": "=", "<>": "="} {
		if got := operator(op); got != want {
			t.Errorf("%q: %q", op, got)
		}
	}
}

func TestContains(t *testing.T) {
	for s, want := range map[string]string{"jazz": "%jazz%", "": "%%", "100%": "%100|%%", "a_b": "%a|_b%", "a|b": "%a||b%", `a\b'`: `%a\b'%`, "|%_": "%|||%|_%"} {
		if got := contains(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// A search finds the text itself, whatever it means to LIKE or in a literal.
func TestSearchIsLiteral(t *testing.T) {
	for _, mode := range []string{"", testdb.MySQL8, "ANSI"} {
		s, db := recorded(t, testdb.WithSQLMode(mode))
		titles := map[int64]string{
			25: "half 50% off", 26: "half 50 off", 27: "snake_case", 28: "snakeXcase", 30: `back\slash`, 31: `pipe|line`, 32: `it's "quoted"`, 33: "question? mark", 39: "née Zoë", 37: "🎷 solo", 38: "pipe||line",
		}
		for id, title := range titles {
			change(t, db, "UPDATE wp_posts SET post_title = ?, post_content = '', post_excerpt = '' WHERE ID = ?", title, id)
		}
		for text, want := range map[string][]int64{
			"50% off": {25}, "e_c": {27}, `k\s`: {30}, `e|l`: {31}, `|`: {31, 38}, `||`: {38}, `t's "q`: {32}, "n? m": {33}, "nee zoe": {39}, "NÉE": {39}, "🎷": {37}, "half%off": nil, "snake.case": nil, `\\`: nil, "'": {32},
		} {
			got, err := s.EventPage(t.Context(), &EventFilter{Visible: anyone, Conditions: []Condition{s.Searching([]Term{{Text: text}})}, Order: ByID}, 200, 0)
			got = slices.DeleteFunc(got, func(id int64) bool { return titles[id] == "" })
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%q in mode %q: %v %v, want %v", text, mode, got, err, want)
			}
		}
	}
}

func TestTermsByInclude(t *testing.T) {
	s, _ := recorded(t)
	for _, descending := range []bool{false, true} {
		f := &TermFilter{Taxonomy: "post_tag", Include: []int64{20, 17, 25}, Order: TermsByInclude, Descending: descending}
		terms, err := s.TermPage(t.Context(), f, 10, 0)
		var got []int64
		for _, x := range terms {
			got = append(got, x.ID)
		}
		want := []int64{20, 17, 25}
		if descending {
			slices.Reverse(want)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v %v, want %v", got, err, want)
		}
	}
}

func TestEmptyListsMatchNothing(t *testing.T) {
	s, _ := recorded(t)
	none := []int64{}
	for name, f := range map[string]EventFilter{
		"include": asking(Among{}), "organizers": asking(organizers()), "venues": asking(venues()), "terms": asking(Assigned{Terms: none}), "states": {Visible: Visible{}},
	} {
		if name != "states" {
			f.Visible = anyone
		}
		ids, err := s.EventPage(t.Context(), &f, 10, 0)
		n, errCount := s.EventCount(t.Context(), &f)
		if err != nil || errCount != nil || len(ids) != 0 || n != 0 {
			t.Errorf("%s: %v %d, %v %v", name, ids, n, err, errCount)
		}
	}
	if n, err := s.LinkedCount(t.Context(), &LinkedFilter{Type: "tribe_venue", Visible: anyone, IDs: &none}); err != nil || n != 0 {
		t.Errorf("venues: %d %v", n, err)
	}
	if n, err := s.EventCount(t.Context(), &EventFilter{Visible: anyone, Conditions: []Condition{NotLinking(venues())}}); err != nil || n == 0 {
		t.Errorf("none of no venues: %d %v", n, err)
	}
	found, err := s.Content(t.Context(), Ask{Keys: []string{"x"}, Taxonomies: []string{"post_tag"}})
	if err != nil || len(found.Posts)+len(found.Meta)+len(found.Terms) != 0 {
		t.Errorf("posts: %v %v", found, err)
	}
	if rows, err := s.TermsMatching(t.Context(), "post_tag", nil, nil, nil); err != nil || len(rows) != 0 {
		t.Errorf("terms: %v %v", rows, err)
	}
}

func TestPing(t *testing.T) {
	s, db := recorded(t)
	if err := s.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	db.Close()
	if s.Ping(t.Context()) == nil {
		t.Error("a closed database answers")
	}
}
