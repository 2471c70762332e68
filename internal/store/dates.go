package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/uptrace/bun"
	bunschema "github.com/uptrace/bun/schema"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/schema"
)

// Events reads and writes what only events have: their dates, series and tickets, and whether lists hide them.
type Events struct{ db *DB }

// dateRows are the rows of an event in the tables of dates.
var dateRows = []rowsOf{{table: "tec_occurrences", column: "post_id"}, {table: "tec_events", column: "post_id"}}

// ErrDatesConflict means that the tables of dates do not contain the row that a write of an event's dates changes, or
// contain another row with the same hash.
var ErrDatesConflict = errors.New("store: the row of the event's own dates is missing, or another row has its hash")

// Dates are the rows of an event in the tables of dates.
type Dates struct {
	Event   schema.EventDates // ID is 0 if there is no row
	Rows    []schema.OccurrenceDates
	Own     *schema.OccurrenceDates // the main occurrence, an element of Rows; nil if there is none
	Columns schema.DateColumns
}

// Several reports whether the rows belong to an event with several dates, like schema.DateColumns.Several.
func (d *Dates) Several() bool {
	return d.Event.Rset != "" || len(d.Rows) > 1 ||
		slices.ContainsFunc(d.Rows, func(r schema.OccurrenceDates) bool { return r.HasRecurrence == 1 })
}

// Dates reads the rows of an event in the tables of dates, by id, within a Write. The main occurrence is the one with
// the start in the row of the event, or otherwise in its meta rows. Without those tables there are no rows.
func (s *Events) Dates(ctx context.Context, post int64, start, startUTC string) (*Dates, error) {
	d := &Dates{}
	c, err := s.db.storedDates(ctx)
	if err != nil || !c.Occurrences {
		return d, err
	}
	d.Columns = c
	if err := Each(ctx, s.eventRow(c, post), func(r *schema.EventDates) error { d.Event = *r; return nil }); err != nil {
		return nil, err
	}
	if d.Rows, err = All[schema.OccurrenceDates](ctx, s.occurrences(c, post)); err != nil {
		return nil, err
	}
	for _, own := range [...][2]string{{d.Event.StartDate, d.Event.StartDateUTC}, {start, startUTC}} {
		i := slices.IndexFunc(d.Rows, func(r schema.OccurrenceDates) bool { return r.StartDate == own[0] && r.StartDateUTC == own[1] })
		if i >= 0 {
			d.Own = &d.Rows[i]
			break
		}
	}
	if d.Own == nil && len(d.Rows) == 1 && !s.db.Dated() { // the plugin has not updated it after the meta rows
		d.Own = &d.Rows[0]
	}
	return d, nil
}

// eventRow selects the row of an event.
func (s *Events) eventRow(c schema.DateColumns, post int64) *Query {
	q := s.db.Select().From(TableEvents, "te").Where("te.post_id = ?", post).
		ColumnExpr("te.event_id, te.post_id, te.start_date, COALESCE(te.end_date, '') AS end_date, te.timezone, te.start_date_utc, " +
			"COALESCE(te.end_date_utc, '') AS end_date_utc, COALESCE(te.duration, 0) AS duration")
	if c.Rset {
		return q.ColumnExpr("COALESCE(te.rset, '') AS rset")
	}
	return q
}

// occurrences selects the occurrences of an event.
func (s *Events) occurrences(c schema.DateColumns, post int64) *Query {
	q := s.db.Select().From(TableOccurrences, "oc").Where("oc.post_id = ?", post).OrderExpr("oc.occurrence_id").
		ColumnExpr("oc.occurrence_id, oc.event_id, oc.post_id, COALESCE(oc.duration, 0) AS duration, oc.hash")
	for _, name := range occurrenceTimes {
		q = q.ColumnExpr("COALESCE(CAST(? AS CHAR), '') AS ?", bun.Ident("oc."+name), bun.Ident(name))
	}
	for _, name := range OccurrenceFlags(c) {
		q = q.ColumnExpr("COALESCE(?, 0) AS ?", bun.Ident("oc."+name), bun.Ident(name))
	}
	return q
}

// OccurrenceFlags returns the columns about recurrence that a site's table of occurrences has.
func OccurrenceFlags(c schema.DateColumns) (names []string) {
	for _, column := range [...]struct {
		name  string
		there bool
	}{{"has_recurrence", c.HasRecurrence}, {"sequence", c.Sequence}, {"is_rdate", c.IsRdate}} {
		if column.there {
			names = append(names, column.name)
		}
	}
	return names
}

