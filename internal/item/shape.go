package item

import (
	"github.com/agendahq/agenda/internal/shape"
	"github.com/agendahq/agenda/schema"
)

// moment is a date and time as stored.
func moment() *shape.Shape { return shape.Text().Example("2031-05-01 10:00:00") }

// statusShape is a status that a request can set.
func statusShape() *shape.Shape {
	return shape.Words(schema.StatusPublish, schema.StatusFuture, schema.StatusDraft, schema.StatusPending, schema.StatusPrivate,
		schema.StatusTrash).As("Status")
}

// imageShape is a picture, open for other stored metadata.
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

// languageShape is the language of an item.
func languageShape() *shape.Shape { return shape.Text().Example("en") }

// translationsShape are the versions of an item in other languages, by language.
func translationsShape() *shape.Shape {
	one := shape.Object("Translation", shape.Has("id", shape.Int().Example(124)),
		shape.Has("url", shape.Text().Example("https://example.org/nl/event/zomerconcert/"))).Doc("doc_translation")
	return shape.OneOf(shape.Map(one), shape.EmptyList()).As("Translations")
}

// LanguageMembers are the members for the language of a term and its versions in
// others, on a site with languages.
func LanguageMembers() []shape.Member {
	return []shape.Member{shape.Optional(languageMember, languageShape()), shape.Optional(translationsMember, translationsShape())}
}

// LDHead are the members that WriteLDHead writes.
func LDHead() []shape.Member {
	return []shape.Member{
		shape.Has("name", shape.Text()), shape.Has("description", shape.Text()),
		shape.Optional("image", shape.OneOf(shape.Text(), shape.Only(false), shape.Null()).As("ImageLD")),
	}
}
