package exchange

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/recurrence"
)

// movedDates are dates that their source has moved: by the starts that it names them by, the starts that they have, both as the
// event's clock shows them. They are stored with the event, since a later file names a date as the first one did.
type movedDates map[string]string

// movedIn reads what is stored.
func movedIn(text string) movedDates {
	m := movedDates{}
	for line := range strings.Lines(text) {
		if from, to, ok := strings.Cut(strings.TrimSpace(line), "/"); ok {
			m[from] = to
		}
	}
	return m
}

// note notes where a date is.
func (m movedDates) note(from, to time.Time) {
	if from.Equal(to) {
		delete(m, from.Format(time.DateTime))
	} else {
		m[from.Format(time.DateTime)] = to.Format(time.DateTime)
	}
}

// noteChange notes where a change has a date.
func (m movedDates) noteChange(c *dateChange, loc *time.Location) {
	from := recurrence.Wall(time.Unix(c.at, 0).In(loc))
	if c.onDay || c.allDay {
		from = time.Unix(c.wall, 0).UTC()
	}
	m.note(from, recurrence.Wall(c.when(loc).start))
}

// values are what is stored: none, or a line for each date.
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
