package recurrence

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/ical"
)

// maxTimes is the greatest number of times of day that a rule may produce for one day.
const maxTimes = 100

var weekdays = map[string]time.Weekday{
	"SU": time.Sunday, "MO": time.Monday, "TU": time.Tuesday, "WE": time.Wednesday, "TH": time.Thursday, "FR": time.Friday,
	"SA": time.Saturday,
}

// Parse reads the rule of a series that begins at start, a local time given as if it were UTC. If the rule is not
// understood, the error is an *Error.
func Parse(text string, start time.Time) (*Rule, error) {
	r := &Rule{start: start, freq: -1, interval: 1, monday: time.Monday}
	for part := range strings.SplitSeq(strings.ToUpper(strings.TrimSpace(text)), ";") {
		name, value, _ := strings.Cut(part, "=")
		if part == "" {
			continue
		}
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if err := r.set(name, value); err != nil {
			reason := WrongValue
			if errors.Is(err, errUnsupported) {
				reason = Unsupported
			}
			return nil, &Error{Part: name + "=" + value, Reason: reason, text: err.Error()}
		}
	}
	if r.freq < 0 {
		return nil, &Error{Reason: NoFrequency, text: "has no FREQ"}
	}
	r.complete()
	if len(r.hours)*len(r.minutes)*len(r.seconds) > maxTimes {
		return nil, &Error{Reason: TooLong, text: "has too many times per day"}
	}
	return r, nil
}

func (r *Rule) set(name, value string) (err error) {
	switch name {
	case "FREQ":
		r.freq = slices.Index([]string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}, value)
		if r.freq < 0 {
			return fmt.Errorf("FREQ=%s %w", value, errUnsupported)
		}
	case "INTERVAL":
		r.interval, err = positive(value)
	case "COUNT":
		r.count, err = positive(value)
	case "UNTIL":
		var ok bool
		if r.until, ok = ical.ParseDateTime(value); !ok {
			err = errors.New("is not a date")
		}
	case "WKST":
		r.monday, err = weekday(value)
	case "BYDAY":
		for text := range strings.SplitSeq(value, ",") {
			d, err := parseWeekday(strings.TrimSpace(text))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			r.days = append(r.days, d)
		}
	default:
		list, bounds := r.list(name)
		if list == nil {
			return fmt.Errorf("%s %w", name, errUnsupported)
		}
		*list, err = numbers(value, bounds[0], bounds[1])
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// list returns the field that holds the numbers of a part, and the lowest and highest number allowed. If the lowest is
// negative, numbers that count from the end are allowed, and 0 is not.
func (r *Rule) list(name string) (*[]int, [2]int) {
	switch name {
	case "BYMONTH":
		return &r.months, [2]int{1, 12}
	case "BYMONTHDAY":
		return &r.monthDays, [2]int{-31, 31}
	case "BYYEARDAY":
		return &r.yearDays, [2]int{-366, 366}
	case "BYWEEKNO":
		return &r.weeks, [2]int{-53, 53}
	case "BYSETPOS":
		return &r.positions, [2]int{-366, 366}
	case "BYHOUR":
		return &r.hours, [2]int{0, 23}
	case "BYMINUTE":
		return &r.minutes, [2]int{0, 59}
	case "BYSECOND":
		return &r.seconds, [2]int{0, 59}
	}
	return nil, [2]int{}
}

// complete fills in the times, days and months that the rule leaves open from the start of the series.
func (r *Rule) complete() {
	r.timed = r.hours != nil || r.minutes != nil || r.seconds != nil
	if r.hours == nil {
		r.hours = []int{r.start.Hour()}
	}
	if r.minutes == nil {
		r.minutes = []int{r.start.Minute()}
	}
	if r.seconds == nil {
		r.seconds = []int{r.start.Second()}
	}
	for _, list := range []*[]int{&r.hours, &r.minutes, &r.seconds} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	weekdayGiven, dayGiven := len(r.days) > 0, len(r.monthDays)+len(r.yearDays) > 0
	switch {
	case weekdayGiven || dayGiven || r.freq == daily:
	case r.freq == weekly || len(r.weeks) > 0:
		r.days = []weekdayOf{{day: r.start.Weekday()}}
	case r.freq == monthly:
		r.monthDays = []int{r.start.Day()}
	default:
		r.monthDays = []int{r.start.Day()}
		if r.months == nil {
			r.months = []int{int(r.start.Month())}
		}
	}
}

// maxNumber is the greatest INTERVAL and COUNT. That many years after a start is still a date that package time can
// represent.
const maxNumber = 100_000

// positive parses an integer from 1 to maxNumber.
func positive(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n == 0 || n > maxNumber {
		return 0, fmt.Errorf("%q is not a number from 1 to %d", text, maxNumber)
	}
	return int(n), nil
}

// numbers parses a comma-separated list of integers from least to most. 0 is rejected if least is negative.
func numbers(text string, least, most int) (list []int, err error) {
	for item := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(item))
		if err != nil || n < least || n > most || n == 0 && least < 0 {
			return nil, fmt.Errorf("%q is none of %d to %d", item, least, most)
		}
		list = append(list, n)
	}
	return list, nil
}

func weekday(text string) (time.Weekday, error) {
	day, ok := weekdays[text]
	if !ok {
		return 0, fmt.Errorf("%q is not a day of the week", text)
	}
	return day, nil
}

func parseWeekday(text string) (d weekdayOf, err error) {
	at := max(0, len(text)-2)
	if d.day, err = weekday(text[at:]); err == nil && at > 0 {
		var n []int
		if n, err = numbers(text[:at], -53, 53); err == nil {
			d.n = n[0]
		}
	}
	return d, err
}
