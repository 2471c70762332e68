package recurrence

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Say returns the text of a message id, with what it says.
type Say func(id string, data map[string]any) string

// Said is a rule as an event has it, with the dates that it has besides.
type Said struct {
	Rule     string
	Start    time.Time // of the first date, a time of the clock as if it were UTC, as all times here
	Clock    Clock
	Excluded []time.Time // starts of dates that the rule has and the event has not
	Added    []time.Time // starts of dates that only the event has
}

// Bounds of what is said: longer lists are only counted, or not said at all, and a rule is not followed for longer than so many years.
const (
	maxSaid      = 6
	maxSaidYears = 50
)

// Words returns a rule in words, such as "every second Tuesday until 30 June 2031, except 24 December 2030"; "" where words would be wrong
// or too long.
func Words(s Said, say Say) string {
	r, err := Parse(s.Rule, s.Start)
	if err != nil {
		return ""
	}
	w := words{rule: *r, whole: r, say: say}
	if !w.plain() {
		return ""
	}
	text := w.frequency()
	excluded, ok := w.among(s.Excluded, s.Clock)
	known, also := w.among(s.Added, s.Clock)
	if text == "" || !ok || !also {
		return ""
	}
	fewer, extra := len(excluded), outside(s.Added, append(known, s.Start))
	if !r.Regular() { // the start is a date, and counts, but is none of those that the text says
		if r.interval > 1 {
			return "" // which dates are those?
		}
		left := len(excluded)
		if excluded = outside(excluded, []time.Time{s.Start}); len(excluded) == left {
			extra, fewer = append(extra, s.Start), fewer+1
		}
	}
	if text = w.end(text, s.Clock, fewer); text == "" {
		return ""
	}
	without, added := days(excluded), days(extra)
	// A date that is moved to another time of its day is no exception.
	text = w.list(text, "rule_except", "rule_except_some", outside(without, added))
	return w.list(text, "rule_also", "rule_also_some", outside(added, without))
}

// outside returns the times of a list that another has not.
func outside(list, other []time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(list), func(t time.Time) bool { return slices.ContainsFunc(other, t.Equal) })
}

// words says one rule.
type words struct {
	rule  Rule  // without what changes nothing
	whole *Rule // as it is
	say   Say
}

// plain takes out what changes nothing, and reports whether the rule has but one time of the day, that of its start, and no parts that are
// not said.
func (w *words) plain() bool {
	r := &w.rule
	at := [][]int{r.hours, r.minutes, r.seconds}
	if !slices.EqualFunc(at, []int{r.start.Hour(), r.start.Minute(), r.start.Second()}, func(list []int, n int) bool {
		return len(list) == 1 && list[0] == n
	}) || r.yearDays != nil || r.weeks != nil {
		return false
	}
	r.months, r.monthDays, r.positions = ordered(r.months), ordered(r.monthDays), ordered(r.positions)
	if len(r.months) == 12 {
		r.months = nil
	}
	r.days = slices.Clone(r.days)
	if r.freq == daily || r.freq == weekly { // of which a day of the week has no number
		for i := range r.days {
			r.days[i].n = 0
		}
	}
	slices.SortFunc(r.days, func(a, b weekdayOf) int { return a.order() - b.order() })
	r.days = slices.Compact(r.days)
	return true
}

// order returns a number that has the weekdays from Monday on, and their numbers as they come in a month.
func (d weekdayOf) order() int { return (d.n+100)%100*7 + (int(d.day)+6)%7 }

// ordered returns a list in its order without repetitions; those that count from the end come last.
func ordered(list []int) []int {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b int) int { return (a+1000)%1000 - (b+1000)%1000 })
	return slices.Compact(list)
}

// frequency says when the dates are, "" if it cannot.
func (w *words) frequency() string {
	r := &w.rule
	numbered := slices.ContainsFunc(r.days, func(d weekdayOf) bool { return d.n != 0 })
	switch {
	case numbered && (r.monthDays != nil || r.positions != nil || r.days[0].n == 0): // those without a number come first
		return ""
	case r.positions != nil:
		perMonth := r.freq == monthly || r.freq == yearly && len(r.months) == 1
		if len(r.days) == 0 || r.monthDays != nil || !perMonth {
			return ""
		}
		return w.onDays(w.chosen())
	case numbered && r.freq == yearly && r.months == nil:
		return ""
	case numbered:
		var list []string
		for _, d := range r.days {
			list = append(list, w.nth(d.n, w.weekday(d)))
		}
		return w.onDays(list)
	case r.monthDays != nil && r.interval > 1 && (r.freq == daily || r.freq == weekly || r.freq == yearly && r.months == nil):
		return ""
	case r.monthDays != nil:
		return cmp.Or(w.onDates(), w.onMonthDays())
	case r.interval == 1 || r.freq == weekly:
		return w.inMonths(w.onWeekdays())
	case r.freq == daily && r.days == nil:
		return w.inMonths(w.every("rule_every_days", nil))
	}
	return ""
}

