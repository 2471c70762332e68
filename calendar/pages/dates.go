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

// stamp is the form of dates and times in the interface.
const stamp = "2006-01-02 15:04:05"

// wall returns what clocks show at a moment in its zone, false for no moment. The zone of the result has no meaning.
func wall(t time.Time) (time.Time, bool) {
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).UTC(), !t.IsZero()
}

// date returns a day in full: Saturday 21 November 2026, zaterdag 21 november 2026, samedi 1er mai 2027.
func (d dictionary) date(t time.Time) string {
	return d.Days[t.Weekday()] + " " + d.day(t) + " " + d.Months[t.Month()-1] + " " + strconv.Itoa(t.Year())
}

// shortDate returns a day without the year.
func (d dictionary) shortDate(t time.Time) string {
	return d.Days[t.Weekday()] + " " + d.day(t) + " " + d.Months[t.Month()-1]
}

// period returns 7 – 13 December 2026, 30 November – 6 December 2026.
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

// month returns November 2026.
func (d dictionary) month(t time.Time) string {
	return d.Months[t.Month()-1] + " " + strconv.Itoa(t.Year())
}

// clock returns 19:30 or 19h30.
func (d dictionary) clock(t time.Time) string { return t.Format("15" + d.HourSign + "04") }

// number returns a number with its digits grouped by three.
func (d dictionary) number(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + d.Thousands + digits[i:]
	}
	return digits
}

// count returns 1 event, 2 events.
func (d dictionary) count(n int) string {
	form := d.Words["events.many"]
	if n == 1 || n == 0 && d.ZeroIsOne {
		form = d.Words["events.one"]
	}
	return strings.ReplaceAll(form, "%s", d.number(n))
}

// moment is when an event takes place, in words.
type moment struct {
	Days    string // the day, or the first and the last
	Hours   string // from and to, or "all day"; "" if Days has them
	Begins  string // the first day and its hour, of an event of several days with hours
	Here    string // the same instant in the zone of the site, if the event is in another
	Machine string // start, for the datetime attribute
	Until   string // the last day and its hour, of an event of several days
	Zone    string // of the event, if its clocks show another time than those of the site
	Short   string // the same in a few letters
}

// moment returns the times of an event in words. An event without valid times
// has none.
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
	// An event that ends at three in the morning counts as one day.
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

// zoneNames returns what the zone of an event is called, in full and in short. Zones without letters of their own, such as -03, are called
// by their names.
func zoneNames(e calendar.Event) (zone, short string) {
	zone, short = cmp.Or(e.TimeZone, e.TimeZoneAbbr), cmp.Or(e.TimeZoneAbbr, e.TimeZone)
	if short != "" && !unicode.IsLetter([]rune(short)[0]) {
		short = zone
	}
	return zone, short
}

// sentence returns what an event is called and when it is, for a description.
func (m moment) sentence(title string) string {
	words := []string{title, m.Days, m.Hours, m.Zone}
	return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), ", ") + "."
}

// here returns the time of an event in the zone of the site, "" if the clocks of the event show the same.
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

// today returns the day in the zone of the site, as midnight without a zone.
func (s *Site) today() time.Time { return midnight(s.opts.Now().In(s.opts.Zone)) }

func sameDay(a, b time.Time) bool { return a.Format(time.DateOnly) == b.Format(time.DateOnly) }
