package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Events reads and writes what only events have: their dates, series and tickets, and which are hidden.
type Events struct{ db *DB }

// dateRows are the rows of an event in the tables of dates.
var dateRows = []rowsOf{{table: "tec_occurrences", column: "post_id"}, {table: "tec_events", column: "post_id"}}

// ErrDatesConflict means that the tables of dates do not have the row that a write of an event's dates changes, or have
// one of somebody else in its place.
var ErrDatesConflict = errors.New("store: the row of the event's own dates is not there, or another one has its hash")

// Dates are the rows of an event in the tables of dates.
type Dates struct {
	Event schema.EventRow   // ID 0: there is none
	Own   schema.Occurrence // ID and hash of the occurrence that has the event's own dates; ID 0: none has
	Rows  int               // how many occurrences there are, 2 for all that are more
}

// Dates reads the rows of dates of an event, within a Write. Its own occurrence is the one that starts as the row of the
// event says, or else as its meta rows do. Without those tables there are none.
func (s *Events) Dates(ctx context.Context, post int64, start, startUTC string) (*Dates, error) {
	d := &Dates{}
	if !s.db.config.Occurrences {
		return d, nil
	}
	const same = "CAST(oc.start_date AS CHAR) = ? AND CAST(oc.start_date_utc AS CHAR) = ?"
	q := s.db.Select().FromExpr("(SELECT ? AS post_id) AS p", post).
		Join("LEFT JOIN", TableEvents, "te", "te.post_id = p.post_id").
		Join("LEFT JOIN", TableOccurrences, "oc", "oc.post_id = p.post_id").
		ColumnExpr("p.post_id, COALESCE(te.event_id, 0) AS event_id, COALESCE(te.start_date, '') AS start_date, "+
			"COALESCE(te.end_date, '') AS end_date, COALESCE(te.timezone, '') AS timezone").
		ColumnExpr("COALESCE(te.start_date_utc, '') AS start_date_utc, COALESCE(te.end_date_utc, '') AS end_date_utc, "+
			"COALESCE(te.duration, 0) AS duration").
		ColumnExpr("COALESCE(oc.occurrence_id, 0) AS occurrence_id, COALESCE(oc.hash, '') AS occurrence_hash").
		ColumnExpr("CASE WHEN "+same+" THEN 1 WHEN "+same+" THEN 2 ELSE 3 END AS place",
			bun.Safe("CAST(te.start_date AS CHAR)"), bun.Safe("CAST(te.start_date_utc AS CHAR)"), start, startUTC).
		OrderExpr("place, oc.occurrence_id").Limit(2)
	type row struct {
		schema.EventRow
		Occurrence     int64  `bun:"occurrence_id"`
		OccurrenceHash string `bun:"occurrence_hash"`
		Place          int    `bun:"place"`
	}
	return d, each(ctx, q, func(r *row) error {
		if d.Event = r.EventRow; r.Occurrence != 0 {
			d.Rows++
		}
		if r.Place < 3 && d.Own.ID == 0 {
			d.Own = schema.Occurrence{ID: r.Occurrence, Hash: r.OccurrenceHash}
		}
		return nil
	})
}

// Several reports whether an event has several dates by the tables of dates, within a Write.
func (s *Events) Several(ctx context.Context, post int64) (bool, error) {
	if !s.db.config.Occurrences {
		return false, nil
	}
	c, err := s.dateColumns(ctx)
	if err != nil {
		return false, err
	}
	n, err := Number(ctx, s.db.Select().ColumnExpr("COUNT(*)").FromExpr("(SELECT ? AS ID) AS p", post).
		Where("?", c.Several("p.ID")).readingDates(c))
	return n > 0, err
}

// SaveDates writes an event's rows in the tables of dates, which lists read: that of the event and the occurrence with its
// own dates, as Dates found them. They keep their ids, and equal ones are not written. Without those tables it does
// nothing.
func (s *Events) SaveDates(ctx context.Context, row *schema.EventRow, stored *Dates) error {
	if !s.db.config.Occurrences {
		return nil
	}
	o := row.Occurrence()
	o.Hash = schema.OccurrenceHash(o)
	if stored.Own.Hash == o.Hash && stored.Event == (schema.EventRow{
		ID: stored.Event.ID, PostID: row.PostID, StartDate: row.StartDate, EndDate: row.EndDate, Timezone: row.Timezone,
		StartDateUTC: row.StartDateUTC, EndDateUTC: row.EndDateUTC, Duration: row.Duration,
	}) {
		return nil
	}
	if stored.Rows > 0 && stored.Own.ID == 0 {
		return ErrDatesConflict
	}
	err := s.saveEventRow(ctx, row, stored.Event.ID)
	if err == nil {
		o.ID, o.EventID = stored.Own.ID, row.ID
		err = s.saveOccurrence(ctx, &o)
	}
	if isTaken(err) {
		return fmt.Errorf("%w: %w", ErrDatesConflict, err)
	}
	return err
}

