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
	*item.Kind
	Service *item.Service
	Tree    bool        // the taxonomy is hierarchical
	Nested  item.Fields // fields of a term inside an event
	Keys    item.Keys   // meta keys of the fields

	embedded item.Fields // fields in the view "embed"
	unviewed item.Fields // fields in an unknown view
	filters  item.Filters[*query]
}

// NewCategories returns the use cases of categories, a hierarchical taxonomy.
func NewCategories(s *item.Service, taxonomy string) *UseCases {
	return newUseCases(s, true, &item.Kind{
		Name: "category", Collection: "categories", Singular: "Category", Plural: "Categories", Taxonomy: taxonomy,
		Texts: item.Texts{
			Tag: "doc_tag_categories",
			Operations: item.Operations{
				List: "summary_categories_list", Create: "summary_categories_create", Get: "summary_categories_get",
				Update: "summary_categories_update", Delete: "summary_categories_delete",
			},
			Page: "doc_categories", Item: "doc_term", InEvents: "doc_event_term",
			Unknown: "fault_categories", UnknownID: "fault_categories_id",
			Params: map[string]string{
				"page": "param_categories_page", "per_page": "param_categories_per_page", "search": "param_categories_search",
				"exclude": "param_categories_exclude", "include": "param_categories_include", "order": "param_categories_order",
				"orderby": "param_categories_orderby", "hide_empty": "param_categories_hide_empty", "parent": "param_categories_parent",
				"post": "param_categories_post", "event": "param_categories_event", "slug": "param_categories_slug",
			},
			Fields: map[string]string{
				"name": "param_categories_name", "description": "param_categories_description", "slug": "param_categories_set_slug",
				"parent": "param_categories_set_parent",
			},
			EventField: "param_events_field_categories", EventFilter: "param_events_categories",
		},
	})
}

// NewTags returns the use cases of tags, a flat taxonomy.
func NewTags(s *item.Service, taxonomy string) *UseCases {
	return newUseCases(s, false, &item.Kind{
		Name: "tag", Collection: "tags", Singular: "Tag", Plural: "Tags", Taxonomy: taxonomy,
		Texts: item.Texts{
			Tag: "doc_tag_tags",
			Operations: item.Operations{
				List: "summary_tags_list", Create: "summary_tags_create", Get: "summary_tags_get", Update: "summary_tags_update",
				Delete: "summary_tags_delete",
			},
			Page: "doc_tags", Item: "doc_term", InEvents: "doc_event_term",
			Unknown: "fault_tags", UnknownID: "fault_tags_id",
			Params: map[string]string{
				"page": "param_tags_page", "per_page": "param_tags_per_page", "search": "param_tags_search",
				"exclude": "param_tags_exclude", "include": "param_tags_include", "order": "param_tags_order",
				"orderby": "param_tags_orderby", "hide_empty": "param_tags_hide_empty",
				"post": "param_tags_post", "event": "param_tags_event", "slug": "param_tags_slug",
			},
			Fields: map[string]string{
				"name": "param_tags_name", "description": "param_tags_description", "slug": "param_tags_set_slug",
				"parent": "param_tags_set_parent",
			},
			EventField: "param_events_field_tags", EventFilter: "param_events_tags",
		},
	})
}

// newUseCases completes the declaration of a taxonomy.
func newUseCases(s *item.Service, tree bool, d *item.Kind) *UseCases {
	k := &UseCases{Kind: d, Service: s, Tree: tree}
	k.Errors.Exists = apierror.New(apierror.BadRequest, "term_exists", "error_term_exists").
		Documented("TermExists", "doc_error_term", []jsonschema.Member{jsonschema.Has("term_id", jsonschema.Int().Example(12))},
			jsonschema.Has("additional_data", jsonschema.List(jsonschema.Int().Example(12))))
	k.Errors.Slug = apierror.New(apierror.Conflict, "duplicate_term_slug", "error_term_slug")
	if !tree {
		k.Errors.Flat = apierror.New(apierror.BadRequest, "rest_taxonomy_not_hierarchical", "error_term_flat")
	}
	k.declareFields()
	k.filters = k.listFilters()
	k.Filters, k.Views = k.filters, []string{"view", "embed", "edit"}
	return k
}

// Add appends the host's own fields. The view "embed" does not have them.
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
	k.filters = append(k.filters, item.OwnFilters(declared, own, func(q *query) *item.Selection { return &q.Selection },
		func(q *query, f store.MetaFilter) { q.Meta = append(q.Meta, f) })...)
	k.Filters = k.filters
}
