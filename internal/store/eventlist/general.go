package eventlist

import (
	"context"
	"strings"

	"github.com/uptrace/bun"
	bunschema "github.com/uptrace/bun/schema"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// generalPage sorts everything that a filter selects.
func (l *List) generalPage(ctx context.Context, f *Filter, limit, offset int64) ([]store.Ref, error) {
	start := l.startColumn(f.OrderUTC)
	q := l.general(f).Column("p.ID").Group("p.ID").Limit(limit).Offset(offset)
	if f.each() {
		q = q.ColumnExpr("MIN(?) AS item", l.item(f, "o")).Group("o.occurrence_id")
	} else {
		q = q.ColumnExpr("p.ID AS item")
	}
	first := map[Order]string{ByPostDate: "post_date", byModified: "post_modified"}[f.Order]
	switch {
	case f.Order == byTitle: // on SQLite MIN would lose the column's collation
		q = q.Group("p.post_title").OrderExpr("p.post_title ?", store.Direction(f.Descending))
	case first != "":
		q = q.OrderExpr("MIN(p.?) ?", bun.Ident(first), store.Direction(f.Descending))
	case f.Order == ByRank:
		q = q.OrderExpr("(?) ?", l.store.Links.RankOfLinks(f.Ranked.Key, f.Ranked.IDs, "p.ID"), store.Direction(f.Descending))
	case f.Order == byID:
		q = q.OrderExpr("p.ID ?", store.Direction(f.Descending))
	default:
		q = q.OrderExpr("MIN(?) ?", start, store.Direction(f.Descending))
	}
	if f.Order != ByPostDate {
		q = q.OrderExpr("MIN(?)", start)
	}
	q = q.OrderExpr("MIN(p.post_date)").OrderExpr("p.ID")
	if f.each() {
		q = q.OrderExpr("MIN(?)", start).OrderExpr("o.occurrence_id")
	}
	type row struct {
		Post int64 `bun:"ID"`
		Item int64 `bun:"item"`
	}
	rows, err := store.All[row](ctx, q)
	items := make([]store.Ref, len(rows))
	for i, r := range rows {
		items[i] = store.Ref{ID: r.Item, Post: r.Post}
	}
	return items, err
}

// item is an SQL expression for the id of a row of occurrences in a list per occurrence: the occurrence_id plus
// DateBase if it is one of several, otherwise the id of the event.
func (l *List) item(f *Filter, occurrences string) bunschema.QueryWithArgs {
	column := func(name string) bun.Ident { return bun.Ident(occurrences + "." + name) }
	return bun.SafeQuery("CASE WHEN ? = 1 THEN ? + ? ELSE ? END",
		column("has_recurrence"), f.DateBase, column("occurrence_id"), column("post_id"))
}

// counted is the column whose distinct values Count counts.
func (f *Filter) counted() bun.Ident {
	if f.each() {
		return "o.occurrence_id"
	}
	return "p.ID"
}

// general builds the common part of a page and its count.
func (l *List) general(f *Filter) *store.Query {
	hidden := l.store.Events.Hidden()
	if some[wordSearch](f.Conditions) {
		hidden = l.once(hidden, "post_id")
	}
	q := l.dated(l.store.DB.Select().From(store.TablePosts, "p"), f).Where("p.ID NOT IN (?)", hidden)
	q = l.store.Languages.InLanguage(l.seen(q, f), f.Language, l.event, "p.ID")
	for _, c := range f.Conditions {
		q = c.general(l, q)
	}
	return q
}

// seen restricts a query to the events p within the bounds that the caller may see.
func (l *List) seen(q *store.Query, f *Filter) *store.Query {
	q = l.bounded(f.Visible.Where(q.Where("p.post_type = ?", l.event), "p"), f)
	if f.Unlocked {
		q = q.Where("p.post_password = ''")
	}
	return q
}

// bounded restricts a query to the dates within the bounds.
func (l *List) bounded(q *store.Query, f *Filter) *store.Query {
	for _, b := range f.Bounds {
		value := storable(b.Value)
		if !l.store.DB.Dated() {
			value = beforeAll(operator(b.Op), value)
		}
		q = q.Where("? ? ?", l.dateColumn(b.End, b.UTC), bun.Safe(operator(b.Op)), value)
	}
	return q
}

// beforeAll returns the text with which a stored date is compared on a site where dates may be stored without a time or
// without seconds, meaning the beginning of their day or minute. All texts that mean the same time are equal to it or
// after it.
func beforeAll(op, date string) string {
	if op == ">=" || op == "<" {
		return strings.TrimSuffix(strings.TrimSuffix(date, ":00"), " 00:00")
	}
	return date
}

// dated joins the dates: the table of occurrences, or the meta rows on a site without that table. Meta values that are
// not dates are treated as if there were no row. These are zero dates, which are before the year 1, and texts, which
// are sorted after all digits.
func (l *List) dated(q *store.Query, f *Filter) *store.Query {
	if l.store.DB.Dated() {
		return q.Join("JOIN", store.TableOccurrences, "o", "o.post_id = p.ID")
	}
	need := map[string]string{"ls": schema.MetaStartDate}
	if f.OrderUTC {
		need["us"] = schema.MetaStartDateUTC
	}
	for _, b := range f.Bounds {
		alias, key := metaDate(b.End, b.UTC)
		need[alias] = key
	}
	for _, alias := range []string{"ls", "le", "us", "ue"} {
		if key := need[alias]; key != "" {
			q = q.Join("JOIN", store.TablePostMeta, alias, "?.post_id = p.ID AND ?.meta_key = ? AND ?.meta_value > '0001' "+
				"AND ?.meta_value < 'a'", bun.Ident(alias), bun.Ident(alias), key, bun.Ident(alias), bun.Ident(alias))
		}
	}
	return q
}

func metaDate(end, utc bool) (alias, key string) {
	switch {
	case end && utc:
		return "ue", schema.MetaEndDateUTC
	case end:
		return "le", schema.MetaEndDate
	case utc:
		return "us", schema.MetaStartDateUTC
	}
	return "ls", schema.MetaStartDate
}

func (l *List) startColumn(utc bool) bun.Ident { return l.dateColumn(false, utc) }

func (l *List) dateColumn(end, utc bool) bun.Ident {
	if !l.store.DB.Dated() {
		alias, _ := metaDate(end, utc)
		return bun.Ident(alias + ".meta_value")
	}
	name := "o.start_date"
	if end {
		name = "o.end_date"
	}
	if utc {
		name += "_utc"
	}
	return bun.Ident(name)
}

func operator(op string) string {
	switch op {
	case ">=", "<=", ">", "<":
		return op
	}
	return "="
}

// storable moves a date outside of the database's range to the nearest end of the range.
func storable(date string) string {
	switch {
	case strings.HasPrefix(date, "-") || date < "0001-01-01":
		return "0001-01-01 00:00:00"
	case len(date) > len("YYYY-MM-DD HH:MM:SS"):
		return "9999-12-31 23:59:59"
	}
	return date
}
