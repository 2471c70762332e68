package registry

import (
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// Declared returns the use cases of events, with those of all other resources, without a site. They are for programs
// that only read declarations.
func Declared() *event.UseCases {
	names := schema.DefaultNames()
	return Register(item.New(item.Config{
		Content:  content.New(content.Config{Store: &store.Store{}, Types: Types(names, More{}), Taxonomies: Taxonomies(names)}),
		Language: param.Key[string]("i18n_language").Param(jsonschema.Text(), nil),
	}), names, More{})
}
