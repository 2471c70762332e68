package event

import (
	"time"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// morning is the current time in these tests.
var morning = time.Date(2026, 11, 21, 5, 24, 0, 0, time.UTC)

func events(now time.Time) *UseCases {
	n := schema.DefaultNames()
	types := content.Types{Type(n), linked.VenueType(n), linked.OrganizerType(n)}
	env := item.New(item.Config{
		Content: content.New(content.Config{
			Types: types, Taxonomies: []string{n.Category, n.Tag}, Now: func() time.Time { return now },
		}),
		MaxPageSize: 50, Language: param.Key[string]("i18n_language").Param(jsonschema.Text(), nil),
	})
	venues, organizers := linked.NewVenues(env, types[1]), linked.NewOrganizers(env, types[2])
	return New(&UseCases{
		Service: env, Linked: []*linked.UseCases{venues, organizers}, Venues: venues,
		Categories: term.NewCategories(env, n.Category),
		Tags:       term.NewTags(env, n.Tag),
	})
}

// settings returns the settings of a site in a zone.
func settings(zone string, change ...func(*site.Settings)) *site.Settings {
	s := &site.Settings{Location: strtotime.SiteZone(zone, 0), UTC: zone == "UTC"}
	for _, f := range change {
		f(s)
	}
	return s
}
