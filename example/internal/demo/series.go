package demo

import (
	"slices"
	"strings"
	"time"
)

// around is the number of days before and after the day of seeding in which series take place.
const around = 365

// occasion is one event of a series.
type occasion struct {
	event
	day time.Time
}

// occasions returns the events of all series, sorted by day.
func (c *content) occasions(now time.Time) []occasion {
	today, taken := dayOf(now), c.taken(now)
	var all []occasion
	for _, s := range c.Series {
		for in := -around; in <= around; in++ {
			day := today.AddDate(0, 0, in)
			if week, on := s.on(day); on && !taken[s.Venue+day.Format(time.DateOnly)] {
				all = append(all, occasion{s.turn(week, day, in), day})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b occasion) int { return a.day.Compare(b.day) })
	return all
}

// taken returns the places and days of the events that are not part of a series. An exhibition occupies its rooms
// alone.
func (c *content) taken(now time.Time) map[string]bool {
	taken := map[string]bool{}
	for _, e := range c.Events {
		day := e.At.firstDay(now)
		for i := range max(e.At.Days, 1) {
			taken[e.Venue+day.AddDate(0, 0, i).Format(time.DateOnly)] = true
		}
		for _, date := range e.dates(now) {
			taken[e.Venue+date.start[:len(time.DateOnly)]] = true
		}
	}
	return taken
}

// on reports whether a series takes place on a day, and how many times it has taken place since the first week that is
// counted.
func (s series) on(day time.Time) (times int, on bool) {
	weeks := int(day.Unix()/(24*60*60)+3) / 7 // since the Monday before 1970
	if day.Weekday().String() != s.At.Weekday || weeks%s.Every != s.Phase {
		return 0, false
	}
	return weeks / s.Every, len(s.Months) == 0 || slices.Contains(s.Months, int(day.Month()))
}

// turn returns the event of a series on a day, which is in days after the day of seeding.
func (s series) turn(times int, day time.Time, in int) event {
	e := s.event
	e.At.In, e.At.Weekday = in, ""
	e.In = map[string]version{}
	for lang, v := range s.In {
		turns := s.Turns[lang]
		v.Slug += "-" + day.Format(time.DateOnly)
		v.Text = strings.Replace(v.Text, "%s", turns[times%len(turns)], 1)
		e.In[lang] = v
	}
	return e
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
