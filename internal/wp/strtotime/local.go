package strtotime

import "time"

// offset returns the UTC offset of a local time, which is given in seconds as if it were UTC.
func (d *components) offset(wall int64, loc *time.Location) int64 {
	switch d.zone.kind {
	case zoneOffset:
		return d.zone.offset
	case zoneNamed:
		return localOffset(wall, d.zone.loc, true)
	}
	return localOffset(wall, loc, false)
}

// span is a period in which a zone has the same UTC offset.
type span struct {
	offset int64
	start  int64 // Unix time in seconds
	since  bool  // false for the first period of a zone, which has no start
	dst    bool
}

func spanAt(sec int64, loc *time.Location) span {
	t := time.Unix(sec, 0).In(loc)
	_, offset := t.Zone()
	start, _ := t.ZoneBounds()
	s := span{offset: int64(offset), dst: t.IsDST()}
	if !start.IsZero() {
		s.start, s.since = start.Unix(), true
	}
	return s
}

// localOffset returns the UTC offset of a local time in a zone, like PHP. Times that are skipped in spring are moved
// forward. Times that occur twice are in standard time east of Greenwich and in summer time west of it. But if the zone
// is named in the text itself (named), they are always the first of the two.
func localOffset(wall int64, loc *time.Location, named bool) int64 {
	asUTC := spanAt(wall, loc)
	actual := spanAt(wall-asUTC.offset, loc)
	if asUTC.offset == actual.offset {
		if named && asUTC.offset >= 0 && !asUTC.dst {
			earlier := spanAt(wall-asUTC.offset-7200, loc)
			if earlier.offset != actual.offset && wall-earlier.offset < actual.start {
				return earlier.offset
			}
		}
		return asUTC.offset
	}
	at := wall - actual.offset
	if actual.since && at < actual.start && at >= actual.start+asUTC.offset-actual.offset {
		return asUTC.offset
	}
	return actual.offset
}
