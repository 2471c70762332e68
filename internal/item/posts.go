package item

import (
	"context"
	"errors"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/surrogate"
	"github.com/agendahq/agenda/schema"
)

// Rules contains the parts of the use cases of posts that depend on the resource.
type Rules interface {
	// Query builds the query of a list, and adds to the page the parameters that it was built from.
	Query(ctx context.Context, v *View, page *call.Page) (Query, error)
	// Get reads the item that the path names.
	Get(ctx context.Context, c *call.Call) (*Single, error)
	// Items reads items in the given order, with everything that responses show of them.
	Items(ctx context.Context, v *View, refs []store.Ref) ([]*Item, error)
	// Input reads the input of a write. It rejects invalid input as far as possible before images are downloaded.
	Input(ctx context.Context, c *call.Call) (*Input, error)
	// Lock locks the post that the path names. It checks may again on the locked row, because the author or the
	// existence of the post may have changed since the first check.
	Lock(ctx context.Context, c *call.Call, may func(caller.Principal, site.Object) bool) (*content.Edit, error)
	// Match rejects a write that was meant for another revision of the post.
	Match(ctx context.Context, c *call.Call, e *content.Edit) error
	// Apply applies the input to an edit.
	Apply(ctx context.Context, in *Input, e *content.Edit) error
	// Saved is called after an update that changed something.
	Saved(ctx context.Context, e *content.Edit) error
}

// Query is the query of a list. If Page is nil, the list is empty.
type Query struct {
	Page  func(ctx context.Context, limit, offset int64) ([]store.Ref, error)
	Count func(ctx context.Context) (int64, error)
	Named string // the ids of the items that parameters refer to, as far as they are looked up
}

// Posts implements UseCases for a resource of posts.
type Posts struct {
	*Resource
	Service *Service
	Rules   Rules
}

// Get reads the post that the path names.
func (p *Posts) Get(ctx context.Context, c *call.Call) (*Single, error) { return p.Rules.Get(ctx, c) }

// Write writes a post. A read of a single one for editing contains more than others.
func (p *Posts) Write(w *phpjson.Writer, it *Item) { p.Fields.Write(w, it) }

// List finds the page with the given number and size, and counts all items.
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
	if l.posts == nil {
		return l.items, nil
	}
	items, err := l.posts.Rules.Items(store.Fitting(ctx), l.view, l.Refs)
	if err == nil {
		l.posts.RecordKeys(ctx, items...)
	}
	return items, err
}

// Fingerprint returns a string of everything that a response with the items depends on, or "" if that is not known; see
// View.Fingerprint. It must be called after Items.
func (l *List) Fingerprint() string {
	if l.posts == nil {
		return ""
	}
	return l.view.Fingerprint(l.Refs, l.Total, l.Filters)
}

