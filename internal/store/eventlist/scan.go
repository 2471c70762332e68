package eventlist

import (
	"cmp"
	"context"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// scan reads events in the order of the index of starts, so that the cost of a page depends on its size and not on how
// much the filter selects. Of events with the same start, the one that was published first comes first, which the index
// does not contain. So all events with the start of the first or the last row of a page are read, and sorted here.
type scan struct {
	list       *List
	filter     *Filter
	conditions []scannable
}

// scan returns the scan for a filter, and whether there is one.
func (l *List) scan(f *Filter) (scan, bool) {
	conditions, ok := as[scannable](f.Conditions)
	return scan{l, f, conditions}, ok && l.store.DB.Dated()
}

func (f *Filter) inOrderOfStarts() bool {
	return f.Order != ByPostDate && f.Order != byTitle && f.Order != byModified && f.Order != byID && f.Order != ByRank
}

// startRow is an event, or an occurrence, in the order of starts.
type startRow struct {
	Start     string `bun:"start"`
	Published string `bun:"published"`
	ID        int64  `bun:"ID"`
	Date      int64  `bun:"occurrence_id"` // 0 in a list per event
	Item      int64  `bun:"item"`          // its id in the list
}

// nearby is the number of rows that are read on either side of a page. They contain most of the events outside of it that
// share a start with one of it: a further statement for these takes a server as long as a dozen rows.
const nearby = 4

// page returns a page in the order of starts.
func (s scan) page(ctx context.Context, limit, offset int64) ([]store.Ref, error) {
	before := min(offset, nearby)
	rows, err := s.around(ctx, before+limit+nearby, offset-before)
	if err != nil || int64(len(rows)) <= before {
		return nil, err
	}
	first, last := rows[before].Start, rows[min(before+limit, int64(len(rows)))-1].Start
	var shared []string // starts that rows which were not read may have, too
	if before < offset && rows[0].Start == first {
		shared = append(shared, first)
	}
	if int64(len(rows)) == before+limit+nearby && rows[len(rows)-1].Start == last && !slices.Contains(shared, last) {
		shared = append(shared, last)
	}
	var whole []startRow
	if len(shared) > 0 {
		if whole, err = s.rows(ctx, shared, 0, 0); err != nil {
			return nil, err
		}
	}
	return completed(s.filter, rows, whole, before, limit), nil
}

// completed returns the page that follows a number of rows, in their order of the index. whole are all rows with those
// starts that rows which were not read have, too.
func completed(f *Filter, rows, whole []startRow, before, limit int64) []store.Ref {
	isShared := func(r startRow) bool {
		return slices.ContainsFunc(whole, func(w startRow) bool { return w.Start == r.Start })
	}
	skip := 0
	for _, r := range rows[:before] {
		if !isShared(r) {
			skip++
		}
	}
	skip += max(0, slices.Index(whole, rows[before]))
	items := inOrder(f, append(slices.DeleteFunc(slices.Clone(rows), isShared), whole...))[skip:]
	return items[:min(int64(len(items)), limit)]
}

// inOrder sorts rows and returns their items: ties of the start are always ascending.
func inOrder(f *Filter, rows []startRow) []store.Ref {
	slices.SortFunc(rows, func(a, b startRow) int {
		byStart := cmp.Compare(a.Start, b.Start)
		if f.Descending {
			byStart = -byStart
		}
		return cmp.Or(byStart, cmp.Compare(a.Published, b.Published), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Date, b.Date))
	})
	items := make([]store.Ref, len(rows))
	for i, r := range rows {
		items[i] = store.Ref{ID: r.Item, Post: r.ID}
	}
	return items
}

// around reads the rows of a page and those next to it. Far from the first page it starts probing the invariants.
func (s scan) around(ctx context.Context, limit, offset int64) ([]startRow, error) {
	pages, far := s.list.deep(s.filter)
	far = far && offset >= deep
	if far && s.list.regular(ctx, s.filter) {
		if rows, ok, err := pages.rows(ctx, limit, offset); ok || err != nil {
			return rows, err
		}
	}
	rows, err := s.rows(ctx, nil, limit, offset)
	if far && len(rows) > 0 {
		s.list.store.Probe.Start(ctx)
	}
	return rows, err
}

