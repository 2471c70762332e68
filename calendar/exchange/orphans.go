package exchange

import (
	"context"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/feed"
	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// split returns the records to import for one record. Occurrences without their event become one record each if events
// of this calendar cannot recur.
func (r *run) split(rec *Record) []*Record {
	if rec.singles == nil || feed.Whole(r.ctx) {
		return []*Record{rec}
	}
	return rec.singles
}

// calledOff returns the part of a record that applies when it cancels a stored event: nothing but its state.
func calledOff(rec *Record) *Record {
	own := *rec
	own.Partial, own.Image, own.Linked, own.Values, own.changes = true, "", nil, map[string]any{}, nil
	return &own
}

// changed returns the part of a record that applies if it contains occurrences of a stored event: those are moved,
// canceled or added. If the record contains all occurrences of the event, and the source contains nothing else of it,
// the whole record applies.
func (m *recordImport) changed(ctx context.Context, rec *Record, is match) (*Record, error) {
	stored, err := m.importer.Calendar.Event(ctx, is.ID)
	if err != nil {
		return nil, err
	}
	sets, err := m.parts.Events.Service.Content.Store.Events.Sets(ctx, []int64{is.ID})
	if err != nil {
		return nil, err
	}
	d := &storedDates{loc: m.zoneNamed(stored.TimeZone), allDay: stored.AllDay, moved: movedIn(is.moved)}
	set := rset.Parse(sets[is.ID].Text)
	start, end := wallTime(is.start), wallTime(is.end)
	switch {
	case feed.Ruled(set):
		d.ruled, d.explicit, d.excluded = true, set.Dates(), set.Excluded()
		d.first.Start, _ = set.Start()
		d.first.End, _ = set.End()
		d.length = d.first.End.Sub(d.first.Start)
	case set.Empty():
		d.explicit = []rset.Period{{Start: start, End: end}}
	case len(set.Unknown()) > 0 || set.Ruled() || set.Excepts():
		return nil, rec.refuse("RECURRENCE-ID", "is a date of an event whose rule is unknown")
	default:
		d.explicit = set.Dates()
	}
	for i := range rec.changes {
		d.change(&rec.changes[i])
	}
	own := calledOff(rec)
	own.State, own.moves = "", d.moved
	switch {
	case !d.ruled && len(d.explicit) == 0:
		own.State = StateCanceled
		return own, nil
	case !d.ruled && d.all(rec.changes):
		whole := *rec
		whole.changes, whole.moves = nil, d.moved
		return &whole, nil
	case plainText(rec.stringValue(fieldTitle)) != plainText(is.heading) && !rec.calls:
		m.lost = append(m.lost, rec.refuse("SUMMARY", otherText))
	}
	var list []any
	slices.SortFunc(d.explicit, func(a, b rset.Period) int { return a.Start.Compare(b.Start) })
	for _, p := range d.explicit {
		list = append(list, dateValue(p.Start.Format(time.DateTime), p.End.Format(time.DateTime)))
	}
	switch {
	case d.ruled:
		own.Values[fieldRecurrence] = recurrenceValue(set.Rule(), d.excluded)
		if list == nil { // an update without dates would keep the stored ones
			list = []any{dateValue(d.first.Start.Format(time.DateTime), d.first.End.Format(time.DateTime))}
		}
		own.Values[fieldDates] = list
	case len(list) == 1 && !is.several:
		first, _ := list[0].(map[string]any)
		own.Values[fieldStart], own.Values[fieldEnd] = first[fieldStart], first[fieldEnd]
	default:
		own.Values[fieldDates] = list
	}
	return own, nil
}

// zoneNamed returns the time zone with a name, or that of the site if the name is unknown.
func (r *run) zoneNamed(name string) *time.Location {
	if loc, known := strtotime.Zone(name); known {
		return loc
	}
	return r.zoneOf(&Record{})
}

// wallTime parses a stored local time.
func wallTime(text string) time.Time {
	at, _ := time.Parse(time.DateTime, text)
	return at
}

// storedDates contains the occurrences of a stored event in local time.
type storedDates struct {
	loc      *time.Location
	allDay   bool
	ruled    bool
	first    rset.Period   // of the rule
	length   time.Duration // duration of the rule's occurrences
	explicit []rset.Period
	excluded []time.Time
	moved    movedDates
}

// all reports whether the changes cover all occurrences.
func (d *storedDates) all(changes []dateChange) bool {
	return !slices.ContainsFunc(d.explicit, func(p rset.Period) bool {
		return !slices.ContainsFunc(changes, func(c dateChange) bool { return !c.canceled && d.period(&c).Start.Equal(p.Start) })
	})
}

// change applies the change of an occurrence.
func (d *storedDates) change(c *dateChange) {
	at := time.Unix(c.at, 0).In(d.loc)
	at = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
	if c.onDay || d.allDay {
		at = time.Unix(c.wall, 0).UTC()
	}
	to := d.period(c)
	named := func(start time.Time) bool {
		return start.Equal(at) || (c.onDay || d.allDay) && start.Format(time.DateOnly) == at.Format(time.DateOnly)
	}
	starts := func(start time.Time) func(rset.Period) bool {
		return func(p rset.Period) bool { return p.Start.Equal(start) }
	}
	i := slices.IndexFunc(d.explicit, func(p rset.Period) bool { return named(p.Start) })
	if before, known := d.moved[at.Format(time.DateTime)]; known && i < 0 {
		i = slices.IndexFunc(d.explicit, starts(wallTime(before)))
	}
	ruled := d.ruled && to.Start.Equal(at) && to.End.Sub(to.Start) == d.length && (i < 0 || slices.ContainsFunc(d.excluded, named))
	if i >= 0 && (c.canceled || ruled) {
		d.explicit = slices.Delete(d.explicit, i, i+1)
	}
	switch {
	case c.canceled:
		delete(d.moved, at.Format(time.DateTime))
	case ruled:
		d.moved.recordMove(at, at)
		d.excluded = slices.DeleteFunc(d.excluded, named)
		return
	default:
		d.moved.recordMove(at, to.Start)
		if i >= 0 {
			d.explicit[i] = to
			return
		}
		if i = slices.IndexFunc(d.explicit, starts(to.Start)); i >= 0 {
			d.explicit[i] = to
		} else {
			d.explicit = append(d.explicit, to)
		}
	}
	if d.ruled && !slices.ContainsFunc(d.excluded, named) {
		d.excluded = append(d.excluded, at)
		slices.SortFunc(d.excluded, time.Time.Compare)
	}
}

// period returns the new start and end of a changed occurrence, in local time of the event.
func (d *storedDates) period(c *dateChange) rset.Period {
	if d.allDay || c.allDay {
		return rset.Period{Start: time.Unix(c.start, 0).UTC(), End: time.Unix(c.end, 0).UTC()}
	}
	w := c.when(d.loc)
	start, end := w.texts()
	return rset.Period{Start: wallTime(start[:len(time.DateTime)]), End: wallTime(end[:len(time.DateTime)])}
}
