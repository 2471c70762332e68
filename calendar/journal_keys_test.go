package calendar

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/store/followstore"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// keyed is a site that contains one post for each meta key that a resource declares, including the keys of the host's
// own fields.
type keyed struct {
	*testing.T
	db    *bun.DB
	c     *Calendar
	posts []string // expected changes, one of each post, such as "changed events 70002"; sorted
	seen  int64
}

// TestJournalFindsEachKey checks that a comparison records a change of each post when the values of any declared key
// change: also if they differ only in case, an accent, a trailing space or the last of 70,000 bytes, or if two values
// are swapped. Writes that leave all rows equal, and rows with keys that are not declared, record nothing.
func TestJournalFindsEachKey(t *testing.T) {
	k := &keyed{T: t, db: testdb.SiteDates(t)}
	must.Succeed(t, schema.InstallJournal(t.Context(), k.db, "wp_"))
	k.c = must.Get(New(t.Context(), Options{DB: k.db, JournalShare: None, Logger: slog.New(slog.DiscardHandler), Fields: []Field{
		{Kind: "events", Name: "dress", Key: "_dress", Type: FieldText, Description: "What to wear."},
		{Kind: "venues", Name: "steps", Key: "Steps", Type: FieldNumber, Description: "How many."},
		{Kind: "organizers", Name: "photo", Key: "_photo", Type: FieldImage, Description: "Of whom."},
	}}))(t)
	t.Cleanup(func() { _ = k.c.Close(context.Background()) })
	k.insert()
	must.Succeed(t, k.c.DeclareJournal(t.Context()))
	must.Get(k.c.ScanJournal(t.Context()))(t)
	const ours = " WHERE meta_id >= 70000"
	for _, value := range []string{"'ABC'", "'äbc'", "'abc '", "NULL", "''", "REPEAT('x', 70000)", "CONCAT(REPEAT('x', 69999), 'y')"} {
		k.changes(k.posts, "UPDATE wp_postmeta SET meta_value = "+value+ours)
	}
	k.changes(k.posts, "UPDATE wp_postmeta SET meta_value = CONCAT(meta_id % 2, 'v')"+ours)
	k.changes(nil, "CREATE TABLE copied AS SELECT * FROM wp_postmeta"+ours, "DELETE FROM wp_postmeta"+ours,
		"INSERT INTO wp_postmeta SELECT * FROM copied ORDER BY meta_id DESC")
	// The two values of each key are swapped.
	k.changes(k.posts, "UPDATE wp_postmeta SET meta_value = CONCAT(1 - meta_id % 2, 'v')"+ours)
	k.changes(nil, "UPDATE wp_postmeta SET meta_value = meta_value"+ours,
		"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT post_id, '_of_others', 'x' FROM copied")
	k.changes(k.posts, "UPDATE wp_postmeta SET meta_key = CONCAT(UPPER(LEFT(meta_key, 9)), '-')"+ours)
	k.changes(k.posts, "REPLACE INTO wp_postmeta SELECT * FROM copied")
	k.changes(k.posts, "UPDATE wp_postmeta SET meta_id = meta_id + 100000"+ours+" ORDER BY meta_id DESC")
	k.changes(k.posts, "DELETE FROM wp_postmeta"+ours)
}

// insert adds a post with two rows of the key for each declared key, and checks that the keys of the host's own fields
// and those of links to venues and organizers are declared.
func (k *keyed) insert() {
	k.Helper()
	comparison := must.Get(k.c.journal.Comparison(k.Context()))(k)
	id := 70000
	for _, kind := range comparison.Kinds {
		for _, key := range kind.Keys {
			if kind.Kind == item.StoredImages().Kind || key == schema.MetaThumbnailID { // only shown images count
				continue
			}
			id += 2
			k.insertOne(kind, key, id)
		}
	}
	for _, key := range []string{"_dress", "Steps", "_photo", schema.MetaVenueID, schema.MetaOrganizerID} {
		if !slices.ContainsFunc(comparison.Kinds, func(s followstore.Stored) bool { return slices.Contains(s.Keys, key) }) {
			k.Errorf("no kind has %s", key)
		}
	}
	slices.Sort(k.posts)
}

func (k *keyed) insertOne(kind followstore.Stored, key string, id int) {
	k.Helper()
	k.run(fmt.Sprintf("INSERT INTO wp_posts (ID, post_title, post_content, post_excerpt, post_status, post_name, post_type, to_ping, "+
		"pinged, post_content_filtered, post_date, post_date_gmt, post_modified, post_modified_gmt) VALUES (%d, 'x', '', '', 'publish', "+
		"'keyed-%d', '%s', '', '', '', '2030-01-01 10:00:00', '2030-01-01 10:00:00', '2030-01-01 10:00:00', '2030-01-01 10:00:00')",
		id, id, kind.Type),
		fmt.Sprintf("INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (%d, %d, '%s', 'abc'), (%d, %d, '%s', 'abd')",
			id, id, key, id+1, id, key))
	k.posts = append(k.posts, fmt.Sprintf("changed %s %d", kind.Kind, id))
}

func (k *keyed) run(statements ...string) {
	k.Helper()
	others := testdb.OfOthers(k.T, k.db)
	for _, s := range statements {
		if _, err := others.DB.ExecContext(k.Context(), s); err != nil {
			k.Fatalf("%s: %v", s, err)
		}
	}
}

// changes executes statements, compares the site with the journal, and checks that exactly the changes in want are
// recorded.
func (k *keyed) changes(want []string, statements ...string) {
	k.Helper()
	k.run(statements...)
	must.Get(k.c.ScanJournal(k.Context()))(k)
	bound := must.Get(schema.Bind(k.db, "wp_"))(k)
	var rows []schema.JournalChange
	must.Succeed(k, bound.NewSelect().Model(&rows).Where("sequence > ?", k.seen).Order("sequence").Scan(k.Context()))
	var got []string
	for _, c := range rows {
		k.seen = c.Sequence
		got = append(got, fmt.Sprintf("%s %s %d", c.Operation, c.Kind, c.ID))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		k.Errorf("%q: %s\nwant %s", statements, strings.Join(got, ", "), strings.Join(want, ", "))
	}
}
