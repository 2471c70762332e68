package replay

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	placeholder = regexp.MustCompile(`\{\{(\w+)\}\}`)
	onlyHolder  = regexp.MustCompile(`^\{\{(\w+)\}\}$`)
)

// matchText reports whether a value matches a recorded string.
func (c *comparer) matchText(want string, got any) bool {
	text, isText := got.(string)
	if !strings.Contains(want, "{") { // most strings have no placeholders
		return isText && want == text
	}
	if m := onlyHolder.FindStringSubmatch(want); m != nil {
		switch label := m[1]; label {
		case "now":
			return c.near(text, c.zone)
		case "now_utc":
			return c.near(text, time.UTC)
		default:
			// A label that no request has defined stands for an id that the server assigned by itself.
			id, known := c.labels[label]
			return !known || text == show(id) || got == id
		}
	}
	host, _, _ := strings.Cut(strings.TrimPrefix(c.site, "http://"), "/")
	want = strings.NewReplacer("{root}", c.root, "{site}", c.site, "{host}", host).Replace(want)
	if !isText {
		return false
	}
	if strings.Contains(want, "{{") {
		return c.pattern(want).MatchString(text)
	}
	return want == text
}

// pattern converts a string with placeholders to a regular expression for the whole string.
func (c *comparer) pattern(want string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`\A`)
	at := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(want, -1) {
		b.WriteString(regexp.QuoteMeta(want[at:m[0]]))
		label := want[m[2]:m[3]]
		if v, known := c.labels[label]; known && label != "new" {
			b.WriteString(regexp.QuoteMeta(show(v)))
		} else {
			b.WriteString(`\d+`)
		}
		at = m[1]
	}
	b.WriteString(regexp.QuoteMeta(want[at:]) + `\z`)
	return regexp.MustCompile(b.String())
}

// near reports whether text is a local time in zone within ten minutes of now.
func (c *comparer) near(text string, zone *time.Location) bool {
	got, err := time.Parse(time.DateTime, text)
	now, _ := time.Parse(time.DateTime, c.now().In(zone).Format(time.DateTime))
	return err == nil && len(text) == len(time.DateTime) && got.Sub(now).Abs() < 10*time.Minute
}

// dateKeys contains the parameters whose value in URLs may depend on the day.
var dateKeys = []string{"start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"}

// movingDays returns the days around the recording, and around the end of the default range two years later. URLs that
// contain one of them depend on the day of the request.
func movingDays(recorded time.Time) []string {
	var days []string
	for _, years := range []int{0, 2} {
		for _, d := range []int{-1, 0, 1} {
			days = append(days, recorded.AddDate(years, 0, d).Format(time.DateOnly))
		}
	}
	return days
}

// address contains the parts of a URL that are compared. The last of several equal names counts.
type address struct {
	place string // scheme, host and path, without a trailing slash
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

// unescape returns an invalidly escaped string unchanged.
func unescape(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}

// matchAddress reports whether the URL of another page contains at least the recorded parameters, in any encoding. It
// may contain more filters.
func (c *comparer) matchAddress(want, got string) bool {
	w, g := parseAddress(strings.ReplaceAll(want, "{root}", c.root)), parseAddress(got)
	_, strict := g.query["strict_dates"]
	if _, include := w.query["include"]; strict || include { // the recording contains another range
		delete(w.query, "start_date")
		delete(w.query, "end_date")
	}
	for _, k := range dateKeys {
		if v := w.query[k]; len(v) >= 10 && slices.Contains(c.moving, v[:10]) {
			delete(w.query, k)
		}
	}
	if w.query["status"] == "any" { // the recorded site adds this value and then rejects it
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
