package exchange

import (
	"slices"

	"github.com/agendahq/agenda/calendar"
	events "github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
)

// kinds contains the resources of a calendar, with what sources, formats and imports need from their declarations.
type kinds struct {
	events *kind
	linked []*kind // resources that events link, in the order of answers: posts, then terms
}

// kind is a resource.
type kind struct {
	Collection
	field    string      // the event field that links its items; "" for events
	title    string      // the field that contains an item's name
	one      bool        // an event links at most one item
	position bool        // its items have a Position
	added    bool        // The Events Calendar does not have it
	fields   []field     // of terms only those that are stored in meta rows
	declared item.Fields // of terms only those that a Record contains

	posts *item.Posts    // nil for terms
	terms *term.UseCases // nil for posts
}

// field is a field of a resource that a Record contains in its Values: a parameter of writes that has no field of its
// own in Record.
type field struct {
	*item.Field
	form  item.Form
	words bool // a flag that writes accept as a string
	added bool // The Events Calendar does not have it
}

// kindsOf returns the resources of a calendar, or if c is nil, those that all calendars have.
func kindsOf(c *calendar.Calendar) *kinds {
	if c == nil {
		return kindsFrom(registry.Declared())
	}
	return kindsFrom(registry.Of(c).Events)
}

func kindsFrom(declared *events.UseCases) *kinds {
	all := &kinds{events: &kind{Collection: Events, title: fieldTitle, posts: declared.Posts, declared: declared.Fields}}
	for _, k := range declared.Linked {
		all.linked = append(all.linked, linkedKind(k, k == declared.Venues))
	}
	for _, k := range []*term.UseCases{declared.Categories, declared.Tags} {
		all.linked = append(all.linked, &kind{
			Collection: Collection(k.Collection), field: k.Collection, title: "name", declared: termFields(k.Fields), terms: k,
			fields: metaFields(k.Kind),
		})
	}
	elsewhere := []string{fieldImage, fieldState, fieldTranslationOf}
	for _, k := range all.linked {
		elsewhere = append(elsewhere, k.field)
	}
	all.events.fields = fieldsOf(declared.Kind, declared.Fields, elsewhere)
	return all
}

func linkedKind(k *linked.UseCases, position bool) *kind {
	return &kind{
		Collection: Collection(k.Type.Collection), field: k.Name, title: k.Name, one: k.Type.LinksOne, position: position, posts: k.Posts,
		added: !item.Recorded(k.Kind), fields: fieldsOf(k.Kind, k.Fields, []string{fieldImage, fieldTranslationOf}), declared: k.Fields,
	}
}

// termFields returns the fields of a term that a Record contains in its Values. Its parent is in Record.Parent, because
// an id means nothing on another site.
func termFields(declared item.Fields) item.Fields {
	return slices.DeleteFunc(slices.Clone(declared), func(f *item.Field) bool { return f.Param == nil || f.Name == fieldParent })
}

// metaFields returns the fields that are stored in meta rows.
func metaFields(k *item.Kind) []field {
	return fieldsOf(k, slices.DeleteFunc(slices.Clone(k.Fields), func(f *item.Field) bool { return len(f.Keys) == 0 }), nil)
}

func fieldsOf(k *item.Kind, declared item.Fields, elsewhere []string) (list []field) {
	for _, f := range declared {
		// Writes of linked items do not accept a slug, but imports store it with the item's origin.
		if f.Param != nil && !slices.Contains(elsewhere, f.Name) || f.Name == fieldSlug {
			is := field{Field: f, form: f.Form(), added: !item.Recorded(k) || f.Param != nil && !item.RecordedField(k, f.Name)}
			is.words = is.form == item.FormFlag && item.FormOf(f.Param(false).Schema) == item.FormText
			list = append(list, is)
		}
	}
	return list
}

// forCollection returns the resource of a collection, or nil.
func (k *kinds) forCollection(c Collection) *kind {
	if c == Events {
		return k.events
	}
	if i := slices.IndexFunc(k.linked, func(l *kind) bool { return l.Collection == c }); i >= 0 {
		return k.linked[i]
	}
	return nil
}

// collections returns the collections of all resources: events first, then what they link.
func (k *kinds) collections() []Collection {
	list := []Collection{Events}
	for _, l := range k.linked {
		list = append(list, l.Collection)
	}
	return list
}

// order sorts the collections of linked items in the order of their declaration; unknown ones come last.
func (k *kinds) order(list []Collection) []Collection {
	at := func(c Collection) int {
		if i := slices.IndexFunc(k.linked, func(l *kind) bool { return l.Collection == c }); i >= 0 {
			return i
		}
		return len(k.linked)
	}
	slices.SortStableFunc(list, func(a, b Collection) int { return at(a) - at(b) })
	return list
}

// posts returns the linked resources that are posts.
func (k *kinds) posts() (list []*kind) {
	for _, l := range k.linked {
		if l.posts != nil {
			list = append(list, l)
		}
	}
	return list
}

// know sets the name field of a record and of the records that it links.
func (k *kinds) know(rec *Record) {
	if rec == nil {
		return
	}
	if is := k.forCollection(rec.Kind); is != nil {
		rec.title = is.title
	}
	k.know(rec.Parent)
	for _, list := range rec.Linked {
		for _, one := range list {
			k.know(one)
		}
	}
}

// has returns the field with a name, and whether there is one.
func (k *kind) has(name string) (field, bool) {
	if i := slices.IndexFunc(k.fields, func(f field) bool { return f.Name == name }); i >= 0 {
		return k.fields[i], true
	}
	return field{}, false
}

// column returns the CSV column of a field.
func (k *kind) column(name string) string {
	if k.field == "" || name == k.title {
		return name
	}
	return k.field + "." + name
}

// metaKey returns a meta key of the resource, together with the post type or taxonomy whose meta it is.
func (k *kind) metaKey(key string) store.MetaKey {
	if k.terms != nil {
		return store.MetaKey{Key: key, Taxonomy: k.terms.Taxonomy}
	}
	return store.MetaKey{Key: key, Type: k.posts.Type.PostType}
}
