package pages

import (
	"slices"
	"strconv"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// monthGrid is a month as a table. Screen reader users can move by rows and columns in a table, and each cell is
// announced with its weekday. A grid made of lists would look the same but lack this, and the role "grid" would promise
// keyboard navigation, which requires a script.
type monthGrid struct {
	Caption  string
	Weekdays []weekday
	Weeks    [][]gridDay
}

type weekday struct{ Short, Long string }

// gridDay is a cell of the table.
type gridDay struct {
	Number  int
	Date    string // datetime attribute
	Label   string // the date in words, and the number of events
	Link    string
	Today   bool
	Outside bool // in another month
	Chosen  bool
	Slots   []slot
	Dots    []int  // colours of the first events
	More    string // text with the number of events that do not fit
	MoreTo  string // the same as a sentence
}

// slot is a line of a cell: an event, or blank.
type slot struct {
	Title, Link, Clock string
	Zone               string // time zone of Clock; "" if it is the site's
	State              string // words for cancelled or postponed; "" for other events
	Colour             int
	Lang               string // language of Title; "" if it is the page's
	Days               int    // number of this week's days that a bar spans; 0 for an event of one day
	Before, After      bool   // the bar began in an earlier week, continues in the next week
	Through            bool   // a later day of a bar, which is drawn by its first cell
	Blank              bool
	Tight              bool // limited to one line, since a bar follows
}

const (
	// lines is the number of events in a cell. If there are more, the last line is a link to the day.
	lines = 4
	// dots is the maximal number of dots in a cell.
	dots = 3
)

// grid returns the table of a month, in complete weeks.
func (v *version) grid(st state, month, chosen, today time.Time, events []calendar.Event, tree categoryTree) monthGrid {
	g := monthGrid{Caption: v.texts.month(month)}
	begin, end := v.weeks(month)
	g.Weekdays = v.weekdays(begin)
	for first := begin; first.Before(end); first = first.AddDate(0, 0, 7) {
		week := v.week(first, events, tree)
		for i := range week {
			day, d := first.AddDate(0, 0, i), &week[i]
			n := len(onDay(events, day))
			d.Number, d.Date, d.Link = day.Day(), day.Format(time.DateOnly), v.home(st.onDay(day))
			d.Label = v.texts.shortDate(day) + ", " + v.texts.count(n)
			d.Today, d.Chosen, d.Outside = day.Equal(today), day.Equal(chosen), day.Month() != month.Month()
			if d.More != "" {
				d.More, d.MoreTo = v.fill("more", d.More), v.fill("more.to", d.More, v.texts.shortDate(day))
			}
		}
		g.Weeks = append(g.Weeks, week)
	}
	return g
}

// weekdays returns the names of the seven days from first on.
func (v *version) weekdays(first time.Time) (list []weekday) {
	for i := range 7 {
		name := v.texts.Days[first.AddDate(0, 0, i).Weekday()]
		list = append(list, weekday{string([]rune(name)[:v.texts.ShortDay]), name})
	}
	return list
}

// weeks returns the first day of the first week and the last day of the last week of a month.
func (v *version) weeks(month time.Time) (first, last time.Time) {
	return v.weekOf(month), v.weekOf(month.AddDate(0, 1, -1)).AddDate(0, 0, 6)
}

// shows reports whether a day is in one of the weeks of months, as the table of a month shows them.
func (v *version) shows(m months, day time.Time) bool {
	first := v.weekOf(day)
	return m.has(first) || m.has(first.AddDate(0, 0, 6))
}

// weekOf returns the first day of the week of a day.
func (v *version) weekOf(day time.Time) time.Time {
	return day.AddDate(0, 0, -int(7+day.Weekday()-v.weekStart)%7)
}

// week lays out seven days from first on: bars are placed first, each in the first line that is free on all of its
// days, and then the events of each day.
func (v *version) week(first time.Time, events []calendar.Event, tree categoryTree) []gridDay {
	days, taken := make([]gridDay, 7), make([][]slot, 7)
	short, hidden := [7][]slot{}, [7]int{}
	for _, e := range events {
		begin, end, ok := span(e)
		if !ok || end.Before(first) || dayOf(begin, first) > 6 {
			continue
		}
		one, from, to := v.slot(e, tree), max(dayOf(begin, first), 0), min(dayOf(end, first), 6)
		for i := from; i <= to; i++ {
			days[i].dot(one.Colour)
		}
		if begin.Equal(end) {
			short[from] = append(short[from], one)
			continue
		}
		one.Days, one.Before, one.After = to-from+1, dayOf(begin, first) < 0, dayOf(end, first) > 6
		if one.Before {
			one.Clock, one.Zone = "", "" // it began on another day
		}
		if !placeBar(taken, one, from, to) {
			for i := from; i <= to; i++ {
				hidden[i]++
			}
		}
	}
	for i := range days {
		days[i].fill(taken[i], short[i], hidden[i])
	}
	return days
}

// dayOf returns the number of days from first to day.
func dayOf(day, first time.Time) int { return int(day.Sub(first) / (24 * time.Hour)) }

// placeBar places a bar in the first line that is free on all of its days. The last line is reserved for the link to
// the day. It reports whether there was such a line.
func placeBar(taken [][]slot, bar slot, from, to int) bool {
	for line := range lines - 1 {
		free := true
		for i := from; i <= to; i++ {
			free = free && (line >= len(taken[i]) || taken[i][line].Blank)
		}
		if !free {
			continue
		}
		for i := from; i <= to; i++ {
			for len(taken[i]) <= line {
				taken[i] = append(taken[i], slot{Blank: true})
			}
			taken[i][line] = bar
			taken[i][line].Through = i > from
		}
		return true
	}
	return false
}

// fill places the events of a day in the lines of its cell that are free of bars.
func (d *gridDay) fill(cell, events []slot, hidden int) {
	room := lines
	used := len(slices.DeleteFunc(slices.Clone(cell), func(s slot) bool { return s.Blank }))
	if used+len(events) > room || hidden > 0 {
		room-- // for the link to the day
	}
	for line := 0; line < room && (line < len(cell) || len(events) > 0); line++ {
		switch {
		case line < len(cell) && !cell[line].Blank:
			d.Slots = append(d.Slots, cell[line])
		case len(events) > 0:
			one := events[0]
			one.Tight = line < len(cell)
			d.Slots, events = append(d.Slots, one), events[1:]
		default:
			d.Slots = append(d.Slots, slot{Blank: true})
		}
	}
	if left := len(events) + hidden; left > 0 {
		d.More = strconv.Itoa(left)
	}
}

func (d *gridDay) dot(colour int) {
	if len(d.Dots) < dots {
		d.Dots = append(d.Dots, colour)
	}
}

// slot returns an event as a line of a cell.
func (v *version) slot(e calendar.Event, tree categoryTree) slot {
	s := slot{Title: v.plainTitle(e.Title), Link: v.link(routeOf(e)), State: v.state(e), Colour: tree.colour(e),
		Lang: v.foreign(e.Localized, e.Title)}
	if start, ok := wall(e.Start); ok && !e.AllDay {
		s.Clock = v.texts.clock(start)
		if v.here(e, start) != "" {
			_, s.Zone = zoneNames(e)
		}
	}
	return s
}
