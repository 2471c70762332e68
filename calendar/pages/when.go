package pages

import (
	"slices"
	"strconv"
	"time"
)

// spans are the ranges of days, from today on, for which there are links.
var spans = []string{"today", "weekend", "week"}

// isWhen reports whether a text is one of spans, or a year.
func isWhen(text string) bool {
	if slices.Contains(spans, text) {
		return true
	}
	year, err := time.Parse("2006", text)
	return err == nil && year.Year() > 0
}

// days returns the first and the last day of a span or a year.
func days(when string, today time.Time) (first, last time.Time) {
	switch when {
	case "today":
		return today, today
	case "week":
		return today, today.AddDate(0, 0, 6)
	case "weekend":
		sunday := today.AddDate(0, 0, int(7-today.Weekday())%7)
		if first = sunday.AddDate(0, 0, -1); first.Before(today) { // today is Sunday
			first = today
		}
		return first, sunday
	}
	year, _ := strconv.Atoi(when)
	return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(year, 12, 31, 0, 0, 0, 0, time.UTC)
}

// whenTitle returns the title of a list.
func (v *version) whenTitle(when string) string {
	if slices.Contains(spans, when) {
		return v.texts.word("when." + when)
	}
	return when
}

// whenTabs returns the links to the lists of the next days, and to those of the years with events, the latest first.
func (v *version) whenTabs(st state, bounds months, today time.Time) (next, years []tab) {
	to := func(when string) tab {
		there := st.asList(time.Time{})
		if there.when = when; st.when == when {
			there.when = ""
		}
		return tab{Name: v.whenTitle(when), Link: v.home(there), Current: st.when == when, NoFollow: st.filtered()}
	}
	for _, when := range spans {
		next = append(next, to(when))
	}
	const most = 30
	// A single event with a mistyped year does not take the place of all others.
	for year := min(bounds.end.Year(), today.Year()+most/3); year >= bounds.begin.Year() && len(years) < most; year-- {
		if year > 999 {
			years = append(years, to(strconv.Itoa(year)))
		}
	}
	return next, years
}
