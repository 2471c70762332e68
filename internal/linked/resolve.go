package linked

import (
	"context"
	"errors"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
)

// AuthorizeLinks refuses links to items that the caller may not write: new ones
// without the right to create them on their own route, unless they exist already (D71),
// existing ones without the right to that item. It is called before images are fetched;
// ResolveLinks decides again on the locked items.
func (k *UseCases) AuthorizeLinks(ctx context.Context, l Links) (err error) {
	var existing map[*linked]int64
	if !k.canCreate(ctx) {
		if existing, err = k.existing(ctx, l); err != nil {
			return err
		}
	}
	for _, it := range l.items {
		allowed := it.in == nil
		switch {
		case it.id == 0:
			allowed = k.canCreate(ctx) || existing[it] != 0
		case it.in != nil:
			allowed = site.CanEdit(caller.From(ctx), it.object)
		}
		if !allowed {
			return caller.ErrForbidden
		}
	}
	return nil
}

// canCreate reports whether the caller may create items of the kind.
func (k *UseCases) canCreate(ctx context.Context) bool {
	return caller.From(ctx).Can("edit_" + content.Family(k.Type.PostType))
}

// ResolveLinks creates the new items of links that do not exist already, and changes
// those that have data, within a Write, and returns all ids in order, without duplicates.
func (k *UseCases) ResolveLinks(ctx context.Context, l Links) ([]int64, error) {
	// What was checked before the transaction may be gone.
	if err := k.stillThere(ctx, l); err != nil {
		return nil, err
	}
	existing, err := k.existing(ctx, l)
	if err == nil {
		existing, err = k.published(ctx, existing)
	}
	if err != nil {
		return nil, err
	}
	ids, inserted := make([]int64, 0, len(l.items)), []*made(nil)
	for _, it := range l.items {
		id := existing[it]
		if id == 0 {
			if id, err = k.amongMade(ctx, it, inserted); err != nil {
				return nil, err
			}
		}
		switch {
		case id != 0:
		case it.id == 0:
			d, err := k.make(ctx, it.in)
			if err != nil {
				return nil, k.ofField(err)
			}
			id = d.Row.ID
			inserted = append(inserted, &made{name: folded(d.Row.Title), row: d.Row})
		default:
			if id, err = k.resolve(ctx, it); err != nil {
				return nil, k.ofField(err)
			}
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// resolve changes an existing item if the request has data of it.
func (k *UseCases) resolve(ctx context.Context, it *linked) (int64, error) {
	if it.in == nil {
		return it.id, nil
	}
	d, err := k.open(ctx, it.id, site.CanEdit)
	if err != nil {
		return 0, err
	}
	if err := k.Posts.Put(ctx, it.in, d); err != nil {
		return 0, err
	}
	_, err = k.Service.Content.Save(ctx, d)
	return it.id, err
}

// make adds a new item.
func (k *UseCases) make(ctx context.Context, in *item.Input) (*content.Edit, error) {
	if !k.canCreate(ctx) {
		return nil, caller.ErrForbidden
	}
	if nameless(in) {
		return nil, k.Errors.NotCreated
	}
	return k.Posts.Insert(ctx, in, nil)
}

func (k *UseCases) stillThere(ctx context.Context, l Links) error {
	err := k.findLinks(ctx, l)
	var f *param.Fault
	if errors.As(err, &f) {
		return k.fault(f)
	}
	return err
}

// ofField returns an error of an item's fields as one of the event's field.
func (k *UseCases) ofField(err error) error {
	var f *param.Fault
	if errors.As(k.within(err), &f) {
		return k.fault(f)
	}
	return err
}

// fault refuses the event's field, which has the kind's name.
func (k *UseCases) fault(f *param.Fault) error { return param.Refuse(k.Name, f) }
