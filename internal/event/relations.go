package event

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/place"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// relation is one of the two kinds of posts that events link.
type relation struct {
	kind             *place.Kind
	block, attribute string // by which a description names one
}

func (k *Kind) linkedKinds() [2]relation {
	return [2]relation{
		{k.Venues, "tribe/event-venue", "venue"},
		{k.Organizers, "tribe/event-organizer", "organizer"},
	}
}

// applyLinks links venues and organizers: those that a request gives, and those
// that the blocks of a new description name. A venue that is given counts more
// than that of a block; the organizers of blocks come before the others.
func (k *Kind) applyLinks(ctx context.Context, r *rest.Request, d *content.Edit, in *input) error {
	for i, l := range [...]*place.Links{in.venue, in.organizers} {
		rel := k.linkedKinds()[i]
		stored := content.LinkedIDs(d.Meta(rel.kind.LinkKey))
		ids := stored
		var err error
		if l != nil {
			if ids, err = rel.kind.ResolveLinks(ctx, r, *l, ""); err != nil {
				return err
			}
		}
		if in.shared.Description != nil && (l == nil || rel.kind == k.Organizers) {
			named, err := k.named(ctx, d.Row.Content, rel)
			if err != nil {
				return err
			}
			if rel.kind == k.Organizers {
				ids = merge(named, ids)
			} else if len(named) > 0 {
				ids = named
			}
		}
		if !slices.Equal(ids, stored) {
			d.Set(rel.kind.LinkKey, texts(ids)...)
		}
	}
	return nil
}

// named are the venues or organizers that a description's blocks name, as far
// as there are any.
func (k *Kind) named(ctx context.Context, content string, rel relation) ([]int64, error) {
	ids := render.BlockIDs(content, rel.block, rel.attribute)
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := k.Store.Authors(ctx, ids)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ids, func(id int64) bool { return found[id].Type != rel.kind.PostType }), nil
}

// merge puts ids in front of others, each once.
func merge(first, others []int64) []int64 {
	all := slices.Clone(first)
	for _, id := range others {
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

// applyTerms gives the event its terms. Who may not assign terms of a kind
// leaves them as they are, but is refused new ones like anybody who may not
// make them.
func (k *Kind) applyTerms(ctx context.Context, r *rest.Request, d *content.Edit, in *input) error {
	for _, g := range [...]struct {
		kind  *term.Kind
		terms *term.Assignment
	}{{k.Categories, in.categories}, {k.Tags, in.tags}} {
		if g.terms == nil {
			continue
		}
		ids, err := g.kind.Resolve(ctx, r, *g.terms)
		if err != nil {
			return err
		}
		if g.kind.MayAssign(r.Principal) {
			d.SetTerms(g.kind.Taxonomy, ids)
		}
	}
	return nil
}

// mayLink refuses links that the caller may not write, before anything is
// fetched for them.
func (k *Kind) mayLink(r *rest.Request, in *input) error {
	for i, l := range [...]*place.Links{in.venue, in.organizers} {
		if l == nil {
			continue
		}
		if err := k.linkedKinds()[i].kind.MayLink(r, *l); err != nil {
			return err
		}
	}
	return nil
}

// unseen are the states of linked posts that are published with their event.
var unseen = []string{schema.StatusDraft, schema.StatusPending, schema.StatusAutoDraft}

// publishLinked publishes what a published event linked before and links still,
// as far as the caller may.
func (k *Kind) publishLinked(ctx context.Context, r *rest.Request, d *content.Edit) error {
	if d.Row.Status != schema.StatusPublish || !k.CanPublish(ctx) {
		return nil
	}
	before := d.StoredMeta()
	for _, rel := range k.linkedKinds() {
		still := content.LinkedIDs(d.Meta(rel.kind.LinkKey))
		ids := slices.DeleteFunc(content.LinkedIDs(before[rel.kind.LinkKey]), func(id int64) bool { return !slices.Contains(still, id) })
		if len(ids) == 0 {
			continue
		}
		found, err := k.Store.Authors(ctx, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if a := found[id]; a.Type == rel.kind.PostType && slices.Contains(unseen, a.Status) {
				if err := k.publish(ctx, r, id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (k *Kind) publish(ctx context.Context, r *rest.Request, id int64) error {
	d, err := k.Open(ctx, id)
	if err != nil || d == nil || !slices.Contains(unseen, d.Row.Status) {
		return err
	}
	if !site.CanEdit(r.Principal, k.Object(d)) {
		return nil
	}
	status := schema.StatusPublish
	if err := k.Apply(ctx, d, &content.Fields{Status: &status}); err != nil {
		return err
	}
	_, err = k.Save(ctx, d)
	return err
}
