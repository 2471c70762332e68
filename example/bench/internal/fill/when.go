package fill

import (
	"time"

	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// span is when an event takes place.
type span struct {
	begins                       time.Time
	start, end, startUTC, endUTC string
	zone, abbr                   string
	seconds                      int64
	allDay                       bool
}

// halfSpan is the number of days that the calendar extends into the past and into the future.
const halfSpan = 3650

// These are the frequencies of events per month and per day of the week, relative to the busiest: few in winter and in
// the holidays.
var (
	monthWeight = [12]float64{0.5, 0.55, 0.75, 0.8, 1, 1, 0.5, 0.5, 0.95, 0.9, 0.75, 0.95}
	dayWeight   = [7]float64{0.8, 0.35, 0.4, 0.5, 0.6, 0.95, 1} // from Sunday
)

// date returns a random day: many are near the day of filling, fewer are farther away.
func (p *place) date(r random) time.Time {
	for {
		var days float64
		switch r.weighted(30, 35, 35) {
		case 0: // near the start: exponentially fewer with the distance
			days = r.ExpFloat64() * 120
		case 1: // linearly fewer with the distance
			days = halfSpan * (1 - max(r.Float64(), r.Float64()))
		default: // equally many at any distance
			days = halfSpan * r.Float64()
		}
		if days >= halfSpan {
			continue
		}
		if r.chance(0.5) {
			days = -days - 1
		}
		day := p.day.AddDate(0, 0, int(days))
		if r.chance(monthWeight[day.Month()-1] * dayWeight[day.Weekday()]) {
			return day
		}
	}
}

// otherZones are the time zones of events that take place elsewhere, or online.
var otherZones = []string{"Europe/London", "America/New_York", "UTC", "Asia/Tokyo"}

// evenings and daytimes are the times at which events begin, in minutes of the day, the most frequent first.
var (
	evenings = []int{20 * 60, 19*60 + 30, 19 * 60, 20*60 + 30, 18*60 + 30, 18 * 60, 21 * 60, 17*60 + 30, 22 * 60}
	daytimes = []int{14 * 60, 10 * 60, 15 * 60, 11 * 60, 9*60 + 30, 13*60 + 30, 16 * 60, 9 * 60, 12 * 60, 10*60 + 30, 8*60 + 30}
)

// lengths are the durations of events in minutes, the most frequent first.
var lengths = []int{120, 90, 60, 150, 180, 240, 105, 75, 300, 45, 360, 480}

func (p *place) span(r random) span {
	day := p.date(r)
	s := span{zone: p.state.Zone}
	loc := p.settings.Location
	if r.chance(0.04) {
		s.zone = otherZones[r.IntN(len(otherZones))]
		loc, _ = strtotime.Zone(s.zone)
	}
	switch r.weighted(8, 6, 2, 84) {
	case 0: // all-day
		s.allDay = true
		last := day.AddDate(0, 0, []int{0, r.IntN(3), 1 + r.IntN(15)}[r.weighted(60, 30, 10)])
		s.set(loc, strtotime.DayStart(day, p.settings.Cutoff), strtotime.DayEnd(last, p.settings.Cutoff))
	case 1: // several days: a festival, a course
		last := day.AddDate(0, 0, 1+r.early(10))
		s.set(loc, wallClock(day, daytimes[r.early(len(daytimes))]), wallClock(last, evenings[r.early(len(evenings))]))
	case 2: // months: an exhibition
		s.set(loc, wallClock(day, 10*60), wallClock(day.AddDate(0, 0, 14+r.IntN(110)), 18*60))
	default:
		begin := evenings[r.early(len(evenings))]
		if weekend := day.Weekday() == time.Sunday ||
			day.Weekday() == time.Saturday; r.chance(map[bool]float64{true: 0.6, false: 0.3}[weekend]) {
			begin = daytimes[r.early(len(daytimes))]
		}
		start, _ := strtotime.ParseWall(wallClock(day, begin), loc)
		s.set(loc, strtotime.Wall(start), strtotime.Wall(start.Add(time.Duration(lengths[r.early(len(lengths))])*time.Minute)))
	}
	return s
}

// wallClock returns a minute of a day as a local date and time.
func wallClock(day time.Time, minute int) string {
	y, m, d := day.Date()
	return strtotime.Wall(time.Date(y, m, d, minute/60, minute%60, 0, 0, time.UTC))
}

// set parses two local times in a time zone, as a write does.
func (s *span) set(loc *time.Location, start, end string) {
	from, _ := strtotime.ParseWall(start, loc)
	to, _ := strtotime.ParseWall(end, loc)
	s.begins = from
	s.start, s.startUTC = strtotime.Wall(from), strtotime.Wall(from.UTC())
	s.end, s.endUTC = strtotime.Wall(to), strtotime.Wall(to.UTC())
	s.seconds = to.Unix() - from.Unix()
	s.abbr, _ = strtotime.Abbreviation(s.zone, from)
}

// entered returns when an event was entered: some weeks ahead at office hours, events of the far future in the last two
// years.
func (p *place) entered(r random, begins time.Time) time.Time {
	days, back := r.early(180), r.early(720)
	day := begins.In(p.settings.Location).AddDate(0, 0, -5-days)
	if !day.Before(p.day) {
		day = p.day.AddDate(0, 0, -1-back)
	}
	at, _ := strtotime.ParseWall(wallClock(day, 8*60+r.IntN(11*60)), p.settings.Location)
	return at.Add(time.Duration(r.IntN(60)) * time.Second)
}
