package term

import (
	"slices"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
)

// Shape returns the schema of a term in responses. Members that the view "embed" does not have are optional.
func (k *UseCases) Shape() *jsonschema.Schema {
	s := k.Fields.Shape(k.Singular).Doc(k.Texts.Item)
	for i, m := range s.Members {
		embedded := slices.ContainsFunc(k.embedded, func(f *item.Field) bool { return f.Name == m.Name })
		s.Members[i].Optional = m.Optional || !embedded
	}
	return s
}
