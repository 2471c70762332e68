package contract

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
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
		must.Succeed(t, rows.Scan(into...))
		list = append(list, line)
	}
	must.Succeed(t, rows.Err())
	return list
}

func load(t testing.TB, db *bun.DB) *stored {
	t.Helper()
	d := &stored{
		posts: map[int64]*schema.Post{}, metas: map[int64]map[string][]string{}, terms: map[int64]*schema.Term{},
		dates: map[int64][]string{}, held: map[int64][]string{}, options: map[string]string{},
	}
	all := func(rows any, columns ...string) {
		must.Succeed(t, db.NewSelect().Model(rows).Column(columns...).Scan(t.Context()))
	}
	var posts []*schema.Post
	all(&posts, "ID", "post_type", "post_status", "post_name", "post_parent")
	for _, p := range posts {
		d.posts[p.ID], d.metas[p.ID] = p, map[string][]string{}
	}
	var metas []*schema.PostMeta
	must.Succeed(t, db.NewSelect().Model(&metas).Order("meta_id").Scan(t.Context()))
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

// orphans checks that no row belongs to a missing post or term.
func (d *stored) orphans() (lines []string) {
	for _, id := range slices.Sorted(maps.Keys(d.metas)) {
		if d.posts[id] == nil {
			lines = append(lines, fmt.Sprintf("metas of post %d, which is gone: %v", id, d.metas[id]))
		}
		for key, values := range d.metas[id] {
			multiple := []string{schema.MetaOrganizerID, schema.MetaCost, schema.MetaOldSlug, schema.MetaOldDate}
			if len(values) > 1 && !slices.Contains(multiple, key) {
				lines = append(lines, fmt.Sprintf("post %d has %s %d times", id, key, len(values)))
			}
		}
	}
	taxa := map[int64]bool{}
	for _, t := range d.taxa {
		taxa[t.ID] = true
		if d.terms[t.TermID] == nil {
			lines = append(lines, fmt.Sprintf("term %d has no name", t.TermID))
		}
	}
	if len(d.terms) != len(d.taxa) {
		lines = append(lines, fmt.Sprintf("%d names of %d terms", len(d.terms), len(d.taxa)))
	}
	for _, r := range d.related {
		if d.posts[r.ObjectID] == nil || !taxa[r.TermTaxonomyID] {
			lines = append(lines, fmt.Sprintf("relation of %d and %d", r.ObjectID, r.TermTaxonomyID))
		}
	}
	for _, p := range d.posts {
		if p.Type == schema.TypeRevision && d.posts[p.Parent] == nil {
			lines = append(lines, fmt.Sprintf("revision of %d, which is gone", p.Parent))
		}
	}
	return lines
}

// slugs checks that no two posts of a type, other than drafts, have the same slug, nor two terms of a taxonomy.
func (d *stored) slugs() (lines []string) {
	seen := map[string]int64{}
	take := func(slug string, id int64) {
		if other, taken := seen[slug]; taken {
			lines = append(lines, fmt.Sprintf("%s is the slug of %d and %d", slug, other, id))
		}
		seen[slug] = id
	}
	for id, p := range d.posts {
		draft := p.Status == schema.StatusDraft || p.Status == schema.StatusPending
		if !draft && p.Type != schema.TypeRevision {
			take(p.Type+" "+p.Name, id)
		}
		if !draft && p.Name == "" {
			lines = append(lines, fmt.Sprintf("%s %d has no slug", p.Type, id))
		}
	}
	for _, t := range d.taxa {
		if term := d.terms[t.TermID]; term != nil {
			take(t.Taxonomy+" "+term.Slug, term.ID)
		}
	}
	return lines
}

// counts checks that the count of a term is the number of published posts with the term.
func (d *stored) counts() (lines []string) {
	counted := map[int64]int64{}
	for _, r := range d.related {
		if p := d.posts[r.ObjectID]; p != nil && p.Status == schema.StatusPublish {
			counted[r.TermTaxonomyID]++
		}
	}
	for _, t := range d.taxa {
		if t.Count != counted[t.ID] {
			lines = append(lines, fmt.Sprintf("term %d counts %d posts, %d have it", t.TermID, t.Count, counted[t.ID]))
		}
	}
	return lines
}

// schedules checks that the tables of events and occurrences agree with the meta rows of each event.
func (d *stored) schedules() (lines []string) {
	for id, p := range d.posts {
		if p.Type != "tribe_events" {
			continue
		}
		meta := map[string]string{}
		for key, values := range d.metas[id] {
			meta[key] = values[0]
		}
		row, ok := schema.DateRow(id, meta, "Europe/Brussels")
		if !ok {
			lines = append(lines, fmt.Sprintf("event %d has no dates: %v", id, meta))
			continue
		}
		times := fmt.Sprint([]any{row.StartDate, row.EndDate, row.StartDateUTC, row.EndDateUTC, row.Duration})
		if want := []string{times, row.Timezone}; !slices.Equal(d.dates[id], want) {
			lines = append(lines, fmt.Sprintf("row of event %d: %q, its metas say %q", id, d.dates[id], want))
		}
		if want := []string{times, schema.OccurrenceHash(row.Occurrence()), itoa(id)}; !slices.Equal(d.held[id], want) {
			lines = append(lines, fmt.Sprintf("occurrence of event %d: %q, its metas say %q", id, d.held[id], want))
		}
	}
	for _, rows := range []map[int64][]string{d.dates, d.held} {
		for id := range rows {
			if d.posts[id] == nil {
				lines = append(lines, fmt.Sprintf("dates of event %d, which is gone", id))
			}
		}
	}
	return lines
}

// edges checks that the stored range of the calendar is that of its published events.
func (d *stored) edges() (lines []string) {
	first, last := "", ""
	for id, p := range d.posts {
		if p.Type != "tribe_events" || p.Status != schema.StatusPublish && p.Status != schema.StatusPrivate {
			continue
		}
		start, end := d.one(id, schema.MetaStartDateUTC), d.one(id, schema.MetaEndDateUTC)
		if first == "" || start < first {
			first = start
		}
		last = max(last, end)
	}
	options, _ := phpval.Unserialize(d.options[schema.OptionCalendar])
	for name, want := range map[string]string{"earliest_date": first, "latest_date": last} {
		got := ""
		if a, ok := options.(*phpval.Array); ok {
			v, _ := a.Get(name)
			got = phpval.Text(v)
		}
		if got != want {
			lines = append(lines, fmt.Sprintf("%s of the calendar is %q, that of its events %q", name, got, want))
		}
	}
	return lines
}

func (d *stored) one(id int64, key string) string {
	if values := d.metas[id][key]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// links checks that the venues and organizers that events link exist.
func (d *stored) links() (lines []string) {
	for id, p := range d.posts {
		for key, kind := range map[string]string{schema.MetaVenueID: "tribe_venue", schema.MetaOrganizerID: "tribe_organizer"} {
			for _, value := range d.metas[id][key] {
				if linked := d.posts[number(value)]; linked == nil || linked.Type != kind {
					lines = append(lines, fmt.Sprintf("%s event %d links the %s %s", p.Status, id, kind, value))
				}
			}
		}
	}
	return lines
}

// trees checks that the parents of categories exist, and that the option with the children of categories matches.
func (d *stored) trees() (lines []string) {
	below := map[int64][]int64{}
	for _, t := range d.taxa {
		if t.Parent == 0 {
			continue
		}
		below[t.Parent] = append(below[t.Parent], t.TermID)
		if !slices.ContainsFunc(d.taxa, func(o *schema.TermTaxonomy) bool { return o.TermID == t.Parent && o.Taxonomy == t.Taxonomy }) {
			lines = append(lines, fmt.Sprintf("term %d stands below %d, which is gone", t.TermID, t.Parent))
		}
	}
	listed := map[int64][]int64{}
	v, _ := phpval.Unserialize(d.options[schema.OptionCategoryChildren])
	if a, ok := v.(*phpval.Array); ok {
		for k, list := range a.All() {
			if ids, ok := list.(*phpval.Array); ok {
				for _, id := range ids.All() {
					listed[number(k.String())] = append(listed[number(k.String())], phpval.Int(id))
				}
			}
		}
	}
	for _, lists := range []map[int64][]int64{below, listed} {
		for _, ids := range lists {
			slices.Sort(ids)
		}
	}
	if !maps.EqualFunc(below, listed, slices.Equal) {
		lines = append(lines, fmt.Sprintf("children are %v, the option lists %v", below, listed))
	}
	return lines
}
