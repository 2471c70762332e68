package exchange

import (
	"slices"

	"github.com/agendahq/agenda/calendar"
	events "github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
)

// resources contains the resources of a calendar, with what sources, formats and imports need from their declarations.
type resources struct {
	events *resource
	linked []*resource // resources that events link, in the order of answers: posts, then terms
}

// resource is a resource, as records contain it.
type resource struct {
	*item.Resource
	Collection
	field    string      // the event field that links its items; "" for events
	position bool        // its items have a Position
	fields   []field     // of terms only those that are stored in meta rows
	declared item.Fields // of terms only those that a Record contains

	cases item.UseCases
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

// resourcesOf returns the resources of a calendar, or if c is nil, those that all calendars have.
func resourcesOf(c *calendar.Calendar) *resources {
	if c == nil {
		return resourcesFrom(registry.Declared())
	}
	return resourcesFrom(registry.Of(c).Events)
}

func resourcesFrom(declared *events.UseCases) *resources {
	all := &resources{events: &resource{
		Resource: declared.Resource, Collection: Events, declared: declared.Fields, cases: declared.Posts,
	}}
	elsewhere := []string{fieldImage, fieldState, fieldTranslationOf}
	for _, k := range declared.Linked {
		all.linked = append(all.linked, &resource{
			Resource: k.Resource, Collection: Collection(k.Resource.Collection), field: k.Name, position: k == declared.Venues,
			fields: fieldsOf(k.Resource, k.Fields, []string{fieldImage, fieldTranslationOf}), declared: k.Fields, cases: k.Posts,
		})
	}
	for _, k := range []*term.UseCases{declared.Categories, declared.Tags} {
		all.linked = append(all.linked, &resource{
			Resource: k.Resource, Collection: Collection(k.Resource.Collection), field: k.Resource.Collection,
			fields: fieldsOf(k.Resource, metaFields(k.Fields), nil), declared: termFields(k.Fields), cases: k, terms: k,
		})
	}
	for _, k := range all.linked {
		elsewhere = append(elsewhere, k.field)
	}
	all.events.fields = fieldsOf(declared.Resource, declared.Fields, elsewhere)
	return all
}

// termFields returns the fields of a term that a Record contains in its Values. Its parent is in Record.Parent, because
// an id means nothing on another site.
func termFields(declared item.Fields) item.Fields {
	return slices.DeleteFunc(slices.Clone(declared), func(f *item.Field) bool { return f.Param == nil || f.Name == fieldParent })
}

// metaFields returns the fields of a term that are stored in meta rows.
func metaFields(declared item.Fields) item.Fields {
	return slices.DeleteFunc(slices.Clone(declared), func(f *item.Field) bool { return f.ApplyMeta == nil })
}

func fieldsOf(k *item.Resource, declared item.Fields, elsewhere []string) (list []field) {
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
func (k *resources) forCollection(c Collection) *resource {
	if c == Events {
		return k.events
	}
	if i := slices.IndexFunc(k.linked, func(l *resource) bool { return l.Collection == c }); i >= 0 {
		return k.linked[i]
	}
	return nil
}

// collections returns the collections of all resources: events first, then what they link.
func (k *resources) collections() []Collection {
	list := []Collection{Events}
	for _, l := range k.linked {
		list = append(list, l.Collection)
	}
	return list
}

// order sorts the collections of linked items in the order of their declaration; unknown ones come last.
func (k *resources) order(list []Collection) []Collection {
	at := func(c Collection) int {
		if i := slices.IndexFunc(k.linked, func(l *resource) bool { return l.Collection == c }); i >= 0 {
			return i
		}
		return len(k.linked)
	}
	slices.SortStableFunc(list, func(a, b Collection) int { return at(a) - at(b) })
	return list
}

// posts returns the linked resources that are posts.
func (k *resources) posts() (list []*resource) {
	for _, l := range k.linked {
		if l.terms == nil {
			list = append(list, l)
		}
	}
	return list
}

// know sets the name field of a record and of the records that it links.
func (k *resources) know(rec *Record) {
	if rec == nil {
		return
	}
	if is := k.forCollection(rec.Kind); is != nil {
		rec.title = is.Title
	}
	k.know(rec.Parent)
	for _, list := range rec.Linked {
		for _, one := range list {
			k.know(one)
		}
	}
}

// has returns the field with a name, and whether there is one.
func (k *resource) has(name string) (field, bool) {
	if i := slices.IndexFunc(k.fields, func(f field) bool { return f.Name == name }); i >= 0 {
		return k.fields[i], true
	}
	return field{}, false
}

// column returns the CSV column of a field.
func (k *resource) column(name string) string {
	if k.field == "" || name == k.Title {
		return name
	}
	return k.field + "." + name
}

// metaKey returns a meta key of the resource, together with the post type or taxonomy whose meta it is.
func (k *resource) metaKey(key string) store.MetaKey {
	if k.terms != nil {
		return store.MetaKey{Key: key, Taxonomy: k.Taxonomy}
	}
	return store.MetaKey{Key: key, Type: k.PostType}
}
