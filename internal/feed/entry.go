package feed

import (
	"fmt"
	"time"

	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
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
}

// period is when an event takes place.
type period struct {
	start, end time.Time // days for an event of whole days, the end is the day after
	allDay     bool
}

// entriesOf returns the events that have a date. It leaves the others out, as an entry
// cannot do without.
func entriesOf(items []*item.Item) (entries []*entry) {
	for _, it := range items {
		if e, ok := entryOf(it); ok {
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
	if e.allDay = !it.Masked && wp.Truthy(m.Text(schema.MetaAllDay)); e.allDay {
		// Where the site's days begin at another hour than midnight, an event ends on the
		// morning after its last day, so the days are counted.
		const day = 24 * 60 * 60
		e.start = start.Truncate(day * time.Second)
		e.end = e.start.AddDate(0, 0, max(1, int((end.Unix()-start.Unix()+day-1)/day)))
	} else {
		e.start, e.end = moment(it, schema.MetaStartDate, schema.MetaStartDateUTC), moment(it, schema.MetaEndDate, schema.MetaEndDateUTC)
	}
	if !writable(e.end) || !e.end.After(e.start) {
		e.end = time.Time{} // that of the start
	}
	return e, writable(e.start)
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
