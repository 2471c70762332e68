package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/uptrace/bun"
)

// A page in the order of starts is read along the index of starts, so that it
// costs what stands on it and not what the filter selects. Starts alone are not
// the whole order: of events that start together, the one that was published
// first comes first. So rows are read in the order of the index, which is a fixed
// one, and those that start with the first or the last of a page are read whole
// and put in order here.

// inStarts reports whether a page is read in the order of starts, and returns its
// conditions.
func (s *Store) inStarts(f *EventFilter) (conditions []scannable, ok bool) {
	inOrder := f.Order != ByPostDate && f.Order != ByTitle && f.Order != ByModified && f.Order != ByID
	if !s.occurrences || !inOrder {
		return nil, false
	}
	return as[scannable](f.Conditions)
}

// startRow is an event in the order of starts.
type startRow struct {
	start, published string
	id               int64
}

// startPage is a page in the order of starts.
func (s *Store) startPage(ctx context.Context, f *EventFilter, conditions []scannable, limit, offset int64) ([]int64, error) {
	before := min(offset, 1) // a row on either side tells whether starts are shared beyond the page
	rows, err := s.pageRows(ctx, f, conditions, limit+before+1, offset-before)
	if err != nil || int64(len(rows)) <= before {
		return nil, err
	}
	page := rows[before:]
	last := page[min(int64(len(page)), limit)-1].start
	var shared []string
	if before == 1 && rows[0].start == page[0].start {
		shared = append(shared, page[0].start)
	}
	if int64(len(page)) > limit {
		if page[limit].start == last && !slices.Contains(shared, last) {
			shared = append(shared, last)
		}
		page = page[:limit]
	}
	if len(shared) > 0 {
		whole, err := s.startRows(ctx, f, conditions, shared, 0, 0)
		if err != nil {
			return nil, err
		}
		return completed(f, page, whole, limit), nil
	}
	return inOrder(f, page), nil
}

// completed is a page some of whose starts are shared beyond it: whole are all
// rows with those.
func completed(f *EventFilter, page, whole []startRow, limit int64) []int64 {
	isShared := func(r startRow) bool {
		return slices.ContainsFunc(whole, func(w startRow) bool { return w.start == r.start })
	}
	skip := max(0, slices.IndexFunc(whole, func(w startRow) bool { return w.id == page[0].id }))
	if !isShared(page[0]) {
		skip = 0
	}
	all := append(slices.DeleteFunc(slices.Clone(page), isShared), whole...)
	ids := inOrder(f, all)[skip:]
	return ids[:min(int64(len(ids)), limit)]
}

// inOrder puts rows in their order: ties of the start are always ascending.
func inOrder(f *EventFilter, rows []startRow) []int64 {
	slices.SortFunc(rows, func(a, b startRow) int {
		byStart := cmp.Compare(a.start, b.start)
		if f.Descending {
			byStart = -byStart
		}
		return cmp.Or(byStart, cmp.Compare(a.published, b.published), cmp.Compare(a.id, b.id))
	})
	ids := make([]int64, len(rows))
	for i, r := range rows {
		ids[i] = r.id
	}
	return ids
}

// startRows reads events in the order of starts, all of those with certain starts
// if there are any.
func (s *Store) startRows(ctx context.Context, f *EventFilter, conditions []scannable, starts []string, limit, offset int64) ([]startRow, error) {
	start := s.startColumn(f.OrderUTC)
	q, _ := s.fromStarts(f, conditions, fewLinked)
	q = q.ColumnExpr("CAST(? AS CHAR), CAST(p.post_date AS CHAR), p.ID", start)
	if starts != nil {
		q = q.Where("? IN (?)", start, bun.List(starts))
	} else {
		q = q.Limit(limit).Offset(offset)
		if f.Descending && s.regular().occurrences { // what ends later may stand between, for long
			q = s.startsWithin(q, f)
		}
	}
	for _, column := range []bun.Ident{start, s.dateColumn(true, f.OrderUTC), "o.post_id"} {
		q = q.OrderExpr("? ?", column, direction(f.Descending))
	}
	return readStarts(ctx, s.first(q, f, start))
}

