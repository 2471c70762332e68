package strtotime

import (
	_ "embed"
	"math"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

//go:embed zones.txt
var zoneList string

// zoneNames are the names in the zone database, sorted case-insensitively.
var zoneNames = sync.OnceValue(func() []string { return strings.Fields(zoneList) })

// zoneCache contains the zones that have been loaded, by name. Only names in zoneNames are added, so its size is
// limited.
var zoneCache sync.Map

// The range of fixed UTC offsets, in seconds.
const (
	minOffset = -12 * 3600
	maxOffset = 14 * 3600
)

// Zone returns a time zone by the name that an event or a site uses: a name in the zone database in upper or lower
// case, an abbreviation such as CEST, or a fixed offset (UTC+2, UTC-3.5, UTC+5:30, +02:00) from -12 to +14 hours. The
// Location of an abbreviation or offset has that text as its name.
func Zone(name string) (*time.Location, bool) {
	if strings.EqualFold(name, "UTC") {
		return time.UTC, true
	}
	if offset, fixed, ok := fixedOffset(name); fixed {
		if !ok {
			return nil, false
		}
		return time.FixedZone(name, offset), true
	}
	if offset, ok := abbreviations[phpval.Lower(name)]; ok {
		return time.FixedZone(name, int(offset)), true
	}
	return namedZone(name)
}

// Named reports whether a zone that Zone returned is in the zone database, so that its name means the same to other
// programs: it is not an abbreviation or a fixed offset.
func Named(loc *time.Location) bool {
	named, ok := zoneCache.Load(loc.String())
	return ok && named == loc
}

// SiteZone returns the time zone of a site, given its options: the named zone, else the UTC offset in hours (UTC+2,
// UTC-3.5, UTC+0), else UTC.
func SiteZone(name string, gmtOffset float64) *time.Location {
	if loc, ok := Zone(name); ok {
		return loc
	}
	if loc, ok := Zone(offsetName(gmtOffset)); ok {
		return loc
	}
	return time.UTC
}

// offsetName formats a UTC offset in hours as the name of a zone.
func offsetName(hours float64) string {
	sign := "+"
	if hours < 0 {
		sign = "-"
	}
	return "UTC" + sign + strconv.FormatFloat(math.Abs(hours), 'f', -1, 64)
}

// fixedOffset parses UTC±N, UTC±N.f, UTC±H:MM, ±H and ±HH:MM, also after GMT. fixed reports whether the text has such a
// form, ok whether the offset is valid.
func fixedOffset(name string) (seconds int, fixed, ok bool) {
	digits, isUTC := strings.CutPrefix(strings.TrimPrefix(name, "GMT"), "UTC")
	if digits == "" || digits[0] != '+' && digits[0] != '-' {
		return 0, isUTC, false
	}
	sign := 1
	if digits[0] == '-' {
		sign = -1
	}
	seconds, ok = offsetDigits(digits[1:], isUTC)
	seconds *= sign
	return seconds, true, ok && seconds >= minOffset && seconds <= maxOffset
}

// offsetDigits parses the part after the sign. Fractions of an hour are allowed after UTC only, four digits without a
// colon only without UTC.
func offsetDigits(s string, isUTC bool) (int, bool) {
	hours, minutes, colon := strings.Cut(s, ":")
	whole, fraction, point := strings.Cut(hours, ".")
	if !isUTC && !colon && len(s) == 4 {
		whole, minutes, colon = s[:2], s[2:], true
	}
	h, ok := smallNumber(whole, 1, 2)
	switch {
	case !ok || point && (colon || !isUTC):
		return 0, false
	case colon:
		m, ok := smallNumber(minutes, 2, 2)
		return h*3600 + m*60, ok && m < 60
	case point:
		f, err := strconv.ParseFloat("0."+fraction, 64)
		_, digits := smallNumber(fraction, 1, 6)
		return h*3600 + int(math.Round(f*3600)), err == nil && digits
	}
	return h * 3600, true
}

// smallNumber parses a number of least to most digits.
func smallNumber(s string, least, most int) (int, bool) {
	if len(s) < least || len(s) > most || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// namedZone returns a zone in the zone database. It checks the list first, because a machine's database may also
// contain files that are not zones.
func namedZone(name string) (*time.Location, bool) {
	names, folded := zoneNames(), phpval.Lower(name)
	i, found := sort.Find(len(names), func(i int) int { return strings.Compare(folded, phpval.Lower(names[i])) })
	if !found {
		return nil, false
	}
	if loc, ok := zoneCache.Load(names[i]); ok {
		return loc.(*time.Location), true
	}
	loc, err := time.LoadLocation(names[i])
	if err != nil {
		return nil, false
	}
	kept, _ := zoneCache.LoadOrStore(names[i], loc)
	return kept.(*time.Location), true
}
