package schema_test

import (
	"strings"
	"testing"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

func bind(t *testing.T, db *bun.DB, prefix string) *bun.DB {
	t.Helper()
	return must.Get(schema.Bind(db, prefix))(t)
}

func TestValidPrefix(t *testing.T) {
	for _, p := range []string{"wp_", "blog7_", "A", "_", "0", strings.Repeat("x", 32)} {
		if !schema.ValidPrefix(p) {
			t.Errorf("%q is refused", p)
		}
	}
	for _, p := range []string{"", "wp-", "wp.", "wp_`", "wp_ ", "wp_\x00", "é_", "?", "a;b", strings.Repeat("x", 33)} {
		if schema.ValidPrefix(p) {
			t.Errorf("%q is accepted", p)
		}
	}
}

func TestBindRefuses(t *testing.T) {
	if _, err := schema.Bind(nil, "wp_"); err == nil {
		t.Error("no database is accepted")
	}
	if _, err := schema.Bind(testdb.New(t), ""); err == nil || !strings.Contains(err.Error(), `""`) {
		t.Errorf("empty prefix: %v", err)
	}
}

func TestTwoSitesOnOnePool(t *testing.T) {
	db := testdb.SiteA(t)
	install(t, db, "blog7_")
	a, b := bind(t, db, "wp_"), bind(t, bind(t, db, "wp_"), "blog7_")
	for _, c := range []struct {
		db    *bun.DB
		posts int
		home  string
	}{{a, 162, "http://site.test"}, {b, 0, "http://localhost:8080"}} {
		posts, err := c.db.NewSelect().Model((*schema.Post)(nil)).Count(t.Context())
		if err != nil || int(posts) != c.posts {
			t.Errorf("%d posts, want %d: %v", posts, c.posts, err)
		}
		home := new(schema.Option)
		err = c.db.NewSelect().Model(home).Where("option_name = ?", schema.OptionHome).Scan(t.Context())
		if err != nil || home.Value != c.home {
			t.Errorf("home %q, want %q: %v", home.Value, c.home, err)
		}
	}
}

// TestModelsFitTheTables checks that every column of every model is read from and written to the tables of a real site,
// which may have columns of plugins.
func TestModelsFitTheTables(t *testing.T) {
	db := bind(t, testdb.SiteA(t), "wp_")
	run(t, db, "INSERT INTO wp_termmeta (term_id, meta_key, meta_value) VALUES (6, 'k', NULL)")
	others := testdb.OfOthers(t, db)
	for _, table := range tableNames {
		run(t, others, "ALTER TABLE ? ADD COLUMN other_program VARCHAR(9) NOT NULL DEFAULT 'x' FIRST", bun.Ident("wp_"+table))
	}
	fits[schema.Post](t, db, func(v *schema.Post) { v.ID = 0 })
	fits[schema.PostMeta](t, db, func(v *schema.PostMeta) { v.ID = 0 })
	fits[schema.Term](t, db, func(v *schema.Term) { v.ID = 0 })
	fits[schema.TermTaxonomy](t, db, func(v *schema.TermTaxonomy) { v.ID, v.Taxonomy = 0, "copy" })
	fits[schema.TermRelationship](t, db, func(v *schema.TermRelationship) { v.ObjectID = 9999 })
	fits[schema.TermMeta](t, db, func(v *schema.TermMeta) { v.ID = 0 })
	fits[schema.User](t, db, func(v *schema.User) { v.ID = 0 })
	fits[schema.UserMeta](t, db, func(v *schema.UserMeta) { v.ID = 0 })
	fits[schema.Option](t, db, func(v *schema.Option) { v.ID, v.Name = 0, "copy" })
	fits[schema.EventRow](t, db, func(v *schema.EventRow) { v.ID, v.PostID, v.UpdatedAt = 0, 9999, "" })
	fits[schema.Occurrence](t, db, func(v *schema.Occurrence) { v.ID, v.Hash, v.UpdatedAt = 0, "copy", "" })
}

func fits[M any](t *testing.T, db *bun.DB, distinct func(*M)) {
	t.Helper()
	rows := []*M{}
	if err := db.NewSelect().Model(&rows).Scan(t.Context()); err != nil || len(rows) == 0 {
		t.Errorf("%T: %d rows, %v", rows, len(rows), err)
		return
	}
	distinct(rows[0])
	if _, err := db.NewInsert().Model(rows[0]).Exec(t.Context()); err != nil {
		t.Errorf("%T: insert: %v", rows[0], err)
	}
	if n, err := db.NewSelect().Model((*M)(nil)).Count(t.Context()); err != nil || int(n) != len(rows)+1 {
		t.Errorf("%T: %d rows after insert, before %d: %v", rows[0], n, len(rows), err)
	}
}