// rows reads events in the order of starts; if starts are given, only the events with these.
func (s scan) rows(ctx context.Context, starts []string, limit, offset int64) ([]startRow, error) {
	start := s.list.startColumn(s.filter.OrderUTC)
	q, _ := s.query(fewLinked)
	q = q.ColumnExpr("CAST(? AS CHAR) AS start, CAST(p.post_date AS CHAR) AS published, p.ID", start)
	if s.filter.each() {
		q = q.ColumnExpr("o.occurrence_id, ? AS item", s.list.item(s.filter, "o"))
	} else {
		q = s.list.first(q, s.filter, start).ColumnExpr("0 AS occurrence_id, p.ID AS item")
	}
	if starts != nil {
		q = q.Where("? IN (?)", start, bun.List(starts))
	} else {
		q = s.list.startsNear(ctx, q, s.filter).Limit(limit).Offset(offset)
		if s.filter.Descending && s.list.regular(ctx, s.filter) { // many events that end later may lie in between
			q = s.list.startsWithin(q, s.filter)
		}
	}
	for _, column := range []bun.Ident{start, s.list.dateColumn(true, s.filter.OrderUTC), "o.post_id"} {
		q = q.OrderExpr("? ?", column, store.Direction(s.filter.Descending))
	}
	if s.filter.each() {
		q = q.OrderExpr("o.occurrence_id ?", store.Direction(s.filter.Descending))
	}
	if len(s.conditions) == 0 && s.filter.Language == (store.LanguageFilter{}) { // no subqueries
		q = s.list.store.DB.Prepared(q)
	}
	return store.All[startRow](ctx, q)
}

// query selects visible events p by their occurrences o, in the order of an index or, if few events satisfy a
// condition, beginning with these. It may return an event more than once, for several of its occurrences.
func (s scan) query(mostLinked int64) (q *store.Query, few bool) {
	q = s.list.store.DB.Select()
	at := lookup{event: scannedEvent}
	source := s.list.source(s.filter, mostLinked)
	if source >= 0 {
		q, at.event = q.FromQuery(s.list.fromSource(s.filter, s.filter.Conditions[source].(selective)), "o"), joinedEvent
	} else {
		q = q.From(store.TableOccurrences, "o")
		if some[linking](s.filter.Conditions) {
			n := s.list.size(s.filter)
			at.inList = n > fewLinked && n <= manyLinked
		}
	}
	q = q.Join(s.list.store.DB.Then(), store.TablePosts, "p", "p.ID = o.post_id").
		Join("LEFT JOIN", store.TablePostMeta, "h", "h.post_id = o.post_id AND h.meta_key = ?", schema.MetaHideFromUpcoming).
		Where("h.meta_id IS NULL")
	q = s.list.store.Languages.InLanguageOneByOne(s.list.seen(q, s.filter), s.filter.Language, s.list.event)
	for i, c := range s.conditions {
		if i != source {
			q = c.scan(s.list, q, at)
		}
	}
	return q, source >= 0
}

// first restricts a query to the first of an event's occurrences within the bounds. (A join finds out sooner than NOT
// EXISTS that there is no earlier one.)
func (l *List) first(q *store.Query, f *Filter, start bun.Ident) *store.Query {
	q = q.Join("LEFT JOIN", store.TableOccurrences, "e", "").JoinOn("e.post_id = o.post_id").
		JoinOn("(? < ? OR ? = ? AND e.occurrence_id < o.occurrence_id)", earlierColumn(start), start, earlierColumn(start), start)
	for _, b := range f.Bounds {
		q = q.JoinOn("? ? ?", earlierColumn(l.dateColumn(b.End, b.UTC)), bun.Safe(operator(b.Op)), storable(b.Value))
	}
	return q.Where("e.occurrence_id IS NULL")
}

func earlierColumn(ofOccurrence bun.Ident) bun.Ident { return "e" + ofOccurrence[1:] }
