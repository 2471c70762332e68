package event

import (
	"context"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/when"
	"github.com/agendahq/agenda/internal/wp"
)

// read reads a date of an event. A text that names an offset or a zone means
// that instant (exact), one that does not the clock of the event's own zone. A
// bare number means the digits that a clock in UTC shows so many seconds after
// 1970 began, on the event's clock; a number with an exponent means now.
func (p planner) read(text string, loc *time.Location) (at time.Time, exact, ok bool) {
	f, _, numeric := wp.Numeric(text)
	switch {
	case !numeric:
		m, ok := when.Parse(text, p.now, loc)
		return m.Time, m.Zoned, ok
	case strings.ContainsAny(text, "eE"):
		return p.now.In(loc).Truncate(time.Second), true, true
	case f < firstSecond || f > lastSecond || isZero(text):
		return time.Time{}, false, false
	}
	at, ok = when.ParseWall(when.Wall(time.Unix(int64(f), 0).UTC()), loc)
	return at, false, ok
}

// isZero tells whether a date is the number zero, which says that there is none.
func isZero(text string) bool {
	f, _, numeric := wp.Numeric(text)
	return numeric && int64(f) == 0 && !strings.ContainsAny(text, "eE")
}

// checkMoment accepts what can be read as a date. That it is a text is left to
// the type.
func (k *Kind) checkMoment(_ context.Context, v any) (any, error) {
	s, ok := param.Scalar(v)
	if _, isBool := v.(bool); !ok || isBool || !k.IsMoment(s) {
		return nil, param.Invalid("fault_date")
	}
	return s, nil
}

// checkZone accepts the name of a time zone, or none, which is the site's.
func checkZone(_ context.Context, v any) (any, error) {
	s, ok := param.Scalar(v)
	if ok && (s == "" || s == "0") {
		return "", nil
	}
	if _, known := when.Zone(s); !known {
		return nil, param.Invalid("fault_timezone")
	}
	return s, nil
}
