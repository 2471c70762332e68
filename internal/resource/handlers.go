package resource

import (
	"context"
	"errors"
	"strconv"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/schema"
)

// Kind is what the handlers need of a kind of posts.
type Kind interface {
	// Query makes the query of a list, and adds its parameters to the page's address.
	Query(ctx context.Context, v *View, page *rest.Page) (Query, error)
	// Items reads posts with all that their answers show, in the order of the ids.
	Items(ctx context.Context, v *View, ids []int64) ([]*Item, error)
	// Input reads what a write gives. It refuses what it can before images are
	// fetched.
	Input(ctx context.Context, r *rest.Request) (*Input, error)
	// Lock locks the post that the path names, if may is true of it as it is stored:
	// since that was asked it may have become another's, or be gone.
	Lock(ctx context.Context, r *rest.Request, may func(caller.Principal, site.Object) bool) (*content.Edit, error)
	// Match refuses a write that was meant for another revision of the post (If-Match).
	Match(ctx context.Context, r *rest.Request, e *content.Edit) error
	// Put puts the input into an edit.
	Put(ctx context.Context, in *Input, e *content.Edit) error
	// Saved is called after an update that changed something.
	Saved(ctx context.Context, e *content.Edit) error
}

// Query is the query of a list. Without a Page it selects nothing.
type Query struct {
	Page  func(ctx context.Context, limit, offset int64) ([]int64, error)
	Count func(ctx context.Context) (int64, error)
}

// Posts are the handlers of a kind of posts.
type Posts struct {
	*Service
	*content.Type
	Kind   Kind
	Fields Fields
	// PastLast answers a page beyond the last, InTrash a second deletion.
	PastLast, InTrash *apierror.Error
}

// List answers a page.
func (p *Posts) List(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	page := &rest.Page{Base: r.Root.URL + "/" + p.Collection + "/"}
	page.Number, page.Size = p.PageOf(r)
	if collect := collector(ctx); collect != nil {
		err := p.Portions(ctx, r, page, func(items []*Item) error { return collect(p.Fields, items, page.Total) })
		return page.Response(), err
	}
	items, modified, err := p.Read(ctx, r, page)
	if err != nil {
		return nil, err
	}
	if !modified {
		return page.Response(), nil
	}
	r.Out.Object()
	r.Out.KeyArray(p.Collection)
	for _, it := range items {
		if p.Fields.Write(r.Out, it); r.Out.Full() {
			break
		}
	}
	r.Out.End()
	page.WriteLinks(r.Out)
	page.WriteTotals(r.Out)
	r.Out.End()
	return page.Response(), nil
}

// Read reads a page and its total. modified is false if the client has the answer, so
// that nothing needs to be written.
func (p *Posts) Read(ctx context.Context, r *rest.Request, page *rest.Page) (items []*Item, modified bool, err error) {
	view, ids, err := p.find(ctx, r, page)
	if err != nil {
		return nil, false, err
	}
	if items, err = p.Kind.Items(ctx, view, ids); err != nil {
		return nil, false, err
	}
	return items, !r.NotModified(view.Fingerprint(ids, page.Total, page.Filters)), nil
}

// find returns the ids of a page, and sets its total.
func (p *Posts) find(ctx context.Context, r *rest.Request, page *rest.Page) (view *View, ids []int64, err error) {
	view = p.View(ctx, r)
	q, err := p.Kind.Query(ctx, view, page)
	if err != nil {
		return nil, nil, err
	}
	if q.Page != nil {
		if ids, err = q.Page(ctx, page.Size, Offset(page.Number, page.Size)); err != nil {
			return nil, nil, err
		}
	}
	if len(ids) == 0 && page.Number > 1 {
		return nil, nil, p.PastLast
	}
	return view, ids, page.Count(len(ids), func() (int64, error) { return q.Count(ctx) })
}

