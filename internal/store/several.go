package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// SeveralDates returns the numbers of occurrences of the events that have several dates, by id (D65). The number may be
// 0 if only a rule says that there are several.
func (s *Events) SeveralDates(ctx context.Context, postType string) (map[int64]int64, error) {
	c, err := s.DateColumns(ctx)
	if err != nil {
		return nil, err
	}
	recurrence := s.db.Select().From(TablePostMeta, "m").Where("m.post_id = p.ID").
		Where("m.meta_key = ?", schema.MetaRecurrence)
	several, number := c.Several("p.ID"), s.db.Select().ColumnExpr("0")
	if c.Occurrences {
		number = s.db.Select().From(TableOccurrences, "n").ColumnExpr("COUNT(*)").Where("n.post_id = p.ID")
	}
	q := s.db.Select().From(TablePosts, "p").Column("p.ID").ColumnExpr("? AS several, (?) AS dates", several, number).
		ColumnExpr("COALESCE((?), '') AS rules", recurrence.ColumnExpr("MAX(m.meta_value)")).
		Where("p.post_type = ?", postType).Where("(? OR EXISTS (?))", several, recurrence).readingDates(c)
	dates := map[int64]int64{}
	type row struct {
		ID      int64  `bun:"ID"`
		Several bool   `bun:"several"`
		Dates   int64  `bun:"dates"`
		Rules   string `bun:"rules"`
	}
	return dates, EachInPortions(ctx, q, "p.ID", func(r *row) int64 { return r.ID }, func(r *row) error {
		if r.Several || schema.Recurs(r.Rules) {
			dates[r.ID] = r.Dates
		}
		return nil
	})
}

// CountHidden returns the number of events that are hidden from lists.
func (s *Events) CountHidden(ctx context.Context, postType string) (int64, error) {
	return Number(ctx, s.db.Select().From(TablePosts, "p").ColumnExpr("COUNT(*)").Where("p.post_type = ?", postType).
		Where("p.post_status NOT IN (?)", bun.List([]string{schema.StatusTrash, schema.StatusAutoDraft})).Where("p.ID IN (?)", s.Hidden()))
}

// Ref refers to an item: a post or, in lists per occurrence, an occurrence of an event.
type Ref struct {
	ID   int64 // in answers
	Post int64 // 0 if it is not known to which post the ID belongs
}

// Date is an occurrence of an event.
type Date struct {
	ID       int64  `bun:"id"` // in answers
	Post     int64  `bun:"post_id"`
	Start    string `bun:"start_date"` // YYYY-MM-DD HH:MM:SS, in the event's time zone
	End      string `bun:"end_date"`
	StartUTC string `bun:"start_date_utc"`
	EndUTC   string `bun:"end_date_utc"`
	Duration int64  `bun:"duration"`       // in seconds
	Several  bool   `bun:"has_recurrence"` // it is one of several
	Dated    bool   `bun:"dated"`          // its address contains the day
}

// Day returns the day on which the occurrence begins, as YYYY-MM-DD.
func (d *Date) Day() string { return d.Start[:min(len(d.Start), len(time.DateOnly))] }

// DatesKnown reports whether the tables of dates contain which occurrences are one of several. Events Calendar Pro adds
// the column for that.
func (s *Events) DatesKnown(ctx context.Context) (bool, error) {
	c, err := s.DateColumns(ctx)
	return c.HasRecurrence, err
}

// DateColumns returns which tables and columns of dates the site has.
func (s *Events) DateColumns(ctx context.Context) (schema.DateColumns, error) {
	return s.db.dateColumns(ctx)
}

func (db *DB) dateColumns(ctx context.Context) (schema.DateColumns, error) {
	if !db.Dated() {
		return schema.DateColumns{}, nil
	}
	known, err := db.shape(ctx)
	return known.dates, err
}

// DatesByID returns the occurrences with some ids in answers, which are the sum of base and the occurrence_id.
func (s *Events) DatesByID(ctx context.Context, base int64, ids []int64) (map[int64]*Date, error) {
	c, err := s.DateColumns(ctx)
	if err != nil {
		return nil, err
	}
	found := map[int64]*Date{}
	return found, Each(ctx, s.dates(c, base).Where("o.occurrence_id IN (?)", bun.List(occurrencesOf(base, ids))), func(r *Date) error {
		d := *r
		found[d.ID] = &d
		return nil
	})
}

// Several are the dates of a recurring event, as an answer shows them.
type Several struct {
	Set
	Dates []Date // in order, as far as they were read
}

// DatesOf returns the first occurrences of an event in order, with their ids in answers, which are above base. If base
// is 0, because answers contain no occurrences, they have no ids.
func (s *Events) DatesOf(ctx context.Context, base, post int64, most int) ([]Date, error) {
	c, err := s.DateColumns(ctx)
	if err != nil || !c.HasRecurrence {
		return nil, err
	}
	q := s.dates(c, base).Where("o.post_id = ?", post).Order("o.start_date_utc", "o.occurrence_id").Limit(int64(most))
	list, err := All[Date](ctx, q)
	for i := range list {
		list[i].ID -= base
		list[i].Name(base)
	}
	return list, err
}

// Name replaces the occurrence_id of an occurrence by its id in answers, which is above base. If base is 0, the
// occurrence gets no id.
func (d *Date) Name(base int64) {
	switch {
	case base == 0:
		d.ID = 0
	case !d.Several:
		d.ID = d.Post
	default:
		d.ID += base
	}
}

