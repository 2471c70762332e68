package fill

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

const prefix = "big_"

// now returns the time at which the tests fill: late in the evening, when the site has another date than UTC.
func now() time.Time { return time.Date(2026, 11, 21, 23, 30, 0, 0, time.UTC) }

// small returns options for transactions of 20 events.
func small(events int64) Options {
	return Options{Prefix: prefix, Events: events, Seed: 1, Now: now, chunkEvents: 10, chunks: 2}
}

func memory(t *testing.T) *bun.DB { return openedAt(t, embedded.Memory) }

func openDirectory(t *testing.T, dir string) *bun.DB {
	return openedAt(t, filepath.Join(dir, "site.db"))
}

func openedAt(t *testing.T, path string) *bun.DB {
	t.Helper()
	db := must.Get(embedded.Open(t.Context(), path))(t)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// filled returns a new database that was filled without interruption.
func filled(t *testing.T, o Options) *bun.DB {
	t.Helper()
	db := memory(t)
	fillIn(t, db, o)
	return db
}

func fillIn(t *testing.T, db *bun.DB, o Options) Summary {
	t.Helper()
	return must.Get(Run(t.Context(), db, o))(t)
}

// readTable reads the rows of a table, sorted by a column.
func readTable[T any](t *testing.T, db bun.IDB, order string) []T {
	t.Helper()
	var rows []T
	must.Succeed(t, bound(t, db).NewSelect().Model(&rows).OrderExpr(order).Scan(t.Context()))
	return rows
}

func bound(t *testing.T, db bun.IDB) *bun.DB {
	t.Helper()
	return must.Get(schema.Bind(db.(*bun.DB), prefix))(t)
}

// dump writes all rows of a site, ids included, one per line.
func dump(t *testing.T, db *bun.DB) string {
	t.Helper()
	var b strings.Builder
	dumpOf[schema.Post](t, &b, db, "ID")
	dumpOf[schema.PostMeta](t, &b, db, "meta_id")
	dumpOf[schema.Term](t, &b, db, "term_id")
	dumpOf[schema.TermTaxonomy](t, &b, db, "term_taxonomy_id")
	dumpOf[schema.TermRelationship](t, &b, db, "object_id, term_taxonomy_id")
	dumpOf[schema.User](t, &b, db, "ID")
	dumpOf[schema.UserMeta](t, &b, db, "umeta_id")
	dumpOf[schema.EventRow](t, &b, db, "event_id")
	dumpOf[schema.Occurrence](t, &b, db, "occurrence_id")
	dumpOf[schema.Option](t, &b, db, "option_name")
	return b.String()
}

func dumpOf[T any](t *testing.T, b *strings.Builder, db *bun.DB, order string) {
	t.Helper()
	for _, row := range readTable[T](t, db, order) {
		if o, is := any(row).(schema.Option); is {
			o.ID = 0 // depends on the order in which the options of a new site were written
			row = any(o).(T)
		}
		line := must.Get(json.Marshal(row))(t)
		fmt.Fprintf(b, "%T %s\n", row, line)
	}
}

// wantSame fails with the first difference of two dumps.
func wantSame(t *testing.T, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("row %d:\n got %.1500s\nwant %.1500s", i, g[i], w[i])
		}
	}
	t.Fatalf("%d rows, want %d", len(g), len(w))
}

// probe is a hook that is called with every statement before it is sent.
type probe func(query string)

func (p probe) BeforeQuery(ctx context.Context, e *bun.QueryEvent) context.Context {
	p(e.Query)
	return ctx
}

func (probe) AfterQuery(context.Context, *bun.QueryEvent) {}

// newDirectory returns a new directory for an embedded database.
func newDirectory(t *testing.T) string { return filepath.Join(t.TempDir(), "data") }