// occurrenceTimes are the columns with the times of an occurrence.
var occurrenceTimes = [...]string{"start_date", "end_date", "start_date_utc", "end_date_utc"}

// SaveDates writes an event's rows in the tables of dates, which lists read: the row of the event and the main
// occurrence, as Dates found them. They keep their ids, and unchanged rows are not written. Without those tables it
// does nothing, and where they are not in use it adds no rows.
func (s *Events) SaveDates(ctx context.Context, row *schema.EventRow, stored *Dates) error {
	counts := s.db.Dated()
	if !counts && stored.Event.ID == 0 && stored.Own == nil {
		return nil
	}
	o := row.Occurrence()
	o.Hash = schema.OccurrenceHash(o)
	if stored.Own != nil && stored.Own.Hash == o.Hash && stored.Event.EventRow == (schema.EventRow{
		ID: stored.Event.ID, PostID: row.PostID, StartDate: row.StartDate, EndDate: row.EndDate, Timezone: row.Timezone,
		StartDateUTC: row.StartDateUTC, EndDateUTC: row.EndDateUTC, Duration: row.Duration,
	}) {
		return nil
	}
	if counts && len(stored.Rows) > 0 && stored.Own == nil {
		return ErrDatesConflict
	}
	var err error
	if counts || stored.Event.ID != 0 {
		err = s.saveEventRow(ctx, row, stored.Event.ID)
	}
	if o.EventID = row.ID; stored.Own != nil {
		o.ID = stored.Own.ID
		o.EventID = cmp.Or(row.ID, stored.Own.EventID)
	}
	if err == nil && (counts || o.ID != 0) {
		err = s.saveOccurrence(ctx, &o)
	}
	return datesError(err)
}

// datesError returns the error of a write of dates: ErrDatesConflict if another row has the hash of one of them.
func datesError(err error) error {
	if dberr.IsTaken(err) {
		return fmt.Errorf("%w: %w", ErrDatesConflict, err)
	}
	return err
}

func (s *Events) saveOccurrence(ctx context.Context, o *schema.Occurrence) (err error) {
	conn := s.db.writing(ctx).conn(TableOccurrences)
	if o.ID == 0 {
		err = insertOne(ctx, s.db.withForeign(conn.NewInsert().Model(o), "tec_occurrences").ExcludeColumn("updated_at"), &o.ID)
	} else {
		_, err = conn.NewUpdate().Model(o).ExcludeColumn("occurrence_id", "updated_at").WherePK().Exec(ctx)
	}
	return err
}

func (s *Events) saveEventRow(ctx context.Context, row *schema.EventRow, id int64) (err error) {
	w := s.db.writing(ctx)
	w.changed.Posts(row.PostID)
	if row.ID = id; id == 0 {
		q := s.db.withForeign(w.conn(TableEvents).NewInsert().Model(row), "tec_events").ExcludeColumn("updated_at")
		err = insertOne(ctx, q, &row.ID)
	} else {
		_, err = w.conn(TableEvents).NewUpdate().Model(row).ExcludeColumn("event_id", "updated_at").WherePK().Exec(ctx)
	}
	return err
}

// lastDatedKey is the key of the result of lastDated in a Write.
type lastDatedKey struct{}

// HasDates reports, within a Write, whether a new event has rows in the tables of dates. In a Write of many events it
// asks once which is the last event that has rows. Those that follow have none until the Write adds theirs.
func (s *Events) HasDates(ctx context.Context, post int64) (bool, error) {
	if !s.db.Dated() {
		return false, nil
	}
	last, err := keptIn(s.db.writing(ctx), lastDatedKey{}, func() (int64, change.Tables, error) {
		last, err := s.lastDated(ctx)
		return last, 0, err // the rows that the Write adds do not matter
	})
	if err != nil || post > last {
		return false, err
	}
	of := func(t Table) *Query {
		return s.db.Select().From(t, "").ColumnExpr("1").Where("post_id = ?", post).Limit(1)
	}
	n, err := Number(ctx, s.db.Select().ColumnExpr("EXISTS (?) OR EXISTS (?)", of(TableEvents), of(TableOccurrences)))
	return n > 0, err
}

