package item

import (
	"context"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// UseCases are the use cases of a resource, for all its adapters: HTTP, the Go API, imports and exports. Posts
// implements them for resources of posts, and package term for taxonomies.
type UseCases interface {
	// Declaration returns the resource.
	Declaration() *Resource
	// List finds the page of the list with the given number and size, and counts all items.
	List(ctx context.Context, c *call.Call, number, size int64) (*List, error)
	// Get reads the item that the path names.
	Get(ctx context.Context, c *call.Call) (*Single, error)
	// Create, Update and Delete read the input of a write. An adapter executes the returned change.
	Create(ctx context.Context, c *call.Call) (*Change, error)
	Update(ctx context.Context, c *call.Call) (*Change, error)
	Delete(ctx context.Context, c *call.Call) (*Change, error)
	// Among reads the items of the list whose ids are among the given ones.
	Among(ctx context.Context, c *call.Call, ids []int64) (*Synced, error)
	// Known reports which of the ids, of items that the list lacks, the caller may know of, given their changes.
	Known(ctx context.Context, ids []int64, changes map[int64][]*schema.JournalChange) (map[int64]bool, error)
	// Write writes an item in the view that the request chooses.
	Write(w *phpjson.Writer, it *Item)
}

// List is a page of a list. Posts are found but not read yet.
type List struct {
	*call.Page
	Refs []store.Ref // of posts

	posts *Posts
	call  *call.Call
	view  *View
	items []*Item // terms, which are read already
}

// ListOf returns a page of a list whose items are read already.
func ListOf(page *call.Page, items []*Item) *List { return &List{Page: page, items: items} }

// Single is an item that is read by itself.
type Single struct {
	*Item
	// Revision changes with the stored item and is the same in every view.
	Revision string
	// Fingerprint is a string of everything that the response depends on, or "" if that is not known.
	Fingerprint string
}

// Change is a validated write that was not executed yet.
type Change struct {
	// Images contains the fields that may have images to download.
	Images []*content.Fields
	// Origin is what an import stores in addition, for a post. It is nil for other writes and for deletions.
	Origin *content.Origin
	// Shown requests that the item be read for the response. Terms are read anyway.
	Shown bool
	// Apply executes the change within the transaction of a write.
	Apply func(context.Context) (Result, error)
	// Show reads the item for the response, unless Apply does: see content.Work.
	Show func(context.Context, Result) (Result, error)
}

// Result is the outcome of a write.
type Result struct {
	ID      int64
	Changed bool
	Items   []*Item // the item for the response, if Change.Shown is set

	shown int64 // the id by which Show reads the item: that of a date, if the request named one
}

// Work returns the change in the form that content.Run executes.
func (c *Change) Work() content.Work[Result] {
	w := content.Work[Result]{Images: c.Images, Apply: c.Apply}
	if c.Shown {
		w.Show = c.Show
	}
	return w
}
