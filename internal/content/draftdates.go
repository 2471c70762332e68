package content

import (
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/schema"
)

// AllDates are the dates of an event in order, local to a time zone.
type AllDates struct {
	Dates []Date
	Rule  string // RRULE that they follow from, "" for none
	Zone  string // as it is stored
}

// PlannedDates returns the dates that an event has, none for a new one, and those that Save would give it. It returns
// the errors that Save would return. It does not change the edit.
func (o *Occurrences) PlannedDates(ctx context.Context, d *Edit) (was, is AllDates, err error) {
	stored, err := o.StoredDates(ctx, d)
	if err != nil {
		return was, is, err
	}
	if !d.New() {
		was = storedDates(stored, d.StoredMeta())
	}
	trial := *d
	trial.want, trial.order = maps.Clone(d.want), slices.Clone(d.order)
	if err := o.planDates(ctx, &trial); err != nil {
		return was, is, err
	}
	is = was
	is.Zone = trial.Text(schema.MetaTimezone)
	switch {
	case trial.plan == nil && !d.New() && !d.movesOwn():
	case trial.plan == nil || len(trial.plan.dates) == 0:
		is.Rule, is.Dates = "", []Date{trial.ownDate()}
	default:
		is.Rule, is.Dates = rset.Parse(trial.plan.rset).Rule(), nil
		for _, p := range trial.plan.dates {
			is.Dates = append(is.Dates, p.Date)
		}
	}
	return was, is.sorted(), nil
}

// storedDates returns the stored dates of an event.
func storedDates(stored *store.Dates, meta store.Meta) AllDates {
	all := AllDates{Zone: meta.Text(schema.MetaTimezone)}
	for i := range stored.Rows {
		all.Dates = append(all.Dates, DateOf(&stored.Rows[i]))
	}
	if stored.Several() {
		all.Rule = rset.Parse(stored.Event.Rset).Rule()
	} else {
		all.Dates = []Date{{
			meta.Text(schema.MetaStartDate), meta.Text(schema.MetaEndDate),
			meta.Text(schema.MetaStartDateUTC), meta.Text(schema.MetaEndDateUTC),
		}}
	}
	return all.sorted()
}

func (a AllDates) sorted() AllDates {
	a.Dates = slices.Clone(a.Dates)
	slices.SortStableFunc(a.Dates, func(x, y Date) int { return x.period().Compare(y.period()) })
	return a
}
