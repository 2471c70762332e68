package editing

import (
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// Keys of the names of days and months, which are separated by commas.
const (
	dayNames   = "names.days"
	monthNames = "names.months"
)

// day returns a day and a time in words.
func (l *language) day(at time.Time) string {
	text := l.date(at)
	if at.Hour()+at.Minute() > 0 {
		text += ", " + clockText(at)
	}
	return text
}

// date returns a day in words.
func (l *language) date(at time.Time) string {
	days, months := strings.Split(l.word(dayNames), ","), strings.Split(l.word(monthNames), ",")
	if len(days) != 7 || len(months) != 12 {
		return at.Format(time.DateOnly)
	}
	return l.fill("date", days[at.Weekday()], strconv.Itoa(at.Day()), months[at.Month()-1], strconv.Itoa(at.Year()))
}

// span returns the times of an event in words.
func (l *language) span(e calendar.Event) string {
	switch {
	case e.Start.IsZero():
		return l.word("nothing")
	case e.AllDay:
		last := e.End
		if last.Hour() < 12 {
			last = last.AddDate(0, 0, -1)
		}
		if last.Format(time.DateOnly) <= e.Start.Format(time.DateOnly) {
			return l.date(e.Start)
		}
		return l.date(e.Start) + " – " + l.date(last)
	case e.Start.Equal(e.End):
		return l.day(e.Start)
	case e.End.Sub(e.Start) < 24*time.Hour:
		return l.date(e.Start) + ", " + clockText(e.Start) + "–" + clockText(e.End)
	}
	return l.day(e.Start) + " – " + l.day(e.End)
}
