package item

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/langstore"
	"github.com/agendahq/agenda/internal/surrogate"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// kindImages is the surrogate key of the images that items show.
const kindImages = "images"

// RecordKeys adds the surrogate keys of what items of the resource show to those of the response. For a linked post that is
// not shown, such as a draft, it only adds the key of the whole resource: the post may become visible when it changes,
// but its id stays secret.
func (k *Resource) RecordKeys(ctx context.Context, items ...*Item) {
	keys := surrogate.From(ctx)
	if keys == nil {
		return
	}
	for _, it := range items {
		if it.Term != nil {
			noteTerm(keys, k, it)
			continue
		}
		keys.Item(k.Collection, it.Post.ID)
		it.Versions.noteVersions(ctx, keys, k.Collection, it.Versions.ofPost(it.Post.ID), it.Post.Type)
		if it.Masked {
			continue
		}
		noteImage(keys, it.Meta)
		noteLinked(keys, k, it)
		noteTerms(keys, k, it)
	}
}

func noteImage(keys *surrogate.Keys, m store.Meta) {
	if id := phpval.Int(m.Text(schema.MetaThumbnailID)); id > 0 {
		keys.Item(kindImages, id)
	}
}

// noteLinked adds the keys of the posts that an event links.
func noteLinked(keys *surrogate.Keys, k *Resource, it *Item) {
	for i, kind := range k.Links {
		if kind.PostType == "" || i >= len(it.Linked) {
			continue
		}
		shown := it.Linked[i]
		for _, other := range shown {
			keys.Item(kind.Collection, other.Post.ID)
			if !other.Masked {
				noteImage(keys, other.Meta)
			}
		}
		hidden := slices.ContainsFunc(store.LinkedIDs(it.Meta[kind.LinkKey]), func(id int64) bool {
			return !slices.ContainsFunc(shown, func(other *Item) bool { return other.Post.ID == id })
		})
		if hidden || it.Versions != nil && len(shown) > 0 { // a translation may be shown instead
			keys.List(kind.Collection)
		}
	}
}

// noteTerms adds the keys of the terms of an event.
func noteTerms(keys *surrogate.Keys, k *Resource, it *Item) {
	for _, t := range it.Terms {
		for _, kind := range k.Links {
			if kind.Taxonomy != t.Taxonomy {
				continue
			}
			keys.Item(kind.Collection, t.ID)
			if t.Parent != 0 {
				keys.Item(kind.Collection, t.Parent)
			}
			if it.Versions != nil {
				keys.List(kind.Collection)
			}
		}
	}
}

// noteTerm adds the keys of a term and of its ancestors, whose slugs are part of its URL. It also adds the key of all
// events, because the number of events with the term changes with them.
func noteTerm(keys *surrogate.Keys, k *Resource, it *Item) {
	keys.List(it.env.Content.Types.Events().Collection)
	for _, t := range append(it.Term.Ancestors(it.Tree), it.Term) {
		keys.Item(k.Collection, t.ID)
		if t.Parent != 0 {
			keys.Item(k.Collection, t.Parent)
		}
	}
	if it.Versions != nil {
		keys.List(k.Collection)
	}
}

// noteVersions adds the keys of a post's translations. If translations may be missing, it adds the key of the whole resource.
func (v *Versions) noteVersions(ctx context.Context, keys *surrogate.Keys, collection string, g *langstore.Group, postType string) {
	if v == nil || !v.has(postType) {
		return
	}
	shown := 1
	for _, other := range g.Others {
		if v.readable(ctx, other) && other.Post.Type == postType {
			keys.Item(collection, other.Post.ID)
			shown++
		}
	}
	if shown < len(v.env.Content.Languages.Versions) {
		keys.List(collection)
	}
}
