// Package term implements the resources categories and tags, and finds the terms that an event or a filter names. Terms
// have no status, trash or author, so they are written here and not by package content.
package term

import (
	"context"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
)

// UseCases are the use cases of a taxonomy.
type UseCases struct {
	*item.Resource
	Service *item.Service
	Tree    bool        // the taxonomy is hierarchical
	Nested  item.Fields // fields of a term inside an event
	Keys    item.Keys   // meta keys of the fields

	embedded item.Fields // fields in the view "embed"
	unviewed item.Fields // fields in an unknown view
	filters  item.Filters[*query]
}

// newUseCases completes the declaration of a taxonomy with what all have in common.
func newUseCases(s *item.Service, tree bool, d *item.Resource) *UseCases {
	k := &UseCases{Resource: d, Service: s, Tree: tree}
	k.Errors.Exists = apierror.New(apierror.BadRequest, "term_exists", "error_term_exists").
		Documented("TermExists", "doc_error_term", []jsonschema.Member{jsonschema.Has("term_id", jsonschema.Int().Example(12))},
			jsonschema.Has("additional_data", jsonschema.List(jsonschema.Int().Example(12))))
	k.Errors.Slug = apierror.New(apierror.Conflict, "duplicate_term_slug", "error_term_slug")
	if !tree {
		k.Errors.Flat = apierror.New(apierror.BadRequest, "rest_taxonomy_not_hierarchical", "error_term_flat")
	}
	k.declareFields()
	k.addFilters(k.listFilters()...)
	k.Views = []string{"view", "embed", "edit"}
	return k
}

// Add appends fields that are stored in meta rows: those of one taxonomy, and the host's own. The view "embed" does not
// have them.
func (k *UseCases) Add(fields ...*item.Field) {
	k.Fields, k.Nested = k.Fields.Add(fields...), k.Nested.Add(fields...)
	k.Keys = k.Fields.Keys()
}

// Rows selects the meta rows that a response shows. Terms of other taxonomies are ignored.
func (k *UseCases) Rows(ctx context.Context, terms ...*store.TaxonomyTerm) store.TermRows {
	asked := store.TermRows{Keys: k.Keys.Readable(ctx)}
	for _, t := range terms {
		if len(asked.Keys) > 0 && t.Taxonomy == k.Taxonomy {
			asked.Terms = append(asked.Terms, t.ID)
		}
	}
	return asked
}

// NestedShape returns the schema of a term inside an event.
func (k *UseCases) NestedShape() *jsonschema.Schema {
	name := "EventTerm"
	if len(k.Keys.Names()) > 0 { // then it has members that terms of other taxonomies do not have
		name = "Event" + k.Singular
	}
	return k.Nested.Shape(name).Doc(k.Texts.InEvents)
}

// Write writes a term in the requested view: all fields, those of "embed", or none in an unknown view.
func (k *UseCases) Write(w *phpjson.Writer, it *item.Item) {
	switch item.ViewOf(it.Call) {
	case "", "view", "edit":
		k.Fields.Write(w, it)
	case "embed":
		k.embedded.Write(w, it)
	default:
		k.unviewed.Write(w, it)
	}
}

// items returns terms as items, and loads the related data that a response shows.
func (k *UseCases) items(ctx context.Context, v *item.View, tree map[int64]*store.TaxonomyTerm, terms ...*store.TaxonomyTerm) ([]*item.Item,
	error) {
	all, list := make([]item.Item, len(terms)), make([]*item.Item, len(terms))
	if err := v.LoadTermMeta(ctx, k.Rows(ctx, terms...)); err != nil {
		return nil, err
	}
	for i, t := range terms {
		all[i] = item.Item{View: v, Term: t, Tree: tree, Meta: v.TermMeta(t.ID), Selected: v.Selected}
		list[i] = &all[i]
	}
	return list, v.Versions.Load(ctx, nil, terms)
}

// item returns a term as an item that is read by its id.
func (k *UseCases) item(ctx context.Context, c *call.Call, at *place) (*item.Item, error) {
	view := k.Service.View(ctx, c)
	view.Single, view.Selected = true, c.Fields
	items, err := k.items(ctx, view, at.tree, at.term)
	if err != nil {
		return nil, err
	}
	return items[0], nil
}

// CanAssign reports whether the caller may assign terms of this taxonomy to events.
func (k *UseCases) CanAssign(p caller.Principal) bool {
	if k.Tree {
		return p.Can("edit_" + content.Family(k.Service.Content.Types.Events().PostType))
	}
	return p.Can("edit_posts")
}

// CanEdit reports whether the caller may change terms of this taxonomy.
func (k *UseCases) CanEdit(p caller.Principal) bool {
	if !p.Can("edit_" + content.Family(k.Service.Content.Types.Events().PostType)) {
		return false
	}
	if k.Tree {
		return p.Can("publish_" + content.Family(k.Service.Content.Types.Events().PostType))
	}
	return p.Can("manage_categories")
}

// AddFilters appends the host's own filters, which select by the host's own fields.
func (k *UseCases) AddFilters(declared []item.OwnFilter, own []item.Own) {
	k.addFilters(item.OwnFilters(declared, own, func(q *query) *item.Selection { return &q.Selection },
		func(q *query, f store.MetaFilter) { q.Meta = append(q.Meta, f) })...)
}

// addFilters appends filters: those of all taxonomies, of this one, and the host's own.
func (k *UseCases) addFilters(filters ...*item.Filter[*query]) {
	k.filters = append(k.filters, filters...)
	k.Filters = k.filters
}