// lastDated returns the highest id of an event in the tables of dates, 0 if they are empty.
func (s *Events) lastDated(ctx context.Context) (last int64, err error) {
	of := func(t Table) *Query { return s.db.Select().From(t, "").ColumnExpr("MAX(post_id)") }
	type row struct {
		Events      int64 `bun:"of_events"`
		Occurrences int64 `bun:"of_occurrences"`
	}
	q := s.db.Select().ColumnExpr("COALESCE((?), 0) AS of_events", of(TableEvents)).
		ColumnExpr("COALESCE((?), 0) AS of_occurrences", of(TableOccurrences))
	err = Each(ctx, q, func(r *row) error {
		last = max(r.Events, r.Occurrences)
		return nil
	})
	return last, err
}

// DatesChange is a change of the rows of an event that has or had several dates.
type DatesChange struct {
	Event  *schema.EventDates // its row after the change
	Marks  map[Marks][]int64  // ids of existing occurrences by their new flags
	Delete []int64            // occurrences, by id
	Move   []*schema.Occurrence
	Insert []*schema.OccurrenceDates
}

// Marks are the flags of an event's occurrences: that the event has several dates, and that this one does not follow
// from a rule.
type Marks struct{ Several, Explicit bool }

// Mark changes the flags of an occurrence.
func (c *DatesChange) Mark(id int64, m Marks) {
	if c.Marks == nil {
		c.Marks = map[Marks][]int64{}
	}
	c.Marks[m] = append(c.Marks[m], id)
}

// ChangeDates writes changes of an event's rows to tables that can store several dates.
func (s *Events) ChangeDates(ctx context.Context, c *DatesChange) error {
	return datesError(s.changeDates(ctx, c))
}

func (s *Events) changeDates(ctx context.Context, c *DatesChange) error {
	if err := s.saveEventRow(ctx, &c.Event.EventRow, c.Event.ID); err != nil {
		return err
	}
	conn := s.db.writing(ctx).conn()
	row := conn.NewUpdate().Model(&c.Event.EventRow).Set("rset = NULLIF(?, '')", c.Event.Rset).WherePK()
	if _, err := row.Exec(ctx); err != nil {
		return err
	}
	if err := s.deleteOccurrences(ctx, c.Delete); err != nil {
		return err
	}
	for portion := range slices.Chunk(c.Move, movedAtOnce) {
		if err := s.moveOccurrences(ctx, portion); err != nil {
			return err
		}
	}
	if err := s.insertDates(ctx, c.Event.ID, c.Insert); err != nil {
		return err
	}
	for m, ids := range c.Marks {
		if err := s.markOccurrences(ctx, ids, m); err != nil {
			return err
		}
	}
	return nil
}

// insertDates adds occurrences to an event.
func (s *Events) insertDates(ctx context.Context, event int64, rows []*schema.OccurrenceDates) error {
	if len(rows) == 0 {
		return nil
	}
	for _, o := range rows {
		o.EventID = event
	}
	q := s.db.withForeign(s.db.writing(ctx).conn().NewInsert().Model(&rows), "tec_occurrences")
	_, err := q.ExcludeColumn("occurrence_id", "updated_at").Returning("NULL").Exec(ctx)
	return err
}

// deleteOccurrences deletes the occurrences with some ids.
func (s *Events) deleteOccurrences(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := s.db.writing(ctx).conn().NewDelete().Model((*schema.Occurrence)(nil)).ModelTableExpr("?(prefix)tec_occurrences").
		Where("occurrence_id IN (?)", bun.List(ids)).Exec(ctx)
	return err
}

// movedAtOnce limits the length of a statement.
const movedAtOnce = 100

// moveOccurrences writes the times of occurrences.
func (s *Events) moveOccurrences(ctx context.Context, rows []*schema.Occurrence) error {
	q := s.db.writing(ctx).conn().NewUpdate().Model((*schema.Occurrence)(nil)).ModelTableExpr("?(prefix)tec_occurrences")
	ids := make([]int64, len(rows))
	set := func(column string, value func(*schema.Occurrence) any) {
		c := cases{of: "occurrence_id", values: map[int64]any{}}
		for i, r := range rows {
			ids[i], c.values[r.ID] = r.ID, value(r)
		}
		q = q.Set("? = ?", bun.Ident(column), c)
	}
	set("start_date", func(o *schema.Occurrence) any { return o.StartDate })
	set("end_date", func(o *schema.Occurrence) any { return o.EndDate })
	set("start_date_utc", func(o *schema.Occurrence) any { return o.StartDateUTC })
	set("end_date_utc", func(o *schema.Occurrence) any { return o.EndDateUTC })
	set("duration", func(o *schema.Occurrence) any { return o.Duration })
	set("hash", func(o *schema.Occurrence) any { return o.Hash })
	_, err := q.Where("occurrence_id IN (?)", bun.List(ids)).Exec(ctx)
	return err
}

