package feed

import (
	"fmt"
	"time"

	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// entry is an event in an iCalendar object.
type entry struct {
	*item.Item
	period
	uid string // without the host name; it changes with the dates, as in the feed of The Events Calendar

	exported bool   // the object is a file for import, not a feed
	imported string // UID that the event was imported with, for exports

	own    rset.Period // the main occurrence of a recurring event in local time; its instants are in stored
	stored period
	zone   *time.Location
	series *series   // the occurrences of a recurring event, the first of which is the period; nil for others
	last   time.Time // end of the last occurrence
	of     *change   // set for a component that represents one occurrence of a series
}

// period is the date and time of an entry.
type period struct {
	start, end time.Time // dates for an all-day event, whose end is exclusive
	allDay     bool
}

// entriesOf returns the entries of those events that have a date. An iCalendar object cannot contain the others.
func entriesOf(items []*item.Item, several Several) (entries []*entry) {
	for _, it := range items {
		if e, ok := entryOf(it); ok {
			several.setSeries(e)
			entries = append(entries, e)
		}
	}
	return entries
}

func entryOf(it *item.Item) (*entry, bool) {
	m := it.Meta
	start, end, ok := walls(m)
	if !ok {
		return nil, false
	}
	e := &entry{Item: it, uid: uidOf(it.ID(), start, end)}
	if wholeDays(it) {
		e.period = days(start, end)
	} else {
		e.start, e.end = moment(it, schema.MetaStartDate, schema.MetaStartDateUTC), moment(it, schema.MetaEndDate, schema.MetaEndDateUTC)
	}
	e.period = e.written()
	return e, writable(e.start)
}

// wholeDays reports whether the entry of an event is an all-day entry.
func wholeDays(it *item.Item) bool { return !it.Masked && wp.Truthy(it.Meta.Text(schema.MetaAllDay)) }

// days returns the period of an all-day event. If the site's days begin at a cutoff later than midnight, the event ends
// on the morning after its last day, so the number of days is computed from the duration.
func days(start, end time.Time) period {
	const day = 24 * 60 * 60
	p := period{start: start.Truncate(day * time.Second), allDay: true}
	p.end = p.start.AddDate(0, 0, max(1, int((end.Unix()-start.Unix()+day-1)/day)))
	return p
}

// written removes the end from a period if it equals the start or cannot be written.
func (p period) written() period {
	if !writable(p.end) || !p.end.After(p.start) {
		p.end = time.Time{}
	}
	return p
}

// walls returns the start and end of an event in local time.
func walls(m store.Meta) (start, end time.Time, dated bool) {
	start, dated = strtotime.ParseWall(m.Text(schema.MetaStartDate), time.UTC)
	end, ok := strtotime.ParseWall(m.Text(schema.MetaEndDate), time.UTC)
	if !ok {
		end = start
	}
	return start, end, dated
}

// uidOf returns the UID of an event, without the host name.
func uidOf(id int64, start, end time.Time) string {
	return fmt.Sprintf("%d-%d-%d", id, start.Unix(), end.Unix())
}

// writable reports whether a time can be written, which requires a year of four digits.
func writable(t time.Time) bool { return t.UTC().Year() > 0 && t.UTC().Year() < 10000 }

// moment returns a stored date in the zone of the event. If the zone is unknown or the local time is ambiguous, the UTC
// date determines the instant.
func moment(it *item.Item, key, keyUTC string) time.Time {
	zone, known := event.Zone(it)
	wall := it.Meta.Text(key)
	if t, ok := strtotime.ParseWall(it.Meta.Text(keyUTC), time.UTC); ok && (!known || strtotime.Wall(t.In(zone)) == wall) {
		return t.In(zone)
	}
	t, _ := strtotime.ParseWall(wall, zone)
	return t
}

// writeBound writes a start or an end, unless it is zero. Zones whose names other programs do not know, such as UTC+2, are
// converted to UTC.
func (p *period) writeBound(w *ical.Writer, name string, t time.Time) {
	switch {
	case t.IsZero():
	case p.allDay:
		w.Date(name, t)
	case strtotime.Named(t.Location()):
		w.Local(name, t)
	default:
		w.UTC(name, t)
	}
}
