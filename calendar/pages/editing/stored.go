package editing

import (
	"bytes"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// stored is an item in the form of the API's answers for editing.
type stored map[string]any

func readStored(answer []byte) (s stored, err error) {
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	return s, d.Decode(&s)
}

// stringMember returns a member as a string, or "" if there is none.
func (s stored) stringMember(name string) string { return textOf(s[name]) }

func textOf(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case json.Number:
		return x.String()
	case bool:
		if x {
			return yes
		}
	}
	return ""
}

// plain returns the plain text of a member that is HTML.
func (s stored) plain(name string) string {
	return strings.TrimSpace(html.UnescapeString(elements.ReplaceAllString(s.stringMember(name), "")))
}

var elements = regexp.MustCompile(`<[^>]*>`)

// items returns the objects in a member, which may also be a single object.
func (s stored) items(name string) (list []stored) {
	switch x := s[name].(type) {
	case map[string]any:
		return []stored{x}
	case []any:
		for _, one := range x {
			if m, ok := one.(map[string]any); ok {
				list = append(list, m)
			}
		}
	}
	return list
}

// id returns the id of an item as a string.
func (s stored) id() string { return s.stringMember("id") }

// zone returns the time zone of an event, or the zone otherwise if it is unknown.
func (s stored) zone(otherwise *time.Location) *time.Location {
	return zoneOf(s.stringMember("timezone"), otherwise)
}

var offsetZone = regexp.MustCompile(`^UTC([+-]\d{1,2})(?:[.:](\d{1,2}))?$`)

// zoneOf returns the time zone with a name such as Europe/Brussels or UTC+2, or the zone otherwise if it is unknown.
func zoneOf(name string, otherwise *time.Location) *time.Location {
	if m := offsetZone.FindStringSubmatch(name); m != nil {
		hours, err := strconv.Atoi(m[1])
		minutes := map[string]int{"5": 30, "30": 30, "25": 15, "75": 45, "15": 15, "45": 45}[m[2]]
		if strings.HasPrefix(m[1], "-") {
			minutes = -minutes
		}
		if err == nil {
			return time.FixedZone(name, 3600*hours+60*minutes)
		}
	}
	if zone, err := time.LoadLocation(name); err == nil && name != "" && name != "Local" {
		return zone
	}
	return otherwise
}

// period is the start and the end of an event or an occurrence, in local time.
type period struct{ start, end time.Time }

// period returns the times of an event or an occurrence, or zero times if there are none.
func (s stored) period() period {
	start, _ := time.Parse(time.DateTime, s.stringMember("start_date"))
	end, _ := time.Parse(time.DateTime, s.stringMember("end_date"))
	return period{start, end}
}

// rule returns the recurrence of an event, or nil if it has none.
func (s stored) rule() *calendar.Recurrence {
	m, ok := s["recurrence"].(map[string]any)
	if !ok {
		return nil
	}
	r := &calendar.Recurrence{Rule: textOf(m["rrule"]), Text: textOf(m["text"])}
	if list, ok := m["exdates"].([]any); ok {
		for _, one := range list {
			r.Excluded = append(r.Excluded, textOf(one))
		}
	}
	return r
}

// yes is the value of a checked checkbox.
const yes = "1"

// tick sets the value of a checkbox.
func tick(v url.Values, name string, on bool) {
	if on {
		v.Set(name, yes)
	}
}

var commentPattern = regexp.MustCompile(`(?s)<!--.*?-->`)
