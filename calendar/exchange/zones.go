package exchange

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// windowsList contains the names of time zones in Windows, each with the zone to which CLDR maps it if no country is
// known (windowsZones.xml).
//
//go:embed windowszones.txt
var windowsList string

// windowsZones maps the names in windowsList, in lower case, to their zones.
var windowsZones = sync.OnceValue(func() map[string]string {
	zones := map[string]string{}
	for line := range strings.Lines(windowsList) {
		name, zone, _ := strings.Cut(strings.TrimSpace(line), "\t")
		zones[strings.ToLower(name)] = zone
	}
	return zones
})

// oldZones maps names that have rules, but that mean a fixed offset elsewhere in this program, to zones as the present
// time zone database has them.
var oldZones = map[string]string{
	"cet": "Europe/Brussels", "met": "Europe/Brussels", "eet": "Europe/Athens", "wet": "Europe/Lisbon",
	"est5edt": "America/New_York", "cst6cdt": "America/Chicago", "mst7mdt": "America/Denver", "pst8pdt": "America/Los_Angeles",
	"est": "America/Panama", "mst": "America/Phoenix", "hst": "Pacific/Honolulu",
}

// zone is the time zone of an iCalendar object: one that the API accepts, or if rules is not nil, a definition whose
// rules no such zone has.
type zone struct {
	loc   *time.Location
	rules *observances
}

// at returns the instant of a local time of the zone, in a time zone that the API accepts. It returns false if there is
// none.
func (z *zone) at(wall time.Time) (time.Time, bool) {
	if z.rules == nil {
		return recurrence.Instant(wall, z.loc), true
	}
	offset := z.rules.at(wall)
	loc, ok := strtotime.Zone(offsetName(offset))
	return wall.Add(-time.Duration(offset) * time.Second).In(cmpLocation(loc)), ok
}

// cmpLocation returns loc, or UTC if it is nil.
func cmpLocation(loc *time.Location) *time.Location {
	if loc == nil {
		return time.UTC
	}
	return loc
}

// offsetName returns the name that the API accepts for a fixed offset: UTC+2, UTC-3:30. An offset with seconds has no
// name.
func offsetName(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	switch {
	case seconds == 0:
		return "UTC"
	case seconds%60 != 0:
		return ""
	case seconds%3600 != 0:
		return fmt.Sprintf("UTC%c%d:%02d", sign, seconds/3600, seconds/60%60)
	}
	return fmt.Sprintf("UTC%c%d", sign, seconds/3600)
}

// zoneFinder finds the time zones that iCalendar objects mean. To compare rules, it compares the years around now.
type zoneFinder struct{ now time.Time }

// find returns the time zone of a TZID and its VTIMEZONE, of which either may be missing, or nil. fallback is the time
// zone of the calendar or the site; it is preferred to others with the same offsets.
func (f *zoneFinder) find(tzid string, definition *observances, fallback *time.Location) *zone {
	if loc := namedZone(tzid); loc != nil {
		return &zone{loc: loc}
	}
	if definition != nil {
		if loc := namedZone(definition.location); loc != nil {
			return &zone{loc: loc}
		}
	}
	tzid = strings.ToLower(strings.Trim(tzid, " \"'/"))
	if name, ok := windowsZones()[tzid[strings.LastIndexByte(tzid, '/')+1:]]; ok {
		if loc, _ := strtotime.Zone(name); loc != nil {
			if f.equal(loc, fallback) {
				loc = fallback
			}
			return &zone{loc: loc}
		}
	}
	if definition != nil && len(definition.list) > 0 {
		return f.matching(definition, fallback)
	}
	if loc := spokenZone(tzid); loc != nil {
		return &zone{loc: loc}
	}
	if name, ok := oldZones[tzid]; ok {
		loc, _ := strtotime.Zone(name)
		return &zone{loc: cmpLocation(loc)}
	}
	if loc := cityZone(tzid); loc != nil {
		return &zone{loc: loc}
	}
	if loc := offsetZone(tzid); loc != nil {
		return &zone{loc: loc}
	}
	return nil
}

// namedZone returns the time zone whose name in the time zone database is the given name or the end of it, as in
// "/freeassociation.sourceforge.net/Europe/Brussels". It returns nil if there is none.
func namedZone(name string) *time.Location {
	name = strings.Trim(name, " \"'/")
	switch strings.ToUpper(name) {
	case "UTC", "GMT", "Z", "ETC/UTC", "ETC/GMT", "MICROSOFT/UTC", "TZONE://MICROSOFT/UTC", "COORDINATED UNIVERSAL TIME":
		return time.UTC
	}
	for name = strings.ReplaceAll(name, " ", "_"); ; {
		if loc, ok := strtotime.Zone(name); ok && strtotime.Named(loc) {
			return loc
		}
		i := strings.IndexAny(name, "/:")
		if i < 0 {
			return nil
		}
		name = strings.TrimLeft(name[i:], "/:")
	}
}

