package content

import (
	"context"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// calendarRange keeps the option of a site with the earliest and latest date of all events, which The Events Calendar
// reads. Most writes do not change it; within finds that out without reading all events.
type calendarRange struct {
	store *store.Store
	types Types
	clock Clock
}

// updateRange keeps the site's option with the earliest and latest date of the calendar up to date. An event within the
// range that is at neither end does not change it.
func (r *calendarRange) updateRange(ctx context.Context, d *Edit) error {
	if d.Row.Type != r.types.Events().PostType || !r.store.DB.Dated() {
		return nil
	}
	if u := batchOf(ctx, r.store); u != nil {
		u.moved = true
		return nil
	}
	return r.writeRange(ctx, d)
}

// writeRange writes the option of updateRange if an event may change it; with nil it computes the range in any case.
func (r *calendarRange) writeRange(ctx context.Context, d *Edit) error {
	value, found, err := r.store.Options.Lock(ctx, schema.OptionCalendar)
	if err != nil {
		return err
	}
	options := &phpval.Array{}
	if value != "" {
		v, err := phpval.Unserialize(value)
		a, ok := v.(*phpval.Array)
		if err != nil || !ok {
			return nil // a value that cannot be parsed is left alone
		}
		options = a
	}
	if d != nil {
		if inside, err := r.within(ctx, options, d); err != nil || inside {
			return err
		}
	}
	first, last, err := r.store.Events.Range(ctx)
	if err != nil {
		return err
	}
	setEdge(options, "earliest_date", first)
	setEdge(options, "latest_date", last)
	stored := phpval.Serialize(options)
	if stored == value {
		return nil
	}
	if err := r.store.Options.Set(ctx, schema.OptionCalendar, stored, found); err != nil {
		return err
	}
	if _, found, err = r.store.Options.Lock(ctx, schema.OptionLastUpdated); err != nil {
		return err
	}
	return r.store.Options.Set(ctx, schema.OptionLastUpdated, store.Microtime(r.clock.Moment(ctx)), found)
}

// within reports whether an event is inside the stored range and neither is nor was at one of its ends.
func (r *calendarRange) within(ctx context.Context, options *phpval.Array, d *Edit) (bool, error) {
	marked := func(name string) bool {
		list := options.ArrayAt(name)
		for _, id := range list.All() {
			if phpval.Int(id) == d.Row.ID {
				return true
			}
		}
		return list == nil
	}
	first, last := phpval.Text(options.At("earliest_date")), phpval.Text(options.At("latest_date"))
	if first == "" || last == "" || marked("earliest_date_markers") || marked("latest_date_markers") {
		return false, nil
	}
	if d.Row.Status != schema.StatusPublish && d.Row.Status != schema.StatusPrivate {
		return true, nil
	}
	if d.plan != nil && d.plan.only != nil {
		return d.plan.only.StartDateUTC > first && d.plan.only.EndDateUTC < last, nil
	}
	start, end, err := r.store.Events.Span(ctx, d.Row.ID) // of all its occurrences
	return start > first && end < last, err
}

func setEdge(options *phpval.Array, name string, e *store.Edge) {
	if e == nil {
		options.Delete(phpval.StrKey(name))
		options.Delete(phpval.StrKey(name + "_markers"))
		return
	}
	options.Set(phpval.StrKey(name), e.Date)
	options.Set(phpval.StrKey(name+"_markers"), phpval.List(e.ID))
}
