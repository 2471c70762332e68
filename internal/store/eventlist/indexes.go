package eventlist

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
)

// indexes counts and skips occurrences in their index, without reading posts: while each occurrence is the only one of
// an existing event, occurrences are events.
type indexes struct {
	list       *List
	filter     *Filter
	conditions []indexed
}

// indexes returns the strategy for a filter, and whether all of its conditions are indexed.
func (l *List) indexes(f *Filter) (indexes, bool) {
	conditions, ok := as[indexed](f.Conditions)
	return indexes{l, f, conditions}, ok && l.store.DB.Dated()
}

// deep returns the strategy for pages far from the first, and whether it is fast.
func (l *List) deep(f *Filter) (indexes, bool) {
	x, ok := l.indexes(f)
	_, nearly := as[nearlyAll](f.Conditions)
	return x, ok && nearly && f.Language == store.LanguageFilter{}
}

// count counts the events within the bounds without those that are not shown. If some of the tables have just been
// written, as happens to the meta rows all the time, the parts that depend only on other tables are counted separately
// and cached, since they are most of the work.
func (x indexes) count(ctx context.Context) (n int64, err error) {
	parts := append([]*store.Query{x.within(x.alone())}, x.outOfSight()...)
	var terms, still, moving sum
	for i, part := range parts {
		sign := "-"
		if i == 0 {
			sign = "+"
		}
		part = part.ColumnExpr("COUNT(*)")
		terms.addQuery(sign, part)
		if x.list.store.DB.Settled(ctx, part) {
			still.addQuery(sign, part)
		} else {
			moving.addQuery(sign, part)
		}
	}
	if len(still.parts) == 0 || len(moving.parts) == 0 {
		return store.Number(ctx, terms.query(x.list.store.DB))
	}
	if n, err = x.list.store.DB.Total(ctx, still.query(x.list.store.DB)); err != nil {
		return 0, err
	}
	m, err := store.Number(ctx, moving.query(x.list.store.DB))
	return n + m, err
}

// sum adds and subtracts the results of queries.
type sum struct {
	expression string
	parts      []any
}

func (s *sum) addQuery(sign string, q *store.Query) {
	s.expression, s.parts = s.expression+" "+sign+" (?)", append(s.parts, q)
}

func (s *sum) query(db *store.DB) *store.Query {
	return db.Select().ColumnExpr("0"+s.expression, s.parts...)
}

func (x indexes) alone() *store.Query {
	return x.list.store.DB.Select().From(store.TableOccurrences, "o")
}

// outOfSight selects the occurrences within the bounds that a list does not show, each once: those of hidden events, of
// protected ones if the filter omits these, and of those that the caller may not see.
func (x indexes) outOfSight() []*store.Query {
	ofPosts := func() *store.Query {
		return x.within(x.list.store.DB.Select().From(store.TablePosts, "p").Join("JOIN", store.TableOccurrences, "o", "o.post_id = p.ID").
			Where("p.post_type = ?", x.list.event))
	}
	v, hidden := x.filter.Visible, x.list.store.Events.Hidden()
	parts := []*store.Query{v.Where(ofPosts(), "p").Where("p.ID IN (?)", hidden)}
	if x.filter.Unlocked {
		parts = append(parts, v.Where(ofPosts(), "p").Where("p.post_password <> ''").Where("p.ID NOT IN (?)", hidden))
	}
	unseen := ofPosts().Where("p.post_status NOT IN (?)", bun.List(v.Statuses))
	if v.Author != 0 && len(v.OwnStatuses) > 0 {
		unseen = unseen.Where("NOT (p.post_author = ? AND p.post_status IN (?))", v.Author, bun.List(v.OwnStatuses))
	}
	parts = append(parts, unseen)
	if excepted := v.Except; len(excepted) > 0 {
		v.Except = nil
		parts = append(parts, v.Where(ofPosts(), "p").Where("p.ID IN (?)", bun.List(excepted)))
	}
	return parts
}

