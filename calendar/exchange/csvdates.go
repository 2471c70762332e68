package exchange

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/celldate"
)

// cellDate is the date, and perhaps the time, of a cell.
type cellDate = celldate.Moment

// dayEnds are the times at which programs say that an all-day event ends.
var dayEnds = []string{"00:00:00", "23:59:00", "23:59:59"}

// dates reads the start and the end of the event. If it cannot, it returns the field at fault and the reason.
func (w *row) dates() (wrong, reason string) {
	allDay, given := w.flag(fieldAllDay)
	start, field, reason := w.date(fieldStart, fieldStartTime, "")
	if reason != "" {
		return field, reason
	}
	end := start
	if w.cells[fieldEnd] != "" || w.cells[fieldEndTime] != "" {
		if end, field, reason = w.end(start); reason != "" {
			return field, reason
		}
	}
	if !given {
		allDay = !start.Timed && !end.Timed
	}
	w.noteTimes(start, end, allDay)
	if allDay {
		midnight := end.Late || w.s.outlook && end.Timed && end.Clock == "00:00:00"
		if midnight && end.Day.After(start.Day) {
			end.Day = end.Day.AddDate(0, 0, -1)
		}
		w.rec.Values[fieldAllDay] = true
		start.Clock, end.Clock = "00:00:00", "23:59:59"
		start.Offset, end.Offset = "", ""
	} else if given {
		w.rec.Values[fieldAllDay] = false
	}
	from, to := start.Text(), end.Text()
	if start.Offset == end.Offset && to < from {
		return fieldEnd, "the end is before the start"
	}
	w.rec.Values[fieldStart], w.rec.Values[fieldEnd] = from, to
	further := w.cells[fieldDates] + w.cells[fieldExcluded]
	if w.s.Zone != nil && w.cells[fieldZone] == "" && (start.Offset == "" || end.Offset == "" || further != "") {
		w.rec.Values[fieldZone] = w.s.Zone.String()
	}
	return w.otherDates(start, end, allDay)
}

// noteTimes notes which times of the row are not used, or were not given and had to be assumed.
func (w *row) noteTimes(start, end cellDate, allDay bool) {
	switch {
	case allDay && (start.Timed && start.Clock != "00:00:00" || end.Timed && !slices.Contains(dayEnds, end.Clock)):
		w.noteCell(fieldAllDay, "is all day, so its times are ignored")
	case allDay:
	case !start.Timed:
		w.noteCell(fieldStart, "has no time, and the event is not all day: it starts at 00:00")
	case !end.Timed && end.Day.After(start.Day):
		w.noteCell(fieldEnd, "has no time: it is that of the start")
	}
}

// end reads the end of an event whose start is known. An end without a date is on the day of the start, or on the next
// day if its time is before that of the start. What it takes from the start has the offset of the start.
func (w *row) end(start cellDate) (end cellDate, wrong, reason string) {
	clock, column := w.cells[fieldEndTime], fieldEndTime
	if at, isTime := celldate.Time(w.cells[fieldEnd]); clock == "" && isTime && !w.isDate(w.cells[fieldEnd]) {
		clock, column = w.cells[fieldEnd], fieldEnd
		end.Timed = at.Timed
	}
	if w.cells[fieldEnd] != "" && !end.Timed {
		if end, wrong, reason = w.date(fieldEnd, fieldEndTime, ""); reason == "" && !end.Timed && start.Timed {
			end.Clock, end.Offset = start.Clock, start.Offset
		}
		return end, wrong, reason
	}
	end, _, reason = w.moment(start.Day.Format(time.DateOnly), clock)
	end.Offset = cmp.Or(end.Offset, start.Offset)
	if reason == "" && start.Timed && start.Offset == end.Offset && end.Text() < start.Text() {
		end.Day = end.Day.AddDate(0, 0, 1)
		w.noteCell(column, "is earlier than the start and has no date: the event ends on the next day")
	}
	return end, column, reason
}

// isDate reports whether a string is a date, with or without a time.
func (w *row) isDate(text string) bool {
	_, err := celldate.Read(text, w.s.order)
	return err == nil
}

// date reads a date whose time may be in a separate column. fallback is the date if the row contains only a time. If it
// cannot read them, it returns the field at fault and the reason.
func (w *row) date(field, timeField, fallback string) (d cellDate, wrong, reason string) {
	d, ofTime, reason := w.moment(cmp.Or(strings.TrimSpace(w.cells[field]), fallback), strings.TrimSpace(w.cells[timeField]))
	if ofTime {
		field = timeField
	}
	return d, field, reason
}

// moment reads a date and its time, which may be given separately. If it fails it returns the reason, and ofTime
// reports whether the time is at fault.
func (w *row) moment(text, clock string) (d cellDate, ofTime bool, reason string) {
	if text == "" {
		return d, false, "is missing"
	}
	d, ofTime, err := celldate.ReadBoth(text, clock, w.s.order)
	if err != nil {
		return d, ofTime, err.Error()
	}
	return d, false, ""
}

// surveyOrder determines the order of day and month from the unambiguous dates of the file. If there are none, or they
// contradict each other, the order stays unknown.
func (s *tableSource) surveyOrder() error {
	if s.order = celldate.Order(s.Dates); s.order != celldate.Unknown {
		return nil
	}
	rows, err := newRowReader(s.file)
	if err != nil {
		return err
	}
	found := map[celldate.Order]bool{}
	for first := true; ; first = false {
		cells, _, err := rows.next()
		switch {
		case err == io.EOF:
			if len(found) == 1 {
				for s.order = range found {
				}
			}
			return nil
		case errors.Is(err, errQuote), errors.Is(err, errLongRow), errors.Is(err, errManyCell), first:
			continue
		case err != nil:
			return err
		}
		for i, cell := range cells {
			if i < len(s.fields) && (s.fields[i] == fieldStart || s.fields[i] == fieldEnd) {
				if d, err := celldate.Read(cell, celldate.Unknown); err == nil && d.Order != celldate.Unknown {
					found[d.Order] = true
				}
			}
		}
	}
}
