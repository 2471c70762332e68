package exchange

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/celldate"
)

// A recurring event has one cell with all occurrences, each with its start and end, one with the rule, and one with the
// starts that the rule excludes.
const (
	nextDate  = "; " // between occurrences
	untilDate = "/"  // between a start and its end, as in ISO 8601
)

// dateCells moves the occurrences of an event, and their rule, from values into cells.
func dateCells(cells map[string]string, values map[string]any) {
	text := func(v any, name string) string {
		m, _ := v.(map[string]any)
		s, _ := m[name].(string)
		return s
	}
	list, _ := values[fieldDates].([]any)
	dates := make([]string, len(list))
	for i, one := range list {
		dates[i] = text(one, fieldStart) + untilDate + text(one, fieldEnd)
	}
	cells[fieldDates] = strings.Join(dates, nextDate)
	rule, _ := values[fieldRecurrence].(map[string]any)
	excluded, _ := rule["exdates"].([]any)
	starts := make([]string, len(excluded))
	for i, one := range excluded {
		starts[i], _ = one.(string)
	}
	cells[fieldRule], cells[fieldExcluded] = text(rule, "rrule"), strings.Join(starts, nextDate)
	delete(values, fieldDates)
	delete(values, fieldRecurrence)
}

// ruleName matches the property name with which some programs begin a rule.
var ruleName = regexp.MustCompile(`(?i)^RRULE:`)

// otherDates reads the occurrences of the event besides the one of its start and end columns. If it cannot, it returns
// the field at fault and the reason.
func (w *row) otherDates(start, end cellDate, allDay bool) (wrong, reason string) {
	ruled := w.cells[fieldRule] != ""
	if excluded := w.cells[fieldExcluded]; ruled {
		list := []any{}
		for _, text := range datesIn(excluded) {
			at, reason := w.oneOf(text, start, allDay)
			if reason != "" {
				return fieldExcluded, reason
			}
			list = append(list, at.Text())
		}
		rule := ruleName.ReplaceAllString(strings.TrimSpace(w.cells[fieldRule]), "")
		w.rec.Values[fieldRecurrence] = map[string]any{"rrule": rule, "exdates": list}
	} else if excluded != "" {
		return fieldExcluded, "belongs to a rule that is missing"
	}
	texts := datesIn(w.cells[fieldDates])
	if texts == nil {
		return "", ""
	}
	dates, own := []any{}, ruled
	for _, text := range texts {
		from, to, reason := w.period(text, start, end, allDay)
		if reason != "" {
			return fieldDates, reason
		}
		own = own || from.Text() == start.Text()
		dates = append(dates, dateValue(from.Text(), to.Text()))
	}
	if !own {
		dates = append([]any{dateValue(start.Text(), end.Text())}, dates...)
	}
	w.rec.Values[fieldDates] = dates
	return "", ""
}

// datesIn splits a cell into its occurrences.
func datesIn(cell string) (list []string) {
	for text := range strings.FieldsFuncSeq(cell, func(c rune) bool { return c == ';' || c == '\n' }) {
		if text = strings.TrimSpace(text); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// oneOf reads the start or end of an occurrence. If the text has no time of day, it is the time of day of own.
func (w *row) oneOf(text string, own cellDate, allDay bool) (d cellDate, reason string) {
	if d, _, reason = w.moment(text, ""); reason == "" && (allDay || !d.Timed) {
		d.Clock, d.Offset = own.Clock, own.Offset
	}
	return d, reason
}

// period reads an occurrence of an event that lasts from start to end. An occurrence without an end lasts as long as
// the event; its end may be only a time.
func (w *row) period(text string, start, end cellDate, allDay bool) (from, to cellDate, reason string) {
	if from, reason = w.oneOf(text, start, allDay); reason == "" {
		return from, from.After(end.Wall().Sub(start.Wall())), ""
	}
	for i := range len(text) {
		if text[i:i+1] != untilDate {
			continue
		}
		begin, wrong := w.oneOf(text[:i], start, allDay)
		if wrong != "" {
			continue
		}
		finish := strings.TrimSpace(text[i+1:])
		if clock, ok := celldate.Time(finish); ok && !allDay {
			to, _, reason = w.moment(begin.Day.Format(time.DateOnly), finish)
			to.Offset = cmp.Or(clock.Offset, begin.Offset)
			return begin, to, reason
		}
		if to, wrong = w.oneOf(finish, end, allDay); wrong == "" {
			return begin, to, ""
		}
		reason = wrong
	}
	return from, to, reason
}
