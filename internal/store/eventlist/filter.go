package eventlist

import (
	"fmt"
	"slices"

	"github.com/agendahq/agenda/internal/store"
)

// Bound is a condition on an event's start or end, compared as strings.
type Bound struct {
	End   bool   // on the end, otherwise on the start
	UTC   bool   // on the UTC time, otherwise on the local one
	Op    string // ">=", "<=", ">" or "<"
	Value string // "YYYY-MM-DD HH:MM:SS"
}

// Order is the column by which a list is sorted.
type Order string

// Orders of events. Ties are sorted by start, publication date and id.
const (
	ByStart    Order = "start"
	ByPostDate Order = "date"
	byTitle    Order = "title"
	byModified Order = "modified"
	byID       Order = "id"
	ByRank     Order = "rank" // of what an event links, see Filter.Ranked
)

// Filter selects the events that satisfy all of its conditions.
type Filter struct {
	Visible    store.Visible
	Language   store.LanguageFilter
	Bounds     []Bound
	Unlocked   bool        // omit password-protected events
	Conditions []Condition // of the selective ones, the one with the fewest events must come first
	OrderUTC   bool        // starts are compared in UTC
	Order      Order
	Descending bool
	Ranked     Ranked // for ByRank
	DateBase   int64  // 0 for a list per event; otherwise the list is per occurrence, see List.item
}

// Ranked are the ids that events link by a meta key, in their order in the list.
type Ranked struct {
	Key string
	IDs []int64
}

// each reports whether a list has an item for each occurrence.
func (f *Filter) each() bool { return f.DateBase != 0 }

// as returns the conditions as the interface that a strategy needs, and whether all of them implement it.
func as[T Condition](conditions []Condition) (all []T, ok bool) {
	all = make([]T, len(conditions))
	for i, c := range conditions {
		if all[i], ok = c.(T); !ok {
			return nil, false
		}
	}
	return all, true
}

// some reports whether one of the conditions has a type.
func some[T Condition](conditions []Condition) bool {
	return slices.ContainsFunc(conditions, func(c Condition) bool { _, is := c.(T); return is })
}

// sizeKey returns the properties that determine how many events a filter selects, with bounds rounded to days: a
// strategy that is fast for a venue may be slow for one category at that venue in a month.
func (f *Filter) sizeKey() string {
	days := make([]string, len(f.Bounds))
	for i, b := range f.Bounds {
		days[i] = fmt.Sprint(b.End, b.UTC, b.Op, b.Value[:min(len(b.Value), len("YYYY-MM-DD"))])
	}
	key := fmt.Sprint(days, f.Language, f.Visible, f.Unlocked, f.each())
	for _, c := range f.Conditions {
		key += fmt.Sprintf(" %T%v", c, c)
	}
	return key
}
