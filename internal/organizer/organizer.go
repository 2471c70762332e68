// Package organizer declares those who hold events.
package organizer

import (
	"github.com/agendahq/agenda/internal/link"
	"github.com/agendahq/agenda/internal/post"
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
		LDType:     "Person", LD: link.WritePersonLD,
		Address: func(l *permalink.Linker, p *store.Post) string { return l.Organizer(p.ID, p.Name, p.Status) },
	}
}
