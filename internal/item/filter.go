package item

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
)

// Filter is a filter of a kind's list: its parameter, and what it adds to a Q, the query of the kind.
type Filter[Q any] struct {
	*param.Param
	Hides bool // selects by what a password hides
	// Moves reports whether what a request selects by it may change while no item does, as by the clock: sync refuses that.
	// nil never does.
	Moves func(Q) bool
	// Apply adds the conditions of a request, and the parameter to the addresses of other pages.
	// It is called whether the parameter is given or not; nil if another filter does it.
	Apply func(Q) error
}

// Filters are the filters of a kind's list, in the order of the addresses of other pages.
type Filters[Q any] []*Filter[Q]

// FilterTable is the Filters of a kind, whatever its query is.
type FilterTable interface {
	// Params returns the parameters of the filters.
	Params() []*param.Param
}

// Params returns the parameters of the filters.
func (list Filters[Q]) Params() (params []*param.Param) {
	for _, f := range list {
		params = append(params, f.Param)
	}
	return params
}

// Apply applies the filters to a query.
func (list Filters[Q]) Apply(q Q) error {
	for _, f := range list {
		if f.Apply != nil {
			if err := f.Apply(q); err != nil {
				return err
			}
		}
	}
	return nil
}

// Moving returns the names of the given filters that sync refuses.
func (list Filters[Q]) Moving(q Q, v *param.Values) (names []string) {
	for _, f := range list {
		if f.Moves != nil && v.Given(f.Name) && f.Moves(q) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Always is the Moves of a filter that sync refuses.
func Always[Q any](Q) bool { return true }

// Hidden reports whether a request selects by what a password hides.
func (list Filters[Q]) Hidden(v *param.Values) bool {
	return slices.ContainsFunc(list, func(f *Filter[Q]) bool { return f.Hides && v.Given(f.Name) })
}

// Selection is what the queries of all kinds have in common between a request and the store.
type Selection struct {
	Ctx      context.Context
	Call     *call.Call
	Versions *Versions
	Links    *call.Query // the addresses of other pages
	Nothing  bool        // nothing can be found
}

// VisibleOf returns which posts of a type the list shows the caller, and adds their states to the addresses of other
// pages.
func (s *Selection) VisibleOf(env *Service, postType string) store.Visible {
	visible, printed := env.Visible(s.Ctx, s.Call, postType)
	if printed != "" {
		s.Links.Add(content.FieldStatus, printed)
	}
	return visible
}

// Synced refuses filters with sync.
func (s *Selection) Synced(moving []string) error {
	if s.Call.Sync == nil || len(moving) == 0 {
		return nil
	}
	refused := &param.Failure{}
	for _, name := range moving {
		fault := param.Invalid("fault_sync_filter")
		fault.Param = name
		refused.Faults = append(refused.Faults, fault)
	}
	return refused
}

// Values are the parameters of the request.
func (s *Selection) Values() *param.Values { return s.Call.Values }
