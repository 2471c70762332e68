package term

import (
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
)

// NewTags returns the use cases of tags, a flat taxonomy.
func NewTags(s *item.Service, taxonomy string) *UseCases {
	return newUseCases(s, false, &item.Resource{
		Storage: content.Storage{Collection: "tags", Taxonomy: taxonomy},
		Name:    "tag", Singular: "Tag", Plural: "Tags", Title: string(fieldName),
		Texts: item.Texts{
			Tag: "doc_tag_tags",
			Summaries: item.Summaries{
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
