package item

import (
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/schema"
)

// moment returns the schema of a date and time as it is stored.
func moment() *jsonschema.Schema { return jsonschema.Text().Example("2031-05-01 10:00:00") }

// givenMoment returns the schema of a date and time in a request, in any format that can be parsed.
func givenMoment() *jsonschema.Schema { return moment().Chars(1, 0) }

// statusShape returns the schema of a status that a request can set.
func statusShape() *jsonschema.Schema {
	return jsonschema.Words(schema.RegisteredStatuses...).As("Status")
}

// imageShape returns the schema of an image. It allows additional members, for other stored metadata.
func imageShape() *jsonschema.Schema {
	size := jsonschema.Object("ImageSize",
		jsonschema.Optional("width", jsonschema.Int().Example(300)), jsonschema.Optional("height", jsonschema.Int().Example(200)),
		jsonschema.Optional("mime-type", jsonschema.Text().Example("image/jpeg")),
		jsonschema.Optional("filesize", jsonschema.Int().Example(11111)),
		jsonschema.Has("url", jsonschema.Text().Example("https://example.org/wp-content/uploads/2031/05/stage-300x200.jpg")),
	).Doc("doc_image_size").Opened()
	return jsonschema.Object("Image",
		jsonschema.Optional("url",
			jsonschema.OneOf(jsonschema.Text(), jsonschema.Only(false)).
				Example("https://example.org/wp-content/uploads/2031/05/stage.jpg")),
		jsonschema.Has("id", jsonschema.Int().Example(45)), jsonschema.Optional("extension", jsonschema.Text().Example("jpg")),
		jsonschema.Optional("width", jsonschema.Int().Example(1200)), jsonschema.Optional("height", jsonschema.Int().Example(800)),
		jsonschema.Optional("filesize", jsonschema.Int().Example(345678)),
		jsonschema.Optional("sizes", jsonschema.Map(size)),
	).Doc("doc_image").Opened()
}

// languageShape returns the schema of the language of an item.
func languageShape() *jsonschema.Schema { return jsonschema.Text().Example("en") }

// translationsShape returns the schema of the translations of an item, by language.
func translationsShape() *jsonschema.Schema {
	one := jsonschema.Object("Translation", jsonschema.Has("id", jsonschema.Int().Example(124)),
		jsonschema.Has("url", jsonschema.Text().Example("https://example.org/nl/event/zomerconcert/"))).Doc("doc_translation")
	return jsonschema.OneOf(jsonschema.Map(one), jsonschema.EmptyList()).As("Translations")
}

// LDHead returns the schemas of the members that WriteLDHead writes.
func LDHead() []jsonschema.Member {
	return []jsonschema.Member{
		jsonschema.Has("name", jsonschema.Text()), jsonschema.Has("description", jsonschema.Text()),
		jsonschema.Optional("image", jsonschema.OneOf(jsonschema.Text(), jsonschema.Only(false), jsonschema.Null()).As("ImageLD")),
	}
}
