package strtotime

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// unit is a unit of relative times.
type unit int

const (
	unitMicrosecond unit = iota
	unitSecond
	unitMinute
	unitHour
	unitDay
	unitMonth
	unitYear
	unitDayOfWeek
	unitWorkingDay
)

type unitSize struct {
	unit unit
	size int64
}

var units = map[string]unitSize{
	"ms": {unitMicrosecond, 1000}, "msec": {unitMicrosecond, 1000}, "millisecond": {unitMicrosecond, 1000},
	"µs": {unitMicrosecond, 1}, "usec": {unitMicrosecond, 1}, "microsecond": {unitMicrosecond, 1},
	"sec": {unitSecond, 1}, "second": {unitSecond, 1},
	"min": {unitMinute, 1}, "minute": {unitMinute, 1},
	"hour": {unitHour, 1},
	"day":  {unitDay, 1}, "week": {unitDay, 7}, "fortnight": {unitDay, 14}, "forthnight": {unitDay, 14},
	"month": {unitMonth, 1}, "year": {unitYear, 1},
	"weekday": {unitWorkingDay, 1},
	"sunday":  {unitDayOfWeek, 0}, "sun": {unitDayOfWeek, 0},
	"monday": {unitDayOfWeek, 1}, "mon": {unitDayOfWeek, 1},
	"tuesday": {unitDayOfWeek, 2}, "tue": {unitDayOfWeek, 2},
	"wednesday": {unitDayOfWeek, 3}, "wed": {unitDayOfWeek, 3},
	"thursday": {unitDayOfWeek, 4}, "thu": {unitDayOfWeek, 4},
	"friday": {unitDayOfWeek, 5}, "fri": {unitDayOfWeek, 5},
	"saturday": {unitDayOfWeek, 6}, "sat": {unitDayOfWeek, 6},
}

// lookupUnit returns a unit by its name or plural. The patterns determine which plurals are valid, so removing an "s"
// is sufficient.
func lookupUnit(word string) (unitSize, bool) {
	word = phpval.Lower(word)
	if u, ok := units[word]; ok {
		return u, true
	}
	u, ok := units[strings.TrimSuffix(word, "s")]
	return u, ok
}

// ordinals maps words to numbers, and says whether the current weekday counts as a match.
var ordinals = map[string]struct{ amount, behavior int64 }{
	"first": {1, 0}, "second": {2, 0}, "third": {3, 0}, "fourth": {4, 0}, "fifth": {5, 0}, "sixth": {6, 0},
	"seventh": {7, 0}, "eight": {8, 0}, "eighth": {8, 0}, "ninth": {9, 0}, "tenth": {10, 0},
	"eleventh": {11, 0}, "twelfth": {12, 0},
	"next": {1, 0}, "last": {-1, 0}, "previous": {-1, 0}, "this": {0, 1},
}

var months = map[string]int64{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6,
	"jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
	"january": 1, "february": 2, "march": 3, "april": 4, "june": 6,
	"july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
	"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6,
	"vii": 7, "viii": 8, "ix": 9, "x": 10, "xi": 11, "xii": 12,
}
