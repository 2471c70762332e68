// Package organizer declares those who hold events.
package organizer

import (
	"net/http"

	"github.com/agendahq/agenda/internal/link"
	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/schema"
)

// New returns the kind of organizers.
func New(env *post.Env) *link.Kind {
	return &link.Kind{
		Env: env, Name: "organizer", Collection: "organizers", Type: env.Names.Organizer, MetaKey: schema.MetaOrganizerID,
		Fields: []link.Field{
			{Name: "phone", Meta: schema.MetaOrganizerPhone}, {Name: "website", Meta: schema.MetaOrganizerWebsite},
			{Name: "email", Meta: schema.MetaOrganizerEmail},
		},
		Writes: []string{"phone", "website", "email"}, Origin: schema.MetaOrganizerOrigin,
		SearchKeys: []string{schema.MetaOrganizerPhone, schema.MetaOrganizerEmail, schema.MetaOrganizerWebsite},
		Errors: link.Errors{
			NotAccessible: rest.NewError(http.StatusForbidden, "organizer-not-accessible", "error_organizer_not_accessible"),
			Page:          rest.NewError(http.StatusNotFound, "organizer-archive-page-not-found", "error_organizer_page"),
			NotCreated:    rest.NewError(http.StatusBadRequest, "could-not-create-organizer", "error_organizer_not_created"),
			InTrash:       rest.NewError(http.StatusGone, "organizer-is-in-trash", "error_organizer_in_trash"),
		},
		LDType: "Person", LD: link.WritePersonLD,
		Address: func(l *permalink.Linker, p *store.Post) string { return l.Organizer(p.ID, p.Name, p.Status) },
	}
}
