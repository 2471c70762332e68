package resource

import (
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/shape"
	"github.com/agendahq/agenda/schema"
)

// Errors of writes and of reads for editors, for the documentation.
var (
	WriteErrors   = []*rest.Error{errUnknown, errUnstorable}
	MatchErrors   = []*rest.Error{errUnknown, errUnstorable, errChanged}
	ContextErrors = []*rest.Error{errContext}
	SlugErrors    = []*rest.Error{errAmbiguous} // of writes that find their post by its slug
)

// Moment is a date with its time as it is stored.
func moment() *shape.Shape { return shape.Text().Example("2031-05-01 10:00:00") }

// statusShape is one of the states that a request can name to an effect.
func statusShape() *shape.Shape {
	return shape.Words(schema.StatusPublish, schema.StatusFuture, schema.StatusDraft, schema.StatusPending, schema.StatusPrivate,
		schema.StatusTrash)
}

// ImageShape is a picture. What else is stored about it is shown too.
func imageShape() *shape.Shape {
	size := shape.Object("ImageSize",
		shape.Optional("width", shape.Int().Example(300)), shape.Optional("height", shape.Int().Example(200)),
		shape.Optional("mime-type", shape.Text().Example("image/jpeg")),
		shape.Optional("filesize", shape.Int().Example(11111)),
		shape.Has("url", shape.Text().Example("https://example.org/wp-content/uploads/2031/05/stage-300x200.jpg")),
	).Doc("doc_image_size").Opened()
	return shape.Object("Image",
		shape.Optional("url",
			shape.OneOf(shape.Text(), shape.Only(false)).Example("https://example.org/wp-content/uploads/2031/05/stage.jpg")),
		shape.Has("id", shape.Int().Example(45)), shape.Optional("extension", shape.Text().Example("jpg")),
		shape.Optional("width", shape.Int().Example(1200)), shape.Optional("height", shape.Int().Example(800)),
		shape.Optional("filesize", shape.Int().Example(345678)),
		shape.Optional("sizes", shape.Map(size)),
	).Doc("doc_image").Opened()
}

// LanguageShape is the language of an item.
func languageShape() *shape.Shape { return shape.Text().Example("en") }

// TranslationsShape is where an item is in other languages, by language.
func translationsShape() *shape.Shape {
	one := shape.Object("Translation", shape.Has("id", shape.Int().Example(124)),
		shape.Has("url", shape.Text().Example("https://example.org/nl/event/zomerconcert/"))).Doc("doc_translation")
	return shape.OneOf(shape.Map(one), shape.EmptyList())
}

// LanguageMembers are the members that say, where the site tells languages apart, in
// which one a term is and where it is in others.
func LanguageMembers() []shape.Member {
	return []shape.Member{shape.Optional(languageMember, languageShape()), shape.Optional(translationsMember, translationsShape())}
}

// LDHead are the members that WriteLDHead writes.
func LDHead() []shape.Member {
	return []shape.Member{
		shape.Has("name", shape.Text()), shape.Has("description", shape.Text()),
		shape.Optional("image", shape.OneOf(shape.Text(), shape.Only(false), shape.Null())),
	}
}