// Portions reads posts for an export, which must not fail because of the amount of data. It calls f with as many
// items at a time as the memory budget of one response allows, and with at least one.
func (l *List) Portions(ctx context.Context, f func(items []*Item) error) error {
	if l.posts == nil {
		return f(l.items)
	}
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

// postWrite is a write of a post whose input was read.
type postWrite struct {
	Change
	posts *Posts
	call  *call.Call
	in    *Input // nil for deletions
}

// Create adds a post. It adds one even if another post has the same title.
func (p *Posts) Create(ctx context.Context, c *call.Call) (*Change, error) {
	return p.newChange(ctx, c, (*postWrite).create)
}

// Update changes the given fields of a post.
func (p *Posts) Update(ctx context.Context, c *call.Call) (*Change, error) {
	return p.newChange(ctx, c, (*postWrite).update)
}

// newChange returns the change that apply makes, with the input of the call.
func (p *Posts) newChange(ctx context.Context, c *call.Call, apply func(*postWrite, context.Context) (Result, error)) (*Change, error) {
	in, err := p.Rules.Input(ctx, c)
	if err != nil {
		return nil, err
	}
	w := &postWrite{Change: Change{Images: in.Images}, posts: p, call: c, in: in}
	w.Apply = func(ctx context.Context) (Result, error) { return apply(w, ctx) }
	w.Show = w.show
	return &w.Change, nil
}

// Delete moves a post to the trash, or deletes it. The response to a deletion shows the post as it was before.
func (p *Posts) Delete(_ context.Context, c *call.Call) (*Change, error) {
	w := &postWrite{posts: p, call: c}
	w.Apply = w.remove
	if !Force.Value(c.Values) {
		w.Show = w.show
	}
	return &w.Change, nil
}

func (w *postWrite) create(ctx context.Context) (Result, error) {
	e, err := w.posts.Insert(ctx, w.in, w.Origin)
	if err != nil {
		return Result{}, err
	}
	return w.result(ctx, e, e.Row.ID, true)
}

// Insert adds a new post, with its origin unless that is nil.
func (p *Posts) Insert(ctx context.Context, in *Input, origin *content.Origin) (*content.Edit, error) {
	e := p.Service.Content.Create(ctx, &p.Storage)
	e.Origin = origin
	if err := p.Apply(ctx, in, e); err != nil {
		return nil, err
	}
	_, err := p.Service.Content.Save(ctx, e)
	return e, err
}

func (w *postWrite) update(ctx context.Context) (Result, error) {
	p := w.posts
	e, err := p.Rules.Lock(ctx, w.call, site.CanEdit)
	if err != nil {
		return Result{}, err
	}
	e.Origin = w.Origin
	if err := p.Rules.Match(ctx, w.call, e); err != nil {
		return Result{}, err
	}
	if err := p.Apply(ctx, w.in, e); err != nil {
		return Result{}, err
	}
	changed, err := p.Service.Content.Save(ctx, e)
	if err == nil && changed {
		err = p.Rules.Saved(ctx, e)
	}
	if err != nil {
		return Result{}, err
	}
	SetTarget(w.call, e)
	return w.result(ctx, e, e.ShownID(), changed)
}

func (w *postWrite) remove(ctx context.Context) (Result, error) {
	p := w.posts
	e, err := p.Rules.Lock(ctx, w.call, site.CanDelete)
	if err != nil {
		return Result{}, err
	}
	forced := Force.Value(w.call.Values)
	if !forced && e.Row.Status == schema.StatusTrash {
		return Result{}, p.Errors.InTrash
	}
	if e.Dates.Named != nil {
		return Result{}, content.ErrDateOfSeveral
	}
	if err := p.Rules.Match(ctx, w.call, e); err != nil {
		return Result{}, err
	}
	op := content.OpTrash
	if forced {
		op = content.OpDelete
	}
	if err := p.CallBeforeWrite(ctx, op, e); err != nil {
		return Result{}, err
	}
	done, err := w.result(ctx, e, e.Row.ID, true)
	switch {
	case err != nil:
	case !forced:
		err = p.Service.Content.Trash(ctx, e)
	default:
		if w.Shown {
			done, err = w.show(ctx, done)
		}
		if err == nil {
			err = p.Service.Content.Delete(ctx, e)
		}
	}
	if err != nil {
		return Result{}, err
	}
	SetTarget(w.call, e)
	return done, nil
}

// rendering is the maximum number of bytes in the response to a write per byte of the stored rows.
const rendering = 16

// result returns the result of a change whose response will show the post or date with the id. It returns an error if the
// memory budget is too small for the response, because the response is read and rendered after the commit, when the write
// cannot fail any more.
func (w *postWrite) result(ctx context.Context, e *content.Edit, id int64, changed bool) (Result, error) {
	done := Result{ID: e.Row.ID, Changed: changed, shown: id}
	if !w.Shown {
		return done, nil
	}
	claim := budget.From(ctx)
	return done, claim.Reserve(rendering * (claim.Stored() + e.Size()))
}

// errDeleted is the error of a response that another write has made impossible after the commit.
var errDeleted = errors.New("item: it was deleted before it could be read for the response")

// show adds the post to a result, as the response shows it to its author: unmasked, and without JSON-LD.
func (w *postWrite) show(ctx context.Context, done Result) (Result, error) {
	view := w.posts.Service.View(ctx, w.call)
	view.written = true
	var err error
	if done.Items, err = w.posts.Rules.Items(ctx, view, []store.Ref{{ID: done.shown}}); err != nil {
		return done, err
	}
	if len(done.Items) == 0 {
		return done, errDeleted
	}
	return done, nil
}
