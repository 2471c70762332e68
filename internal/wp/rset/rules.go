package rset

import (
	"slices"
	"strconv"
	"time"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Rules are those of a meta row _EventRecurrence.
type Rules struct {
	raw   string
	tree  *phpval.Array // nil: the row is not understood
	dates []Period      // of the rules, if each has a date of its own
	known bool
}

// Names in the row.
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

// Times of day as they are stored, the second one of those with seconds.
const (
	timeLayout    = "3:04pm"
	secondsLayout = "3:04:05pm"
)

// ParseRules reads the value of a row, "" for none. It never fails: Explicit reports whether it is understood.
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

// explicit returns the date of a rule that has one of its own, with times of its own.
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

// endDay reads on which day a date ends: how many days after it began.
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

// setExplicit gives a rule its date.
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

// Explicit reports whether the row is understood: it has no rules, or such with dates of their own alone.
func (r *Rules) Explicit() bool { return r.known }

// Empty reports whether the row is understood and has no rules.
func (r *Rules) Empty() bool { return r.known && len(r.dates) == 0 }

// Dates returns the dates of rules that are Explicit, in their order. The event's own need not be among them.
func (r *Rules) Dates() []Period { return slices.Clone(r.dates) }

// String returns the row as it is stored.
func (r *Rules) String() string { return r.raw }

// Move moves the date of one rule, and reports whether there was one.
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

// SetOwn tells the rules that are Explicit of the event's own date.
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

// Set gives rules that are Explicit other dates, in their order, of an event whose own date is given. Rules with one of
// these dates stay as they are.
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
