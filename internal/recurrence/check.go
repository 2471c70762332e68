package recurrence

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Error is why a rule is not understood, or not allowed.
type Error struct {
	Part   string // of the rule, as "COUNT=0"; several with a space between them; "" for the whole rule
	Reason Reason

	text string
}

func (e *Error) Error() string { return e.text }

// Reason is what is wrong with a rule.
type Reason int

// Reasons.
const (
	NoFrequency   Reason = iota
	Unsupported          // the part
	WrongValue           // of the part
	Contradiction        // of the parts, or the part is there twice
	TooLong              // the rule
)

var errUnsupported = errors.New("is not supported")

// maxText bounds the text of a rule that Check allows.
const maxText = 1000

// Check returns the text of a rule in its usual form, or as an Error why RFC 5545 does not allow it. Parse is not as strict: it
// reads what other programs write.
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

// agree returns an Error if parts of the rule must not stand together.
func (r *Rule) agree(values map[string]string) error {
	given := func(name string) bool { _, ok := values[name]; return ok }
	numbered := slices.ContainsFunc(r.days, func(d weekdayOf) bool { return d.n != 0 })
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
		{numbered && (r.freq == daily || r.freq == weekly), "FREQ BYDAY"},
		{numbered && given("BYWEEKNO"), "BYWEEKNO BYDAY"},
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
		return &Error{Part: together, Reason: Contradiction, text: "has parts that do not go together: " + together}
	}
	return nil
}

// Timed reports whether the rule names times of day.
func (r *Rule) Timed() bool { return r.timed }

// Count returns the number of dates that the rule names, 0 for none.
func (r *Rule) Count() int { return r.count }

// WithFewer returns the text of a rule, as Check returns it, of which the first dates are left out: its COUNT is as much less.
func WithFewer(text string, fewer int) string {
	parts := strings.Split(text, ";")
	for i, part := range parts {
		if value, ok := strings.CutPrefix(part, "COUNT="); ok {
			if n, err := strconv.Atoi(value); err == nil {
				parts[i] = "COUNT=" + strconv.Itoa(n-fewer)
			}
		}
	}
	return strings.Join(parts, ";")
}