// weekday returns the name of a day of the week.
func (w *words) weekday(d weekdayOf) string { return w.names("rule_weekdays")[d.day] }

// weekdays returns the names of those of the rule.
func (w *words) weekdays() (list []string) {
	for _, d := range w.rule.days {
		list = append(list, w.weekday(d))
	}
	return list
}

// areWorkdays reports whether the days of the rule are Monday to Friday.
func (w *words) areWorkdays() bool {
	weekend := func(d weekdayOf) bool { return d.day == time.Saturday || d.day == time.Sunday }
	return len(w.rule.days) == 5 && !slices.ContainsFunc(w.rule.days, weekend)
}

// onWeekdays says a rule whose dates are on certain days of every week, or on all days.
func (w *words) onWeekdays() string {
	names := w.weekdays()
	on := make([]string, len(names))
	for i, name := range names {
		on[i] = w.say("rule_on_weekday", map[string]any{"Day": name})
	}
	days := map[string]any{"Days": w.join("rule_and", on)}
	switch {
	case w.rule.interval == 2 && len(names) == 1:
		return w.say("rule_second_weekday", map[string]any{"Day": names[0]})
	case w.rule.interval > 1:
		return w.every("rule_every_weeks", days)
	case len(names) == 0 || len(names) == 7:
		return w.say("rule_daily", nil)
	case w.areWorkdays():
		return w.say("rule_workdays", nil)
	case len(names) == 1:
		return w.say("rule_weekday", map[string]any{"Day": names[0]})
	}
	return w.say("rule_weekly", days)
}

// chosen says which of the days of its months a rule has: the first Tuesday, the last day from Monday to Friday.
func (w *words) chosen() (list []string) {
	names := w.weekdays()
	day := w.join("rule_or", names)
	switch {
	case len(names) == 7:
		day = w.say("rule_day", nil)
	case w.areWorkdays():
		day = w.say("rule_workday", nil)
	}
	for _, n := range w.rule.positions {
		list = append(list, w.nth(n, day))
	}
	return list
}

// nth says which of some days is meant, from their end if the number is negative; "" if no word says it.
func (w *words) nth(n int, day string) string {
	id := map[int]string{
		1: "rule_first", 2: "rule_second", 3: "rule_third", 4: "rule_fourth", 5: "rule_fifth",
		-1: "rule_last", -2: "rule_second_last", -3: "rule_third_last",
	}[n]
	if id == "" {
		return ""
	}
	return w.say(id, map[string]any{"Day": day})
}

// onDays says a rule by days of months, one of which has no words if it is "".
func (w *words) onDays(list []string) string {
	if len(list) > maxSaid || slices.Contains(list, "") {
		return ""
	}
	return w.on(w.join("rule_and", list))
}

// onMonthDays says a rule by numbers of days of months, or by these and the days of the week that they have to be.
func (w *words) onMonthDays() string {
	var list []string
	for _, n := range w.rule.monthDays {
		if n > 0 {
			list = append(list, w.names("rule_month_days")[n-1])
		} else {
			list = append(list, w.nth(n, w.say("rule_day", nil)))
		}
	}
	if len(w.rule.days) == 0 || len(list) > maxSaid || slices.Contains(list, "") {
		return w.onDays(list)
	}
	return w.on(w.say("rule_if", map[string]any{"Days": w.join("rule_or", list), "Weekday": w.join("rule_or", w.weekdays())}))
}

// onDates says a rule by dates of the year, such as 24 December; "" if it has none, or too many.
func (w *words) onDates() string {
	r := &w.rule
	if r.months == nil || len(r.days) > 0 || len(r.months)*len(r.monthDays) > maxSaid || r.freq == monthly && r.interval > 1 {
		return ""
	}
	const leapYear = 2000
	var dates []time.Time
	for _, month := range r.months {
		for _, n := range r.monthDays {
			date := time.Date(leapYear, time.Month(month), n, 0, 0, 0, 0, time.UTC)
			if n < 0 || int(date.Month()) != month {
				return ""
			}
			dates = append(dates, date)
		}
	}
	return w.period(w.dates(dates, false))
}

// on says a rule by days of its months.
func (w *words) on(days string) string {
	if w.rule.freq == monthly && w.rule.interval > 1 && w.rule.months != nil {
		return ""
	}
	return w.inMonths(w.period(days))
}