// cityZone returns the time zone of a name that lists cities, as Windows displays it: "(UTC+01:00) Brussels,
// Copenhagen, Madrid, Paris". It returns nil for other names.
func cityZone(name string) *time.Location {
	_, cities, found := strings.Cut(name, ")")
	if !found {
		return nil
	}
	for city := range strings.FieldsFuncSeq(cities, func(c rune) bool { return c == ',' || c == '/' || c == ';' }) {
		city = strings.ReplaceAll(strings.TrimSpace(city), " ", "_")
		for _, candidate := range candidates() {
			zoneName := candidate.String()
			if city != "" && strings.EqualFold(zoneName[strings.LastIndexByte(zoneName, '/')+1:], city) {
				return candidate
			}
		}
	}
	return nil
}

// offsetZone returns the fixed time zone of a name that is only an offset, such as GMT+0200 or UTC+2.
func offsetZone(name string) *time.Location {
	digits := strings.TrimPrefix(strings.TrimPrefix(strings.ToUpper(name), "UTC"), "GMT")
	if len(digits) == 2 { // UTC+2
		digits = digits[:1] + "0" + digits[1:]
	}
	seconds, ok := ical.ParseOffset(strings.ReplaceAll(digits, ":", ""))
	if !ok {
		return nil
	}
	loc, ok := strtotime.Zone(offsetName(seconds))
	if !ok {
		return nil
	}
	return loc
}

// candidates contains the time zones whose offsets are compared with those of a definition, one for each set of offsets
// that people are likely to mean.
var candidates = sync.OnceValue(func() (list []*time.Location) {
	names := strings.Fields(`Europe/Brussels Europe/Amsterdam Europe/Berlin Europe/Paris Europe/Rome Europe/Madrid Europe/Stockholm
		Europe/Copenhagen Europe/Vienna Europe/Prague Europe/London Europe/Dublin Europe/Lisbon Europe/Athens Europe/Helsinki
		America/New_York America/Chicago America/Denver America/Los_Angeles America/Halifax Australia/Sydney Asia/Jerusalem`)
	first := len(names)
	for _, zone := range windowsZones() {
		if !slices.Contains(names, zone) {
			names = append(names, zone)
		}
	}
	slices.Sort(names[first:])
	for _, name := range names {
		if loc, ok := strtotime.Zone(name); ok {
			list = append(list, loc)
		}
	}
	return list
})

// matching returns a time zone with the offsets of a definition: fallback, a fixed offset, one of candidates, or the
// definition itself.
func (f *zoneFinder) matching(o *observances, fallback *time.Location) *zone {
	first, last := f.years(o)
	changes := o.changes(first.AddDate(-1, 0, 0), last.AddDate(1, 0, 0))
	same := func(loc *time.Location) bool {
		for day := first; day.Before(last); day = day.AddDate(0, 0, 1) {
			if _, offset := day.In(loc).Zone(); offset != offsetAt(changes, day.Unix()) {
				return false
			}
		}
		return true
	}
	if same(fallback) {
		return &zone{loc: fallback}
	}
	if offset, fixed := o.fixed(); fixed {
		if loc, ok := strtotime.Zone(offsetName(offset)); ok {
			return &zone{loc: loc}
		}
		return &zone{rules: o}
	}
	for _, loc := range candidates() {
		if same(loc) {
			return &zone{loc: loc}
		}
	}
	return &zone{rules: o}
}

// years returns the bounds of the days on which offsets are compared: from two years before to two years after now, or
// the last three years that the definition covers.
func (f *zoneFinder) years(o *observances) (first, last time.Time) {
	first, last = f.now.AddDate(-2, 0, 0), f.now.AddDate(2, 0, 0)
	if end := o.end(); !end.IsZero() && end.Before(last) {
		last = end
		if least := end.AddDate(-3, 0, 0); least.Before(first) {
			first = least
		}
	}
	if begin := o.begin(); begin.After(first) {
		first = begin
	}
	if least := first.AddDate(1, 0, 0); last.Before(least) {
		last = least
	}
	return first, last
}

// equal reports whether two time zones have the same offsets in the years around now.
func (f *zoneFinder) equal(a, b *time.Location) bool {
	for day := f.now.AddDate(-2, 0, 0); day.Before(f.now.AddDate(2, 0, 0)); day = day.AddDate(0, 0, 1) {
		_, one := day.In(a).Zone()
		if _, other := day.In(b).Zone(); one != other {
			return false
		}
	}
	return true
}

// maxObservances is the maximum number of components of a VTIMEZONE.
const maxObservances = 1000
