package strtotime

import "time"

// offset returns the distance from UTC at a wall-clock time, itself counted in
// seconds as if it were UTC.
func (d *components) offset(wall int64, loc *time.Location) int64 {
	switch d.zone.kind {
	case zoneOffset:
		return d.zone.offset
	case zoneNamed:
		return localOffset(wall, d.zone.loc, true)
	}
	return localOffset(wall, loc, false)
}

// span is a period during which a zone keeps its offset.
type span struct {
	offset int64
	start  int64 // Unix seconds
	since  bool  // false: the zone's first period, which has no start
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

// localOffset finds the offset that a wall-clock time has in a zone, as the
// reference does: times that a change to summer time leaves out move forward.
// Times that happen twice are standard time east of Greenwich and summer time
// west of it, except that a zone named in the text itself means the first of
// the two everywhere (named).
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
