package event

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
)

// Input reads the input of a write. It rejects a path that names no event, and links that the caller may not write.
func (k *UseCases) Input(ctx context.Context, c *call.Call) (*item.Input, error) {
	in := item.NewInput(c.Values, fieldTitle)
	for _, kind := range k.Linked {
		if l := links(in.Values, kind); l != nil {
			in.Images = append(in.Images, l.Fields()...)
		}
	}
	fetches := slices.ContainsFunc(in.Images, func(f *content.Fields) bool { return f.Image != nil && f.Image.URL != "" })
	if fetches && c.Path.Len() > 0 {
		// Nothing is downloaded for an event that does not exist.
		if err := k.exists(ctx, c); err != nil {
			return nil, err
		}
	}
	return in, relations{k}.authorizeLinks(ctx, in)
}

// Apply applies the input to an edit.
func (k *UseCases) Apply(ctx context.Context, in *item.Input, e *content.Edit) error {
	if err := k.Service.Content.Apply(ctx, e, in.Shared); err != nil {
		return err
	}
	if err := (relations{k}).applyLinks(ctx, in, e); err != nil {
		return err
	}
	return k.Fields.Apply(ctx, in, e)
}

// Lock locks the event of the path.
func (k *UseCases) Lock(ctx context.Context, c *call.Call, may func(caller.Principal, site.Object) bool) (*content.Edit, error) {
	id, date, err := k.addressed(ctx, c)
	if err != nil {
		return nil, err
	}
	d, err := k.Service.Content.Open(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case d == nil:
		return nil, k.Errors.NotFound.With("ID", itoa(id))
	case d.Row.Type != k.PostType:
		return nil, k.Errors.OtherKind.With("ID", itoa(id))
	case !may(c.Principal, d.Object()):
		return nil, caller.ErrForbidden
	}
	if date != nil {
		d.Dates.Named, d.Dates.Row = date, date.ID-site.From(ctx).DateBase
	}
	return d, nil
}

// exists returns an error if the path names no event.
func (k *UseCases) exists(ctx context.Context, c *call.Call) error {
	id, _, err := k.addressed(ctx, c)
	if err != nil {
		return err
	}
	found, err := k.Service.Content.Store.Posts.Access(ctx, []int64{id})
	if err != nil {
		return err
	}
	switch a, stored := found[id]; {
	case !stored:
		return k.Errors.NotFound.With("ID", itoa(id))
	case a.Type != k.PostType:
		return k.Errors.OtherKind.With("ID", itoa(id))
	}
	return nil
}

// addressed returns the id of the event that the path names, or 0 for an unknown slug, and the occurrence if the path
// names one.
func (k *UseCases) addressed(ctx context.Context, c *call.Call) (int64, *store.Date, error) {
	if _, byID := c.Path.Get(string(PathID)); byID {
		id := PathID.Value(c.Values)
		date, err := k.Service.DateOf(ctx, id)
		if date != nil {
			id = date.Post
		}
		return id, date, err
	}
	raw, _ := c.Path.Get(string(PathSlug))
	slug, _ := raw.(string)
	p, err := k.Service.Content.Slugs.FindSlugToWrite(ctx, k.PostType, slug)
	if err != nil || p == nil {
		return 0, nil, err
	}
	return p.ID, nil, nil
}
