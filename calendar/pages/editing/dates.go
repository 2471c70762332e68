package editing

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// whenGroup is the group of the fields that together determine the dates of an event.
const whenGroup = "when"

// dateFields returns the fields for the day, the times and the recurrence of an event.
func dateFields() []*entry {
	return []*entry{
		{
			name: "when", widget: "when", inputs: []string{"day", "from", "to"}, group: whenGroup,
			params: []string{"start_date", "end_date"}, read: readWhen, write: (*writing).dates,
		},
		{
			name: "repeats", widget: "repeats", inputs: []string{"repeats", "until", "endless", "rule", "skip"}, group: whenGroup,
			params: []string{"recurrence"}, read: readRepeats, write: (*writing).dates,
		},
	}
}

// foldedDates returns the fields about dates that few events need.
func foldedDates() []*entry {
	return []*entry{
		{
			name: "all_day", widget: "whole", inputs: []string{"all_day", "last"}, group: whenGroup, folded: true, read: readWhole,
			write: (*writing).dates,
		},
		{
			name: "dates", widget: "dates", inputs: []string{"dates"}, group: whenGroup, folded: true, read: readDates,
			write: (*writing).dates,
		},
		{
			name: "timezone", widget: "zone", inputs: []string{"timezone"}, group: whenGroup, folded: true, write: (*writing).dates,
			read: func(s stored, _ reading, v url.Values) { v.Set("timezone", s.stringMember("timezone")) },
		},
	}
}

func readWhen(s stored, _ reading, v url.Values) {
	p := s.period()
	if p.start.IsZero() {
		return
	}
	v.Set("day", p.start.Format(time.DateOnly))
	if s.stringMember("all_day") == yes {
		return
	}
	v.Set("from", clockText(p.start))
	if !p.end.Equal(p.start) {
		v.Set("to", clockText(p.end))
	}
}

func readWhole(s stored, _ reading, v url.Values) {
	p, whole := s.period(), s.stringMember("all_day") == yes
	tick(v, "all_day", whole)
	if p.start.IsZero() {
		return
	}
	if last, needed := lastDay(p, whole); needed {
		v.Set("last", last.Format(time.DateOnly))
	}
}

// lastDay returns the last day of an event, and reports whether it is needed because it does not follow from the day and
// the times.
func lastDay(p period, whole bool) (last time.Time, needed bool) {
	last = p.end.Truncate(24 * time.Hour)
	if !whole {
		end, ok := endOf(p.start, p.end.Sub(last))
		return last, !ok || !end.Equal(p.end)
	}
	if p.end.Hour() < 12 { // a day of the site may end in the night after it
		last = last.AddDate(0, 0, -1)
	}
	return last, !last.Equal(p.start.Truncate(24 * time.Hour))
}

func readRepeats(s stored, in reading, v url.Values) {
	v.Set("repeats", never)
	r := s.rule()
	if r == nil {
		return
	}
	v.Set("repeats", wayOf(r.Rule, s.period().start))
	if v.Get("repeats") == ownRule {
		v.Set("rule", r.Rule)
	}
	v.Set("until", untilOf(r.Rule, s.zone(in.defaults.zone)))
	tick(v, "endless", endless(r.Rule))
	for _, at := range r.Excluded {
		v.Add("skip", skipped(at, r.Rule))
	}
}

// skipped returns the form's value for an excluded start: its day, unless the rule can have several occurrences on a
// day.
func skipped(at, rule string) string {
	if day, _, ok := strings.Cut(at, " "); ok && !strings.Contains(rule, "BYHOUR") && !strings.Contains(rule, "BYMINUTE") {
		return day
	}
	return at
}

func readDates(s stored, in reading, v url.Values) {
	dates, known := in.beside(s)
	if !known {
		v.Set("dates.locked", yes)
		return
	}
	whole, list := s.stringMember("all_day") == yes, []string{}
	for _, p := range dates {
		list = append(list, dateLine(p, whole))
	}
	v.Set("dates", strings.Join(list, "\n"))
}

