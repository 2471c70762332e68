package replay

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// dateKeys are the parameters whose printed value can depend on the day.
var dateKeys = []string{"start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"}

// movingDays are the days around the recording, and around its end of range two
// years on: addresses that print one of them move with the day of the request.
func movingDays(recorded time.Time) []string {
	var days []string
	for _, years := range []int{0, 2} {
		for _, d := range []int{-1, 0, 1} {
			days = append(days, recorded.AddDate(years, 0, d).Format(time.DateOnly))
		}
	}
	return days
}

// address is a URL as far as the comparison goes. The last of equal names counts.
type address struct {
	place string // scheme, host and path, no closing slash
	query map[string]string
}

func parseAddress(s string) address {
	s, _, _ = strings.Cut(s, "#")
	place, query, _ := strings.Cut(s, "?")
	a := address{place: strings.TrimRight(place, "/"), query: map[string]string{}}
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		k, v, _ := strings.Cut(pair, "=")
		a.query[unescape(k)] = unescape(v)
	}
	return a
}

// unescape leaves a text that is not properly escaped as it is.
func unescape(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}

// matchAddress tells whether a paging address carries at least the recorded
// parameters, however encoded; it may carry more filters.
func (c *comparer) matchAddress(want, got string) bool {
	w, g := parseAddress(strings.ReplaceAll(want, "{root}", c.root)), parseAddress(got)
	_, strict := g.query["strict_dates"]
	if _, include := w.query["include"]; strict || include { // the recording prints another range there
		delete(w.query, "start_date")
		delete(w.query, "end_date")
	}
	for _, k := range dateKeys {
		if v := w.query[k]; len(v) >= 10 && slices.Contains(c.moving, v[:10]) {
			delete(w.query, k)
		}
	}
	if w.query["status"] == "any" { // the recording prints it and then refuses it
		delete(w.query, "status")
	}
	if w.place != g.place {
		return false
	}
	for k, v := range w.query {
		if k == "page" && v == "1" {
			continue
		}
		if have, ok := g.query[k]; !ok || have != v {
			return false
		}
	}
	return true
}
