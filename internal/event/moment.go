package event

import (
	"context"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// readTime parses a date of an event. A text with an offset or a zone is an instant (exact), and a text without one is a
// local time in the event's zone. For a number of seconds since 1970, the time in UTC is used as the local time.
func (p planner) readTime(text string, loc *time.Location) (at time.Time, exact, ok bool) {
	if _, _, numeric := wp.Numeric(text); !numeric {
		m, ok := strtotime.Parse(text, p.now, loc)
		return m.Time, m.Zoned, ok
	}
	seconds, whole := strtotime.Seconds(text)
	if !whole || seconds == 0 || seconds < firstSecond || seconds > lastSecond {
		return time.Time{}, false, false
	}
	at, ok = strtotime.ParseWall(strtotime.Wall(time.Unix(seconds, 0).UTC()), loc)
	return at, false, ok
}

// isZero reports whether a date is the number zero, which means that there is no date.
func isZero(text string) bool {
	seconds, whole := strtotime.Seconds(text)
	return whole && seconds == 0
}

// checkZone accepts the name of a time zone, or an empty value for the site's zone.
func checkZone(_ context.Context, v any) (string, error) {
	s, ok := param.Scalar(v)
	if ok && (s == "" || s == "0") {
		return "", nil
	}
	if _, known := strtotime.Zone(s); !known {
		return "", param.Invalid("fault_timezone")
	}
	return s, nil
}

// Zone returns the zone of an event: its own, or the site's if it has none. If its own is unknown, Zone returns UTC and
// known is false.
func Zone(it *item.Item) (zone *time.Location, known bool) {
	name := strings.TrimLeft(it.Meta.Text(schema.MetaTimezone), " \t\n\v\f\r")
	if name == "" || name == "0" {
		return it.Settings.Location, true
	}
	if zone, known = strtotime.Zone(name); !known {
		zone = time.UTC
	}
	return zone, known
}