// dateLine formats a date as a line of the form.
func dateLine(p period, whole bool) string {
	day, last := p.start.Format(time.DateOnly), p.end.Format(time.DateOnly)
	if whole && p.end.Hour() < 12 {
		last = p.end.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	switch {
	case whole && last <= day:
		return day
	case whole:
		return day + " - " + last
	case day == last:
		return day + " " + clockText(p.start) + "-" + clockText(p.end)
	}
	return day + " " + clockText(p.start) + " - " + last + " " + clockText(p.end)
}

// dateSpan matches a day, a start time, a last day and an end time, of which only the first is required.
var dateSpan = regexp.MustCompile(`^(\S+(?: \d{4})?)(?: +([^-–]+?))?` +
	`(?:\s*[-–]\s*(?:(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.-]\d{1,2}[/.-]\d{4})\s*)?([^-–]*))?$`)

// readLine parses a line of the form. Times that the line lacks are taken from like.
func (w *writing) readLine(line string, like period, whole bool) (p period, ok bool) {
	m := dateSpan.FindStringSubmatch(line)
	if m == nil {
		return p, false
	}
	day, ok := readDay(m[1], w.language)
	last := day
	if ok && m[3] != "" {
		last, ok = readDay(m[3], w.language)
	}
	switch {
	case !ok:
		return p, false
	case whole:
		return period{day, last.Add(24*time.Hour - time.Second)}, m[2] == "" && strings.TrimSpace(m[4]) == "" && !last.Before(day)
	case m[2] == "":
		start := day.Add(like.start.Sub(like.start.Truncate(24 * time.Hour)))
		return period{start, start.Add(like.end.Sub(like.start))}, m[3] == "" && m[4] == ""
	}
	from, ok := readClock(m[2])
	p.start = day.Add(from)
	p.end = p.start
	if to := strings.TrimSpace(m[4]); ok && to != "" {
		var clock time.Duration
		if clock, ok = readClock(to); ok && m[3] != "" {
			p.end = last.Add(clock)
		} else if ok {
			p.end, ok = endOf(p.start, clock)
		}
	}
	return p, ok && !p.end.Before(p.start)
}

// dates sets the times, the time zone, the recurrence and the additional dates of an event, if they were changed.
func (w *writing) dates() {
	if w.dated {
		return
	}
	w.dated = true
	whole := w.one("all_day") != ""
	p, ok := w.period(whole)
	if !ok {
		return
	}
	changed := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return w.changed(w.editor.entry(name)) })
	}
	if changed("when", "all_day") {
		w.out["start_date"], w.out["end_date"] = p.start.Format(time.DateTime), p.end.Format(time.DateTime)
	}
	if changed("all_day") && (whole || w.was.Get("all_day") != "") {
		w.out["all_day"] = whole
	}
	if changed("timezone") {
		w.out["timezone"] = w.one("timezone")
	}
	way := w.one("repeats")
	follows := way == monthly || way == weekly || way == biweekly // the rule depends on the weekday of the day
	moved := w.one("day") != w.was.Get("day") && follows
	further := changed("dates") && w.was.Get("dates.locked") == ""
	if changed("repeats") || moved || further && way != never && way != "" {
		w.repeat(p)
	}
	if further {
		w.further(p, whole)
	}
}

// period parses the start and the end of the event in the form.
func (w *writing) period(whole bool) (p period, ok bool) {
	day, ok := readDay(w.one("day"), w.language)
	if !ok {
		w.fault("when", "when.day", w.one("day"))
		return p, false
	}
	w.typed.Set("day", day.Format(time.DateOnly)) // in the format that date inputs require
	last := day
	if text := w.one("last"); text != "" {
		if last, ok = readDay(text, w.language); !ok || last.Before(day) {
			w.fault("all_day", "when.last", text)
			return p, false
		}
		w.typed.Set("last", last.Format(time.DateOnly))
	}
	if whole {
		return period{day, last.Add(24*time.Hour - time.Second)}, true
	}
	from, ok := readClock(w.one("from"))
	if !ok {
		w.fault("when", "when.from", w.one("from"))
		return p, false
	}
	p.start = day.Add(from)
	p.end = p.start
	w.typed.Set("from", clockText(p.start))
	text := w.one("to")
	to, ok := readClock(text)
	switch {
	case text == "" && last.Equal(day):
		return p, true
	case text == "":
		to, ok = from, true
	}
	if !ok {
		w.fault("when", "when.to", text)
		return p, false
	}
	if p.end, ok = last.Add(to), true; last.Equal(day) {
		p.end, ok = endOf(p.start, to)
	}
	if !ok || p.end.Before(p.start) {
		w.fault("when", "when.order")
		return p, false
	}
	if text != "" {
		w.typed.Set("to", clockText(p.end))
	}
	return p, true
}

// repeat sets the recurrence.
func (w *writing) repeat(p period) {
	if way := w.one("repeats"); way == never || way == "" {
		if was := w.was.Get("repeats"); was != "" && was != never {
			w.out["recurrence"] = nil
		}
		return
	}
	if rule, ok := w.rule(p); ok {
		w.out["recurrence"] = &calendar.Recurrence{Rule: rule, Excluded: w.typed["skip"]}
	}
}

// rule returns the recurrence rule in the form, including its end. If the end is missing, it reports an error and
// suggests an end one year later.
func (w *writing) rule(p period) (rule string, ok bool) {
	way := w.one("repeats")
	if rule = ruleOf(way, p.start); way == ownRule {
		rule = strings.TrimPrefix(strings.ToUpper(w.one("rule")), "RRULE:")
	}
	if end := w.one("until"); end != "" && end != w.was.Get("until") { // a new end counts more than the one that was stored
		if way == ownRule && w.one("rule") == strings.TrimSpace(w.was.Get("rule")) {
			rule = withoutEnd(rule)
		}
		if w.was.Get("endless") != "" {
			w.typed.Del("endless")
		}
	}
	switch {
	case rule == "":
		w.fault("repeats", "repeats.rule")
		return "", false
	case !endless(rule) || w.one("endless") != "":
		return rule, true
	}
	until, ok := readDay(w.one("until"), w.language)
	if !ok || until.Before(p.start.Truncate(24*time.Hour)) {
		w.fault("repeats", "repeats.until")
		if w.one("until") == "" {
			w.typed.Set("until", p.start.AddDate(1, 0, 0).Format(time.DateOnly))
		}
		return "", false
	}
	w.typed.Set("until", until.Format(time.DateOnly))
	return ended(rule, until), true
}

// further sets the dates of the event, or those in addition to its rule.
func (w *writing) further(p period, whole bool) {
	list := []any{map[string]any{"start_date": p.start.Format(time.DateTime), "end_date": p.end.Format(time.DateTime)}}
	for _, line := range linesOf(w.one("dates")) {
		one, ok := w.readLine(line, p, whole)
		if !ok {
			w.fault("dates", "dates.line", line)
			return
		}
		list = append(list, map[string]any{"start_date": one.start.Format(time.DateTime), "end_date": one.end.Format(time.DateTime)})
	}
	w.out["dates"] = list
}
