package place

import (
	"context"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/schema"
)

// create answers POST: always a new item, whatever others are called.
func (k *Kind) create(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	in := k.input(r, r.Values)
	if nameless(in) {
		return nil, k.Errors.NotCreated
	}
	return k.WriteWithImages(ctx, []*content.Fields{in.Shared}, func(ctx context.Context) (resource.Answer, error) {
		d, err := k.insert(ctx, r, in)
		if err != nil {
			return nil, err
		}
		return k.answer(ctx, r, d.Row.ID, rest.Created(r.Root.URL+"/"+k.Collection+"/"+format(d.Row.ID)))
	})
}

// insert adds a new item.
func (k *Kind) insert(ctx context.Context, r *rest.Request, in *resource.Input) (*content.Edit, error) {
	d := k.Create(ctx, k.Type)
	if err := k.apply(ctx, d, in); err != nil {
		return nil, err
	}
	_, err := k.Save(ctx, d)
	return d, err
}

// update answers POST, PUT and PATCH on an item.
func (k *Kind) update(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	in, id := k.input(r, r.Values), addressed(r).ID
	return k.WriteWithImages(ctx, []*content.Fields{in.Shared}, func(ctx context.Context) (resource.Answer, error) {
		d, err := k.open(ctx, r, id, site.CanEdit)
		if err != nil {
			return nil, err
		}
		if err := resource.CheckMatch(r, k.state(d.StoredRow(), d.StoredMeta())); err != nil {
			return nil, err
		}
		if err := k.apply(ctx, d, in); err != nil {
			return nil, err
		}
		if _, err := k.Save(ctx, d); err != nil {
			return nil, err
		}
		k.SetTarget(r, d)
		return k.answer(ctx, r, id, nil)
	})
}

// delete answers DELETE: the item goes into the trash, or for good. Of one that
// is gone the answer shows what it was.
func (k *Kind) delete(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	id, forced := addressed(r).ID, resource.Force.Value(r.Values)
	return k.Service.Write(ctx, func(ctx context.Context) (resource.Answer, error) {
		d, err := k.open(ctx, r, id, site.CanDelete)
		if err != nil {
			return nil, err
		}
		if !forced && d.Row.Status == schema.StatusTrash {
			return nil, k.Errors.InTrash
		}
		if err := resource.CheckMatch(r, k.state(d.StoredRow(), d.StoredMeta())); err != nil {
			return nil, err
		}
		if forced {
			answer, err := k.answer(ctx, r, id, nil)
			if err != nil {
				return nil, err
			}
			r.Target = gone{}
			return answer, k.Delete(ctx, d)
		}
		if err := k.Trash(ctx, d); err != nil {
			return nil, err
		}
		k.SetTarget(r, d)
		return k.answer(ctx, r, id, nil)
	})
}

// open locks an item that the caller has a right to. Since the request's
// parameters were checked it may have become another's, or be gone.
func (k *Kind) open(ctx context.Context, r *rest.Request, id int64, may func(caller.Principal, site.Object) bool) (*content.Edit, error) {
	d, err := k.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	if d == nil || d.Row.Type != k.PostType {
		return nil, unknown("id", "fault_"+k.Name+"_id")
	}
	if !may(r.Principal, k.Object(d)) {
		return nil, caller.ErrForbidden
	}
	return d, nil
}

// answer reads an item as its writer sees it: unmasked, and without JSON-LD.
func (k *Kind) answer(ctx context.Context, r *rest.Request, id int64, resp *rest.Response) (resource.Answer, error) {
	view := k.View(ctx, r)
	items, err := k.load(ctx, r, view, []int64{id})
	if err != nil {
		return nil, err
	}
	return func() *rest.Response {
		for _, it := range items {
			it.Masked = false
			k.Fields.Write(r.Out, it)
		}
		return resp
	}, nil
}
