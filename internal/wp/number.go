package wp

import (
	"math"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Truthy reports whether a text turns a switch on: 1, enable, enabled, on, y, yes
// or true, in any case.
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

// Numeric reads a text that is a decimal number and nothing else, white space
// around it aside. integral reports whether it is a whole number that an int64
// holds.
func Numeric(s string) (f float64, integral bool, ok bool) {
	num, ok := wholeText(s)
	if !ok {
		return 0, false, false
	}
	f, _ = strconv.ParseFloat(num, 64)
	_, integral = exact(num, f)
	return f, integral, true
}

// Integer reads a text that is a whole number within int64 in any notation:
// "7", " +7 ", "7.0", "7e0".
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
	// The bound itself, 2^63, is a float but no int64.
	if f != math.Trunc(f) || f < math.MinInt64 || f >= math.MaxInt64 {
		return 0, false
	}
	return int64(f), true
}
