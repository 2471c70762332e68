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
	uid string // without the host; it changes with the dates, as in the site's own feed

	exported bool   // into a file that programs import, and not a feed
	imported string // UID where it was brought from, in exports

	own    rset.Period // of the event that has a series: its own date on its clock, of which the moments are stored
	stored period
	zone   *time.Location
	series *series   // of several dates, of which the period is the first; nil for one
	last   time.Time // when the last of them ends
	of     *change   // of a component for a date of a series
}

// period is when an event takes place.
type period struct {
	start, end time.Time // days for an event of whole days, the end is the day after
	allDay     bool
}

// entriesOf returns the events that have a date. It leaves the others out, as an entry
// cannot do without.
func entriesOf(items []*item.Item, several Several) (entries []*entry) {
	for _, it := range items {
		if e, ok := entryOf(it); ok {
			several.put(e)
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

// wholeDays reports whether the entry of an event says that it takes whole days.
func wholeDays(it *item.Item) bool { return !it.Masked && wp.Truthy(it.Meta.Text(schema.MetaAllDay)) }

// days returns the period of an event of whole days. Where the site's days begin at another hour
// than midnight, it ends on the morning after its last day, so the days are counted.
func days(start, end time.Time) period {
	const day = 24 * 60 * 60
	p := period{start: start.Truncate(day * time.Second), allDay: true}
	p.end = p.start.AddDate(0, 0, max(1, int((end.Unix()-start.Unix()+day-1)/day)))
	return p
}

// written returns the period without an end that is that of the start, or cannot be written.
func (p period) written() period {
	if !writable(p.end) || !p.end.After(p.start) {
		p.end = time.Time{}
	}
	return p
}

// walls returns the start and end of an event on the clock of its zone.
func walls(m store.Meta) (start, end time.Time, dated bool) {
	start, dated = strtotime.ParseWall(m.Text(schema.MetaStartDate), time.UTC)
	end, ok := strtotime.ParseWall(m.Text(schema.MetaEndDate), time.UTC)
	if !ok {
		end = start
	}
	return start, end, dated
}

// uidOf returns the UID of an event without the host.
func uidOf(id int64, start, end time.Time) string {
	return fmt.Sprintf("%d-%d-%d", id, start.Unix(), end.Unix())
}

// writable reports whether a time can be written, which takes a year of four digits.
func writable(t time.Time) bool { return t.UTC().Year() > 0 && t.UTC().Year() < 10000 }

// moment returns a stored date in the zone of the event. In a zone that is not known, and
// where the clock shows a time twice, it is the date that is stored in UTC.
func moment(it *item.Item, key, keyUTC string) time.Time {
	zone, known := event.Zone(it)
	wall := it.Meta.Text(key)
	if t, ok := strtotime.ParseWall(it.Meta.Text(keyUTC), time.UTC); ok && (!known || strtotime.Wall(t.In(zone)) == wall) {
		return t.In(zone)
	}
	t, _ := strtotime.ParseWall(wall, zone)
	return t
}

// write writes a start or an end, if there is one. Zones whose name other programs do
// not know, such as UTC+2, are left for UTC.
func (p *period) write(w *ical.Writer, name string, t time.Time) {
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
