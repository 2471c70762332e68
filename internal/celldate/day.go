package celldate

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The reasons why a text is rejected.
var (
	errNoDate     = errors.New("is not a date")
	errNoDay      = errors.New("there is no such day")
	errTwo        = errors.New("is ambiguous: say whether the day or the month comes first")
	errTwoTimes   = errors.New("may be read as two times")
	errWeekday    = errors.New("is on another day of the week")
	errNoYear     = errors.New("has no year")
	errOtherYears = errors.New("is not in the years 1 to 9999")
)

// Patterns of a spreadsheet's serial number (days since the end of 1899, with a part of a day), of a date without
// separators, and of the tokens of other dates.
var (
	serial  = regexp.MustCompile(`^(\d{5})(?:[.,](\d{1,17}))?$`)
	compact = regexp.MustCompile(`^(\d{4})(\d{2})(\d{2})(?:[t ](\d{2})(\d{2})(\d{2})?(z|[+-]\d{2}:?\d{2})?)?$`)
	token   = regexp.MustCompile(`\d+|[a-z]+|.`)
)

// firstDay is day 0 of spreadsheets' serial numbers.
var firstDay = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)

// readFolded reads a date, with a time if there is one, from a text that fold returned.
func readFolded(text string, order Order) (m Moment, err error) {
	if p := serial.FindStringSubmatch(text); p != nil {
		return ofSerial(p), nil
	}
	if p := compact.FindStringSubmatch(text); p != nil {
		if text = p[1] + "-" + p[2] + "-" + p[3]; p[4] != "" {
			text += "t" + p[4] + ":" + p[5]
			if p[6] != "" {
				text += ":" + p[6]
			}
			text += p[7]
		}
	}
	day, plain := readDay(text, order)
	if plain == nil {
		return day, nil
	}
	var found []Moment
	reason := plain
	for _, c := range ordered(clocks(text, false)) {
		if c.weak && (len(found) > 0 || strings.Trim(c.rest, " ") == "" || !startsWithDate(c.before, order)) {
			continue
		}
		day, err := readDay(c.rest, order)
		switch {
		case err == nil:
			one := c.on(day.Day)
			if one.Order = day.Order; !slices.Contains(found, one) {
				found = append(found, one)
			}
		case !errors.Is(err, errNoDate) && errors.Is(reason, errNoDate):
			reason = err
		}
	}
	switch len(found) {
	case 0:
		return m, reason
	case 1:
		if y := found[0].Day.Year(); y < 1 || y > 9999 {
			return m, errOtherYears
		}
		return found[0], nil
	}
	return m, errTwoTimes
}

// startsWithDate reports whether the text before a time is a date.
func startsWithDate(before string, order Order) bool {
	_, err := readDay(strings.Trim(before, " ,"), order)
	return err == nil
}

// ofSerial returns the date of a spreadsheet's serial number.
func ofSerial(p []string) Moment {
	m := Moment{Day: firstDay.AddDate(0, 0, number(p[1])), Clock: "00:00:00"}
	if p[2] == "" {
		return m
	}
	part, _ := strconv.ParseFloat("0."+p[2], 64) // at most 17 digits, so there is no error
	c, next := clockOfDay(part)
	day := m.Day
	if next {
		day = day.AddDate(0, 0, 1)
	}
	return c.on(day)
}

// part is a number or the name of a month in a date, with the separator before it.
type part struct {
	digits string
	month  time.Month
	before byte
}

// readDay reads a date without a time.
func readDay(text string, order Order) (m Moment, err error) {
	parts, weekday, ok := partsOf(text)
	if !ok {
		return m, errNoDate
	}
	named := slices.IndexFunc(parts, func(p part) bool { return p.month != 0 })
	switch {
	case named >= 0 && len(parts) == 3:
		m, err = ofName(parts, named)
	case len(parts) == 1 && len(parts[0].digits) == 8:
		d := parts[0].digits
		m, err = onDay(number(d[:4]), number(d[4:6]), number(d[6:]))
	case named >= 0 && len(parts) == 2:
		return m, errNoYear
	case named < 0 && len(parts) == 3:
		m, err = ofNumbers(parts, order)
	default:
		return m, errNoDate
	}
	if err != nil {
		return m, err
	}
	if weekday != 0 && weekday != int(m.Day.Weekday()+6)%7+1 {
		return m, errWeekday
	}
	if m.Clock = "00:00:00"; m.Day.Year() < 1 {
		return m, errOtherYears
	}
	return m, nil
}

