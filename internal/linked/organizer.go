package linked

import (
	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/schema"
)

// OrganizerType declares organizers of events.
func OrganizerType(n schema.Names) *content.Type {
	return &content.Type{
		PostType: n.Organizer, Collection: "organizers", LinkKey: schema.MetaOrganizerID, Origin: schema.MetaOrganizerOrigin,
		Segment: func(s permalink.Settings) string { return wp.LocaleOf(s.Locale).Organizer },
		Rows: []string{
			schema.MetaOrganizerOrigin, schema.MetaThumbnailID, schema.MetaOrganizerPhone, schema.MetaOrganizerWebsite,
			schema.MetaOrganizerEmail,
		},
	}
}

// Contact returns the name of an organizer and its e-mail address as texts, no address
// where a password hides the organizer.
func Contact(it *item.Item) (name, email string) {
	if !it.Masked {
		email = wp.PlainText(it.Meta.Text(schema.MetaOrganizerEmail))
	}
	return wp.PlainText(it.Post.Title), email
}

// NewOrganizers returns the kind of organizers.
func NewOrganizers(s *item.Service, t *content.Type) *Kind {
	k := &Kind{
		Kind: &item.Kind{
			Name: "organizer", Collection: t.Collection, Singular: "Organizer", Plural: "Organizers", Type: t,
			Errors: item.Errors{
				NotAccessible: apierror.New(apierror.Forbidden, "organizer-not-accessible", "error_organizer_not_accessible"),
				Page:          apierror.New(apierror.NotFound, "organizer-archive-page-not-found", "error_organizer_page"),
				NotCreated:    apierror.New(apierror.BadRequest, "could-not-create-organizer", "error_organizer_not_created"),
				InTrash:       apierror.New(apierror.Gone, "organizer-is-in-trash", "error_organizer_in_trash"),
			},
		},
		Service: s, Block: "tribe/event-organizer", Index: 12, TextsOnly: true,
		SearchKeys: []string{schema.MetaOrganizerPhone, schema.MetaOrganizerEmail, schema.MetaOrganizerWebsite},
		LD:         LD{Type: "Person", Of: "organizer", Write: writePersonLD, Members: personLD()},
	}
	return k.Declare([]*item.Field{
		k.Text("phone", schema.MetaOrganizerPhone, 9), k.Website(schema.MetaOrganizerWebsite, 10),
		k.Text("email", schema.MetaOrganizerEmail, 11),
	}, nil, true)
}
