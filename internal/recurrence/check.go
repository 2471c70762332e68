package recurrence

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Error says why a recurrence rule was rejected.
type Error struct {
	Part   string // the offending part, such as "COUNT=0"; several are separated by a space; "" for the whole rule
	Reason Reason

	text string
}

func (e *Error) Error() string { return e.text }

// Reason classifies what is wrong with a rule.
type Reason int

// The reasons why a rule is rejected.
const (
	NoFrequency   Reason = iota
	Unsupported          // the rule has a part, or a frequency, that this package does not support
	WrongValue           // the value of a part is malformed or out of range
	Contradiction        // parts exclude each other, or one is given twice
	TooLong              // the rule has more than maxText bytes
)

var errUnsupported = errors.New("is not supported")

// maxText is the greatest length, in bytes, of a rule that Check accepts.
const maxText = 1000

// Check validates a rule against RFC 5545 and returns it in canonical form. If the rule is invalid, the error is an
// *Error. Check is stricter than Parse, which also reads the malformed rules that other programs write.
func Check(text string) (string, error) {
	if len(text) > maxText {
		return "", &Error{Reason: TooLong, text: "is too long"}
	}
	var parts []string
	values := map[string]string{}
	for part := range strings.SplitSeq(strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(text)), "RRULE:"), ";") {
		name, value, _ := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); name == "" && value == "" {
			continue
		}
		items := strings.Split(value, ",")
		for i := range items {
			items[i] = strings.TrimSpace(items[i])
		}
		if _, twice := values[name]; twice {
			return "", &Error{Part: name, Reason: Contradiction, text: "has " + name + " twice"}
		}
		values[name] = strings.Join(items, ",")
		parts = append(parts, name+"="+values[name])
	}
	text = strings.Join(parts, ";")
	r, err := Parse(text, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	if err != nil {
		return "", err
	}
	if err := r.agree(values); err != nil {
		return "", err
	}
	return text, nil
}

// agree returns an Error if the rule combines parts that RFC 5545 does not allow together.
func (r *Rule) agree(values map[string]string) error {
	given := func(name string) bool { _, ok := values[name]; return ok }
	by := 0
	for name := range values {
		if strings.HasPrefix(name, "BY") {
			by++
		}
	}
	for _, wrong := range []struct {
		together bool
		parts    string
	}{
		{given("COUNT") && given("UNTIL"), "COUNT UNTIL"},
		{r.numbered() && (r.freq == daily || r.freq == weekly), "FREQ BYDAY"},
		{r.numbered() && given("BYWEEKNO"), "BYWEEKNO BYDAY"},
		{given("BYMONTHDAY") && r.freq == weekly, "FREQ BYMONTHDAY"},
		{given("BYYEARDAY") && r.freq != yearly, "FREQ BYYEARDAY"},
		{given("BYWEEKNO") && r.freq != yearly, "FREQ BYWEEKNO"},
		{given("BYSETPOS") && by == 1, "FREQ BYSETPOS"},
	} {
		if !wrong.together {
			continue
		}
		var parts []string
		for name := range strings.FieldsSeq(wrong.parts) {
			parts = append(parts, name+"="+values[name])
		}
		together := strings.Join(parts, " ")
		return &Error{Part: together, Reason: Contradiction, text: "has parts that cannot be combined: " + together}
	}
	return nil
}

// Timed reports whether the rule sets times of day (BYHOUR, BYMINUTE or BYSECOND).
func (r *Rule) Timed() bool { return r.timed }

// Count returns the value of COUNT, or 0 if the rule has none.
func (r *Rule) Count() int { return r.count }

// WithFewer returns a rule that Parse reads with its COUNT reduced by fewer. It is used for a series whose first
// occurrences are left out.
func WithFewer(text string, fewer int) string {
	parts := strings.Split(text, ";")
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && strings.EqualFold(strings.TrimSpace(name), "COUNT") {
			parts[i] = "COUNT=" + strconv.Itoa(n-fewer)
		}
	}
	return strings.Join(parts, ";")
}
