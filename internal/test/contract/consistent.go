package contract

import (
	"fmt"
	"slices"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// stored contains the rows of a site that must agree with each other.
type stored struct {
	posts   map[int64]*schema.Post
	metas   map[int64]map[string][]string
	taxa    []*schema.TermTaxonomy
	terms   map[int64]*schema.Term
	related []*schema.TermRelationship
	dates   map[int64][]string // rows of events, by post
	held    map[int64][]string // rows of occurrences, by post
	options map[string]string
}

// consistent checks that the rows of a site agree with each other.
func (s *site) consistent() {
	s.T.Helper()
	for _, line := range disagreements(s.T, s.DB) {
		s.T.Error(line)
	}
}

// disagreements returns the inconsistencies among the rows of a site.
func disagreements(t testing.TB, db *bun.DB) []string {
	t.Helper()
	d := load(t, db)
	return slices.Concat(d.orphans(), d.slugs(), d.counts(), d.schedules(), d.edges(), d.links(), d.trees())
}

// query returns the rows of a query as strings.
func query(t testing.TB, db *bun.DB, text string, columns int) (list [][]string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	for rows.Next() {
		line, into := make([]string, columns), make([]any, columns)
		for i := range line {
			into[i] = &line[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		list = append(list, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

func load(t testing.TB, db *bun.DB) *stored {
	t.Helper()
	d := &stored{
		posts: map[int64]*schema.Post{}, metas: map[int64]map[string][]string{}, terms: map[int64]*schema.Term{},
		dates: map[int64][]string{}, held: map[int64][]string{}, options: map[string]string{},
	}
	all := func(rows any, columns ...string) {
		if err := db.NewSelect().Model(rows).Column(columns...).Scan(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var posts []*schema.Post
	all(&posts, "ID", "post_type", "post_status", "post_name", "post_parent")
	for _, p := range posts {
		d.posts[p.ID], d.metas[p.ID] = p, map[string][]string{}
	}
	var metas []*schema.PostMeta
	if err := db.NewSelect().Model(&metas).Order("meta_id").Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, m := range metas {
		if d.metas[m.PostID] == nil {
			d.metas[m.PostID] = map[string][]string{}
		}
		d.metas[m.PostID][m.Key] = append(d.metas[m.PostID][m.Key], m.Value)
	}
	all(&d.taxa)
	all(&d.related)
	var terms []*schema.Term
	all(&terms)
	for _, term := range terms {
		d.terms[term.ID] = term
	}
	var options []*schema.Option
	all(&options)
	for _, o := range options {
		d.options[o.Name] = o.Value
	}
	const dates = "start_date, end_date, start_date_utc, end_date_utc, duration"
	for _, r := range query(t, db, "SELECT post_id, "+dates+", timezone FROM ?(prefix)tec_events", 7) {
		d.dates[number(r[0])] = append(d.dates[number(r[0])], fmt.Sprint(r[1:6]), r[6])
	}
	for _, r := range query(t, db, "SELECT oc.post_id, CAST(oc.start_date AS CHAR), CAST(oc.end_date AS CHAR), "+
		"CAST(oc.start_date_utc AS CHAR), CAST(oc.end_date_utc AS CHAR), oc.duration, oc.hash, te.post_id "+
		"FROM ?(prefix)tec_occurrences AS oc JOIN ?(prefix)tec_events AS te ON te.event_id = oc.event_id", 8) {
		d.held[number(r[0])] = append(d.held[number(r[0])], fmt.Sprint(r[1:6]), r[6], r[7])
	}
	return d
}

func number(text string) (n int64) {
	_, _ = fmt.Sscan(text, &n)
	return n
}
