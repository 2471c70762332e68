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

// Resource declares a resource of posts or terms: how its items are stored, what they show, what requests may set, how
// lists select them, and how it is named. Each Calendar has its own Resources. Everything that serves or documents a
// resource is derived from its Resource.
type Resource struct {
	content.Storage        // its Collection is also the name in the path
	Name            string // name of one item, also as a field and a filter of events: "venue"
	Singular        string // the name within identifiers of the documentation: "Venue"
	Plural          string // the same in the plural: "Venues"
	Title           string // the field that contains an item's title or name

	Fields  Fields
	Filters FilterTable
	Orders  []string    // names of the orders of lists, the default first; nil if filters determine the order
	Views   []string    // names of the views of items, the default first
	Links   []*Resource // the resources whose items an item links, in the order of its fields
	Errors  Errors
	Texts   Texts
}

// Texts contains the ids of a resource's messages in the locale files. The ids are written out in full where a resource
// is declared, so that a search for an id finds its use.
type Texts struct {
	Tag       string // description of the resource
	Summaries Summaries
	Page      string            // a page of a list
	Item      string            // an item in lists and in responses to writes
	Data      string            // an item nested in a write of an event
	Unknown   string            // validation error for an unknown item in a list of items
	UnknownID string            // validation error for an unknown id
	Params    map[string]string // parameters of a list, by name
	Fields    map[string]string // parameters of writes for the fields that all resources share, by field

	// For a resource that events link: the member of an event, the parameter of its writes, and the filter.
	InEvents, EventField, EventFilter string
}

// Summaries contains the message ids of the summaries of a resource's operations.
type Summaries struct {
	List, Create, Get, Update, Delete     string
	GetBySlug, UpdateBySlug, DeleteBySlug string
}

// Errors contains the errors whose text names the resource. Those that it never returns are nil.
type Errors struct {
	NotFound      *apierror.Error // no post has the id
	OtherKind     *apierror.Error // the id is that of a post of another type
	Trashed       *apierror.Error // a read of a post in the trash
	NotAccessible *apierror.Error // a post that the caller may not read
	Protected     *apierror.Error // a protected post without its password
	Page          *apierror.Error // a page after the last one
	NotCreated    *apierror.Error // an empty name for a new post
	InTrash       *apierror.Error // deletion of a post that is in the trash already

	Exists *apierror.Error // a new term whose name and parent another term has
	Slug   *apierror.Error // a slug that another term has
	Flat   *apierror.Error // a parent in a taxonomy without a hierarchy
}

// Declaration returns the resource itself. By it, use cases that embed a resource implement UseCases.
func (k *Resource) Declaration() *Resource { return k }

// Journaled returns what the journal compares of the items of the resource. taxonomies are those whose terms events have.
func (k *Resource) Journaled(taxonomies []string) followstore.Stored {
	s := followstore.Stored{Kind: k.Collection, Taxonomy: k.Taxonomy, Languages: true}
	for _, f := range k.Fields { // including those that require a right to be read
		s.Keys = append(s.Keys, f.Keys...)
	}
	if k.PostType != "" {
		s.Keys = append(s.Keys, members.AccessRole) // who may read the item
	}
	slices.Sort(s.Keys)
	s.Keys = slices.Compact(s.Keys)
	if k.PostType == "" {
		s.Links = []followstore.Link{{Kind: k.Collection}}
		return s
	}
	s.Type = k.PostType
	if k.LinkKey == "" { // only events have no LinkKey
		s.Taxonomies, s.Dates, s.Tickets = taxonomies, true, true
	}
	for _, l := range k.Links {
		by := l.Taxonomy
		if l.PostType != "" {
			by = l.LinkKey
		}
		s.Links = append(s.Links, followstore.Link{Kind: l.Collection, By: by})
	}
	if slices.Contains(s.Keys, schema.MetaThumbnailID) {
		s.Links = append(s.Links, followstore.Link{Kind: StoredImages().Kind, By: schema.MetaThumbnailID})
	}
	return s
}

// Context declares the parameter that chooses one of the resource's views.
func (k *Resource) Context() *param.Param {
	name := "View"
	if k.PostType == "" {
		name = "TermView"
	}
	return viewParam(name, k.Views...)
}
