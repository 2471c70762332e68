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
func Moment() *shape.Shape { return shape.Text().Example("2031-05-01 10:00:00") }

// statusShape is one of the states that a request can name to an effect.
func statusShape() *shape.Shape {
	return shape.Words(schema.StatusPublish, schema.StatusFuture, schema.StatusDraft, schema.StatusPending, schema.StatusPrivate, schema.StatusTrash)
}

// ImageShape is a picture. What else is stored about it is shown too.
func ImageShape() *shape.Shape {
	size := shape.Object("ImageSize",
		shape.Optional("width", shape.Int().Example(300)), shape.Optional("height", shape.Int().Example(200)), shape.Optional("mime-type", shape.Text().Example("image/jpeg")),
		shape.Optional("filesize", shape.Int().Example(11111)), shape.Has("url", shape.Text().Example("https://example.org/wp-content/uploads/2031/05/stage-300x200.jpg")),
	).Doc("doc_image_size").Opened()
	return shape.Object("Image",
		shape.Optional("url", shape.OneOf(shape.Text(), shape.Only(false)).Example("https://example.org/wp-content/uploads/2031/05/stage.jpg")),
		shape.Has("id", shape.Int().Example(45)), shape.Optional("extension", shape.Text().Example("jpg")),
		shape.Optional("width", shape.Int().Example(1200)), shape.Optional("height", shape.Int().Example(800)), shape.Optional("filesize", shape.Int().Example(345678)),
		shape.Optional("sizes", shape.Map(size)),
	).Doc("doc_image").Opened()
}

// GlobalIDs are the members that WriteGlobalID writes.
func GlobalIDs() []shape.Member {
	id := shape.Text().Example("example.org?id=123")
	return []shape.Member{shape.Has("global_id", id), shape.Has("global_id_lineage", shape.List(id))}
}

// LanguageMembers are the members that say, where the site tells languages apart, in
// which one an item is and where it is in others.
func LanguageMembers() []shape.Member {
	translation := shape.Object("Translation", shape.Has("id", shape.Int().Example(124)), shape.Has("url", shape.Text().Example("https://example.org/nl/event/zomerconcert/"))).Doc("doc_translation")
	return []shape.Member{
		shape.Optional("language", shape.Text().Example("en")),
		shape.Optional("translations", shape.OneOf(shape.Map(translation), shape.EmptyList())),
	}
}

// Dates are the members that say when a post was published and changed.
func Dates() []shape.Member {
	return []shape.Member{
		shape.Has("date", Moment()), shape.Has("date_utc", Moment()), shape.Has("modified", Moment()), shape.Has("modified_utc", Moment()),
	}
}

// LDHead are the members that WriteLDHead writes.
func LDHead() []shape.Member {
	return []shape.Member{
		shape.Has("name", shape.Text()), shape.Has("description", shape.Text()),
		shape.Optional("image", shape.OneOf(shape.Text(), shape.Only(false), shape.Null())),
	}
}

// ForEditing adds the texts as they are stored to a shape. name is the member
// that shows the title.
func ForEditing(s *shape.Shape, name string) *shape.Shape {
	return s.With(name, shape.Has("title_raw", shape.Text())).
		With("description", shape.Has("description_raw", shape.Text())).
		With("excerpt", shape.Has("excerpt_raw", shape.Text()))
}
