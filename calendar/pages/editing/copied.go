package editing

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/agendahq/agenda/calendar"
)

func parseID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return 0, &calendar.Error{Status: http.StatusNotFound}
	}
	return id, nil
}

// copied returns the form of a copy of an event: with the same values, but without the slug, and on the first day from
// tomorrow on that is a whole number of weeks after the event's day. Excluded and additional occurrences of a recurring
// event are not copied, nor is the event whose translation it is, and the end of its rule has to be entered. was contains
// the values that are copied but not shown in the form.
func copied(from url.Values, now time.Time) (typed, was url.Values) {
	typed, was = url.Values{}, url.Values{}
	for name, values := range from {
		switch name {
		case "slug", "skip", "dates", "dates.locked", "until", "endless", "translation_of", ownLanguage:
		case storedText, "image.shown", shownImage, "venue.known", "organizer.known":
			was[name] = values
		case "image_alt":
			was[name] = values
			fallthrough
		default:
			typed[name] = slices.Clone(values)
		}
	}
	if rule := typed.Get("rule"); partOf(rule, "UNTIL") != "" {
		typed.Set("rule", withoutEnd(rule))
	}
	day, ok := readDay(from.Get("day"), "")
	if !ok {
		return typed, was
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	weeks := 1
	if gap := today.Sub(day); gap >= 0 {
		weeks = int(gap/(7*24*time.Hour)) + 1
	}
	for _, name := range []string{"day", "last"} {
		if at, ok := readDay(from.Get(name), ""); ok {
			typed.Set(name, at.AddDate(0, 0, 7*weeks).Format(time.DateOnly))
		}
	}
	return typed, was
}
