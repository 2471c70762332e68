package item

import (
	"context"
	"errors"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/surrogate"
	"github.com/agendahq/agenda/schema"
)

// Rules are what the use cases of posts leave to a kind.
type Rules interface {
	// Query makes the query of a list, and adds the parameters that it was made with to the page.
	Query(ctx context.Context, v *View, page *call.Page) (Query, error)
	// Items reads items with all that their answers show, in the given order.
	Items(ctx context.Context, v *View, refs []store.Ref) ([]*Item, error)
	// Input reads what a write gives. It refuses what it can before images are
	// fetched.
	Input(ctx context.Context, c *call.Call) (*Input, error)
	// Lock locks the post that the path names, if may is true of it as it is stored:
	// since that was asked it may have become another's, or be gone.
	Lock(ctx context.Context, c *call.Call, may func(caller.Principal, site.Object) bool) (*content.Edit, error)
	// Match refuses a write that was meant for another revision of the post.
	Match(ctx context.Context, c *call.Call, e *content.Edit) error
	// Put puts the input into an edit.
	Put(ctx context.Context, in *Input, e *content.Edit) error
	// Saved is called after an update that changed something.
	Saved(ctx context.Context, e *content.Edit) error
}

// Query is the query of a list. Without a Page it selects nothing.
type Query struct {
	Page  func(ctx context.Context, limit, offset int64) ([]store.Ref, error)
	Count func(ctx context.Context) (int64, error)
	Named string // the ids of what the parameters name, as far as these are looked up
}

// Posts are the use cases of a kind of posts.
type Posts struct {
	*Kind
	Service *Service
	Rules   Rules
}

// List is a page of a list that was found, whose items are not read yet.
type List struct {
	*call.Page
	Refs []store.Ref

	posts *Posts
	call  *call.Call
	view  *View
}

// List finds a page, of which the number and the size are given, and the total.
func (p *Posts) List(ctx context.Context, c *call.Call, number, size int64) (*List, error) {
	if err := RefuseSync(c); err != nil {
		return nil, err
	}
	l := &List{Page: &call.Page{Number: number, Size: size}, posts: p, call: c, view: p.Service.View(ctx, c)}
	l.view.Selected = c.Fields.Members(p.Collection)
	surrogate.From(ctx).List(p.Collection)
	q, err := p.Rules.Query(ctx, l.view, l.Page)
	if err != nil {
		return nil, err
	}
	if q.Page != nil {
		if l.Refs, err = q.Page(ctx, size, Offset(number, size)); err != nil {
			return nil, err
		}
	}
	if len(l.Refs) == 0 && number > 1 {
		return nil, p.Errors.Page
	}
	return l, l.Count(len(l.Refs), func() (int64, error) { return q.Count(ctx) })
}

// Items reads the items of the page.
func (l *List) Items(ctx context.Context) ([]*Item, error) {
	items, err := l.posts.Rules.Items(store.Fitting(ctx), l.view, l.Refs)
	if err == nil {
		l.posts.Note(ctx, items...)
	}
	return items, err
}

// Fingerprint returns a text of all that an answer with the items depends on, once they were
// read, or "": see View.Fingerprint.
func (l *List) Fingerprint() string { return l.view.Fingerprint(l.Refs, l.Total, l.Filters) }

// Portions reads the items as exports need them, which must not fail because much is stored: it
// calls f for as many items at a time as one answer may be made of, at least one.
func (l *List) Portions(ctx context.Context, f func(items []*Item) error) error {
	refs := l.Refs
	for n := len(refs); ; {
		n = min(n, len(refs))
		claim := budget.From(ctx).Part(n <= 1)
		part := budget.With(ctx, claim)
		view := l.posts.Service.View(part, l.call)
		view.Trial = l.view.Trial
		items, err := l.posts.Rules.Items(part, view, refs[:n])
		if errors.Is(err, budget.ErrTooLarge) {
			claim.Release()
			n /= 2
			continue
		}
		if err == nil {
			err = f(items)
		}
		claim.Release()
		if refs = refs[n:]; err != nil || len(refs) == 0 {
			return err
		}
	}
}

// Single is an item that is read alone.
type Single struct {
	*Item
	// Revision changes with the stored item, and is the same in every view.
	Revision string
	// Fingerprint is a text of all that an answer depends on, "" where it depends on more.
	Fingerprint string
}

// Change is a write that was checked, and not made yet.
type Change struct {
	// Images are the fields that may give images.
	Images []*content.Fields
	// Origin is what an import stores besides, nil for any other write and for deletions.
	Origin *content.Origin
	// Shown says that the item is read for an answer, at the moment when it can be.
	Shown bool

	apply func(*Change, context.Context) (Result, error)
	posts *Posts
	call  *call.Call
	in    *Input // nil for deletions
}

// Result is what a write did.
type Result struct {
	ID      int64
	Changed bool
	Items   []*Item // what the answer shows; none unless it was asked for
}