// Portions reads a page as exports need it, which must not fail because much is stored: it
// calls f for as many items at a time as one answer may be made of, at least one.
func (p *Posts) Portions(ctx context.Context, r *rest.Request, page *rest.Page, f func(items []*Item) error) error {
	found, ids, err := p.find(ctx, r, page)
	if err != nil {
		return err
	}
	for n := len(ids); ; {
		n = min(n, len(ids))
		claim := budget.From(ctx).Part(n <= 1)
		part := budget.With(ctx, claim)
		view := p.View(part, r)
		view.Trial = found.Trial
		items, err := p.Kind.Items(part, view, ids[:n])
		if errors.Is(err, budget.ErrTooLarge) {
			claim.Release()
			n /= 2
			continue
		}
		if err == nil {
			err = f(items)
		}
		claim.Release()
		if ids = ids[n:]; err != nil || len(ids) == 0 {
			return err
		}
	}
}

// Create answers POST. It always adds a post, whatever others are called.
func (p *Posts) Create(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	in, err := p.Kind.Input(ctx, r)
	if err != nil {
		return nil, err
	}
	return p.WriteWithImages(ctx, in.Images, func(ctx context.Context) (Answer, error) {
		e, err := p.Insert(ctx, in)
		if err != nil {
			return nil, err
		}
		if brief(ctx) {
			return briefAnswer(r, e.Row.ID, true), nil
		}
		return p.answer(ctx, r, e.Row.ID, rest.Created(r.Root.URL+"/"+p.Collection+"/"+strconv.FormatInt(e.Row.ID, 10)))
	})
}

// Insert adds a new post.
func (p *Posts) Insert(ctx context.Context, in *Input) (*content.Edit, error) {
	e := p.Service.Create(ctx, p.Type)
	if err := p.Kind.Put(ctx, in, e); err != nil {
		return nil, err
	}
	_, err := p.Save(ctx, e)
	return e, err
}

// Update answers POST, PUT and PATCH on a post.
func (p *Posts) Update(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	in, err := p.Kind.Input(ctx, r)
	if err != nil {
		return nil, err
	}
	return p.WriteWithImages(ctx, in.Images, func(ctx context.Context) (Answer, error) {
		e, err := p.Kind.Lock(ctx, r, site.CanEdit)
		if err != nil {
			return nil, err
		}
		if err := p.Kind.Match(ctx, r, e); err != nil {
			return nil, err
		}
		if err := p.Kind.Put(ctx, in, e); err != nil {
			return nil, err
		}
		changed, err := p.Save(ctx, e)
		if err == nil && changed {
			err = p.Kind.Saved(ctx, e)
		}
		if err != nil {
			return nil, err
		}
		p.SetTarget(r, e)
		if brief(ctx) {
			return briefAnswer(r, e.Row.ID, changed), nil
		}
		return p.answer(ctx, r, e.Row.ID, nil)
	})
}

// Delete answers DELETE: it moves the post into the trash, or deletes it. The answer
// shows the post as it was.
func (p *Posts) Delete(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	return p.Write(ctx, func(ctx context.Context) (answer Answer, err error) {
		e, err := p.Kind.Lock(ctx, r, site.CanDelete)
		if err != nil {
			return nil, err
		}
		forced := Force.Value(r.Values)
		if !forced && e.Row.Status == schema.StatusTrash {
			return nil, p.InTrash
		}
		if err := p.Kind.Match(ctx, r, e); err != nil {
			return nil, err
		}
		if forced {
			if answer, err = p.answer(ctx, r, e.Row.ID, nil); err == nil {
				err = p.Service.Delete(ctx, e)
			}
		} else if err = p.Trash(ctx, e); err == nil {
			answer, err = p.answer(ctx, r, e.Row.ID, nil)
		}
		if err != nil {
			return nil, err
		}
		p.SetTarget(r, e)
		return answer, nil
	})
}

// rendering is how many bytes the answer to a write takes at most, for each byte of the
// stored rows.
const rendering = 16

// answer reads a post for its author: unmasked, and without JSON-LD. It refuses the write if
// there is no room for its answer, which is rendered when the write cannot be refused any more.
func (p *Posts) answer(ctx context.Context, r *rest.Request, id int64, resp *rest.Response) (Answer, error) {
	view := p.View(ctx, r)
	view.written = true
	items, err := p.Kind.Items(ctx, view, []int64{id})
	if err != nil {
		return nil, err
	}
	claim := budget.From(ctx)
	if err := claim.Reserve(rendering * claim.Stored()); err != nil {
		return nil, err
	}
	return func() *rest.Response {
		for _, it := range items {
			p.Fields.Write(r.Out, it)
		}
		return resp
	}, nil
}
