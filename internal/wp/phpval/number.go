package phpval

import (
	"math"
	"strconv"
	"strings"
)

const space = " \t\n\r\v\f"

// Number splits a string into the decimal number at its beginning, after white space, and the rest. num is "" if there
// is none; hexadecimal numbers, "INF" and "NAN" are not accepted. An exponent without digits belongs to the rest.
func Number(s string) (num, rest string) {
	s = strings.TrimLeft(s, space)
	i := sign(s, 0)
	whole := digits(s, i)
	end := whole
	if end < len(s) && s[end] == '.' {
		end = digits(s, end+1)
		if end == whole+1 && whole == i {
			return "", s
		}
	}
	if end == i {
		return "", s
	}
	if end < len(s) && s[end]|0x20 == 'e' {
		from := sign(s, end+1)
		if to := digits(s, from); to > from {
			end = to
		}
	}
	return s[:end], s[end:]
}

func sign(s string, i int) int {
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		return i + 1
	}
	return i
}

func digits(s string, i int) int {
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return i
}

// number returns the value of a number that Number returned. It is infinite if it is too large.
func number(num string) float64 {
	f, _ := strconv.ParseFloat(num, 64)
	return f
}

// wholeNumber returns the integer part of a number that Number returned, limited to the range of int64.
func wholeNumber(num string) int64 {
	if num == "" { // frequent, and the error of ParseInt would be allocated
		return 0
	}
	if !strings.ContainsAny(num, ".eE") {
		n, _ := strconv.ParseInt(num, 10, 64) // ParseInt returns the nearest int64 if it is out of range
		return n
	}
	return bounded(number(num))
}

func bounded(f float64) int64 {
	switch {
	case math.IsNaN(f):
		return 0
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// formatFloat formats a float like PHP: with at most prec significant digits or, if prec is 0, with as many as are
// needed to read the same value back.
func formatFloat(f float64, prec int) string {
	switch {
	case math.IsNaN(f):
		return "NAN"
	case math.IsInf(f, 1):
		return "INF"
	case math.IsInf(f, -1):
		return "-INF"
	}
	limit := prec
	if prec == 0 {
		limit = 17
	}
	neg := ""
	if math.Signbit(f) {
		neg, f = "-", -f
	}
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(f, 'e', prec-1, 64), "e")
	d := strings.TrimRight(strings.Replace(mantissa, ".", "", 1), "0")
	if d == "" {
		return neg + "0"
	}
	e, _ := strconv.Atoi(exp)
	point := e + 1 // number of digits before the decimal point
	switch {
	case point < -3 || point > limit:
		frac := d[1:]
		if frac == "" {
			frac = "0"
		}
		plus := "+"
		if e < 0 {
			plus = ""
		}
		return neg + d[:1] + "." + frac + "E" + plus + strconv.Itoa(e)
	case point <= 0:
		return neg + "0." + strings.Repeat("0", -point) + d
	case point >= len(d):
		return neg + d + strings.Repeat("0", point-len(d))
	}
	return neg + d[:point] + "." + d[point:]
}
