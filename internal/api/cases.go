package api

import (
	"context"
	"crypto/sha256"
	"strconv"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/term"
)

// Written is an item that was read, with the fields that write it.
type Written struct {
	Fields item.Fields
	Item   *item.Item
}

// UseCases are the use cases of a resource, for callers in the process. List also returns the fingerprint of the page:
// see item.List.
type UseCases interface {
	List(ctx context.Context, c *call.Call) (page *call.Page, items []Written, fingerprint string, err error)
	Get(ctx context.Context, c *call.Call) (Written, error)
	Create(ctx context.Context, c *call.Call) (Written, error)
	Update(ctx context.Context, c *call.Call) (Written, error)
	Delete(ctx context.Context, c *call.Call) (Written, error)
}

// PostCases implements UseCases for a resource stored as posts.
type PostCases struct {
	Adapter *Adapter
	Posts   *item.Posts
	Single  func(context.Context, *call.Call) (*item.Single, error) // reads one item
}

// List returns a page of the list.
func (p PostCases) List(ctx context.Context, c *call.Call) (*call.Page, []Written, string, error) {
	number, size := p.Posts.Service.PageOf(c)
	l, err := p.Posts.List(ctx, c, number, size)
	if err != nil {
		return nil, nil, "", err
	}
	items, err := l.Items(ctx)
	if err != nil {
		return nil, nil, "", err
	}
	list := make([]Written, len(items))
	for i, it := range items {
		list[i] = Written{p.Posts.Fields, it}
	}
	return l.Page, list, l.Fingerprint(), nil
}

// Get returns an item.
func (p PostCases) Get(ctx context.Context, c *call.Call) (Written, error) {
	s, err := p.Single(ctx, c)
	if err != nil {
		return Written{}, err
	}
	return Written{p.Posts.Fields, s.Item}, nil
}

// Create creates an item.
func (p PostCases) Create(ctx context.Context, c *call.Call) (Written, error) {
	change, err := p.Posts.Create(ctx, c)
	return p.writePost(ctx, change, err)
}

// Update changes an item.
func (p PostCases) Update(ctx context.Context, c *call.Call) (Written, error) {
	change, err := p.Posts.Update(ctx, c)
	return p.writePost(ctx, change, err)
}

// Delete moves an item to the trash, or deletes it.
func (p PostCases) Delete(ctx context.Context, c *call.Call) (Written, error) {
	change, err := p.Posts.Delete(ctx, c)
	return p.writePost(ctx, change, err)
}

// writePost executes a write, unless there is an error.
func (p PostCases) writePost(ctx context.Context, change *item.Change, err error) (Written, error) {
	if err != nil {
		return Written{}, err
	}
	change.Shown = true
	done, err := p.Adapter.Make(ctx, change.Work())
	if err != nil {
		return Written{}, err
	}
	return Written{p.Posts.Fields, done.Items[0]}, nil
}

// TermCases implements UseCases for a resource stored as terms.
type TermCases struct {
	Adapter *Adapter
	Terms   *term.UseCases
}

// List returns a page of the list.
func (t TermCases) List(ctx context.Context, c *call.Call) (*call.Page, []Written, string, error) {
	number, size := t.Adapter.Service.PageOf(c)
	l, err := t.Terms.List(ctx, c, number, size)
	if err != nil {
		return nil, nil, "", err
	}
	list := make([]Written, len(l.Items))
	for i, it := range l.Items {
		list[i] = Written{t.Terms.Fields, it}
	}
	return l.Page, list, "", nil
}

// Get returns an item.
func (t TermCases) Get(ctx context.Context, c *call.Call) (Written, error) {
	it, _, err := t.Terms.Get(ctx, c)
	if err != nil {
		return Written{}, err
	}
	return Written{t.Terms.Fields, it}, nil
}

// Create creates an item.
func (t TermCases) Create(ctx context.Context, c *call.Call) (Written, error) {
	change, err := t.Terms.Create(ctx, c)
	return t.writeTerm(ctx, change, err)
}

// Update changes an item.
func (t TermCases) Update(ctx context.Context, c *call.Call) (Written, error) {
	change, err := t.Terms.Update(ctx, c)
	return t.writeTerm(ctx, change, err)
}

// Delete deletes an item.
func (t TermCases) Delete(ctx context.Context, c *call.Call) (Written, error) {
	change, err := t.Terms.Delete(ctx, c)
	return t.writeTerm(ctx, change, err)
}

// writeTerm executes a write, unless there is an error.
func (t TermCases) writeTerm(ctx context.Context, change *term.Change, err error) (Written, error) {
	if err != nil {
		return Written{}, err
	}
	done, err := t.Adapter.Make(ctx, change.Work())
	if err != nil {
		return Written{}, err
	}
	return Written{t.Terms.Fields, done.Items[0]}, nil
}

// WrittenDigest is Digest for items that have not been written yet.
func WrittenDigest(out *phpjson.Writer, page *call.Page, items []Written) string {
	for _, w := range items {
		w.Fields.Write(out, w.Item)
	}
	return Digest(out, page)
}

// Digest returns a hash of a page whose items have been written. It is the page's fingerprint if none can be computed
// from its rows, as on sites with several languages. Comparing it is cheaper than building the values again.
func Digest(out *phpjson.Writer, page *call.Page) string {
	sum := sha256.Sum256(out.Bytes())
	return strconv.FormatInt(page.Total, 10) + "\n" + string(sum[:])
}
