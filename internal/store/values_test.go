package store

import (
	"slices"
	"testing"
	"time"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// newStore returns a store of a site with the usual names.
func newStore(db *bun.DB) *Store {
	names := schema.DefaultNames()
	s := New(db, names, true, time.Now)
	s.Link(map[string]string{names.Venue: schema.MetaVenueID, names.Organizer: schema.MetaOrganizerID})
	return s
}

// recorded returns a store on a fresh copy of the recorded site, and its
// database.
func recorded(t *testing.T, opts ...testdb.Option) (*Store, *bun.DB) {
	t.Helper()
	db, err := schema.Bind(testdb.SiteA(t, opts...), "wp_")
	if err != nil {
		t.Fatal(err)
	}
	return newStore(db), db
}

func execute(t *testing.T, db *bun.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.NewRaw(query, args...).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// anyone sees what is published.
var anyone = Visible{Statuses: []string{"publish"}}

func TestContains(t *testing.T) {
	for s, want := range map[string]string{"jazz": "%jazz%", "": "%%", "100%": "%100|%%", "a_b": "%a|_b%", "a|b": "%a||b%",
		`a\b'`: `%a\b'%`, "|%_": "%|||%|_%"} {
		if got := Contains(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestTermsByInclude(t *testing.T) {
	s, _ := recorded(t)
	for _, descending := range []bool{false, true} {
		f := &TermFilter{Taxonomy: "post_tag", Include: []int64{20, 17, 25}, Order: termsByInclude, Descending: descending}
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
	if n, err := s.LinkedCount(t.Context(), &LinkedFilter{Type: "tribe_venue", Visible: anyone, IDs: &none}); err != nil || n != 0 {
		t.Errorf("venues: %d %v", n, err)
	}
	found, err := s.Content(t.Context(), ContentQuery{Keys: []string{"x"}, Taxonomies: []string{"post_tag"}})
	if err != nil || len(found.Posts)+len(found.Meta)+len(found.Terms) != 0 {
		t.Errorf("posts: %v %v", found, err)
	}
	if rows, err := s.TermsMatching(t.Context(), "post_tag", nil, nil, nil); err != nil || len(rows) != 0 {
		t.Errorf("terms: %v %v", rows, err)
	}
}