// dates selects occurrences of events.
func (s *Events) dates(c schema.DateColumns, base int64) *Query {
	q := s.db.Select().From(TableOccurrences, "o").ColumnExpr("? + o.occurrence_id AS id", base).
		Column("o.post_id", "o.duration", "o.has_recurrence")
	for _, name := range []string{"start_date", "end_date", "start_date_utc", "end_date_utc"} {
		q = q.ColumnExpr("CAST(? AS CHAR) AS ?", bun.Ident("o."+name), bun.Ident(name))
	}
	if !c.Rset {
		return q.ColumnExpr("0 AS dated")
	}
	set := s.db.Select().From(TableEvents, "te").ColumnExpr("1").Where("te.post_id = o.post_id").Where("te.rset <> ''")
	return q.ColumnExpr("EXISTS (?) AS dated", set)
}

// Set is what the tables of dates contain about a recurring event (D65).
type Set struct {
	Post  int64  `bun:"post_id"`
	Total int64  `bun:"total"`    // number of occurrences
	Text  string `bun:"rset"`     // all dates as iCalendar properties, "" if the table has none
	Last  string `bun:"end_date"` // end of the last occurrence, in the event's time zone
}

// Sets returns the Sets of the recurring events among some posts, by post id.
func (s *Events) Sets(ctx context.Context, posts []int64) (map[int64]Set, error) {
	sets := map[int64]Set{}
	c, err := s.DateColumns(ctx)
	if err != nil || !c.Occurrences || len(posts) == 0 {
		return sets, err
	}
	q := s.db.setsOf(c, posts).ColumnExpr("p.ID AS post_id, COALESCE(d.total, 0) AS total").
		ColumnExpr("COALESCE(CAST(d.end_date AS CHAR), '') AS end_date")
	if c.Rset {
		q = q.ColumnExpr("COALESCE(te.rset, '') AS rset")
	}
	return sets, Each(ctx, q, func(r *Set) error {
		sets[r.Post] = *r
		return nil
	})
}

// setsOf selects the recurring events among some posts p, with the numbers of their occurrences d and, if the table of
// events can store all dates as text, their rows te.
func (db *DB) setsOf(c schema.DateColumns, posts []int64) *Query {
	q, several := db.Select().From(TablePosts, "p").JoinQuery("LEFT JOIN", db.totals(posts), "d", "d.post_id = p.ID"), "d.total > 1"
	if c.Rset {
		q, several = q.Join("LEFT JOIN", TableEvents, "te", "te.post_id = p.ID"), several+" OR te.rset <> ''"
	}
	if q = q.Where("p.ID IN (?)", bun.List(posts)); !c.HasRecurrence {
		return q.Where("(" + several + ")")
	}
	return q.Where("("+several+" OR EXISTS (?))", db.Select().From(TableOccurrences, "s").ColumnExpr("1").
		Where("s.post_id = p.ID").Where("s.has_recurrence = 1"))
}

// totals selects the numbers of occurrences of posts, and the end of the last one, from an index alone.
func (db *DB) totals(posts []int64) *Query {
	return db.Select().From(TableOccurrences, "n").ColumnExpr("n.post_id, COUNT(*) AS total, MAX(n.end_date) AS end_date").
		Where("n.post_id IN (?)", bun.List(posts)).Group("n.post_id")
}

// AllDates returns all occurrences of some events in order, by post id.
func (s *Events) AllDates(ctx context.Context, posts []int64) (map[int64][]Date, error) {
	dates := map[int64][]Date{}
	c, err := s.DateColumns(ctx)
	if err != nil || !c.HasRecurrence || len(posts) == 0 {
		return dates, err
	}
	q := s.dates(c, 0).Where("o.post_id IN (?)", bun.List(posts))
	err = EachInPortions(ctx, q, "o.occurrence_id", func(r *Date) int64 { return r.ID }, func(r *Date) error {
		dates[r.Post] = append(dates[r.Post], *r)
		return nil
	})
	for _, list := range dates {
		slices.SortStableFunc(list, func(a, b Date) int { return cmp.Compare(a.Start, b.Start) })
	}
	return dates, err
}

// StartingAt returns the ids of the events that begin at one of the times, each in its own time zone, if keep returns true
// for their title and slug. They are sorted.
func (s *Events) StartingAt(ctx context.Context, starts []string, keep func(title, slug string) bool) (ids []int64, err error) {
	if len(starts) == 0 {
		return nil, nil
	}
	q := s.db.Select()
	if s.db.config.Occurrences {
		q = q.From(TableOccurrences, "d").Where("d.start_date IN (?)", bun.List(starts))
	} else {
		q = q.From(TablePostMeta, "d").Where("d.meta_key = ?", schema.MetaStartDate).Where("d.meta_value IN (?)", bun.List(starts))
	}
	q = q.Join(s.db.Then(), TablePosts, "p", "p.ID = d.post_id").ColumnExpr("d.post_id, p.post_title, p.post_name")
	type row struct {
		ID    int64  `bun:"post_id"`
		Title string `bun:"post_title"`
		Slug  string `bun:"post_name"`
	}
	// The rows of an event are equal, so nothing is missing if a portion ends between two of them.
	err = EachInPortions(ctx, q, "d.post_id", func(r *row) int64 { return r.ID }, func(r *row) error {
		if keep(r.Title, r.Slug) {
			ids = append(ids, r.ID)
		}
		return nil
	})
	return slices.Compact(ids), err
}
