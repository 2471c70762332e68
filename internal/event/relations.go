package event

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// linkedField returns the field for the linked posts of a resource: a list, or a single post for a resource with
// LinksOne.
func linkedField(at int, kind *linked.UseCases) *item.Field {
	key := linksKey(kind)
	id, text := jsonschema.Int().From(0), jsonschema.Text()
	shown := jsonschema.List(kind.Shape())
	if kind.LinksOne {
		shown = jsonschema.OneOf(shown.Items, shown)
	}
	return &item.Field{
		Name: kind.Name, Shape: shown,
		Doc:    kind.Texts.InEvents,
		Masked: "[]", Keys: []string{kind.LinkKey}, Stored: item.NotStored,
		Value: func(w *phpjson.Writer, it *item.Item) {
			items := it.Linked[at]
			if kind.LinksOne && len(items) == 1 {
				kind.Fields.Write(w, items[0])
				return
			}
			w.Array()
			for _, one := range items {
				kind.Fields.Write(w, one)
			}
			w.End()
		},
		Param: func(bool) *param.Param {
			example := any(17)
			if !kind.LinksOne {
				example = []any{18}
			}
			one, name := []*jsonschema.Schema{id, text, kind.DataShape()}, kind.DataShape().Name
			one = append(one, jsonschema.Only(false), jsonschema.Null())
			list := jsonschema.List(jsonschema.OneOf(one...).As(name + "Link")).UpTo(param.MaxList)
			takes := jsonschema.OneOf(append(one, list)...).As(name + "Links")
			return key.Param(takes.Example(example), kind.Linker().Rule(), param.Nested(), param.Doc(kind.Texts.EventField),
				param.Untyped(), param.Null())
		},
	}
}

// linksKey returns the parameter for the links to a resource.
func linksKey(kind *linked.UseCases) param.Key[linked.Links] {
	return param.Key[linked.Links](kind.Name)
}

// links returns the links to a resource that a request contains. null removes all links.
func links(v *param.Values, kind *linked.UseCases) *linked.Links {
	key := linksKey(kind)
	if l := key.Given(v); l != nil || !key.IsGiven(v) {
		return l
	}
	return &linked.Links{}
}

// relations reads and writes the links of events to other posts, and to terms.
type relations struct{ events *UseCases }

// applyLinks links the posts that a request contains, and those that blocks in a new description name. If an event
// links only one post of a resource, the one in the request takes precedence. Otherwise, posts of blocks come first.
func (r relations) applyLinks(ctx context.Context, in *item.Input, d *content.Edit) error {
	for _, kind := range r.events.Linked {
		l, stored := links(in.Values, kind), store.LinkedIDs(d.Meta(kind.LinkKey))
		ids := stored
		var err error
		if l != nil {
			if ids, err = kind.Linker().Resolve(ctx, *l); err != nil {
				return err
			}
			if ids, err = r.storedLinks(ctx, ids, stored); err != nil {
				return err
			}
		}
		if in.Shared.Description != nil && (l == nil || !kind.LinksOne) {
			named, err := r.named(ctx, d.Row.Content, kind)
			if err != nil {
				return err
			}
			if !kind.LinksOne {
				ids = param.Distinct(slices.Concat(named, ids))
			} else if len(named) > 0 {
				ids = named
			}
		}
		if !slices.Equal(ids, stored) {
			d.Set(kind.LinkKey, store.Decimals(ids)...)
		}
	}
	return nil
}

// storedLinks returns the links that ids in a request stand for; see Versions.StoredPosts.
func (r relations) storedLinks(ctx context.Context, ids, stored []int64) ([]int64, error) {
	v := r.events.Service.Versions(ctx)
	if v == nil || len(ids) == 0 || len(stored) == 0 {
		return ids, nil
	}
	err := v.Load(ctx, stored, nil)
	return v.StoredPosts(ctx, ids, stored), err
}

// assigned returns the terms to assign to an event. Names refer to terms in the event's language, and a term that is
// shown for a stored one stands for the stored one (D91).
func (r relations) assigned(ctx context.Context, kind *term.UseCases, given term.Assignment, e *content.Edit) ([]int64, error) {
	v := r.events.Service.Versions(ctx)
	if e.New() || v == nil || !r.events.Service.Content.Languages.Translated(ctx, kind.Taxonomy) {
		return kind.Resolve(ctx, given, nil)
	}
	id := e.Row.ID
	found, err := r.events.Service.Content.Store.Posts.Content(ctx, store.ContentQuery{
		IDs: []int64{id}, NoRows: true, Taxonomies: []string{kind.Taxonomy},
	})
	if err != nil {
		return nil, err
	}
	stored := found.Terms[id]
	if err := v.Load(ctx, []int64{id}, stored); err != nil {
		return nil, err
	}
	if code := v.Code(e.Row.Type, id); code != "" {
		ctx = caller.InItems(ctx, code)
	}
	return kind.Resolve(ctx, given, func(t *store.TaxonomyTerm) []*store.TaxonomyTerm { return v.StoredTerms(t, stored) })
}

