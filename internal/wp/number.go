package wp

import (
	"math"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Truthy reports whether a string turns a setting on: 1, enable, enabled, on, y, yes or true, in upper or lower case.
// It corresponds to tribe_is_truthy in The Events Calendar.
func Truthy(s string) bool {
	if len(s) > len("enabled") {
		return false
	}
	switch strings.ToLower(s) {
	case "1", "enable", "enabled", "on", "y", "yes", "true":
		return true
	}
	return false
}

// Numeric parses a string that is a decimal number, possibly surrounded by white space. integral reports whether it is
// an integer that fits into an int64.
func Numeric(s string) (f float64, integral bool, ok bool) {
	num, ok := wholeText(s)
	if !ok {
		return 0, false, false
	}
	f, _ = strconv.ParseFloat(num, 64)
	_, integral = exact(num, f)
	return f, integral, true
}

// Integer parses a string that is an integer within int64, in any notation: "7", " +7 ", "7.0", "7e0".
func Integer(s string) (int64, bool) {
	num, ok := wholeText(s)
	if !ok {
		return 0, false
	}
	f, _ := strconv.ParseFloat(num, 64)
	return exact(num, f)
}

func wholeText(s string) (string, bool) {
	num, rest := phpval.Number(s)
	return num, num != "" && strings.Trim(rest, " \t\n\r\v\f") == ""
}

func exact(num string, f float64) (int64, bool) {
	if !strings.ContainsAny(num, ".eE") {
		n, err := strconv.ParseInt(num, 10, 64)
		if err != nil {
			return 0, false
		}
		return n, true
	}
	// 2^63 itself can be represented as a float64 but not as an int64.
	if f != math.Trunc(f) || f < math.MinInt64 || f >= math.MaxInt64 {
		return 0, false
	}
	return int64(f), true
}
