package schema

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"
)

// Plan is the execution plan of a query.
type Plan struct {
	Query  string `json:"query"` // one of the Query constants
	Steps  []Step `json:"steps"`
	Rows   int64  `json:"rows"`   // estimated number of rows read; 0 on SQLite, which has no estimates
	Then   int64  `json:"then"`   // estimated number of rows read with the missing indexes
	Sorted bool   `json:"sorted"` // all matching rows are sorted or materialized for one page
}

// Step is a row of EXPLAIN.
type Step struct {
	Select string `json:"select,omitempty"` // select_type
	Table  string `json:"table,omitempty"`  // name or alias
	Access string `json:"access,omitempty"` // type: "ALL" is a scan of the table, "index" a scan of an index
	Key    string `json:"key,omitempty"`
	Rows   int64  `json:"rows"`
	Extra  string `json:"extra,omitempty"`
}

// pageOf is the default page size. joined is the number of rows read for each event on a page: its occurrence, its
// post, and whether it is hidden.
const pageOf, joined = 10, 3

// sample is an event from the middle of the site's range of ids. Its values make typical queries.
type sample struct {
	ID          int64
	Slug, Venue string
	Start       time.Time
}

// askPlans explains the queries, and estimates what the missing indexes would gain.
func askPlans(ctx context.Context, p *examinedDB) ([]Finding, error) {
	s, ok, err := p.sample(ctx)
	if err != nil || !ok {
		return nil, err
	}
	perVenue := max(1, p.published(p.names.Event)/max(1, p.published(p.names.Venue)))
	month := time.Date(s.Start.Year(), s.Start.Month(), 1, 0, 0, 0, 0, time.UTC)
	for _, q := range []struct {
		kind      string
		statement *bun.SelectQuery
		then      int64
	}{
		{QueryDefault, p.between(s.Start, s.Start.AddDate(2, 0, 0)), pageOf * joined},
		{QueryMonth, p.between(month, month.AddDate(0, 1, 0)), pageOf * joined},
		{QuerySlug, p.NewSelect().TableExpr("?(prefix)posts AS p").Column("p.ID").Where("p.post_name = ?", s.Slug).
			Where("p.post_type = ?", p.names.Event), 1},
		{QueryVenue, p.listed(p.NewSelect().Distinct().TableExpr("?(prefix)postmeta AS m").
			Join("JOIN ?(prefix)tec_occurrences AS o ON o.post_id = m.post_id").Column("o.start_date", "o.post_id").
			Where("m.meta_key = ?", MetaVenueID).Where("m.meta_value = ?", s.Venue)), perVenue*2 + pageOf*joined},
	} {
		plan := Plan{Query: q.kind}
		if plan.Steps, err = p.explain(ctx, q.statement); err != nil {
			return nil, err
		}
		plan.weigh()
		plan.Then = plan.Rows
		if p.lacks(q.kind) {
			plan.Then = min(plan.Rows, q.then)
		}
		p.Plans = append(p.Plans, plan)
	}
	return nil, nil
}

func (p *examinedDB) lacks(kind string) bool {
	return slices.ContainsFunc(p.Advice.Missing, func(m MissingIndex) bool { return slices.Contains(m.Queries, kind) })
}

// listed selects the ids of the events on a page for an anonymous caller, from some occurrences.
func (p *examinedDB) listed(occurrences *bun.SelectQuery) *bun.SelectQuery {
	return p.NewSelect().TableExpr("(?) AS o",
		occurrences).OrderExpr("o.start_date").Limit(pageOf).Join("JOIN ?(prefix)posts AS p ON p.ID = o.post_id").
		Column("p.ID").Where("p.post_type = ?", p.names.Event).Where("p.post_status = ?", StatusPublish).
		Where("NOT EXISTS (?)", p.NewSelect().TableExpr("?(prefix)postmeta AS h").ColumnExpr("1").
			Where("h.post_id = p.ID").Where("h.meta_key = ?", MetaHideFromUpcoming))
}