// named returns those existing posts of a resource that the blocks of a description name.
func (r relations) named(ctx context.Context, text string, kind *linked.UseCases) ([]int64, error) {
	ids := render.BlockIDs(text, kind.Block, kind.Name)
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := r.events.Service.Content.Store.Posts.Access(ctx, ids)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ids, func(id int64) bool { return found[id].Type != kind.PostType }), nil
}

// terms returns the field for the terms of a taxonomy. If the caller may not assign terms, a write ignores them, but it
// is still rejected if it would create a term that the caller may not create.
func (r relations) terms(key param.Key[term.Assignment], kind *term.UseCases, example ...any) *item.Field {
	text := jsonschema.Text()
	return &item.Field{
		Name: string(key), Masked: "[]", Stored: item.NotStored,
		Shape: jsonschema.List(kind.NestedShape()),
		Value: func(w *phpjson.Writer, it *item.Item) {
			w.Array()
			selected := it.Selected.Members(string(key))
			for _, t := range it.Terms {
				if t.Taxonomy == kind.Taxonomy {
					kind.Nested.Write(w, it.NestedTerm(t, selected))
				}
			}
			w.End()
		},
		Param: func(bool) *param.Param {
			id := jsonschema.Int()
			one := jsonschema.OneOf(id, text, jsonschema.Null()).As("TermInput")
			takes := jsonschema.OneOf(jsonschema.List(one).UpTo(param.MaxList), text, id, jsonschema.Bool(), jsonschema.Map(one)).
				As("TermsInput")
			return key.Param(takes.Example(example), kind.Assignment(), param.Doc(kind.Texts.EventField))
		},
		Apply: func(ctx context.Context, in *item.Input, e *content.Edit) error {
			given := key.Given(in.Values)
			if given == nil {
				return nil
			}
			ids, err := r.assigned(ctx, kind, *given, e)
			if err == nil && kind.CanAssign(caller.From(ctx)) {
				e.SetTerms(kind.Taxonomy, ids)
			}
			return err
		},
	}
}

// authorizeLinks rejects links that the caller may not write, before images are downloaded for them.
func (r relations) authorizeLinks(ctx context.Context, in *item.Input) error {
	for _, kind := range r.events.Linked {
		if l := links(in.Values, kind); l != nil {
			if err := kind.Linker().Authorize(ctx, *l); err != nil {
				return err
			}
		}
	}
	return nil
}

// unseen contains the statuses of linked posts that are published together with their event.
var unseen = []string{schema.StatusDraft, schema.StatusPending, schema.StatusAutoDraft}

// Saved publishes the posts that a published event linked before and still links, as far as the caller has the right.
func (k *UseCases) Saved(ctx context.Context, d *content.Edit) error {
	if err := k.moveTickets(ctx, d); err != nil {
		return err
	}
	if d.Row.Status != schema.StatusPublish || !k.Service.Content.Types.CanPublish(ctx) {
		return nil
	}
	before := d.StoredMeta()
	for _, kind := range k.Linked {
		still := store.LinkedIDs(d.Meta(kind.LinkKey))
		ids := slices.DeleteFunc(store.LinkedIDs(before[kind.LinkKey]), func(id int64) bool { return !slices.Contains(still, id) })
		if len(ids) == 0 {
			continue
		}
		found, err := k.Service.Content.Store.Posts.Access(ctx, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if a := found[id]; a.Type == kind.PostType && slices.Contains(unseen, a.Status) {
				if err := (relations{k}).publish(ctx, kind.Posts, id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (r relations) publish(ctx context.Context, of *item.Posts, id int64) error {
	d, err := r.events.Service.Content.Open(ctx, id)
	if err != nil || d == nil || !slices.Contains(unseen, d.Row.Status) {
		return err
	}
	if !site.CanEdit(caller.From(ctx), d.Object()) {
		return nil
	}
	status := schema.StatusPublish
	if err := r.events.Service.Content.Apply(ctx, d, &content.Fields{Status: &status}); err != nil {
		return err
	}
	if err := of.CallBeforeWrite(ctx, d.Op(), d); err != nil {
		return err
	}
	_, err = r.events.Service.Content.Save(ctx, d)
	return err
}
