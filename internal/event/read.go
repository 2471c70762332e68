package event

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// Get reads the event that the path names.
func (k *UseCases) Get(ctx context.Context, c *call.Call) (*item.Single, error) {
	if PathID.In(c.Values) {
		return k.byID(ctx, c)
	}
	return k.bySlug(ctx, c)
}

func (k *UseCases) byID(ctx context.Context, c *call.Call) (*item.Single, error) {
	id := PathID.Value(c.Values)
	own, err := k.own(ctx, []int64{id})
	if err != nil {
		return nil, err
	}
	p := own.Posts[id]
	switch {
	case p == nil:
		return nil, ErrNotFound.With("ID", strconv.FormatInt(id, 10))
	case p.Type != k.Type.PostType:
		return nil, ErrNoEvent.With("ID", strconv.FormatInt(id, 10))
	}
	return k.single(ctx, c, p, own)
}

func (k *UseCases) bySlug(ctx context.Context, c *call.Call) (*item.Single, error) {
	p, err := k.Service.Content.FindSlug(ctx, k.Type.PostType, PathSlug.Value(c.Values))
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, param.Refuse(string(PathSlug), param.Invalid("fault_slug"))
	}
	own, err := k.own(ctx, []int64{p.ID})
	if err != nil {
		return nil, err
	}
	if whole := own.Posts[p.ID]; whole != nil { // the slug was looked up without the texts
		p = whole
	}
	return k.single(ctx, c, p, own)
}

// single reads an event. It checks the trash first, then the right to read, then
// the password.
func (k *UseCases) single(ctx context.Context, c *call.Call, p *store.Post, own *store.Content) (*item.Single, error) {
	switch {
	case p.Status == schema.StatusTrash:
		return nil, ErrTrashed
	case !k.Service.Content.CanRead(ctx, p):
		return nil, ErrNotYours
	}
	if err := k.Service.CheckContext(ctx, c, p); err != nil {
		return nil, err
	}
	view := k.Service.View(ctx, c)
	view.Trial, view.Single = true, true
	if err := view.Unlock(p); err != nil {
		return nil, err
	}
	if view.Locked(p) {
		return nil, ErrProtected
	}
	view.Trial = false // it was counted
	items, err := k.items(ctx, view, own, []int64{p.ID})
	if err != nil {
		return nil, err
	}
	single := &item.Single{Item: items[0], Revision: k.revision(ctx, p, items[0].Meta, own.Terms[p.ID])}
	single.Raw = item.Editing(c)
	if dated(single.Meta) {
		single.Fingerprint = view.Fingerprint()
	}
	return single, nil
}

// batch is what the events of an answer show, loaded for all of them at once.
type batch struct {
	*item.View
	own    *store.Content // of the events, with their assigned terms
	linked *store.Content // of what they link
}

// metaKeys are the meta keys of a site's events, and those of its custom fields, whose values may be of any type.
func (k *UseCases) metaKeys(ctx context.Context) (all, custom []string) {
	for _, f := range site.From(ctx).CustomFields {
		custom = append(custom, f.Name)
	}
	return slices.Concat(k.keys, custom), custom
}

// own reads the rows, meta rows and terms of events.
func (k *UseCases) own(ctx context.Context, ids []int64) (*store.Content, error) {
	keys, custom := k.metaKeys(ctx)
	return k.Service.Content.Store.Posts.Content(ctx, store.ContentQuery{
		IDs: ids, Keys: keys, Raw: append(custom, schema.MetaHideFromUpcoming), Taxonomies: k.Service.Content.Taxonomies,
	})
}

// Items reads events with all that their answers show.
func (k *UseCases) Items(ctx context.Context, v *item.View, ids []int64) ([]*item.Item, error) {
	own, err := k.own(ctx, ids)
	if err != nil {
		return nil, err
	}
	return k.items(ctx, v, own, ids)
}

func (k *UseCases) items(ctx context.Context, v *item.View, own *store.Content, ids []int64) (items []*item.Item, err error) {
	if err := v.Unlock(slices.Collect(maps.Values(own.Posts))...); err != nil {
		return nil, err
	}
	b, err := k.load(ctx, v, own)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if p := own.Posts[id]; p != nil {
			items = append(items, k.item(b, p))
		}
	}
	return items, nil
}

// load reads what events show besides their own rows.
func (k *UseCases) load(ctx context.Context, view *item.View, own *store.Content) (*batch, error) {
	b := &batch{View: view, own: own}
	var linked []int64
	for _, kind := range k.Linked {
		for _, m := range own.Meta {
			linked = append(linked, store.LinkedIDs(m[kind.Type.LinkKey])...)
		}
	}
	linked, err := b.versions(ctx, linked)
	if err != nil {
		return nil, err
	}
	b.linked, err = view.Load(ctx, own, linked, k.linkedKeys)
	return b, err
}

// versions loads the versions in other languages of events, of what they link and of
// their terms. It returns the linked ids with those that are shown for them.
func (b *batch) versions(ctx context.Context, linked []int64) ([]int64, error) {
	if b.Versions == nil {
		return linked, nil
	}
	var terms []*store.TaxonomyTerm
	for _, list := range b.own.Terms {
		terms = append(terms, list...)
	}
	if err := b.Versions.Load(ctx, slices.AppendSeq(slices.Clone(linked), maps.Keys(b.own.Posts)), terms); err != nil {
		return nil, err
	}
	return append(linked, b.Versions.ShownPosts(ctx, linked)...), nil
}

// shown returns the post that is shown for a linked one: its version in the request's
// language, if that is of the kind too.
func (b *batch) shown(ctx context.Context, id int64, postType string) int64 {
	other := b.Versions.ShownPost(ctx, id)
	if p := b.linked.Posts[other]; p == nil || p.Type != postType {
		return id
	}
	return other
}

// linkedItems returns the posts of a kind that meta rows link and the caller may
// read, in stored order.
func (k *UseCases) linkedItems(b *batch, kind *linked.UseCases, values []string) (items []*item.Item) {
	for _, id := range store.LinkedIDs(values) {
		id = b.shown(b.Ctx, id, kind.Type.PostType)
		if b.Versions != nil && slices.ContainsFunc(items, func(it *item.Item) bool { return it.Post.ID == id }) {
			continue // two versions of one
		}
		p := b.linked.Posts[id]
		if p == nil || p.Type != kind.Type.PostType || !k.Service.Content.CanRead(b.Ctx, p) {
			continue
		}
		// An event's password does not open its venue.
		masked := p.Password != "" && !(item.Editing(b.Call) && k.Service.Content.CanEdit(b.Ctx, p))
		items = append(items, &item.Item{View: b.View, Post: p, Meta: b.linked.Meta[id], Masked: masked})
	}
	return items
}

// item returns an event as answers show it. One that its password hides shows only
// its name, dates and addresses.
func (k *UseCases) item(b *batch, p *store.Post) *item.Item {
	it := &item.Item{View: b.View, Post: p, Meta: b.own.Meta[p.ID], Masked: b.Locked(p)}
	if it.Masked {
		return it
	}
	it.Terms = b.Versions.ShownTerms(b.own.Terms[p.ID])
	for _, kind := range k.Linked {
		it.Linked = append(it.Linked, k.linkedItems(b, kind, it.Meta[kind.Type.LinkKey]))
	}
	return it
}