// between selects a page of the events that take place between two times.
func (p *examinedDB) between(start, end time.Time) *bun.SelectQuery {
	return p.listed(p.NewSelect().TableExpr("?(prefix)tec_occurrences AS t").Column("t.start_date", "t.post_id").
		Where("t.start_date >= ?", start.Format(time.DateTime)).Where("t.end_date <= ?", end.Add(-time.Second).Format(time.DateTime)))
}

// sample finds a published event. ok is false if there is none.
func (p *examinedDB) sample(ctx context.Context) (s sample, ok bool, err error) {
	published := func() *bun.SelectQuery { return p.events().Where("p.post_status = ?", StatusPublish) }
	var ends struct{ First, Last int64 }
	err = published().ColumnExpr("COALESCE(MIN(p.ID), 0) AS first, COALESCE(MAX(p.ID), 0) AS last").Scan(ctx, &ends)
	if err != nil || ends.Last == 0 {
		return s, false, err
	}
	var middle Post
	err = published().Column("p.ID", "p.post_name").Where("p.ID >= ?", (ends.First+ends.Last)/2).OrderExpr("p.ID").Limit(1).
		Scan(ctx, &middle)
	if err != nil {
		return s, false, err
	}
	s.ID, s.Slug = middle.ID, middle.Name
	var metas []PostMeta
	err = p.NewSelect().Model(&metas).Where("pm.post_id = ?", s.ID).
		Where("pm.meta_key IN (?)", bun.List([]string{MetaStartDate, MetaVenueID})).Order("pm.meta_id").Scan(ctx)
	s.Start, s.Venue = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), "1"
	for _, m := range metas {
		if start, valid := parseDate(m.Value); m.Key == MetaStartDate && valid {
			s.Start = start
		}
		if m.Key == MetaVenueID && m.Value > "0" {
			s.Venue = m.Value
		}
	}
	return s, true, err
}

func (p *examinedDB) explain(ctx context.Context, q *bun.SelectQuery) (steps []Step, err error) {
	var rows []map[string]any
	if p.Embedded {
		err = p.NewRaw("EXPLAIN QUERY PLAN ?", q).Scan(ctx, &rows)
		for _, row := range rows {
			steps = append(steps, Step{Extra: cell(row, "detail")})
		}
		return steps, err
	}
	err = p.NewRaw("EXPLAIN FORMAT=TRADITIONAL ?", q).Scan(ctx, &rows)
	for _, row := range rows {
		n, _ := strconv.ParseInt(cell(row, "rows"), 10, 64)
		steps = append(steps, Step{
			Select: cell(row, "select_type"), Table: cell(row, "table"), Access: cell(row, "type"), Key: cell(row, "key"),
			Rows: n, Extra: cell(row, "Extra"),
		})
	}
	return steps, err
}

// weigh estimates the number of rows read. Each step of a join is executed for every row of the steps before, a
// dependent subquery for every row of the join, any other subquery once. If the rows need not be sorted, reading stops
// at the end of the page.
func (plan *Plan) weigh() {
	for _, s := range plan.Steps {
		extra := strings.ToLower(s.Extra)
		plan.Sorted = plan.Sorted || strings.Contains(extra, "filesort") || strings.Contains(extra, "temporary") || strings.Contains(extra,
			"temp b-tree for order")
	}
	before, first := int64(1), true
	for _, s := range plan.Steps {
		n := s.Rows
		switch {
		case s.Select == "SIMPLE" || s.Select == "PRIMARY":
			if first && !plan.Sorted && (s.Access == "index" || s.Access == "range") {
				n = min(n, pageOf)
			}
			plan.Rows += limited(before) * limited(n)
			before, first = limited(before)*limited(max(n, 1)), false
		case strings.HasPrefix(s.Select, "DEPENDENT"):
			plan.Rows += limited(before) * limited(n)
		default:
			plan.Rows += limited(n)
		}
		plan.Rows = limited(plan.Rows)
	}
}

// limited keeps products of estimates from overflowing.
func limited(n int64) int64 { return min(n, 1_000_000_000) }
