package term

import (
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
)

// NewCategories returns the use cases of categories, a hierarchical taxonomy.
func NewCategories(s *item.Service, taxonomy string) *UseCases {
	return newUseCases(s, true, &item.Resource{
		Storage: content.Storage{Collection: "categories", Taxonomy: taxonomy},
		Name:    "category", Singular: "Category", Plural: "Categories", Title: string(fieldName),
		Texts: item.Texts{
			Tag: "doc_tag_categories",
			Summaries: item.Summaries{
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
