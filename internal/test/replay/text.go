package replay

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"
)

var (
	placeholder = regexp.MustCompile(`\{\{(\w+)\}\}`)
	onlyHolder  = regexp.MustCompile(`^\{\{(\w+)\}\}$`)
)

// labelText is a label's value as it stands inside a longer text.
func labelText(v any) string {
	if n, ok := v.(json.Number); ok {
		return string(n)
	}
	return show(v)
}

// matchText tells whether a got value fits a recorded string.
func (c *comparer) matchText(want string, got any) bool {
	text, isText := got.(string)
	if !strings.Contains(want, "{") { // most are plain
		return isText && want == text
	}
	switch want {
	case "{{now}}":
		return isText && c.near(text, c.zone)
	case "{{now_utc}}":
		return isText && c.near(text, time.UTC)
	}
	if m := onlyHolder.FindStringSubmatch(want); m != nil {
		return c.matchLabel(m[1], got)
	}
	want = strings.NewReplacer("{root}", c.root, "{site}", c.site, "{host}", c.host).Replace(want)
	if !isText {
		return false
	}
	if strings.Contains(want, "{{") {
		return c.pattern(want).MatchString(text)
	}
	return want == text
}

// matchLabel accepts the labelled value or its text; a label that no request
// has defined stands for an id that the server chose itself.
func (c *comparer) matchLabel(label string, got any) bool {
	v, known := c.labels[label]
	if !known {
		return true
	}
	if text, ok := got.(string); ok {
		return text == labelText(v)
	}
	n, ok := got.(json.Number)
	want, number := v.(json.Number)
	return ok && number && sameNumber(want, n)
}

// pattern turns a text with placeholders into an expression for the whole text.
func (c *comparer) pattern(want string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`\A`)
	at := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(want, -1) {
		b.WriteString(regexp.QuoteMeta(want[at:m[0]]))
		label := want[m[2]:m[3]]
		if v, known := c.labels[label]; known && label != "new" {
			b.WriteString(regexp.QuoteMeta(labelText(v)))
		} else {
			b.WriteString(`\d+`)
		}
		at = m[1]
	}
	b.WriteString(regexp.QuoteMeta(want[at:]) + `\z`)
	return regexp.MustCompile(b.String())
}

// near tells whether text is a moment within ten minutes of now on zone's wall clock.
func (c *comparer) near(text string, zone *time.Location) bool {
	if len(text) != len(time.DateTime) {
		return false
	}
	got, err := time.Parse(time.DateTime, text)
	if err != nil {
		return false
	}
	now, err := time.Parse(time.DateTime, c.now().In(zone).Format(time.DateTime))
	return err == nil && got.Sub(now).Abs() < 10*time.Minute
}