// deep is the number of rows before a page from which on deepRows is quicker.
const deep = 300

// maxLeftOut bounds the events that deepRows leaves out by their ids.
const maxLeftOut = 5000

// pageRows are rows of a page and around it. Far behind the first page it is
// worth while to know whether occurrences are regular.
func (s *Store) pageRows(ctx context.Context, f *EventFilter, conditions []scannable, limit, offset int64) ([]startRow, error) {
	_, far := as[nearlyAll](f.Conditions)
	far = far && offset >= deep && f.Language == Spoken{}
	if indexes, ok := as[indexed](f.Conditions); ok && far && s.regular().occurrences {
		if rows, ok, err := s.deepRows(ctx, f, indexes, limit, offset); ok || err != nil {
			return rows, err
		}
	}
	rows, err := s.startRows(ctx, f, conditions, nil, limit, offset)
	s.lookIf(far && len(rows) > 0)
	return rows, err
}

// deepRows is startRows where occurrences are regular and few are to be left out:
// those before the page are passed over in the index of starts alone.
func (s *Store) deepRows(ctx context.Context, f *EventFilter, conditions []indexed, limit, offset int64) (rows []startRow, ok bool, err error) {
	var leftOut *bun.SelectQuery
	for _, out := range s.outOfSight(f, conditions) {
		if out = out.Column("o.post_id"); leftOut == nil {
			leftOut = out
		} else {
			leftOut = leftOut.UnionAll(out)
		}
	}
	out, err := ids(ctx, s.db.NewSelect().TableExpr("(?) AS u", leftOut).Column("u.post_id").Limit(maxLeftOut+1))
	if err != nil || len(out) > maxLeftOut {
		return nil, false, err
	}
	start, end := s.startColumn(f.OrderUTC), s.dateColumn(true, f.OrderUTC)
	inner := s.within(s.occurrencesAlone(), f, conditions).ColumnExpr("? AS start, ? AS finish, o.post_id", start, end).Limit(limit).Offset(offset)
	if len(out) > 0 {
		inner = inner.Where("o.post_id NOT IN (?)", bun.List(out))
	}
	for _, column := range []bun.Ident{start, end, "o.post_id"} {
		inner = inner.OrderExpr("? ?", column, direction(f.Descending))
	}
	q := s.db.NewSelect().TableExpr("(?) AS d", inner).Join("JOIN ?(prefix)posts AS p ON p.ID = d.post_id").
		ColumnExpr("CAST(d.start AS CHAR), CAST(p.post_date AS CHAR), p.ID")
	for _, column := range []bun.Ident{"d.start", "d.finish", "d.post_id"} {
		q = q.OrderExpr("? ?", column, direction(f.Descending))
	}
	rows, err = readStarts(ctx, q)
	return rows, true, err
}

func readStarts(ctx context.Context, q *bun.SelectQuery) (rows []startRow, err error) {
	err = each(ctx, q, func(r *sql.Rows) error {
		var row startRow
		err := r.Scan(&row.start, &row.published, &row.id)
		rows = append(rows, row)
		return err
	})
	return rows, err
}

// first keeps of an event's occurrences that the bounds select the first one. (A
// join finds out sooner than NOT EXISTS that there is no earlier one.)
func (s *Store) first(q *bun.SelectQuery, f *EventFilter, start bun.Ident) *bun.SelectQuery {
	q = q.Join("LEFT JOIN ?(prefix)tec_occurrences AS e").JoinOn("e.post_id = o.post_id").
		JoinOn("(? < ? OR ? = ? AND e.occurrence_id < o.occurrence_id)", earlierColumn(start), start, earlierColumn(start), start)
	for _, b := range f.Bounds {
		q = q.JoinOn("? ? ?", earlierColumn(s.dateColumn(b.End, b.UTC)), bun.Safe(operator(b.Op)), storable(b.Value))
	}
	return q.Where("e.occurrence_id IS NULL")
}

func earlierColumn(ofOccurrence bun.Ident) bun.Ident { return "e" + ofOccurrence[1:] }
