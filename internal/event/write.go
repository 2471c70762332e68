package event

import (
	"context"
	"net/http"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/schema"
)

var errInTrash = rest.NewError(http.StatusGone, "event-is-in-trash", "error_event_in_trash")

// create answers POST.
func (k *Kind) create(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	in := resource.NewInput(r, r.Values, fieldTitle)
	return k.writing(ctx, in, func(ctx context.Context) (resource.Answer, error) {
		d := k.Create(ctx, k.Type)
		if err := k.apply(ctx, in, d); err != nil {
			return nil, err
		}
		if _, err := k.Save(ctx, d); err != nil {
			return nil, err
		}
		return k.answer(ctx, r, d.Row.ID, rest.Created(r.Root.URL+"/events/"+itoa(d.Row.ID)))
	})
}

// update answers POST, PUT and PATCH on an event.
func (k *Kind) update(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	in := resource.NewInput(r, r.Values, fieldTitle)
	if slices.ContainsFunc(k.images(in), func(f *content.Fields) bool { return f.Image != nil && f.Image.URL != "" }) {
		// Nothing is fetched for an event that is not there.
		if err := k.exists(ctx, r); err != nil {
			return nil, err
		}
	}
	return k.writing(ctx, in, func(ctx context.Context) (resource.Answer, error) {
		d, err := k.open(ctx, r, site.CanEdit)
		if err != nil {
			return nil, err
		}
		if err := k.checkMatch(ctx, r, d); err != nil {
			return nil, err
		}
		if err := k.apply(ctx, in, d); err != nil {
			return nil, err
		}
		changed, err := k.Save(ctx, d)
		if err != nil {
			return nil, err
		}
		if changed {
			if err := k.publishLinked(ctx, r, d); err != nil {
				return nil, err
			}
		}
		k.SetTarget(r, d)
		return k.answer(ctx, r, d.Row.ID, nil)
	})
}

// remove answers DELETE: the event goes into the trash, or for good. Of one
// that is gone the answer shows what it was.
func (k *Kind) remove(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	forced := resource.Force.Value(r.Values)
	return k.Write(ctx, func(ctx context.Context) (resource.Answer, error) {
		d, err := k.open(ctx, r, site.CanDelete)
		if err != nil {
			return nil, err
		}
		if !forced && d.Row.Status == schema.StatusTrash {
			return nil, errInTrash
		}
		if err := k.checkMatch(ctx, r, d); err != nil {
			return nil, err
		}
		if forced {
			answer, err := k.answer(ctx, r, d.Row.ID, nil)
			if err != nil {
				return nil, err
			}
			if err := k.Delete(ctx, d); err != nil {
				return nil, err
			}
			k.SetTarget(r, d)
			return answer, nil
		}
		if err := k.Trash(ctx, d); err != nil {
			return nil, err
		}
		k.SetTarget(r, d)
		return k.answer(ctx, r, d.Row.ID, nil)
	})
}

// writing runs a request's write, if the caller may make what it links to.
func (k *Kind) writing(ctx context.Context, in *resource.Input, fn func(context.Context) (resource.Answer, error)) (*rest.Response, error) {
	if err := k.mayLink(in); err != nil {
		return nil, err
	}
	return k.WriteWithImages(ctx, k.images(in), fn)
}

// apply puts what a request gives into an edit.
func (k *Kind) apply(ctx context.Context, in *resource.Input, e *content.Edit) error {
	if err := k.Apply(ctx, e, in.Shared); err != nil {
		return err
	}
	if err := k.applyLinks(ctx, in, e); err != nil {
		return err
	}
	return k.fields.Apply(ctx, in, e)
}

// open locks the event that the path names, if the caller has a right to it as
// it is stored: since that was asked it may have become another's.
func (k *Kind) open(ctx context.Context, r *rest.Request, may func(caller.Principal, site.Object) bool) (*content.Edit, error) {
	id, err := k.addressed(ctx, r)
	if err != nil {
		return nil, err
	}
	d, err := k.Open(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case d == nil:
		return nil, errNotFound.With("ID", itoa(id))
	case d.Row.Type != k.PostType:
		return nil, errNoEvent.With("ID", itoa(id))
	case !may(r.Principal, k.Object(d)):
		return nil, caller.ErrForbidden
	}
	return d, nil
}

// exists refuses a path that names no event.
func (k *Kind) exists(ctx context.Context, r *rest.Request) error {
	id, err := k.addressed(ctx, r)
	if err != nil {
		return err
	}
	found, err := k.Store.Authors(ctx, []int64{id})
	if err != nil {
		return err
	}
	switch a, stored := found[id]; {
	case !stored:
		return errNotFound.With("ID", itoa(id))
	case a.Type != k.PostType:
		return errNoEvent.With("ID", itoa(id))
	}
	return nil
}

// addressed is the id of the event that the path names, 0 if its slug names none.
func (k *Kind) addressed(ctx context.Context, r *rest.Request) (int64, error) {
	if _, byID := r.Path.Get("id"); byID {
		return pathID.Value(r.Values), nil
	}
	raw, _ := r.Path.Get("slug")
	slug, _ := raw.(string)
	p, err := k.FindSlugToWrite(ctx, k.PostType, slug)
	if err != nil || p == nil {
		return 0, err
	}
	return p.ID, nil
}

// answer reads an event as its writer sees it: unmasked, and without JSON-LD.
func (k *Kind) answer(ctx context.Context, r *rest.Request, id int64, resp *rest.Response) (resource.Answer, error) {
	own, err := k.own(ctx, []int64{id})
	if err != nil {
		return nil, err
	}
	p := own.Posts[id]
	if p == nil {
		return nil, errNotFound.With("ID", itoa(id))
	}
	b, err := k.load(ctx, k.View(ctx, r), own)
	if err != nil {
		return nil, err
	}
	b.written = true
	return func() *rest.Response {
		k.fields.Write(r.Out, k.item(b, p))
		return resp
	}, nil
}
