package content

import (
	"context"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// insertDates writes the rows for the dates of a new event. Rows that exist already belonged to an earlier event with
// the same id.
func (o *Occurrences) insertDates(ctx context.Context, d *Edit) error {
	if d.Row.Type != o.types.Events().PostType {
		return nil
	}
	left, err := o.store.Events.HasDates(ctx, d.Row.ID)
	if err == nil && left {
		err = o.store.Events.DeleteDates(ctx, d.Row.ID)
	}
	if err != nil {
		return err
	}
	if d.plan == nil {
		d.plan = &datesPlan{stored: &store.Dates{}}
	}
	return o.saveDates(ctx, d)
}

// changes reports whether rows of a recurring event change.
func (p *datesPlan) changes() bool {
	if p == nil || !p.several {
		return false
	}
	c := p.rows(&store.DatesChange{Event: &schema.EventDates{}})
	return p.rset != p.stored.Event.Rset || len(c.Move)+len(c.Insert)+len(c.Delete)+len(c.Marks) > 0
}

// saveDates writes the planned rows of an event's dates, or the row that follows from its meta rows.
func (o *Occurrences) saveDates(ctx context.Context, d *Edit) error {
	meta := map[string]string{}
	for _, key := range datesOf {
		meta[key] = d.Text(key)
	}
	zone := site.From(ctx).Location.String()
	row, ok := schema.DateRow(d.Row.ID, meta, zone)
	if !ok && d.plan.several {
		// Other software may have stored a wrong duration, which is no reason to reject the edit (D65).
		delete(meta, schema.MetaDuration)
		row, ok = schema.DateRow(d.Row.ID, meta, zone)
	}
	if err := fetchedOf(ctx).countDates(max(1, len(d.plan.dates))); err != nil {
		return err
	}
	switch {
	case !d.plan.several && ok:
		if len(d.plan.stored.Rows) < 2 {
			d.plan.only = row
		}
		return o.store.Events.SaveDates(ctx, row, d.plan.stored)
	case !d.plan.several:
		return nil
	case !ok:
		return store.ErrDatesConflict
	}
	row.ID = d.plan.stored.Event.ID
	c := &store.DatesChange{Event: &schema.EventDates{EventRow: *row, Rset: d.plan.rset}}
	return o.store.Events.ChangeDates(ctx, d.plan.rows(c))
}

// rows adds the changes of occurrences to c.
func (p *datesPlan) rows(c *store.DatesChange) *store.DatesChange {
	kept := map[int64]bool{}
	sequence := int64(1)
	for i := range p.stored.Rows {
		sequence = max(sequence, p.stored.Rows[i].Sequence)
	}
	for _, is := range p.dates {
		o := is.occurrence(is.row, c.Event.PostID)
		kept[is.row] = true
		i := slices.IndexFunc(p.stored.Rows, func(r schema.OccurrenceDates) bool { return r.ID == is.row })
		if i < 0 {
			c.Insert = append(c.Insert, is.inserted(o, sequence))
			continue
		}
		r := &p.stored.Rows[i]
		if DateOf(r) != is.Date {
			c.Move = append(c.Move, o)
		}
		if p.marked && marksOf(r) != is.Marks {
			c.Mark(r.ID, is.Marks)
		}
	}
	for i := range p.stored.Rows {
		if id := p.stored.Rows[i].ID; !kept[id] {
			c.Delete = append(c.Delete, id)
		}
	}
	slices.SortFunc(c.Insert, func(a, b *schema.OccurrenceDates) int { return strings.Compare(a.StartDateUTC, b.StartDateUTC) })
	return c
}

// marksOf returns the flags of a stored row.
func marksOf(r *schema.OccurrenceDates) store.Marks {
	return store.Marks{Several: r.HasRecurrence == 1, Explicit: r.IsRdate == 1}
}

// inserted returns the new row of a date.
func (p *planned) inserted(o *schema.Occurrence, sequence int64) *schema.OccurrenceDates {
	return &schema.OccurrenceDates{
		Occurrence: *o, HasRecurrence: oneIf(p.Several), Sequence: sequence, IsRdate: oneIf(p.Explicit),
	}
}
