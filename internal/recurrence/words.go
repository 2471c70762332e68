package recurrence

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Say returns the translated message with an id, with data for its template.
type Say func(id string, data map[string]any) string

// Said is the recurrence of an event: a rule, with the dates that were excluded and added.
type Said struct {
	Rule     string
	Start    time.Time // of the first date: a local time as if it were UTC, like all times here
	Clock    Clock
	Excluded []time.Time // starts of dates that match the rule but were excluded
	Added    []time.Time // starts of dates that were added to those of the rule
}

// Limits of a description. Longer lists of dates are only counted, or not described at all. The rule is expanded for at
// most maxSaidYears, to find out which dates match it.
const (
	maxSaid      = 6
	maxSaidYears = 50
)

// Words describes a recurrence in a sentence, such as "every second Tuesday until 30 June 2031, except 24 December
// 2030". It returns "" if a sentence would be wrong or too long.
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
	if !r.Regular() { // the start counts as a date but is not one of those that the sentence describes
		if r.interval > 1 {
			return "" // with an interval it would be unclear which dates are meant
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
	// A date that was moved to another time of the same day is not an exception.
	text = w.list(text, "rule_except", "rule_except_some", outside(without, added))
	return w.list(text, "rule_also", "rule_also_some", outside(added, without))
}

// outside returns the times of list that are not in other.
func outside(list, other []time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(list), func(t time.Time) bool { return slices.ContainsFunc(other, t.Equal) })
}

// words describes one rule.
type words struct {
	rule  Rule  // simplified, without parts that change nothing
	whole *Rule // as it was given
	say   Say
}

// plain removes the parts of the rule that change nothing. It reports whether the rest can be described: there is one
// time of day, that of the start, and no part without a message.
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
	if r.freq == daily || r.freq == weekly { // their weekdays have no ordinals
		for i := range r.days {
			r.days[i].n = 0
		}
	}
	slices.SortFunc(r.days, func(a, b weekdayOf) int { return a.order() - b.order() })
	r.days = slices.Compact(r.days)
	return true
}

// order returns a number that sorts weekdays by their ordinal within a month, then from Monday on.
func (d weekdayOf) order() int { return (d.n+100)%100*7 + (int(d.day)+6)%7 }

// ordered returns a sorted copy of a list without duplicates. Negative numbers, which count from the end, come last.
func ordered(list []int) []int {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b int) int { return (a+1000)%1000 - (b+1000)%1000 })
	return slices.Compact(list)
}

// frequency describes when the dates are. It returns "" if it cannot.
func (w *words) frequency() string {
	r := &w.rule
	numbered := r.numbered()
	switch {
	case numbered && (r.monthDays != nil || r.positions != nil || r.days[0].n == 0): // weekdays without ordinals are sorted first
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

// weekday returns the translated name of a weekday.
func (w *words) weekday(d weekdayOf) string { return w.names("rule_weekdays")[d.day] }

// weekdays returns the translated names of the rule's weekdays.
func (w *words) weekdays() (list []string) {
	for _, d := range w.rule.days {
		list = append(list, w.weekday(d))
	}
	return list
}

// areWorkdays reports whether the rule's weekdays are Monday to Friday.
func (w *words) areWorkdays() bool {
	weekend := func(d weekdayOf) bool { return d.day == time.Saturday || d.day == time.Sunday }
	return len(w.rule.days) == 5 && !slices.ContainsFunc(w.rule.days, weekend)
}

// onWeekdays describes a daily rule, or a weekly one with certain weekdays.
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

// chosen describes the days of a month that BYSETPOS selects, such as the first Tuesday, or the last day from Monday to
// Friday.
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

// nth describes the nth of some days, from the end if n is negative. It returns "" if there is no message for n.
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

// onDays describes a rule with a list of days of the month. It returns "" if one of them is "", that is, could not be
// described.
func (w *words) onDays(list []string) string {
	if len(list) > maxSaid || slices.Contains(list, "") {
		return ""
	}
	return w.on(w.join("rule_and", list))
}

// onMonthDays describes a rule with numbers of days of the month, which may also have to fall on certain weekdays.
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

// onDates describes a rule as dates of the year, such as 24 December. It returns "" if the rule has none, or too many.
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

// on adds to the description of days how often the months or years recur, and which months.
func (w *words) on(days string) string {
	if w.rule.freq == monthly && w.rule.interval > 1 && w.rule.months != nil {
		return ""
	}
	return w.inMonths(w.period(days))
}

// period describes days of every month, or of every year if the rule names months.
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

// every returns a message about something that recurs at the rule's interval, as in "every 3 weeks".
func (w *words) every(id string, data map[string]any) string {
	all := map[string]any{"Count": w.rule.interval}
	maps.Copy(all, data)
	return w.say(id, all)
}

// inMonths adds the names of the months.
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

// among returns the times of list that match the rule. ok is false if the rule could not be expanded up to the last of
// them.
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

// end adds when the rule ends: on a day, or after its COUNT less fewer dates.
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
	if w.whole.ended(day, clock(day)) { // UNTIL is earlier in that day than the event would begin
		day = day.AddDate(0, 0, -1)
	}
	return w.say("rule_until", map[string]any{
		"Rule": text, "Day": w.number(day.Day()), "Month": w.names("rule_months")[day.Month()-1], "Year": day.Year(),
	})
}

// list adds dates to the description, or their number if there are more than maxSaid.
func (w *words) list(text, id, some string, dates []time.Time) string {
	switch n := len(dates); {
	case n == 0:
		return text
	case n > maxSaid:
		return w.say(some, map[string]any{"Rule": text, "Count": n})
	}
	return w.say(id, map[string]any{"Rule": text, "Dates": w.dates(dates, true)})
}

// days returns the days of some times, sorted and without duplicates.
func days(list []time.Time) []time.Time {
	out := make([]time.Time, len(list))
	for i, t := range list {
		out[i] = time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	}
	slices.SortFunc(out, time.Time.Compare)
	return slices.CompactFunc(out, time.Time.Equal)
}

// dates describes days, grouped by month, as in "24 and 31 December 2030".
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

// number returns the day of a month as it is written in a date.
func (w *words) number(day int) string {
	if day == 1 {
		return w.say("rule_first_of_month", nil)
	}
	return strconv.Itoa(day)
}

// names returns the elements of a message that is a comma-separated list of names.
func (w *words) names(id string) []string { return strings.Split(w.say(id, nil), ", ") }

// join joins a list with commas and, before the last element, the conjunction of the message id.
func (w *words) join(id string, list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return w.say(id, map[string]any{"List": strings.Join(list[:last], ", "), "Last": list[last]})
}