// within restricts a query to the occurrences that a filter selects, as far as indexes can evaluate it.
func (x indexes) within(q *store.Query) *store.Query {
	q = x.list.startsWithin(x.list.bounded(q, x.filter), x.filter)
	q = x.list.store.Languages.InLanguage(q, x.filter.Language, x.list.event, "o.post_id")
	for _, c := range x.conditions {
		q = c.index(x.list, q)
	}
	return q
}

// startsWithin adds a condition on starts from which an index can begin: regular occurrences that end before a time
// also start before it.
func (l *List) startsWithin(q *store.Query, f *Filter) *store.Query {
	for _, b := range f.Bounds {
		if b.End && (b.Op == "<" || b.Op == "<=") {
			q = q.Where("? <= ?", l.dateColumn(false, b.UTC), storable(b.Value))
		}
	}
	return q
}

// startsNear adds, for each bound in UTC if the order is local or the reverse, a condition on the starts by which the
// list is sorted, if the two differ by at most a day. So an index in that order can be read from there.
func (l *List) startsNear(ctx context.Context, q *store.Query, f *Filter) *store.Query {
	for _, b := range f.Bounds {
		at, err := time.Parse(time.DateTime, storable(b.Value))
		if b.End || b.UTC == f.OrderUTC || err != nil || !l.store.Probe.Invariants(ctx).Clocks {
			continue
		}
		if strings.HasPrefix(b.Op, ">") {
			q = q.Where("? >= ?", l.startColumn(f.OrderUTC), storable(at.AddDate(0, 0, -1).Format(time.DateTime)))
		} else {
			q = q.Where("? <= ?", l.startColumn(f.OrderUTC), storable(at.AddDate(0, 0, 1).Format(time.DateTime)))
		}
	}
	return q
}

// deep is the number of rows before a page from which the indexes are faster.
const deep = 300

// maxLeftOut is the maximum number of events that a deep page excludes by their ids.
const maxLeftOut = 5000

// rows is scan.rows for filters that exclude few events: the rows before the page are skipped in the index of starts
// alone.
func (x indexes) rows(ctx context.Context, limit, offset int64) (rows []startRow, ok bool, err error) {
	parts := x.outOfSight()
	for _, part := range parts {
		part.Column("o.post_id")
	}
	leftOut := parts[0].UnionAll(parts[1:]...)
	out, err := store.IDs(ctx, x.list.store.DB.Select().FromQuery(leftOut, "u").Column("u.post_id").Limit(maxLeftOut+1))
	if err != nil || len(out) > maxLeftOut {
		return nil, false, err
	}
	start, end := x.list.startColumn(x.filter.OrderUTC), x.list.dateColumn(true, x.filter.OrderUTC)
	inner := x.within(x.alone()).ColumnExpr("? AS start, ? AS finish, o.post_id", start, end).Limit(limit).Offset(offset)
	order, of := []bun.Ident{start, end, "o.post_id"}, []bun.Ident{"d.start", "d.finish", "d.post_id"}
	if x.filter.each() {
		inner = inner.Column("o.occurrence_id", "o.has_recurrence")
		order, of = append(order, "o.occurrence_id"), append(of, "d.occurrence_id")
	}
	if len(out) > 0 {
		inner = inner.Where("o.post_id NOT IN (?)", bun.List(out))
	}
	inner = x.list.startsNear(ctx, inner, x.filter)
	for _, column := range order {
		inner = inner.OrderExpr("? ?", column, store.Direction(x.filter.Descending))
	}
	q := x.list.store.DB.Select().FromQuery(inner, "d").Join("JOIN", store.TablePosts, "p", "p.ID = d.post_id").
		ColumnExpr("CAST(d.start AS CHAR) AS start, CAST(p.post_date AS CHAR) AS published, p.ID")
	if x.filter.each() {
		q = q.ColumnExpr("d.occurrence_id, ? AS item", x.list.item(x.filter, "d"))
	} else {
		q = q.ColumnExpr("0 AS occurrence_id, p.ID AS item")
	}
	for _, column := range of {
		q = q.OrderExpr("? ?", column, store.Direction(x.filter.Descending))
	}
	rows, err = store.All[startRow](ctx, q)
	return rows, true, err
}
