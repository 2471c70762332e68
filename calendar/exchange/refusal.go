package exchange

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"slices"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/wp"
)

// name returns the name of an item, or else its UID.
func (rec *Record) name() string { return cmp.Or(wp.PlainText(rec.stringValue(rec.title)), rec.UID) }

// stringValue returns a value that is a string, or "".
func (rec *Record) stringValue(name string) string {
	s, _ := rec.Values[name].(string)
	return s
}

// problems returns why a record, or a field of it, was rejected: one Problem per parameter.
func (rec *Record) problems(field string, err error) (list []*Problem) {
	var refused *calendar.Error
	var problem *Problem
	one := func(field, reason string) {
		several := rec.recurs && (field == fieldDates || field == fieldRecurrence)
		list = append(list, &Problem{Place: rec.Line, Item: rec.name(), Field: field, Reason: reason, Recurs: several})
	}
	switch {
	case errors.As(err, &problem):
		list = append(list, problem)
	case errors.As(err, &refused) && len(refused.Params) > 0:
		for _, name := range slices.Sorted(maps.Keys(refused.Params)) {
			one(name, refused.Params[name])
		}
	case errors.As(err, &refused) && rec.recurs && refused.Status == http.StatusConflict:
		one(fieldDates, cmp.Or(refused.Message, refused.Code))
	case errors.As(err, &refused):
		one(cmp.Or(field, rec.title, "kind"), cmp.Or(refused.Message, refused.Code))
	default:
		one(cmp.Or(field, rec.title, "kind"), err.Error())
	}
	return list
}

// isRejection reports whether an error rejects an item, as opposed to a failure of the calendar.
func isRejection(err error) bool {
	var refused *calendar.Error
	var problem *Problem
	return errors.As(err, &problem) || errors.As(err, &refused) && refused.Status < 500
}
