package strtotime

import "time"

// Agree reports whether a time on the clock of a zone and a time in UTC, as they are stored, are the same moment. A time on the clock
// that comes twice, or is left out, when clocks change has two readings: each of them is right, since programs choose either. Texts that
// are no stored dates agree with all: nothing can be computed from them.
func Agree(wall, utc string, loc *time.Location) bool {
	local, isLocal := wallSeconds(wall)
	at, isUTC := wallSeconds(utc)
	if !isLocal || !isUTC {
		return true
	}
	if at+spanAt(at, loc).offset == local {
		return true
	}
	read := local - localOffset(local, loc, false)
	if read+spanAt(read, loc).offset == local { // the clock shows this time, at another moment
		return false
	}
	// The clock leaves the time out: it may be read by the offset before the change or by the one after it.
	const day = 24 * 3600
	return at == local-spanAt(read-day, loc).offset || at == local-spanAt(read+day, loc).offset
}
