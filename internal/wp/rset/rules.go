package rset

import (
	"slices"
	"strconv"
	"time"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Rules are the recurrence rules in the meta row _EventRecurrence, in the format of Events Calendar Pro.
type Rules struct {
	raw   string
	tree  *phpval.Array // nil if the row could not be parsed
	dates []Period      // dates of the rules, if each rule is an explicit date
	known bool
}

// Keys in the row.
const (
	keyRules      = "rules"
	keyExclusions = "exclusions"
	keyCustom     = "custom"
	keyType       = "type"
	keyDate       = "date"
	keySameTime   = "same-time"
	keyStartTime  = "start-time"
	keyEndTime    = "end-time"
	keyEndDay     = "end-day"
	keyEventStart = "EventStartDate"
	keyEventEnd   = "EventEndDate"
	sameDay       = "same-day"
)

// Layouts of times of day, without and with seconds.
const (
	timeLayout    = "3:04pm"
	secondsLayout = "3:04:05pm"
)

// ParseRules parses the value of a row, "" if there is none. It never fails; see Explicit.
func ParseRules(value string) *Rules {
	r := &Rules{raw: value}
	if value == "" {
		r.tree, r.known = emptyRules(), true
		return r
	}
	v, err := phpval.Unserialize(value)
	tree, ok := v.(*phpval.Array)
	if err != nil || !ok || phpval.Serialize(tree) != value {
		return r
	}
	r.tree = tree
	r.known = phpval.IsList(tree.ArrayAt(keyRules)) && tree.ArrayAt(keyExclusions).Len() == 0
	for _, rule := range tree.ArrayAt(keyRules).All() {
		p, ok := explicit(rule)
		r.known = r.known && ok
		r.dates = append(r.dates, p)
	}
	return r
}

func emptyRules() *phpval.Array {
	return phpval.Members(keyRules, &phpval.Array{}, keyExclusions, &phpval.Array{}, "description", nil)
}

// explicit returns the date of a rule that is a single explicit date with its own times.
func explicit(rule phpval.Value) (p Period, ok bool) {
	r, _ := rule.(*phpval.Array)
	custom := r.ArrayAt(keyCustom)
	if r.At(keyType) != "Custom" || custom.At(keyType) != "Date" || custom.At(keySameTime) != "no" {
		return p, false
	}
	if interval := custom.At("interval"); phpval.Int(interval) != 1 || custom.ArrayAt(keyDate).Len() != 1 {
		return p, false
	}
	day, err := time.Parse(time.DateOnly, phpval.Text(custom.ArrayAt(keyDate).At(keyDate)))
	start, okStart := timeOfDay(custom.At(keyStartTime))
	end, okEnd := timeOfDay(custom.At(keyEndTime))
	days, okDays := endDay(custom.At(keyEndDay))
	if err != nil || !okStart || !okEnd || !okDays {
		return p, false
	}
	return Period{Start: day.Add(start), End: day.AddDate(0, 0, days).Add(end)}, true
}

func timeOfDay(v phpval.Value) (time.Duration, bool) {
	text, _ := v.(string)
	for _, layout := range []string{timeLayout, secondsLayout} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)), true
		}
	}
	return 0, false
}

func printTime(at time.Time) string {
	if at.Second() != 0 {
		return at.Format(secondsLayout)
	}
	return at.Format(timeLayout)
}

// endDay parses the day on which a date ends: the number of days after its start.
func endDay(v phpval.Value) (days int, ok bool) {
	switch x := v.(type) {
	case int64:
		return int(x), x >= 0 && x <= 10_000
	case string:
		if x == sameDay {
			return 0, true
		}
		n, err := strconv.Atoi(x)
		return n, err == nil && n >= 0 && n <= 10_000
	}
	return 0, false
}

func dayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

func setExplicit(custom *phpval.Array, p Period) {
	custom.Set(phpval.StrKey(keyDate), phpval.Members(keyDate, p.Start.Format(time.DateOnly)))
	custom.Set(phpval.StrKey(keySameTime), "no")
	custom.Set(phpval.StrKey(keyStartTime), printTime(p.Start))
	custom.Set(phpval.StrKey(keyEndTime), printTime(p.End))
	days := phpval.Value(sameDay)
	if n := int64(dayOf(p.End).Sub(dayOf(p.Start)) / (24 * time.Hour)); n > 0 {
		days = n
	}
	custom.Set(phpval.StrKey(keyEndDay), days)
}

// Explicit reports whether all rules are explicit dates, or there are none. If it is false, the rules are not
// understood and cannot be changed.
func (r *Rules) Explicit() bool { return r.known }

// Empty reports whether the row is understood and contains no rules.
func (r *Rules) Empty() bool { return r.known && len(r.dates) == 0 }

// Dates returns the dates of explicit rules, in order. The event's main date is not necessarily among them.
func (r *Rules) Dates() []Period { return slices.Clone(r.dates) }

// String returns the row in its stored form.
func (r *Rules) String() string { return r.raw }

// Move changes the date of one rule. It returns false if no rule has the date from.
func (r *Rules) Move(from, to Period) bool {
	i := slices.IndexFunc(r.dates, from.Equal)
	if !r.known || i < 0 {
		return false
	}
	r.dates[i] = to
	rule, _ := r.tree.ArrayAt(keyRules).GetKey(phpval.IntKey(int64(i)))
	setExplicit(rule.(*phpval.Array).ArrayAt(keyCustom), to)
	r.print()
	return true
}

// SetOwn stores the event's main date in explicit rules.
func (r *Rules) SetOwn(own Period) {
	if !r.known {
		return
	}
	for _, rule := range r.tree.ArrayAt(keyRules).All() {
		setOwn(rule.(*phpval.Array), own)
	}
	r.print()
}

func setOwn(rule *phpval.Array, own Period) {
	rule.Set(phpval.StrKey(keyEventStart), own.Start.Format(time.DateTime))
	rule.Set(phpval.StrKey(keyEventEnd), own.End.Format(time.DateTime))
}

// Set replaces the dates of explicit rules, of an event with the given main date. Rules that have one of the dates
// already are kept unchanged.
func (r *Rules) Set(own Period, dates []Period) {
	if !r.known {
		return
	}
	list, left := r.tree.ArrayAt(keyRules), slices.Clone(r.dates)
	rules := &phpval.Array{}
	for i, p := range dates {
		rule := newRule(own, p)
		if at := slices.IndexFunc(left, p.Equal); at >= 0 {
			stored, _ := list.GetKey(phpval.IntKey(int64(at)))
			rule, left[at] = stored.(*phpval.Array), Period{}
		}
		rules.Set(phpval.IntKey(int64(i)), rule)
	}
	r.tree.Set(phpval.StrKey(keyRules), rules)
	r.dates = slices.Clone(dates)
	r.print()
}

func newRule(own, p Period) *phpval.Array {
	custom := phpval.Members("interval", int64(1), keyType, "Date")
	setExplicit(custom, p)
	rule := phpval.Members(keyType, "Custom", keyCustom, custom)
	setOwn(rule, own)
	return rule
}

func (r *Rules) print() { r.raw = phpval.Serialize(r.tree) }
