package pages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/agendahq/agenda/calendar"
)

// stamp is the format of dates and times in the API.
const stamp = "2006-01-02 15:04:05"

// wall returns the local time of t in its zone, as a time in UTC. It returns false for the zero time.
func wall(t time.Time) (time.Time, bool) {
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).UTC(), !t.IsZero()
}

// date returns a day with weekday and year: Saturday 21 November 2026, zaterdag 21 november 2026, samedi 1er mai 2027.
func (d dictionary) date(t time.Time) string {
	return d.Days[t.Weekday()] + " " + d.day(t) + " " + d.Months[t.Month()-1] + " " + strconv.Itoa(t.Year())
}

// shortDate returns a day with weekday, without the year.
func (d dictionary) shortDate(t time.Time) string {
	return d.Days[t.Weekday()] + " " + d.day(t) + " " + d.Months[t.Month()-1]
}

// period returns a range of days: 7 – 13 December 2026, 30 November – 6 December 2026.
func (d dictionary) period(first, last time.Time) string {
	begin := d.day(first)
	if first.Month() != last.Month() {
		begin += " " + d.Months[first.Month()-1]
	}
	if first.Year() != last.Year() {
		begin += " " + strconv.Itoa(first.Year())
	}
	return begin + " – " + d.day(last) + " " + d.month(last)
}

func (d dictionary) day(t time.Time) string {
	if t.Day() == 1 {
		return "1" + d.First
	}
	return strconv.Itoa(t.Day())
}

// month returns a month: November 2026.
func (d dictionary) month(t time.Time) string {
	return d.Months[t.Month()-1] + " " + strconv.Itoa(t.Year())
}

// clock returns a time of day: 19:30 or 19h30.
func (d dictionary) clock(t time.Time) string { return t.Format("15" + d.HourSign + "04") }

// number returns a number with its digits grouped in threes.
func (d dictionary) number(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + d.Thousands + digits[i:]
	}
	return digits
}

// count returns a number of events: 1 event, 2 events.
func (d dictionary) count(n int) string {
	form := d.Words["events.many"]
	if n == 1 || n == 0 && d.ZeroIsOne {
		form = d.Words["events.one"]
	}
	return strings.ReplaceAll(form, "%s", d.number(n))
}

// moment is the time of an event, in words.
type moment struct {
	Days    string // the day, or the first and the last one
	Hours   string // start and end time, or "all day"; "" if Days contains them
	Begins  string // first day and start time, for an event of several days that is not all-day
	Here    string // start time in the site's time zone, if the event is in another zone
	Machine string // start, for the datetime attribute
	Until   string // last day and end time, for an event of several days
	Zone    string // time zone of the event, if its local time differs from the site's
	Short   string // abbreviation of Zone
}

// moment returns the time of an event in words. It is empty for an event without valid times.
func (v *version) moment(e calendar.Event) moment {
	d := v.texts
	start, ok := wall(e.Start)
	if !ok {
		return moment{}
	}
	end, ok := wall(e.End)
	if !ok || end.Before(start) {
		end = start
	}
	m := moment{Days: d.date(start), Machine: start.Format("2006-01-02T15:04")}
	if e.AllDay {
		m.Machine, m.Hours = start.Format(time.DateOnly), d.Words["allday"]
	} else if m.Hours = d.clock(start); end.After(start) {
		m.Hours += " – " + d.clock(end)
	}
	// An event that ends before six in the morning counts as one day.
	if lastDay := end.Add(-6 * time.Hour); end.Sub(start) > 12*time.Hour && !sameDay(start, lastDay) {
		m.Until = d.shortDate(end)
		if m.Days = d.date(start) + " – " + d.date(end); !e.AllDay {
			m.Begins, m.Until = d.shortDate(start)+", "+d.clock(start), m.Until+", "+d.clock(end)
			m.Days, m.Hours = d.date(start)+", "+d.clock(start)+" – "+d.date(end)+", "+d.clock(end), ""
		}
	}
	if m.Here = v.here(e, start); m.Here != "" {
		m.Zone, m.Short = zoneNames(e)
	}
	return m
}

// zoneNames returns the name and the abbreviation of an event's time zone. For zones without an alphabetic
// abbreviation, such as -03, both are the name.
func zoneNames(e calendar.Event) (zone, short string) {
	zone, short = cmp.Or(e.TimeZone, e.TimeZoneAbbr), cmp.Or(e.TimeZoneAbbr, e.TimeZone)
	if short != "" && !unicode.IsLetter([]rune(short)[0]) {
		short = zone
	}
	return zone, short
}

// sentence returns the title and the time of an event, for a page's description.
func (m moment) sentence(title string) string {
	words := []string{title, m.Days, m.Hours, m.Zone}
	return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), ", ") + "."
}

// here returns the time of an event in the site's time zone, or "" if it is the same as in the event's zone.
func (v *version) here(e calendar.Event, start time.Time) string {
	local := e.Start.In(v.zone)
	if e.AllDay || local.Format(stamp) == e.Start.Format(stamp) {
		return ""
	}
	when := v.texts.clock(local)
	if !sameDay(local, start) {
		when = v.texts.shortDate(local) + ", " + when
	}
	return strings.ReplaceAll(v.texts.Words["here"], "%s", when)
}

// today returns the current day in the site's time zone, as midnight UTC.
func (s *Site) today() time.Time { return midnight(s.opts.Now().In(s.opts.Zone)) }

func sameDay(a, b time.Time) bool { return a.Format(time.DateOnly) == b.Format(time.DateOnly) }