func (s *Events) saveOccurrence(ctx context.Context, o *schema.Occurrence) (err error) {
	if o.ID == 0 {
		_, err = s.db.writing(ctx).conn().NewInsert().Model(o).ExcludeColumn("updated_at").Exec(ctx)
	} else {
		_, err = s.db.writing(ctx).conn().NewUpdate().Model(o).ExcludeColumn("occurrence_id", "updated_at").WherePK().Exec(ctx)
	}
	return err
}

func (s *Events) saveEventRow(ctx context.Context, row *schema.EventRow, id int64) (err error) {
	if row.ID = id; id == 0 {
		_, err = s.db.writing(ctx).conn().NewInsert().Model(row).ExcludeColumn("updated_at").Exec(ctx)
	} else {
		_, err = s.db.writing(ctx).conn().NewUpdate().Model(row).ExcludeColumn("event_id", "updated_at").WherePK().Exec(ctx)
	}
	return err
}

// DeleteDates deletes all rows of an event in the tables of dates.
func (s *Events) DeleteDates(ctx context.Context, post int64) error {
	return s.db.deleteRows(ctx, dateRows, []int64{post})
}

// LeaveSeries deletes what other software stores about the series that an event belongs to. Few sites have a table for
// it, and an account that may not write there leaves the rows as they are.
func (s *Events) LeaveSeries(ctx context.Context, event int64) error {
	const table = "tec_series_relationships"
	there, err := s.db.hasTable(ctx, table)
	if err != nil || !there {
		return err
	}
	err = s.db.deleteRows(ctx, []rowsOf{{table: table, column: "event_post_id"}}, []int64{event})
	if isDenied(err) {
		s.db.config.Logger.WarnContext(ctx, "the account at the database may not delete from "+s.db.prefix+table, "event", event)
		return nil
	}
	return err
}

// Span returns the first start and the last end of an event's dates in UTC, "" without any.
func (s *Events) Span(ctx context.Context, event int64) (start, end string, err error) {
	q := s.db.Select().From(TableOccurrences, "").Where("post_id = ?", event).
		ColumnExpr("COALESCE(CAST(MIN(start_date_utc) AS CHAR), '') AS first_start").
		ColumnExpr("COALESCE(CAST(MAX(end_date_utc) AS CHAR), '') AS last_end")
	type row struct {
		First string `bun:"first_start"`
		Last  string `bun:"last_end"`
	}
	err = each(ctx, q, func(r *row) error {
		start, end = r.First, r.Last
		return nil
	})
	return start, end, err
}

// Edge is the first or the last event of the calendar: its date in UTC.
type Edge struct {
	ID   int64  `bun:"post_id"`
	Date string `bun:"date"`
}

// Range returns the event that begins first and the one that ends last among
// those that are published, also privately; nil without any.
func (s *Events) Range(ctx context.Context) (first, last *Edge, err error) {
	if !s.db.config.Occurrences {
		return nil, nil, nil
	}
	published := func() *Query {
		return s.db.Select().From(TableOccurrences, "o").
			Join(s.db.Then(), TablePosts, "p", "p.ID = o.post_id").
			Where("p.post_status IN (?)", bun.List([]string{schema.StatusPublish, schema.StatusPrivate}))
	}
	edge := func(column string, order bun.Safe) (e *Edge, err error) {
		date := bun.Ident("o." + column)
		// Sorted by date and id, all rows would be read: the date is at one end of its index. The sum keeps MySQL from
		// reading an index of ids from its beginning, in place of sorting the few rows with the date.
		q := published().Column("o.post_id").ColumnExpr("CAST(? AS CHAR) AS date", date).
			Where("? = (?)", date, published().ColumnExpr("?", date).OrderExpr("? ?", date, order).Limit(1)).
			OrderExpr("o.post_id + 0").Limit(1)
		err = each(ctx, q, func(r *Edge) error {
			e = r
			return nil
		})
		return e, err
	}
	if first, err = edge("start_date_utc", "ASC"); err == nil {
		last, err = edge("end_date_utc", "DESC")
	}
	return first, last, err
}
