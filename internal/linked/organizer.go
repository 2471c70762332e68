package linked

import (
	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/schema"
)

// Contact returns the name and email address of an organizer as plain text. The address is "" if a password hides the
// organizer.
func Contact(it *item.Item) (name, email string) {
	if !it.Masked {
		email = wp.PlainText(it.Meta.Text(schema.MetaOrganizerEmail))
	}
	return wp.PlainText(it.Post.Title), email
}

// Organizers declares organizers.
func Organizers(n schema.Names) *UseCases {
	k := &UseCases{
		Resource: &item.Resource{
			Storage: content.Storage{
				Collection: "organizers", PostType: n.Organizer, LinkKey: schema.MetaOrganizerID, Origin: schema.MetaOrganizerOrigin,
				Segment: func(s permalink.Settings) string { return wp.LocaleOf(s.Locale).Organizer },
				Rows: []string{
					schema.MetaOrganizerOrigin, schema.MetaThumbnailID, schema.MetaOrganizerPhone, schema.MetaOrganizerWebsite,
					schema.MetaOrganizerEmail,
				},
			},
			Name: "organizer", Singular: "Organizer", Plural: "Organizers",
			Errors: item.Errors{
				NotAccessible: apierror.New(apierror.Forbidden, "organizer-not-accessible", "error_organizer_not_accessible"),
				Page:          apierror.New(apierror.NotFound, "organizer-archive-page-not-found", "error_organizer_page"),
				NotCreated:    apierror.New(apierror.BadRequest, "could-not-create-organizer", "error_organizer_not_created"),
				InTrash:       apierror.New(apierror.Gone, "organizer-is-in-trash", "error_organizer_in_trash"),
			},
			Texts: item.Texts{
				Tag: "doc_tag_organizers",
				Summaries: item.Summaries{
					List: "summary_organizers_list", Create: "summary_organizers_create", Get: "summary_organizers_get",
					Update: "summary_organizers_update",
					Delete: "summary_organizers_delete", GetBySlug: "summary_organizers_get_by_slug",
					UpdateBySlug: "summary_organizers_update_by_slug",
					DeleteBySlug: "summary_organizers_delete_by_slug",
				},
				Page: "doc_organizers", Item: "doc_organizer", Data: "doc_organizer_data",
				Unknown: "fault_organizers", UnknownID: "fault_organizer_id",
				Params: map[string]string{
					"page": "param_organizers_page", "per_page": "param_organizers_per_page", "search": "param_organizers_search",
					"event": "param_organizers_event", "has_events": "param_organizers_has_events",
					"only_with_upcoming": "param_organizers_only_with_upcoming", "status": "param_organizers_status",
				},
				Fields: map[string]string{
					"author": "param_organizers_field_author", "date": "param_organizers_field_date",
					"date_utc":  "param_organizers_field_date_utc",
					"organizer": "param_organizers_field_organizer", "description": "param_organizers_field_description",
					"status": "param_organizers_field_status", "image": "param_organizers_field_image",
				},
				InEvents: "doc_field_event_organizer", EventField: "param_events_field_organizer", EventFilter: "param_events_organizer",
			},
		},
		Block: "tribe/event-organizer", TextsOnly: true,
		SearchKeys: []string{schema.MetaOrganizerPhone, schema.MetaOrganizerEmail, schema.MetaOrganizerWebsite},
		LD:         LD{Type: "Person", Of: "organizer", Write: writePersonLD, Members: personLD()},
	}
	k.Before = []*item.Field{
		k.Text("phone", schema.MetaOrganizerPhone, "param_organizers_field_phone"),
		k.Website(schema.MetaOrganizerWebsite, "param_organizers_field_website"),
		distinct(k.Text("email", schema.MetaOrganizerEmail, "param_organizers_field_email")),
	}
	return k
}
