package place

import (
	"context"
	"errors"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
)

// MayLink refuses links whose items the caller may not write: new ones without
// the right to make some by their own route, existing ones without the right to
// that very item. It reads nothing and is asked before images are fetched; what
// counts is decided on the locked items by ResolveLinks.
func (k *Kind) MayLink(r *rest.Request, l Links) error {
	for _, it := range l.items {
		allowed := it.in == nil
		switch {
		case it.id == 0:
			allowed = k.mayMake(r)
		case it.in != nil:
			allowed = site.CanEdit(r.Principal, it.object)
		}
		if !allowed {
			return caller.ErrForbidden
		}
	}
	return nil
}

// mayMake reports whether the caller may make items of the kind.
func (k *Kind) mayMake(r *rest.Request) bool {
	return r.Principal.Can("edit_" + content.Family(k.PostType))
}

// ResolveLinks makes the new items of links and changes those that have data,
// within a Write, and returns the ids of all in order, each once.
func (k *Kind) ResolveLinks(ctx context.Context, r *rest.Request, l Links) ([]int64, error) {
	// What was checked before the transaction began may be gone.
	if err := k.stillThere(ctx, l); err != nil {
		return nil, err
	}
	ids := make([]int64, 0, len(l.items))
	for _, it := range l.items {
		id, err := k.resolve(ctx, r, it)
		if err != nil {
			return nil, k.ofField(err)
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (k *Kind) resolve(ctx context.Context, r *rest.Request, it *linked) (int64, error) {
	switch {
	case it.id == 0:
		return k.make(ctx, r, it.in)
	case it.in == nil:
		return it.id, nil
	}
	d, err := k.open(ctx, it.id, site.CanEdit)
	if err != nil {
		return 0, err
	}
	if err := k.Put(ctx, it.in, d); err != nil {
		return 0, err
	}
	_, err = k.Save(ctx, d)
	return it.id, err
}

// make adds a new item.
func (k *Kind) make(ctx context.Context, r *rest.Request, in *resource.Input) (int64, error) {
	if !k.mayMake(r) {
		return 0, caller.ErrForbidden
	}
	if nameless(in) {
		return 0, k.Errors.NotCreated
	}
	d, err := k.posts.Insert(ctx, in)
	if err != nil {
		return 0, err
	}
	return d.Row.ID, nil
}

func (k *Kind) stillThere(ctx context.Context, l Links) error {
	err := k.findLinks(ctx, l)
	var f *param.Fault
	if errors.As(err, &f) {
		return k.fault(f)
	}
	return err
}

// ofField turns what is wrong with the fields of an item into what is wrong
// with the event's field.
func (k *Kind) ofField(err error) error {
	var f *param.Fault
	if errors.As(k.within(err), &f) {
		return k.fault(f)
	}
	return err
}

// fault refuses the event's field, which has the kind's name.
func (k *Kind) fault(f *param.Fault) error { return param.Refuse(k.Name, f) }
