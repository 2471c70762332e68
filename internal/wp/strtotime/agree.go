package strtotime

import "time"

// Agree reports whether a stored local time in a zone and a stored UTC time are the same instant. A local time that
// occurs twice or is skipped when clocks change matches both possible instants, since programs choose either. Strings
// that are not stored dates match everything, because nothing can be computed from them.
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
	if read+spanAt(read, loc).offset == local { // the local time exists, at another instant
		return false
	}
	// The local time is skipped. It may be read with the offset before or after the change.
	const day = 24 * 3600
	return at == local-spanAt(read-day, loc).offset || at == local-spanAt(read+day, loc).offset
}
