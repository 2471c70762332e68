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
	"github.com/agendahq/agenda/internal/wp"
)

// Authorize checks the caller's rights on items that are written: to create new ones, unless they exist already (D71),
// and to edit existing ones. It is called before images are fetched. Resolve checks again with the items locked.
func (r Linker) Authorize(ctx context.Context, l Links) (err error) {
	var existing map[*linked]int64
	if !r.canCreate(ctx) {
		if existing, err = r.existing(ctx, l); err != nil {
			return err
		}
	}
	for _, it := range l.items {
		allowed := it.in == nil
		switch {
		case it.id == 0:
			allowed = r.canCreate(ctx) || existing[it] != 0
		case it.in != nil:
			allowed = site.CanEdit(caller.From(ctx), it.object)
		}
		if !allowed {
			return caller.ErrForbidden
		}
	}
	return nil
}

// canCreate reports whether the caller may create items of the resource.
func (r Linker) canCreate(ctx context.Context) bool {
	return caller.From(ctx).Can("edit_" + content.Family(r.kind.PostType))
}

// Resolve creates new items that do not exist already and updates those with data. It returns the ids of all items in
// order, without duplicates. It has to be called in the transaction of a write.
func (r Linker) Resolve(ctx context.Context, l Links) ([]int64, error) {
	// Items that were checked before the transaction may have been deleted since.
	if err := r.find(ctx, l); err != nil {
		return nil, r.ofField(err)
	}
	existing, err := r.existing(ctx, l)
	if err == nil {
		existing, err = r.published(ctx, existing)
	}
	if err != nil {
		return nil, err
	}
	ids, inserted := make([]int64, 0, len(l.items)), []*made(nil)
	for _, it := range l.items {
		id := existing[it]
		if id == 0 {
			if id, err = r.amongMade(ctx, it, inserted); err != nil {
				return nil, err
			}
		}
		switch {
		case id != 0:
		case it.id == 0:
			d, err := r.make(ctx, it.in)
			if err != nil {
				return nil, r.ofField(err)
			}
			id = d.Row.ID
			inserted = append(inserted, &made{name: wp.Folded(d.Row.Title), row: d.Row})
		default:
			if id, err = r.resolve(ctx, it); err != nil {
				return nil, r.ofField(err)
			}
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// resolve updates an existing item, if the request contains data for it.
func (r Linker) resolve(ctx context.Context, it *linked) (int64, error) {
	if it.in == nil {
		return it.id, nil
	}
	d, err := r.kind.open(ctx, it.id, site.CanEdit)
	if err != nil {
		return 0, err
	}
	if err := r.kind.Posts.Apply(ctx, it.in, d); err != nil {
		return 0, err
	}
	_, err = r.kind.Service.Content.Save(ctx, d)
	return it.id, err
}

func (r Linker) make(ctx context.Context, in *item.Input) (*content.Edit, error) {
	if !r.canCreate(ctx) {
		return nil, caller.ErrForbidden
	}
	if nameless(in) {
		return nil, r.kind.Errors.NotCreated
	}
	return r.kind.Posts.Insert(ctx, in, nil)
}

// ofField turns an error of items or of their fields into one of the event's field.
func (r Linker) ofField(err error) error {
	var f *param.Fault
	if errors.As(r.within(err), &f) {
		return r.fault(f)
	}
	return err
}

// fault returns the validation error f for the event's field, which has the name of the resource.
func (r Linker) fault(f *param.Fault) error { return param.Refuse(r.kind.Name, f) }
