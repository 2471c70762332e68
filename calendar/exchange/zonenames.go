package exchange

import (
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// spokenZones maps names of time zones that people and programs use to the only time zone that each can mean. CST and
// IST are not among them because they are ambiguous.
var spokenZones = map[string]string{
	"eastern": "America/New_York", "us/canada eastern": "America/New_York", "est/edt": "America/New_York", "edt": "America/New_York",
	"central": "America/Chicago", "cst/cdt": "America/Chicago", "cdt": "America/Chicago",
	"mountain": "America/Denver", "mst/mdt": "America/Denver", "mdt": "America/Denver",
	"pacific": "America/Los_Angeles", "pst/pdt": "America/Los_Angeles", "pst": "America/Los_Angeles", "pdt": "America/Los_Angeles",
	"alaska": "America/Anchorage", "akst": "America/Anchorage", "akdt": "America/Anchorage", "hawaii": "Pacific/Honolulu",
	"hawaii-aleutian": "Pacific/Honolulu", "atlantic": "America/Halifax", "adt": "America/Halifax", "newfoundland": "America/St_Johns",
	"greenwich mean": "Europe/London", "british summer": "Europe/London", "bst": "Europe/London", "gmt/bst": "Europe/London",
	"western european": "Europe/Lisbon", "west": "Europe/Lisbon",
	"central european": "Europe/Brussels", "central europe": "Europe/Budapest", "cest": "Europe/Brussels", "cet/cest": "Europe/Brussels",
	"mez": "Europe/Berlin", "mesz": "Europe/Berlin", "eastern european": "Europe/Athens", "eest": "Europe/Athens",
	"moscow": "Europe/Moscow", "msk": "Europe/Moscow", "india": "Asia/Kolkata", "japan": "Asia/Tokyo", "jst": "Asia/Tokyo",
	"australian eastern": "Australia/Sydney", "aest": "Australia/Sydney", "aedt": "Australia/Sydney", "awst": "Australia/Perth",
	"new zealand": "Pacific/Auckland", "nzst": "Pacific/Auckland", "nzdt": "Pacific/Auckland", "arizona": "America/Phoenix",
}

// spokenZone returns the time zone of a name in lower case, such as "eastern time (us & canada)", "central european
// summer time", "(utc-05:00) eastern time" or "brussels", or nil if the name is unknown.
func spokenZone(name string) *time.Location {
	if rest, found := strings.CutPrefix(name, "("); found {
		_, name, _ = strings.Cut(rest, ")")
	}
	name, _, _ = strings.Cut(name, "(")
	name = strings.TrimSpace(name)
	named, known := spokenZones[name]
	for _, ending := range []string{" time", " standard time", " daylight time", " summer time", " daylight saving time"} {
		if short, found := strings.CutSuffix(name, ending); found && !known {
			named, known = spokenZones[short]
		}
	}
	if name == "british summer time" || name == "greenwich mean time" {
		named, known = "Europe/London", true
	}
	if known {
		loc, _ := strtotime.Zone(named)
		return loc
	}
	if strings.ContainsAny(name, "/,") {
		return nil
	}
	return cityZone(")" + name)
}
