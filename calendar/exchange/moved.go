package exchange

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/recurrence"
)

// movedDates maps the first start of an occurrence that its source has moved, by which the source identifies it, to its
// present start. Both are in local time of the event. It is stored with the event, since later files identify an
// occurrence as the first one did.
type movedDates map[string]string

// movedIn parses the stored form of movedDates.
func movedIn(text string) movedDates {
	m := movedDates{}
	for line := range strings.Lines(text) {
		if from, to, ok := strings.Cut(strings.TrimSpace(line), "/"); ok {
			m[from] = to
		}
	}
	return m
}

// recordMove records the present start of an occurrence.
func (m movedDates) recordMove(from, to time.Time) {
	if from.Equal(to) {
		delete(m, from.Format(time.DateTime))
	} else {
		m[from.Format(time.DateTime)] = to.Format(time.DateTime)
	}
}

// noteChange records where a change moves its occurrence.
func (m movedDates) noteChange(c *dateChange, loc *time.Location) {
	from := recurrence.Wall(time.Unix(c.at, 0).In(loc))
	if c.onDay || c.allDay {
		from = time.Unix(c.wall, 0).UTC()
	}
	m.recordMove(from, recurrence.Wall(c.when(loc).start))
}

// values returns the stored form: a line per occurrence, or nil.
func (m movedDates) values() []string {
	if len(m) == 0 {
		return nil
	}
	var lines []string
	for _, from := range slices.Sorted(maps.Keys(m)) {
		lines = append(lines, from+"/"+m[from])
	}
	return []string{strings.Join(lines, "\n")}
}
