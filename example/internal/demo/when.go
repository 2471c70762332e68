package demo

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // for machines without a zone database
)

// siteZone is the time zone of the town, and of every event without another one.
const siteZone = "Europe/Brussels"

// stamp is the layout in which the tables contain a date and time.
const stamp = "2006-01-02 15:04:05"

// slot is when an event takes place, relative to the day of seeding: In days after it or, if Month is set, on the next
// such day of the year; if Weekday is set, on the first such weekday from that day on.
type slot struct {
	In         int
	Month, Day int
	Weekday    string // "Monday"
	Days       int    // number of days of an all-day event, 0 for an event with times
	From, To   string // "19:30"; an end before the start is on the next day
	Zone       string // "" is that of the town
}

func (s slot) isAllDay() bool { return s.Days > 0 }

func (s slot) onOrAfter(d time.Time) time.Time {
	for i := range 7 {
		if day := d.AddDate(0, 0, i); day.Weekday().String() == s.Weekday {
			return day
		}
	}
	return d
}

// span is a slot resolved for one time of seeding, with all four dates as stored.
type span struct {
	start, end, startUTC, endUTC string
	zone, abbr                   string
	seconds                      int // between the two instants
}

// resolve returns the span for a site that is filled at now.
func (s slot) resolve(now time.Time) (span, error) {
	zone := cmp.Or(s.Zone, siteZone)
	loc, err := location(zone)
	if err != nil {
		return span{}, err
	}
	day := s.firstDay(now)
	start, end := day, day.AddDate(0, 0, s.Days-1).Add(24*time.Hour-time.Second)
	if !s.isAllDay() {
		from, err := parseClock(s.From)
		if err != nil {
			return span{}, err
		}
		to, err := parseClock(s.To)
		if err != nil {
			return span{}, err
		}
		if to <= from {
			to += 24 * time.Hour
		}
		start, end = day.Add(from), day.Add(to)
	}
	return between(inZone(start, loc), inZone(end, loc), zone), nil
}

// firstDay returns the day on which the slot starts, as midnight UTC: a date without a time zone.
func (s slot) firstDay(now time.Time) time.Time {
	today := dayOf(now)
	if s.Month == 0 {
		return s.onOrAfter(today.AddDate(0, 0, s.In))
	}
	for year := today.Year() - 1; ; year++ {
		day := s.onOrAfter(time.Date(year, time.Month(s.Month), s.Day, 0, 0, 0, 0, time.UTC))
		if last := day.AddDate(0, 0, max(s.Days-1, 0)); !last.Before(today) {
			return day
		}
	}
}

// dayOf returns the day in the town, as midnight UTC.
func dayOf(now time.Time) time.Time {
	site, err := time.LoadLocation(siteZone)
	if err != nil {
		site = time.UTC
	}
	y, m, d := now.In(site).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// inZone returns the time in loc that has the same date and clock time as t.
func inZone(t time.Time, loc *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, loc)
}

func between(start, end time.Time, zone string) span {
	abbr, _ := start.Zone()
	return span{
		start: start.Format(stamp), end: end.Format(stamp),
		startUTC: start.UTC().Format(stamp), endUTC: end.UTC().Format(stamp),
		zone: zone, abbr: abbr, seconds: int(end.Sub(start) / time.Second),
	}
}

// location loads a time zone, or returns one of the fixed offsets that sites store in the form UTC+5.5.
func location(zone string) (*time.Location, error) {
	if offset, ok := strings.CutPrefix(zone, "UTC"); ok && offset != "" {
		hours, err := strconv.ParseFloat(offset, 64)
		if err != nil {
			return nil, fmt.Errorf("demo: time zone %q: %w", zone, err)
		}
		return time.FixedZone(zone, int(hours*3600)), nil
	}
	return time.LoadLocation(zone)
}

func parseClock(text string) (time.Duration, error) {
	t, err := time.Parse("15:04", text)
	if err != nil {
		return 0, fmt.Errorf("demo: time of day %q: %w", text, err)
	}
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, nil
}