// Work returns the change for content.Run.
func (c *Change) Work() content.Work[Result] {
	return content.Work[Result]{Images: c.Images, Apply: c.Apply}
}

// Apply makes the change within the transaction of a write.
func (c *Change) Apply(ctx context.Context) (Result, error) { return c.apply(c, ctx) }

// Create adds a post. It always adds one, whatever others are called.
func (p *Posts) Create(ctx context.Context, c *call.Call) (*Change, error) {
	return p.change(ctx, c, (*Change).create)
}

// Update changes the given fields of a post.
func (p *Posts) Update(ctx context.Context, c *call.Call) (*Change, error) {
	return p.change(ctx, c, (*Change).update)
}

// change reads the input of a write.
func (p *Posts) change(ctx context.Context, c *call.Call, apply func(*Change, context.Context) (Result, error)) (*Change, error) {
	in, err := p.Rules.Input(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Change{Images: in.Images, apply: apply, posts: p, call: c, in: in}, nil
}

// Delete moves a post into the trash, or deletes it. What is shown of it is how it was before
// it was deleted.
func (p *Posts) Delete(_ context.Context, c *call.Call) (*Change, error) {
	return &Change{apply: (*Change).remove, posts: p, call: c}, nil
}

func (c *Change) create(ctx context.Context) (Result, error) {
	e, err := c.posts.Insert(ctx, c.in, c.Origin)
	if err != nil {
		return Result{}, err
	}
	return c.show(ctx, e.Row.ID, Result{ID: e.Row.ID, Changed: true})
}

// Insert adds a new post, with its origin if that is not nil.
func (p *Posts) Insert(ctx context.Context, in *Input, origin *content.Origin) (*content.Edit, error) {
	e := p.Service.Content.Create(ctx, p.Type)
	e.Origin = origin
	if err := p.Put(ctx, in, e); err != nil {
		return nil, err
	}
	_, err := p.Service.Content.Save(ctx, e)
	return e, err
}

func (c *Change) update(ctx context.Context) (Result, error) {
	p := c.posts
	e, err := p.Rules.Lock(ctx, c.call, site.CanEdit)
	if err != nil {
		return Result{}, err
	}
	e.Origin = c.Origin
	if err := p.Rules.Match(ctx, c.call, e); err != nil {
		return Result{}, err
	}
	if err := p.Put(ctx, c.in, e); err != nil {
		return Result{}, err
	}
	changed, err := p.Service.Content.Save(ctx, e)
	if err == nil && changed {
		err = p.Rules.Saved(ctx, e)
	}
	if err != nil {
		return Result{}, err
	}
	SetTarget(c.call, e)
	return c.show(ctx, e.ShownID(), Result{ID: e.Row.ID, Changed: changed})
}

func (c *Change) remove(ctx context.Context) (Result, error) {
	p := c.posts
	e, err := p.Rules.Lock(ctx, c.call, site.CanDelete)
	if err != nil {
		return Result{}, err
	}
	forced := Force.Value(c.call.Values)
	if !forced && e.Row.Status == schema.StatusTrash {
		return Result{}, p.Errors.InTrash
	}
	if e.Dates.Named != nil {
		return Result{}, content.ErrDateOfSeveral
	}
	if err := p.Rules.Match(ctx, c.call, e); err != nil {
		return Result{}, err
	}
	op := content.OpTrash
	if forced {
		op = content.OpDelete
	}
	if err := p.Ask(ctx, op, e); err != nil {
		return Result{}, err
	}
	done := Result{ID: e.Row.ID, Changed: true}
	if forced {
		if done, err = c.show(ctx, done.ID, done); err == nil {
			err = p.Service.Content.Delete(ctx, e)
		}
	} else if err = p.Service.Content.Trash(ctx, e); err == nil {
		done, err = c.show(ctx, done.ID, done)
	}
	if err != nil {
		return Result{}, err
	}
	SetTarget(c.call, e)
	return done, nil
}

// show adds to a result what the answer shows of an item.
func (c *Change) show(ctx context.Context, id int64, done Result) (Result, error) {
	if !c.Shown {
		return done, nil
	}
	var err error
	done.Items, err = c.posts.Written(ctx, c.call, id)
	return done, err
}

// rendering is how many bytes the answer to a write takes at most, for each byte of the
// stored rows.
const rendering = 16

// Written reads a post for the answer to its author: unmasked, and without JSON-LD. It refuses
// the write if there is no room for its answer, which is rendered when the write cannot be
// refused any more.
func (p *Posts) Written(ctx context.Context, c *call.Call, id int64) ([]*Item, error) {
	view := p.Service.View(ctx, c)
	view.written = true
	items, err := p.Rules.Items(ctx, view, []store.Ref{{ID: id}})
	if err != nil {
		return nil, err
	}
	claim := budget.From(ctx)
	return items, claim.Reserve(rendering * claim.Stored())
}