// partsOf splits a date into its numbers and month, and returns its weekday, 0 for none.
func partsOf(text string) (parts []part, weekday int, ok bool) {
	tokens := token.FindAllString(strings.Trim(text, " ,."), -1)
	words, _ := vocabulary()
	months := 0
	for _, t := range tokens {
		if m := words[t]; m.month != 0 && m.weekday == 0 {
			months++
		}
	}
	before, lastWord := byte(' '), ""
	for i, t := range tokens {
		m, isWord := words[t]
		switch {
		case isDigit(t[0]) && len(parts) == 2 && slices.Contains(beforeTimes, lastWord): // in "June 13 at 19", 19 is not a year
			return nil, 0, false
		case isDigit(t[0]):
			parts, before, lastWord = append(parts, part{digits: t, before: before}), ' ', ""
		case i > 0 && isDigit(tokens[i-1][0]) && slices.Contains(ordinals, t):
		case isWord && m.month != 0 && (m.weekday == 0 || months == 0):
			parts, before, lastWord = append(parts, part{month: m.month, before: before}), ' ', ""
		case isWord && m.weekday != 0:
			if weekday != 0 && weekday != m.weekday {
				return nil, 0, false
			}
			weekday = m.weekday
		case isWord && m.filler, t == " ", t == "'":
			if isWord {
				lastWord = t
			}
		case t == "@" && i == len(tokens)-1: // before the time, as The Events Calendar writes it: June 13, 2031 @ 7:30 pm
		case strings.Contains("-/.,", t):
			if before != ' ' && before != ',' && t != "," { // two separators in a row
				if before != '.' || t != "-" { // as in "Okt.-31"
					return nil, 0, false
				}
			}
			before = t[0]
		default:
			return nil, 0, false
		}
	}
	return parts, weekday, len(parts) <= 3
}

// beforeTimes are the words that precede a time, and never a year.
var beforeTimes = []string{
	"at", "om", "um", "a", "as", "la", "las", "alle", "ore", "kl", "klo", "klockan", "o", "godz", "godzina", "godzinie",
}

// ordinals are suffixes of the number of a day, as in "1st".
var ordinals = []string{"st", "nd", "rd", "th", "er", "e", "º", "ª", "°", "o", "a"}

// ofName returns the date of two numbers and the name of a month.
func ofName(parts []part, named int) (m Moment, err error) {
	numbers := slices.Delete(slices.Clone(parts), named, named+1)
	day, year := numbers[0].digits, numbers[1].digits
	if len(day) == 4 {
		day, year = year, day
	}
	if len(day) > 2 || len(year) != 4 && len(year) != 2 || numbers[0].month != 0 || numbers[1].month != 0 || named == 2 {
		return m, errNoDate
	}
	last := parts[2].before
	if len(year) == 2 && (last == '-' || last == '/') && last != parts[1].before { // in "June 13-15", 15 is not a year
		return m, errNoDate
	}
	if len(year) == 2 && last == ',' && named == 1 && number(year) <= 24 { // in "13 juin, 20", 20 may be an hour
		return m, errNoYear
	}
	return onDay(yearOf(year), int(parts[named].month), number(day))
}

// ofNumbers returns the date of three numbers.
func ofNumbers(parts []part, order Order) (m Moment, err error) {
	a, b, c := parts[0].digits, parts[1].digits, parts[2].digits
	if len(b) > 2 || parts[1].before == ',' || parts[2].before == ',' {
		return m, errNoDate
	}
	if len(a) == 4 && len(c) <= 2 {
		return onDay(number(a), number(b), number(c))
	}
	if len(a) > 2 || len(c) != 4 && len(c) != 2 {
		return m, errNoDate
	}
	first, second, year := number(a), number(b), yearOf(c)
	dayFirst, noDay := onDay(year, second, first)
	monthFirst, noMonth := onDay(year, first, second)
	switch {
	case parts[1].before == '.' || order == DayFirst:
		return dayFirst, noDay
	case order == MonthFirst:
		return monthFirst, noMonth
	case noDay == nil && noMonth == nil && first != second:
		return m, errTwo
	case noDay == nil && noMonth == nil:
		return dayFirst, nil
	case noDay == nil:
		dayFirst.Order = DayFirst
		return dayFirst, nil
	case noMonth == nil:
		monthFirst.Order = MonthFirst
		return monthFirst, nil
	}
	return m, errNoDay
}

// yearOf returns a year. Two digits from 00 to 68 are in the years from 2000, others in the 1900s.
func yearOf(digits string) int {
	year := number(digits)
	if len(digits) == 2 {
		if year += 1900; year < 1969 {
			year += 100
		}
	}
	return year
}

// onDay returns the date of a year, month and day, or errNoDay if there is none.
func onDay(year, month, day int) (m Moment, err error) {
	m.Day = time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if int(m.Day.Month()) != month || m.Day.Day() != day {
		return m, errNoDay
	}
	return m, nil
}