// cases is an SQL expression that selects a value by the id in a column.
type cases struct {
	of     bun.Ident
	values map[int64]any
}

// AppendQuery makes the expression usable as an argument of a query.
func (c cases) AppendQuery(g bunschema.QueryGen, b []byte) ([]byte, error) {
	b = g.AppendQuery(b, "CASE ?", c.of)
	for _, id := range slices.Sorted(maps.Keys(c.values)) {
		b = g.AppendQuery(b, " WHEN ? THEN ?", id, c.values[id])
	}
	return append(b, " END"...), nil
}

// markOccurrences writes the flags of occurrences.
func (s *Events) markOccurrences(ctx context.Context, ids []int64, m Marks) error {
	sequence := bun.Safe("NULL") // for an event with one date
	if m.Several {
		sequence = "COALESCE(NULLIF(sequence, 0), 1)"
	}
	_, err := s.db.writing(ctx).conn().NewUpdate().Model((*schema.Occurrence)(nil)).ModelTableExpr("?(prefix)tec_occurrences").
		Set("has_recurrence = ?", flagValue(m.Several)).Set("is_rdate = ?", flagValue(m.Explicit)).Set("sequence = ?", sequence).
		Where("occurrence_id IN (?)", bun.List(ids)).Exec(ctx)
	return err
}

func flagValue(on bool) int {
	if on {
		return 1
	}
	return 0
}

// DeleteDates deletes all rows of an event in the tables of dates.
func (s *Events) DeleteDates(ctx context.Context, post int64) error {
	s.db.writing(ctx).changed.Posts(post)
	return s.db.deleteRows(ctx, dateRows, []int64{post})
}

// LeaveSeries deletes the rows in which Events Calendar Pro records the series of an event. Few sites have that table.
// If the account may not write to it, the rows stay.
func (s *Events) LeaveSeries(ctx context.Context, event int64) error {
	if !s.db.writing(ctx).shape.series {
		return nil
	}
	err := s.db.deleteRows(ctx, []rowsOf{{table: tableSeries.String(), column: "event_post_id"}}, []int64{event})
	if dberr.IsDenied(err) {
		s.db.config.Logger.WarnContext(ctx, "the database account may not delete from "+s.db.prefix+tableSeries.String(),
			"event", event)
		return nil
	}
	return err
}

// Span returns the first start and the last end of an event's occurrences in UTC, "" if it has none.
func (s *Events) Span(ctx context.Context, event int64) (start, end string, err error) {
	q := s.db.Select().From(TableOccurrences, "").Where("post_id = ?", event).
		ColumnExpr("COALESCE(CAST(MIN(start_date_utc) AS CHAR), '') AS first_start").
		ColumnExpr("COALESCE(CAST(MAX(end_date_utc) AS CHAR), '') AS last_end")
	type row struct {
		First string `bun:"first_start"`
		Last  string `bun:"last_end"`
	}
	err = Each(ctx, q, func(r *row) error {
		start, end = r.First, r.Last
		return nil
	})
	return start, end, err
}

// Edge is the first or the last event of the calendar and its date in UTC.
type Edge struct {
	ID   int64  `bun:"post_id"`
	Date string `bun:"date"`
}

// Range returns the event that begins first and the event that ends last, of all published events including private
// ones; nil if there are none.
func (s *Events) Range(ctx context.Context) (first, last *Edge, err error) {
	if !s.db.Dated() {
		return nil, nil, nil
	}
	published := func() *Query {
		return s.db.Select().From(TableOccurrences, "o").
			Join(s.db.Then(), TablePosts, "p", "p.ID = o.post_id").
			Where("p.post_status IN (?)", bun.List([]string{schema.StatusPublish, schema.StatusPrivate}))
	}
	edge := func(column string, order bun.Safe) (*Edge, error) {
		date := bun.Ident("o." + column)
		// Sorting by date and id would read all rows, whereas the date is at one end of its index. The addition keeps
		// MySQL from reading an index of ids from its beginning instead of sorting the few rows with that date.
		return One[Edge](ctx, published().Column("o.post_id").ColumnExpr("CAST(? AS CHAR) AS date", date).
			Where("? = (?)", date, published().ColumnExpr("?", date).OrderExpr("? ?", date, order).Limit(1)).
			OrderExpr("o.post_id + 0").Limit(1))
	}
	if first, err = edge("start_date_utc", "ASC"); err == nil {
		last, err = edge("end_date_utc", "DESC")
	}
	return first, last, err
}
