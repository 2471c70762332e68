package eventlist

import (
	"fmt"
	"slices"

	"github.com/agendahq/agenda/internal/store"
)

// Bound is a condition on an event's start or end, compared as texts.
type Bound struct {
	End   bool   // on the end, else on the start
	UTC   bool   // on the UTC time, else on the local one
	Op    string // ">=", "<=", ">" or "<"
	Value string // "YYYY-MM-DD HH:MM:SS"
}

// Order is the column that a list is ordered by.
type Order string

// Orders of events. Ties: start, publication date, id.
const (
	ByStart    Order = "start"
	ByPostDate Order = "date"
	byTitle    Order = "title"
	byModified Order = "modified"
	byID       Order = "id"
	ByRank     Order = "rank" // of what an event links, see Filter.Ranked
)

// Filter selects events: those of all conditions.
type Filter struct {
	Visible    store.Visible
	Language   store.LanguageFilter
	Bounds     []Bound
	Unlocked   bool        // leave out password-protected events
	Conditions []Condition // of the selective ones the one with the fewest events comes first
	OrderUTC   bool        // starts are compared in UTC
	Order      Order
	Descending bool
	Ranked     Ranked // of ByRank
	DateBase   int64  // 0: a list has one item for each event; else one for each of its dates, see List.item
}

// Ranked are the ids of what events link by a meta key, in an order.
type Ranked struct {
	Key string
	IDs []int64
}

// each reports whether a list has an item for each date of an event.
func (f *Filter) each() bool { return f.DateBase != 0 }

// as returns the conditions as a strategy needs them, and whether the strategy can
// evaluate all of them.
func as[T Condition](conditions []Condition) (all []T, ok bool) {
	all = make([]T, len(conditions))
	for i, c := range conditions {
		if all[i], ok = c.(T); !ok {
			return nil, false
		}
	}
	return all, true
}

// some reports whether one of the conditions is of a kind.
func some[T Condition](conditions []Condition) bool {
	return slices.ContainsFunc(conditions, func(c Condition) bool { _, is := c.(T); return is })
}

// sizeKey returns what decides how many events a filter selects, to the day: a
// strategy that is fast for a venue may be slow for one category at that venue in a
// month.
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
