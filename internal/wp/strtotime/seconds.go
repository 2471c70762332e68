package strtotime

import (
	"strconv"
	"strings"
)

// Seconds reads a number of seconds since 1970, written in digits. Other forms of
// numbers, with a point or an exponent, are no dates.
func Seconds(text string) (n int64, ok bool) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return n, err == nil
}
