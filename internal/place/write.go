package place

import (
	"context"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
)

// Input reads the input of an item. A new one needs a name.
func (k *Kind) Input(_ context.Context, r *rest.Request) (*resource.Input, error) {
	in := k.input(r, r.Values)
	if r.Path.Len() == 0 && nameless(in) {
		return nil, k.Errors.NotCreated
	}
	return in, nil
}

// delete answers DELETE. An item that was deleted allows no methods.
func (k *Kind) delete(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	resp, err := k.posts.Delete(ctx, r)
	if err == nil && resource.Force.Value(r.Values) {
		r.Target = gone{}
	}
	return resp, err
}

// Lock locks the item of the path.
func (k *Kind) Lock(ctx context.Context, r *rest.Request, may func(caller.Principal, site.Object) bool) (*content.Edit, error) {
	return k.open(ctx, addressed(r).ID, may)
}

// Match refuses a write that was meant for another revision of the item.
func (k *Kind) Match(_ context.Context, r *rest.Request, e *content.Edit) error {
	return resource.CheckMatch(r, k.revision(e.StoredRow(), e.StoredMeta()))
}

// open locks an item, if the caller has the right to it.
func (k *Kind) open(ctx context.Context, id int64, may func(caller.Principal, site.Object) bool) (*content.Edit, error) {
	e, err := k.Open(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case e == nil || e.Row.Type != k.PostType:
		return nil, unknown(string(pathID), "fault_"+k.Name+"_id")
	case !may(caller.From(ctx), k.Object(e)):
		return nil, caller.ErrForbidden
	}
	return e, nil
}

// Put puts the input into an edit.
func (k *Kind) Put(ctx context.Context, in *resource.Input, e *content.Edit) error {
	if err := k.Fields.Apply(ctx, in, e); err != nil {
		return err
	}
	return k.Apply(ctx, e, in.Shared)
}

// Saved does nothing more.
func (k *Kind) Saved(context.Context, *content.Edit) error { return nil }
