package item

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
)

// Filter is a filter of a resource's list: its parameter, and what it adds to a Q, the query of the resource.
type Filter[Q any] struct {
	*param.Param
	Hides bool // it selects by content that a password may hide
	// Moves reports whether the selection of this filter may change without any item changing, for example as time
	// passes. Such a filter cannot be combined with sync. nil means never.
	Moves func(Q) bool
	// Apply adds the conditions of a request to the query, and the parameter to the URLs of other pages. It is called
	// whether the parameter is given or not. It is nil if another filter does this.
	Apply func(Q) error
}

// Filters contains the filters of a resource's list, in the order in which their parameters appear in the URLs of other
// pages.
type Filters[Q any] []*Filter[Q]

// FilterTable is a Filters[Q] for any type of query.
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

// Apply applies the filters to a query, given its Selection. With sync it rejects those whose selection may change by
// itself.
func (list Filters[Q]) Apply(q Q, s *Selection) error {
	var moving []string
	for _, f := range list {
		if s.Call.Sync != nil && f.Moves != nil && s.Values().Given(f.Name) && f.Moves(q) {
			moving = append(moving, f.Name)
		}
	}
	if len(moving) > 0 {
		return param.RefuseEach(moving, param.Invalid("fault_sync_filter"))
	}
	for _, f := range list {
		if f.Apply != nil {
			if err := f.Apply(q); err != nil {
				return err
			}
		}
	}
	return nil
}

// Always is a Filter.Moves for a filter that can never be combined with sync.
func Always[Q any](Q) bool { return true }

// Hidden reports whether a request filters by content that a password may hide.
func (list Filters[Q]) Hidden(v *param.Values) bool {
	return slices.ContainsFunc(list, func(f *Filter[Q]) bool { return f.Hides && v.Given(f.Name) })
}

// Selection is the state that the list queries of all resources share.
type Selection struct {
	Ctx     context.Context
	Call    *call.Call
	View    *View       // what the items of the list will show
	Links   *call.Query // the query string of the URLs of other pages
	Nothing bool        // the list is known to be empty
}

// VisibleOf returns which posts of a type the list shows to the caller, and adds their statuses to the URLs of other
// pages.
func (s *Selection) VisibleOf(postType string) store.Visible {
	visible, printed := s.View.env.Visible(s.Ctx, s.Call, postType)
	if printed != "" {
		s.Links.Add(content.FieldStatus, printed)
	}
	return visible
}

// Sorting returns the requested order and direction, "" for the defaults, and adds them to the URLs of other pages.
func (s *Selection) Sorting() (by, order string) {
	by, order = OrderBy.Value(s.Values()), Order.Value(s.Values())
	if by != "" {
		s.Links.Add(string(OrderBy), by)
	}
	if order != "" {
		s.Links.Add(string(Order), order)
	}
	return by, order
}

// Values returns the parameters of the request.
func (s *Selection) Values() *param.Values { return s.Call.Values }
