package editing

import (
	"slices"
	"strings"
	"time"
)

// Choices of the form for the recurrence of an event.
const (
	never    = "no"
	weekly   = "weekly"
	biweekly = "biweekly"
	monthly  = "monthly"
	ownRule  = "own"
)

var repeatWays = []string{never, weekly, biweekly, monthly, ownRule}

// ruleOf returns the recurrence rule of a choice for an event that starts on a day, without an end.
func ruleOf(way string, day time.Time) string {
	switch way {
	case weekly:
		return "FREQ=WEEKLY"
	case biweekly:
		return "FREQ=WEEKLY;INTERVAL=2"
	case monthly:
		nth := (day.Day()-1)/7 + 1
		if nth == 5 {
			nth = -1 // the last one in the month
		}
		return "FREQ=MONTHLY;BYDAY=" + decimal(int64(nth)) + weekdays[day.Weekday()]
	}
	return ""
}

var weekdays = [...]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// wayOf returns the choice for the rule of an event that starts on a day.
func wayOf(rule string, day time.Time) string {
	bare := bareRule(rule, day)
	for _, way := range []string{weekly, biweekly, monthly} {
		if slices.Equal(bare, bareRule(ruleOf(way, day), day)) {
			return way
		}
	}
	return ownRule
}

// bareRule returns the sorted parts of a rule, without its end and without what follows from the day of the start.
func bareRule(rule string, day time.Time) (list []string) {
	weeks := strings.Contains(rule, "FREQ=WEEKLY")
	for part := range strings.SplitSeq(strings.ToUpper(rule), ";") {
		switch {
		case strings.HasPrefix(part, "UNTIL="), part == "INTERVAL=1", part == "":
		case weeks && part == "BYDAY="+weekdays[day.Weekday()]:
		default:
			list = append(list, part)
		}
	}
	slices.Sort(list)
	return list
}

// partOf returns the value of a part of a rule, or "" if it is missing.
func partOf(rule, name string) string {
	for part := range strings.SplitSeq(rule, ";") {
		if key, value, _ := strings.Cut(part, "="); strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// untilOf returns the day on which a rule ends in a time zone, or "" if it has no UNTIL.
func untilOf(rule string, zone *time.Location) string {
	value := partOf(rule, "UNTIL")
	if at, err := time.Parse("20060102T150405Z", value); err == nil {
		return at.In(zone).Format(time.DateOnly)
	}
	if len(value) >= 8 {
		if at, err := time.Parse("20060102", value[:8]); err == nil {
			return at.Format(time.DateOnly)
		}
	}
	return ""
}

// ended returns a rule that ends on a day.
func ended(rule string, day time.Time) string { return rule + ";UNTIL=" + day.Format("20060102") }

// endless reports whether a rule has no end.
func endless(rule string) bool { return partOf(rule, "UNTIL") == "" && partOf(rule, "COUNT") == "" }

// withoutEnd returns a rule without its end.
func withoutEnd(rule string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(rule, ";"), func(part string) bool {
		name, _, _ := strings.Cut(part, "=")
		name = strings.ToUpper(strings.TrimSpace(name))
		return name == "UNTIL" || name == "COUNT"
	}), ";")
}
