package place

import (
	"net/http"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/schema"
)

// OrganizerType declares those who hold events.
func OrganizerType(n schema.Names) *content.Type {
	return &content.Type{
		PostType: n.Organizer, Collection: "organizers", LinkKey: schema.MetaOrganizerID,
		Segment: func(s permalink.Settings) string { return wp.LocaleOf(s.Locale).Organizer },
	}
}

// NewOrganizers returns the kind of organizers.
func NewOrganizers(env *resource.Service, t *content.Type) *Kind {
	return &Kind{
		Service: env, Type: t, Name: "organizer",
		Fields: []Field{
			{Name: "phone", Meta: schema.MetaOrganizerPhone}, {Name: "website", Meta: schema.MetaOrganizerWebsite},
			{Name: "email", Meta: schema.MetaOrganizerEmail},
		},
		Writes: []param.Key[string]{"phone", "website", "email"}, Origin: schema.MetaOrganizerOrigin,
		SearchKeys: []string{schema.MetaOrganizerPhone, schema.MetaOrganizerEmail, schema.MetaOrganizerWebsite},
		Errors: Errors{
			NotAccessible: rest.NewError(http.StatusForbidden, "organizer-not-accessible", "error_organizer_not_accessible"),
			Page:          rest.NewError(http.StatusNotFound, "organizer-archive-page-not-found", "error_organizer_page"),
			NotCreated:    rest.NewError(http.StatusBadRequest, "could-not-create-organizer", "error_organizer_not_created"),
			InTrash:       rest.NewError(http.StatusGone, "organizer-is-in-trash", "error_organizer_in_trash"),
		},
		LDType: "Person", LD: WritePersonLD,
	}
}
