package store

import (
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// newStore returns a store of a site with the usual names.
func newStore(t testing.TB, db *bun.DB, changes ...func(*Config)) *Store {
	t.Helper()
	s, err := New(t.Context(), usual(db, changes...))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// usual is the Config of a site with the usual names.
func usual(db *bun.DB, changes ...func(*Config)) Config {
	names := schema.DefaultNames()
	c := Config{
		DB: db, Names: names, Links: map[string]string{names.Venue: schema.MetaVenueID, names.Organizer: schema.MetaOrganizerID},
		Occurrences: true,
	}
	for _, change := range changes {
		change(&c)
	}
	return c
}

func limited(c *Config) { c.LimitReads = true }

func watching(c *Config) {
	c.LimitReads, c.Watch = true, &Watch{Options: []string{"home"}, Settle: time.Second, MaxAge: time.Hour}
}

func silent(c *Config) { c.Logger = slog.New(slog.DiscardHandler) }

// recorded returns a store on a fresh copy of the recorded site, and its
// database.
func recorded(t *testing.T, opts ...testdb.Option) (*Store, *bun.DB) {
	t.Helper()
	db, err := schema.Bind(testdb.SiteA(t, opts...), "wp_")
	if err != nil {
		t.Fatal(err)
	}
	return newStore(t, db), db
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
		terms, err := s.Terms.Page(t.Context(), f, 10, 0)
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
	if n, err := s.Links.Count(t.Context(), &LinkedFilter{Type: "tribe_venue", Visible: anyone, IDs: &none}); err != nil || n != 0 {
		t.Errorf("venues: %d %v", n, err)
	}
	found, err := s.Posts.Content(t.Context(), ContentQuery{Keys: []string{"x"}, Taxonomies: []string{"post_tag"}})
	if err != nil || len(found.Posts)+len(found.Meta)+len(found.Terms) != 0 {
		t.Errorf("posts: %v %v", found, err)
	}
	if rows, err := s.Terms.Matching(t.Context(), "post_tag", nil, nil, nil); err != nil || len(rows) != 0 {
		t.Errorf("terms: %v %v", rows, err)
	}
}

func TestIDsIn(t *testing.T) {
	for value, want := range map[string][]int64{
		"12": {12}, "10abc": {10}, "": {0}, "abc": {0}, " 7": {7}, "-5": {-5}, "1.9": {1}, "99999999999999999999": {1<<63 - 1},
		"i:7;": {7}, "a:0:{}": nil,
		`a:2:{i:0;i:3;i:1;s:1:"4";}`:    {3, 4},
		`a:2:{s:1:"x";d:5.9;i:7;b:1;}`:  {5, 1},
		`a:1:{i:0;N;}`:                  {0},
		`a:1:{i:0;i:3;`:                 nil,
		`a:1:{i:0;i:3;}x`:               nil,
		`a:999999999:{i:0;i:3;}`:        nil,
		`a:1:{i:0;O:8:"stdClass":0:{}}`: nil,
		`O:8:"stdClass":0:{}`:           {0},
		`a:1:{i:0;s:99:"4";}`:           nil,
		`a:-1:{}`:                       nil,
		`a:`:                            nil,
		`a:1:{i:0;s:24:"1 OR 1=1; DROP TABLE x; ";}`: {1},
	} {
		if got := idsIn(value); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

func FuzzIDsIn(f *testing.F) {
	for _, s := range []string{"", "12", "a:1:{i:0;i:3;}", "a:2:{i:0;a:1:{i:0;i:1;}i:1;b:0;}", "a:9999999:{"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if ids := idsIn(s); len(ids) > len(s)+1 {
			t.Errorf("%q: %d ids", s, len(ids))
		}
	})
}

func TestIDs(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   []int64
	}{
		{nil, nil},
		{[]string{"12", "", "0", "10abc", "abc", "-5", " 7", "12"}, []int64{12, 10, 7, 12}},
		{[]string{"a:2:{i:0;i:3;i:1;s:1:\"4\";}", "5"}, []int64{3, 4, 5}},
		{[]string{"a:9:{broken", "6"}, []int64{6}},
		{[]string{"99999999999999999999"}, []int64{1<<63 - 1}},
	} {
		if got := LinkedIDs(c.values); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.values, got, c.want)
		}
	}
}