// period says on which days of every month, or of every year if the rule names months, the dates are.
func (w *words) period(days string) string {
	data := map[string]any{"Days": days}
	switch {
	case w.rule.interval == 1 && w.rule.months != nil:
		return w.say("rule_yearly", data)
	case w.rule.interval == 1:
		return w.say("rule_monthly", data)
	case w.rule.months != nil:
		return w.every("rule_every_years", data)
	}
	return w.every("rule_every_months", data)
}

// every says what happens once in so many days, weeks, months or years.
func (w *words) every(id string, data map[string]any) string {
	all := map[string]any{"Count": w.rule.interval}
	maps.Copy(all, data)
	return w.say(id, all)
}

// inMonths adds the months to what is said.
func (w *words) inMonths(text string) string {
	if w.rule.months == nil || text == "" {
		return text
	}
	var list []string
	for _, m := range w.rule.months {
		list = append(list, w.names("rule_months")[m-1])
	}
	return w.say("rule_in", map[string]any{"Rule": text, "Months": w.join("rule_and", list)})
}

// among returns those of some times that the rule has, and whether it could be followed to the last of them.
func (w *words) among(list []time.Time, clock Clock) (has []time.Time, ok bool) {
	if len(list) == 0 {
		return nil, true
	}
	first, last := slices.MinFunc(list, time.Time.Compare), slices.MaxFunc(list, time.Time.Compare)
	if last.After(w.rule.start.AddDate(maxSaidYears, 0, 0)) {
		return nil, false
	}
	dates, more := w.whole.Dates(clock, first, last, 366*maxSaidYears)
	for _, at := range list {
		if _, found := slices.BinarySearchFunc(dates, clock(at), time.Time.Compare); found {
			has = append(has, at)
		}
	}
	return has, !more
}

// end adds how long the rule goes on: to a day, or for so many dates, fewer than it counts.
func (w *words) end(text string, clock Clock, fewer int) string {
	if w.rule.count > 0 {
		n := w.rule.count - fewer
		if n < 2 || !w.rule.until.Wall.IsZero() {
			return ""
		}
		return w.say("rule_times", map[string]any{"Rule": text, "Count": n})
	}
	if w.rule.until.Wall.IsZero() {
		return text
	}
	last := w.rule.until.Wall
	if w.rule.until.UTC {
		last = Wall(last.In(clock(last).Location()))
	}
	day := time.Date(last.Year(), last.Month(), last.Day(), w.rule.start.Hour(), w.rule.start.Minute(), w.rule.start.Second(), 0, time.UTC)
	if w.whole.ended(day, clock(day)) { // in the morning of a day whose date would begin later
		day = day.AddDate(0, 0, -1)
	}
	return w.say("rule_until", map[string]any{
		"Rule": text, "Day": w.number(day.Day()), "Month": w.names("rule_months")[day.Month()-1], "Year": day.Year(),
	})
}

// list adds dates to what is said, or their number if there are many.
func (w *words) list(text, id, some string, dates []time.Time) string {
	switch n := len(dates); {
	case n == 0:
		return text
	case n > maxSaid:
		return w.say(some, map[string]any{"Rule": text, "Count": n})
	}
	return w.say(id, map[string]any{"Rule": text, "Dates": w.dates(dates, true)})
}

// days returns the days of times, each once and in order.
func days(list []time.Time) []time.Time {
	out := make([]time.Time, len(list))
	for i, t := range list {
		out[i] = time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	}
	slices.SortFunc(out, time.Time.Compare)
	return slices.CompactFunc(out, time.Time.Equal)
}

// dates says days: those of one month together, as in 24 and 31 December 2030.
func (w *words) dates(list []time.Time, years bool) string {
	var all []string
	for len(list) > 0 {
		first := list[0]
		n := slices.IndexFunc(list, func(t time.Time) bool { return t.Year() != first.Year() || t.Month() != first.Month() })
		if n < 0 {
			n = len(list)
		}
		var numbers []string
		for _, t := range list[:n] {
			numbers = append(numbers, w.number(t.Day()))
		}
		list = list[n:]
		data := map[string]any{"Days": w.join("rule_and", numbers), "Month": w.names("rule_months")[first.Month()-1], "Count": n}
		if !years {
			all = append(all, w.say("rule_days_of_month", data))
			continue
		}
		data["Year"] = first.Year()
		all = append(all, w.say("rule_dates", data))
	}
	return w.join("rule_and", all)
}

// number returns the number of a day of a month, as it stands in a date.
func (w *words) number(day int) string {
	if day == 1 {
		return w.say("rule_first_of_month", nil)
	}
	return strconv.Itoa(day)
}

// names returns the names of a text that lists some.
func (w *words) names(id string) []string { return strings.Split(w.say(id, nil), ", ") }

// join returns a list as a sentence has it; id is that of the last link.
func (w *words) join(id string, list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return w.say(id, map[string]any{"List": strings.Join(list[:last], ", "), "Last": list[last]})
}
