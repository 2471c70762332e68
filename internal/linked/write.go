package linked

import (
	"context"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/site"
)

// Input reads the input of a write. A new item needs a name.
func (k *UseCases) Input(_ context.Context, c *call.Call) (*item.Input, error) {
	in := k.input(c.Values)
	if c.Path.Len() == 0 && nameless(in) {
		return nil, k.Errors.NotCreated
	}
	return in, nil
}

// Lock locks the item that the path names, if may returns true for the caller and the item.
func (k *UseCases) Lock(ctx context.Context, c *call.Call, may func(caller.Principal, site.Object) bool) (*content.Edit, error) {
	return k.open(ctx, addressed(c).ID, may)
}

// Match returns an error if the write is meant for another revision of the item (If-Match).
func (k *UseCases) Match(ctx context.Context, c *call.Call, e *content.Edit) error {
	return item.CheckMatch(c, k.revision(ctx, e.StoredRow(), e.StoredMeta()))
}

// open locks an item, if may returns true for the caller and the item.
func (k *UseCases) open(ctx context.Context, id int64, may func(caller.Principal, site.Object) bool) (*content.Edit, error) {
	e, err := k.Service.Content.Open(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case e == nil || e.Row.Type != k.PostType:
		return nil, unknown(string(pathID), k.Texts.UnknownID)
	case !may(caller.From(ctx), e.Object()):
		return nil, caller.ErrForbidden
	}
	return e, nil
}

// Apply applies the input to an edit.
func (k *UseCases) Apply(ctx context.Context, in *item.Input, e *content.Edit) error {
	if err := k.Fields.Apply(ctx, in, e); err != nil {
		return err
	}
	return k.Service.Content.Apply(ctx, e, in.Shared)
}

// Saved is called after an item was saved. Nothing else depends on venues and organizers.
func (k *UseCases) Saved(context.Context, *content.Edit) error { return nil }
