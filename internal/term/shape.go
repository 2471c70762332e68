package term

import (
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
)

// Shapes are the forms of a term in answers: whole and embedded, each in a list and alone.
type Shapes struct{ Item, Details, Embedded, EmbeddedDetails *jsonschema.Schema }

// Shapes returns the forms of the kind's terms.
func (k *UseCases) Shapes() Shapes {
	return Shapes{
		Item:            k.Fields.Shape(k.Singular, item.InLists, false).Doc(k.Texts.Item),
		Details:         k.Fields.Shape(k.Singular+"Details", item.InSingle, false).Doc(k.Texts.Details),
		Embedded:        k.embedded.Shape("TermEmbed", item.InLists, false).Doc("doc_term_embed"),
		EmbeddedDetails: k.embedded.Shape("TermEmbedDetails", item.InSingle, false).Doc("doc_term_embed_details"),
	}
}
