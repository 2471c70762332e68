package store

import (
	"log/slog"
	"testing"
	"time"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// newStore returns a store of a site with the default names.
func newStore(t testing.TB, db *bun.DB, changes ...func(*Config)) *Store {
	t.Helper()
	return must.Get(New(t.Context(), usual(db, changes...)))(t)
}

// usual returns the Config of a site with the default names.
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

// recorded returns a store on a new copy of the recorded site, and its database.
func recorded(t *testing.T, opts ...testdb.Option) (*Store, *bun.DB) {
	t.Helper()
	db := must.Get(schema.Bind(testdb.SiteA(t, opts...), "wp_"))(t)
	return newStore(t, db), db
}

func execute(t *testing.T, db *bun.DB, query string, args ...any) {
	t.Helper()
	must.Get(db.NewRaw(query, args...).Exec(t.Context()))(t)
}

// anyone sees published posts.
var anyone = Visible{Statuses: []string{"publish"}}

func TestContains(t *testing.T) {
	for s, want := range map[string]string{"jazz": "%jazz%", "": "%%", "100%": "%100|%%", "a_b": "%a|_b%", "a|b": "%a||b%",
		`a\b'`: `%a\b'%`, "|%_": "%|||%|_%"} {
		if got := Contains(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
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
