package item

import (
	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
)

// Kind is the descriptor of a kind of posts or terms: what its items show, what requests may
// give of them, how lists select them, and how it is named. Each Calendar has its own, and every
// adapter follows it.
type Kind struct {
	Name       string // of one, also as a field and a filter of events: "venue"
	Collection string // of all, also as a path: "venues"
	Singular   string // as identifiers of the documentation have the name: "Venue"
	Plural     string // "Venues"

	Type     *content.Type // of posts, nil for terms
	Taxonomy string        // under which terms are stored, "" for posts
	Added    bool          // the site's own software lacks the kind

	Fields  Fields
	Filters FilterTable
	Orders  []string // names of the orders of lists, the default first; nil where filters choose the order
	Views   []string // names of the views of items, the default first
	Links   []*Kind  // of which an item has items, in the order of its fields
	Errors  Errors
}

// Errors are the answers that name a kind; nil are those that it does not give.
type Errors struct {
	NotAccessible *apierror.Error // a post that the caller may not read
	Page          *apierror.Error // a page beyond the last
	NotCreated    *apierror.Error // a blank name of a new post
	InTrash       *apierror.Error // a second deletion
}

// ListParams declares the parameters of the kind's list, in the order of the index, but the language,
// which all operations take.
func (s *Service) ListParams(k *Kind) []*param.Param {
	list := append(s.PageParams(k.Collection), k.Filters.Params()...)
	if k.Orders != nil {
		list = append(list, OrderParams(k.Orders...)...)
	}
	if k.Type != nil {
		list = append(list, Password(false))
	}
	return append(list, k.Context())
}

// Context declares the parameter that chooses one of the kind's views.
func (k *Kind) Context() *param.Param {
	name := "View"
	if k.Type == nil {
		name = "TermView"
	}
	return viewParam(name, k.Views...)
}
