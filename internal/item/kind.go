package item

import (
	"slices"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/internal/wp/members"
	"github.com/agendahq/agenda/schema"
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

	Fields  Fields
	Filters FilterTable
	Orders  []string // names of the orders of lists, the default first; nil where filters choose the order
	Views   []string // names of the views of items, the default first
	Links   []*Kind  // of which an item has items, in the order of its fields
	Errors  Errors
	Texts   Texts
}

// Texts are the ids of a kind's texts in the locale files. Each is written whole where a kind is
// declared, so that searching for one finds what it says.
type Texts struct {
	Tag        string // what the kind is
	Operations Operations
	Page       string            // a page of a list
	Item       string            // in lists, and after writes
	Data       string            // inside an event that is written
	Unknown    string            // the fault of an unknown item in a list of them
	UnknownID  string            // the fault of an unknown id
	Params     map[string]string // of a list, by parameter
	Fields     map[string]string // of what writes take of the fields that kinds share, by field

	// Of what events have of a kind that they link: what they show, what writes take, and the filter.
	InEvents, EventField, EventFilter string
}

// Operations are the ids of the summaries of a kind's operations.
type Operations struct {
	List, Create, Get, Update, Delete     string
	GetBySlug, UpdateBySlug, DeleteBySlug string
}

// Errors are the answers that name a kind; nil are those that it does not give.
type Errors struct {
	NotFound      *apierror.Error // no post has the id
	OtherKind     *apierror.Error // the post of the id is of another kind
	Trashed       *apierror.Error // a read of a post in the trash
	NotAccessible *apierror.Error // a post that the caller may not read
	Protected     *apierror.Error // a post whose password the caller did not give
	Page          *apierror.Error // a page beyond the last
	NotCreated    *apierror.Error // a blank name of a new post
	InTrash       *apierror.Error // a second deletion

	Exists *apierror.Error // a new term, of whose name and parent there is one
	Slug   *apierror.Error // a slug that another term has
	Flat   *apierror.Error // a parent where terms have none
}

// Stored declares what the items of the kind are stored as; events have terms of taxonomies.
func (k *Kind) Stored(taxonomies []string) followstore.Stored {
	s := followstore.Stored{Kind: k.Collection, Taxonomy: k.Taxonomy, Languages: true}
	for _, f := range k.Fields { // also those that not everybody may read
		s.Keys = append(s.Keys, f.Keys...)
	}
	if k.Type != nil {
		s.Keys = append(s.Keys, members.AccessRole) // who may read the item
	}
	slices.Sort(s.Keys)
	s.Keys = slices.Compact(s.Keys)
	if k.Type == nil {
		s.Links = []followstore.Link{{Kind: k.Collection}}
		return s
	}
	s.Type = k.Type.PostType
	if k.Type.LinkKey == "" { // events
		s.Taxonomies, s.Dates, s.Tickets = taxonomies, true, true
	}
	for _, l := range k.Links {
		by := l.Taxonomy
		if l.Type != nil {
			by = l.Type.LinkKey
		}
		s.Links = append(s.Links, followstore.Link{Kind: l.Collection, By: by})
	}
	if slices.Contains(s.Keys, schema.MetaThumbnailID) {
		s.Links = append(s.Links, followstore.Link{Kind: StoredImages().Kind, By: schema.MetaThumbnailID})
	}
	return s
}

// Context declares the parameter that chooses one of the kind's views.
func (k *Kind) Context() *param.Param {
	name := "View"
	if k.Type == nil {
		name = "TermView"
	}
	return viewParam(name, k.Views...)
}
