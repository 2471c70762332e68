package store

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// SaveDates writes an event's rows in the tables of dates, which lists read. Rows
// that exist keep their ids, and equal ones are not written. Without those tables it
// does nothing.
func (s *Store) SaveDates(ctx context.Context, row *schema.EventRow) error {
	if !s.occurrences {
		return nil
	}
	o := row.Occurrence()
	o.Hash = schema.OccurrenceHash(o)
	stored, occurrence, err := s.storedDates(ctx, row.PostID)
	if err != nil || occurrence.Hash == o.Hash && stored == (schema.EventRow{
		ID: stored.ID, PostID: row.PostID, StartDate: row.StartDate, EndDate: row.EndDate, Timezone: row.Timezone,
		StartDateUTC: row.StartDateUTC, EndDateUTC: row.EndDateUTC, Duration: row.Duration,
	}) {
		return err
	}
	if err := s.saveEventRow(ctx, row, stored.ID); err != nil {
		return err
	}
	o.EventID = row.ID
	if occurrence.ID == 0 {
		_, err := s.writing(ctx).conn().NewInsert().Model(&o).ExcludeColumn("updated_at").Exec(ctx)
		return err
	}
	o.ID = occurrence.ID
	_, err = s.writing(ctx).conn().NewUpdate().Model(&o).ExcludeColumn("occurrence_id", "updated_at").WherePK().Exec(ctx)
	return err
}

// storedDates returns the stored rows of an event, of several occurrences the first.
// The ids are 0 where there are none.
func (s *Store) storedDates(ctx context.Context, post int64) (e schema.EventRow, o schema.Occurrence, err error) {
	q := s.db.NewSelect().TableExpr("(SELECT ? AS post_id) AS p", post).
		Join("LEFT JOIN ?(prefix)tec_events AS te ON te.post_id = p.post_id").
		Join("LEFT JOIN ?(prefix)tec_occurrences AS oc ON oc.post_id = p.post_id").
		ColumnExpr("p.post_id, COALESCE(te.event_id, 0), COALESCE(te.start_date, ''), COALESCE(te.end_date, ''), " +
			"COALESCE(te.timezone, '')").
		ColumnExpr("COALESCE(te.start_date_utc, ''), COALESCE(te.end_date_utc, ''), COALESCE(te.duration, 0)").
		ColumnExpr("COALESCE(oc.occurrence_id, 0), COALESCE(oc.hash, '')").
		OrderExpr("oc.occurrence_id").Limit(1)
	err = Each(ctx, q, func(r *sql.Rows) error {
		return r.Scan(&e.PostID, &e.ID, &e.StartDate, &e.EndDate, &e.Timezone, &e.StartDateUTC, &e.EndDateUTC, &e.Duration, &o.ID, &o.Hash)
	})
	return e, o, err
}

func (s *Store) saveEventRow(ctx context.Context, row *schema.EventRow, id int64) (err error) {
	if row.ID = id; id == 0 {
		_, err = s.writing(ctx).conn().NewInsert().Model(row).ExcludeColumn("updated_at").Exec(ctx)
	} else {
		_, err = s.writing(ctx).conn().NewUpdate().Model(row).ExcludeColumn("event_id", "updated_at").WherePK().Exec(ctx)
	}
	return err
}

// Edge is the first or the last event of the calendar: its date in UTC.
type Edge struct {
	ID   int64
	Date string
}

// Range returns the event that begins first and the one that ends last among
// those that are published, also privately; nil without any.
func (s *Store) Range(ctx context.Context) (first, last *Edge, err error) {
	if !s.occurrences {
		return nil, nil, nil
	}
	published := func() *bun.SelectQuery {
		return s.db.NewSelect().TableExpr("?(prefix)tec_occurrences AS o").
			Join("? ?(prefix)posts AS p ON p.ID = o.post_id", s.Then()).
			Where("p.post_status IN (?)", bun.List([]string{schema.StatusPublish, schema.StatusPrivate}))
	}
	edge := func(column string, order bun.Safe) (e *Edge, err error) {
		date := bun.Ident("o." + column)
		// Sorted by date and id, all rows would be read: the date is at one end of its index.
		q := published().Column("o.post_id").ColumnExpr("CAST(? AS CHAR)", date).
			Where("? = (?)", date, published().ColumnExpr("?", date).OrderExpr("? ?", date, order).Limit(1)).
			Order("o.post_id").Limit(1)
		err = Each(ctx, q, func(r *sql.Rows) error {
			e = &Edge{}
			return r.Scan(&e.ID, &e.Date)
		})
		return e, err
	}
	if first, err = edge("start_date_utc", "ASC"); err == nil {
		last, err = edge("end_date_utc", "DESC")
	}
	return first, last, err
}

// TaxonomyIDs returns the ids of the taxonomy rows that a post is attached to,
// with their taxonomies.
func (s *Store) TaxonomyIDs(ctx context.Context, post int64) (map[int64]string, error) {
	found := map[int64]string{}
	q := s.db.NewSelect().TableExpr("?(prefix)term_relationships AS r").
		Join("JOIN ?(prefix)term_taxonomy AS tt ON tt.term_taxonomy_id = r.term_taxonomy_id").
		Column("tt.term_taxonomy_id", "tt.taxonomy").Where("r.object_id = ?", post)
	return found, Each(ctx, s.ofPosts(q), func(r *sql.Rows) error {
		var id int64
		var taxonomy string
		err := r.Scan(&id, &taxonomy)
		found[id] = taxonomy
		return err
	})
}

// Attach attaches a post to taxonomy rows and detaches it from others.
func (s *Store) Attach(ctx context.Context, post int64, add, remove []int64) error {
	if len(remove) > 0 {
		_, err := s.writing(ctx).conn().NewDelete().ModelTableExpr("?(prefix)term_relationships").
			Where("object_id = ?", post).Where("term_taxonomy_id IN (?)", bun.List(remove)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	if len(add) == 0 {
		return nil
	}
	rows := make([]schema.TermRelationship, len(add))
	for i, id := range add {
		rows[i] = schema.TermRelationship{ObjectID: post, TermTaxonomyID: id}
	}
	_, err := s.writing(ctx).conn().NewInsert().Model(&rows).Returning("NULL").Exec(ctx)
	return err
}

// Recount updates how many published posts taxonomy rows have.
func (s *Store) Recount(ctx context.Context, taxonomyIDs []int64) error {
	if len(taxonomyIDs) == 0 {
		return nil
	}
	posts := s.db.NewSelect().TableExpr("?(prefix)term_relationships AS r").Join("JOIN ?(prefix)posts AS p ON p.ID = r.object_id").
		ColumnExpr("COUNT(*)").Where("r.term_taxonomy_id = tt.term_taxonomy_id").Where("p.post_status = ?", schema.StatusPublish)
	_, err := s.writing(ctx).conn().NewUpdate().TableExpr("?(prefix)term_taxonomy AS tt").Set("count = (?)", posts).
		Where("tt.term_taxonomy_id IN (?)", bun.List(taxonomyIDs)).Exec(ctx)
	return err
}

// AddCounts changes how many published posts taxonomy rows have, by the same number each.
func (s *Store) AddCounts(ctx context.Context, taxonomyIDs []int64, by int64) error {
	_, err := s.writing(ctx).conn().NewUpdate().TableExpr("?(prefix)term_taxonomy").Set("count = count + ?", by).
		Where("term_taxonomy_id IN (?)", bun.List(taxonomyIDs)).Exec(ctx)
	return err
}
