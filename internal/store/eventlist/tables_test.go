package eventlist

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// recorded returns the list of a new copy of the recorded site, and its database.
func recorded(t *testing.T, opts ...testdb.Option) (*List, *bun.DB) {
	t.Helper()
	db := must.Get(schema.Bind(testdb.SiteA(t, opts...), "wp_"))(t)
	return listOf(t, db, true), db
}

// listOf returns a list before any probe.
func listOf(t testing.TB, db *bun.DB, occurrences bool, changes ...func(*store.Config)) *List {
	t.Helper()
	names := schema.DefaultNames()
	c := store.Config{
		DB: db, Names: names, Links: map[string]string{names.Venue: schema.MetaVenueID, names.Organizer: schema.MetaOrganizerID},
		Occurrences: occurrences,
	}
	for _, change := range changes {
		change(&c)
	}
	s := must.Get(store.New(t.Context(), c))(t)
	return New(s)
}

func searched(c *store.Config) { c.SearchIndex = true }

func translated(form store.Form) func(*store.Config) {
	return func(c *store.Config) { c.Translations = form }
}

// byWords returns a list that searches with the FULLTEXT index.
func byWords(t testing.TB, db *bun.DB, occurrences bool) *List {
	t.Helper()
	return listOf(t, db, occurrences, searched)
}

// tidied returns the list of the recorded site without its irregular rows.
func tidied(t *testing.T) (*List, *bun.DB) {
	t.Helper()
	_, db := recorded(t)
	execute(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id NOT IN (SELECT ID FROM wp_posts WHERE post_type = 'tribe_events')")
	execute(t, db, "ALTER TABLE wp_postmeta ADD KEY agenda_value (meta_key(40), meta_value(20), post_id)")
	l := probed(t, db)
	all := store.Invariants{Occurrences: true, Dates: true, Clocks: true, Links: true, LinkIndex: true}
	if found := l.store.Probe.Invariants(still(t)); found != all {
		t.Fatalf("%+v", found)
	}
	return l, db
}

// probed returns a list that has probed the invariants.
func probed(t testing.TB, db *bun.DB, changes ...func(*store.Config)) *List {
	t.Helper()
	l := listOf(t, db, true, changes...)
	l.store.Probe.Start(change.With(context.Background(), change.Still(0)))
	l.store.Probe.Wait()
	return l
}

// still returns the context of a request to a database in which nothing changes.
func still(t testing.TB) context.Context { return change.With(t.Context(), change.Still(0)) }

func execute(t *testing.T, db *bun.DB, query string, args ...any) {
	t.Helper()
	must.Get(db.NewRaw(query, args...).Exec(t.Context()))(t)
}

// addOccurrence adds an occurrence to an event.
func addOccurrence(t *testing.T, db *bun.DB, post int64, start, end string) {
	t.Helper()
	execute(t, db, "INSERT INTO wp_tec_occurrences "+
		"(event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash) "+
		"VALUES (1, ?, ?, ?, ?, ?, 3600, ?)", post, start, start, end, end, fmt.Sprint(post, start))
}

// anyone sees published events.
var anyone = store.Visible{Statuses: []string{"publish"}}

// scans reports whether a page is read by a scan.
func (l *List) scans(f *Filter) bool {
	_, ok := l.scan(f)
	return ok && f.inOrderOfStarts()
}

// ids returns the ids of a page.
func (q *Query) ids(ctx context.Context, limit, offset int64) (ids []int64, err error) {
	page, err := q.Page(ctx, limit, offset)
	for _, item := range page {
		ids = append(ids, item.ID)
	}
	return ids, err
}

// asking returns a filter with conditions.
func asking(c ...Condition) Filter { return Filter{Conditions: c} }

func venues(ids ...int64) Linking { return LinkingTo(schema.MetaVenueID, ids, len(ids)%2 == 0) }

func organizers(ids ...int64) Linking { return LinkingTo(schema.MetaOrganizerID, ids, len(ids)%2 == 1) }

func notAt(c Linking) NotLinking { return NotLinking{c.Key, c.IDs, len(c.IDs)%2 == 0} }

// whileWritten returns a context in which a table has just been written.
func whileWritten(t testing.TB, table string) context.Context {
	return change.With(t.Context(), change.Still(1<<slices.Index(store.Watched(""), table)))
}
