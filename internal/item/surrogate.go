package item

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/surrogate"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// kindImages is the kind of the images that items show.
const kindImages = "images"

// Note adds the keys of what items of the kind show to those of the answer. What an item links and does not show, such as a
// draft, is there as its kind alone: it may be shown when it changes, but nobody learns its id.
func (k *Kind) Note(ctx context.Context, items ...*Item) {
	keys := surrogate.From(ctx)
	if keys == nil {
		return
	}
	for _, it := range items {
		if it.Term != nil {
			k.noteTerm(keys, it)
			continue
		}
		keys.Item(k.Collection, it.Post.ID)
		it.Versions.note(ctx, keys, k.Collection, it.Versions.ofPost(it.Post.ID), it.Post.Type)
		if it.Masked {
			continue
		}
		noteImage(keys, it.Meta)
		k.noteLinked(keys, it)
		k.noteTerms(keys, it)
	}
}

func noteImage(keys *surrogate.Keys, m store.Meta) {
	if id := phpval.Int(m.Text(schema.MetaThumbnailID)); id > 0 {
		keys.Item(kindImages, id)
	}
}

// noteLinked adds what an event links.
func (k *Kind) noteLinked(keys *surrogate.Keys, it *Item) {
	for i, kind := range k.Links {
		if kind.Type == nil || i >= len(it.Linked) {
			continue
		}
		shown := it.Linked[i]
		for _, other := range shown {
			keys.Item(kind.Collection, other.Post.ID)
			if !other.Masked {
				noteImage(keys, other.Meta)
			}
		}
		hidden := slices.ContainsFunc(store.LinkedIDs(it.Meta[kind.Type.LinkKey]), func(id int64) bool {
			return !slices.ContainsFunc(shown, func(other *Item) bool { return other.Post.ID == id })
		})
		if hidden || it.Versions != nil && len(shown) > 0 { // another version may be shown in its place
			keys.List(kind.Collection)
		}
	}
}

// noteTerms adds the terms of an event.
func (k *Kind) noteTerms(keys *surrogate.Keys, it *Item) {
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

// noteTerm adds a term with those above it, whose slugs are in its address. How many events it has changes with events.
func (k *Kind) noteTerm(keys *surrogate.Keys, it *Item) {
	keys.List(it.env.Content.Types.Events().Collection)
	keys.Item(k.Collection, it.Term.ID)
	seen := map[int64]bool{}
	for id := it.Term.Parent; id != 0 && !seen[id]; {
		seen[id] = true
		keys.Item(k.Collection, id)
		above := it.Tree[id]
		if above == nil {
			break
		}
		id = above.Parent
	}
	if it.Versions != nil {
		keys.List(k.Collection)
	}
}

// note adds the versions of a post in other languages. Where there may be more, it adds their kind.
func (v *Versions) note(ctx context.Context, keys *surrogate.Keys, collection string, g *store.Group, postType string) {
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
