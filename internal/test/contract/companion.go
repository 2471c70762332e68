package contract

import (
	"bytes"
	"database/sql"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// namedForCompanion executes all kinds of writes on a site with the table of the companion plugin and that of Yoast SEO
// (D94). The row for each write must name what a comparison of all rows finds, no row for it may remain in Yoast's
// table, and the terms whose counts changed must be those in Change.Terms.
func namedForCompanion(t *testing.T, e Engine) {
	b := newBench(t, e)
	must.Succeed(t, schema.InstallCompanion(t.Context(), b.DB, b.prefix))
	b.Exec("CREATE TABLE ?(prefix)yoast_indexable (object_id INTEGER, object_type VARCHAR(32))")
	f := &faults{b, faultBench(b)}
	last := b.newest()
	for _, w := range writeCases {
		b.Exec("DELETE FROM ?(prefix)yoast_indexable")
		b.Exec("INSERT INTO ?(prefix)yoast_indexable SELECT ID, 'post' FROM ?(prefix)posts")
		b.hook.terms = nil
		before := b.keyedRows()
		f.done(w, f.send(t.Context(), w))
		f.settle()
		terms := b.hook.terms
		after, rows := b.keyedRows(), b.companionRows(last)
		if len(rows) != 1 {
			t.Fatalf("%s: %d rows", w.name, len(rows))
		}
		last = rows[0].Number
		named := namesOf(rows[0])
		for key, was := range before {
			if after[key] == was {
				delete(after, key)
			} else if _, still := after[key]; !still {
				after[key] = "gone"
			}
		}
		var left []int64
		must.Succeed(t, b.DB.NewRaw("SELECT object_id FROM ?(prefix)yoast_indexable").Scan(t.Context(), &left))
		for key := range after {
			if !named[key] {
				t.Errorf("%s: %s changed, and the row names %v", w.name, key, named)
			}
			if id, isPost := strings.CutPrefix(key, "post "); isPost && slices.ContainsFunc(left,
				func(l int64) bool { return itoa(l) == id }) {
				t.Errorf("%s: Yoast's row of %s is left", w.name, key)
			}
			term, isTerm := strings.CutPrefix(key, "term ")
			known := before[key] != "" && strings.HasPrefix(w.path, "/events")
			if isTerm && known && !slices.ContainsFunc(terms, func(id int64) bool { return itoa(id) == term }) {
				t.Errorf("%s: %s changed, and the changes name %v", w.name, key, terms)
			}
		}
	}
	b.Exec("DROP TABLE ?(prefix)agenda_told")
	b.Exec("DROP TABLE ?(prefix)yoast_indexable")
	b.admin("POST", "/tags", `{"name":"No table any more"}`, 201)
	if _, err := b.DB.NewRaw("SELECT 1 FROM ?(prefix)agenda_told").Exec(t.Context()); err == nil {
		t.Error("a write has made the table")
	}
}

func (b *bench) newest() (number int64) {
	b.site.T.Helper()
	must.Succeed(b.site.T, b.DB.NewRaw("SELECT MAX(number) FROM ?(prefix)agenda_told").Scan(b.site.T.Context(), &number))
	return number
}

func (b *bench) companionRows(after int64) (rows []*schema.CompanionRow) {
	b.site.T.Helper()
	must.Succeed(b.site.T, b.DB.NewSelect().Model(&rows).Where("number > ?", after).Scan(b.site.T.Context()))
	return rows
}

// namesOf returns what a row names, in the form of the keys of keyedRows.
func namesOf(r *schema.CompanionRow) map[string]bool {
	named := map[string]bool{}
	for kind, list := range map[string]string{"post": r.Posts, "term": r.Terms, "user": r.Users, "option": r.Options} {
		for element := range strings.SplitSeq(list, ",") {
			if kind == "term" {
				element = element[strings.LastIndex(element, ":")+1:]
			}
			named[kind+" "+element] = true
		}
	}
	return named
}

// keyedRows returns the rows that WordPress caches, by the key under which it caches them: "post 12". Revisions are
// left out.
func (b *bench) keyedRows() map[string]string {
	b.site.T.Helper()
	found := map[string]string{}
	for _, q := range []string{
		"SELECT 'post' AS kind, p.ID AS id, p.* FROM ?(prefix)posts AS p WHERE post_type <> 'revision'",
		"SELECT 'post' AS kind, m.post_id AS id, m.* FROM ?(prefix)postmeta AS m",
		"SELECT 'post' AS kind, r.object_id AS id, r.* FROM ?(prefix)term_relationships AS r ORDER BY term_taxonomy_id",
		"SELECT 'term' AS kind, t.term_id AS id, t.* FROM ?(prefix)terms AS t",
		"SELECT 'term' AS kind, t.term_id AS id, t.* FROM ?(prefix)term_taxonomy AS t",
		"SELECT 'option' AS kind, o.option_name AS id, o.* FROM ?(prefix)options AS o",
		"SELECT 'user' AS kind, m.user_id AS id, m.* FROM " + schema.DefaultPrefix + "usermeta AS m",
	} {
		b.eachRow(strings.ReplaceAll(q, "?(prefix)", b.prefix), func(kind, id, row string) { found[kind+" "+id] += row + "\n" })
	}
	return found
}

// eachRow calls fn with the first two columns of each row of a query, and with all columns.
func (b *bench) eachRow(query string, fn func(kind, id, row string)) {
	rows := must.Get(b.DB.DB.QueryContext(b.site.T.Context(), query))(b.site.T)
	defer rows.Close()
	columns := must.Get(rows.Columns())(b.site.T)
	cells, into := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		must.Succeed(b.site.T, rows.Scan(into...))
		fn(string(cells[0]), string(cells[1]), string(bytes.Join(asBytes(cells), []byte("|"))))
	}
	must.Succeed(b.site.T, rows.Err())
}

func asBytes(cells []sql.RawBytes) (list [][]byte) {
	for _, c := range cells {
		list = append(list, c)
	}
	return list
}
