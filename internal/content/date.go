package content

import (
	"time"

	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// Date is one date of an event: start and end in the event's time zone, and in UTC.
type Date struct{ Start, End, StartUTC, EndUTC string }

// DateOf returns the date of an occurrence.
func DateOf(o *schema.OccurrenceDates) Date {
	return Date{o.StartDate, o.EndDate, o.StartDateUTC, o.EndDateUTC}
}

// InLocation returns the date with the same local times in another time zone.
func (d Date) InLocation(loc *time.Location) Date {
	utc := func(wall, otherwise string) string {
		if at, ok := strtotime.ParseWall(wall, loc); ok {
			return strtotime.Wall(at.UTC())
		}
		return otherwise
	}
	d.StartUTC, d.EndUTC = utc(d.Start, d.StartUTC), utc(d.End, d.EndUTC)
	return d
}

// renewed returns the date with its UTC times computed again where they do not agree with the local times.
func (d Date) renewed(loc *time.Location) Date {
	is := d.InLocation(loc)
	if strtotime.Agree(d.Start, d.StartUTC, loc) {
		is.StartUTC = d.StartUTC
	}
	if strtotime.Agree(d.End, d.EndUTC, loc) {
		is.EndUTC = d.EndUTC
	}
	return is
}

// period returns the local times of the date.
func (d Date) period() (p rset.Period) {
	p.Start, _ = strtotime.ParseWall(d.Start, time.UTC)
	p.End, _ = strtotime.ParseWall(d.End, time.UTC)
	return p
}

func dateOfPeriod(p rset.Period, loc *time.Location) Date {
	return Date{Start: p.Start.Format(time.DateTime), End: p.End.Format(time.DateTime)}.InLocation(loc)
}

// SameTimes reports whether two dates have the same local times.
func (d Date) SameTimes(other Date) bool { return d.Start == other.Start && d.End == other.End }

// occurrence returns the row of wp_tec_occurrences for this date of a post.
func (d Date) occurrence(id, post int64) *schema.Occurrence {
	o := &schema.Occurrence{ID: id, PostID: post, StartDate: d.Start, EndDate: d.End, StartDateUTC: d.StartUTC, EndDateUTC: d.EndUTC}
	start, _ := strtotime.ParseWall(d.StartUTC, time.UTC)
	end, _ := strtotime.ParseWall(d.EndUTC, time.UTC)
	o.Duration = min(max(end.Unix()-start.Unix(), 0), schema.MaxDuration)
	o.Hash = schema.OccurrenceHash(*o)
	return o
}
