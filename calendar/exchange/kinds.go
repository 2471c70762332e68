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

// kinds are the kinds of a calendar with what their declarations say to sources, forms and imports.
type kinds struct {
	events *kind
	linked []*kind // what events link, in the order of answers: posts, then terms
}

// kind is a kind of items.
type kind struct {
	Collection
	field    string      // of events, that links items of the kind; "" for events
	title    string      // the field with the name of an item
	one      bool        // an event links one item
	position bool        // its items have a Position
	added    bool        // The Events Calendar lacks it
	fields   []field     // of terms those of the host's own
	declared item.Fields // of terms those that a Record has values of

	posts *item.Posts    // nil for a kind of terms
	terms *term.UseCases // nil for a kind of posts
}

// field is a value of a Record: a field that writes take, but for those that a Record holds elsewhere
// than in its Values.
type field struct {
	*item.Field
	form  item.Form
	words bool // a flag that writes take as a word
	added bool // The Events Calendar lacks it
}

// kindsOf returns the kinds of a calendar, without one those that all calendars have.
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
			fields: ownFields(k.Kind),
		})
	}
	elsewhere := []string{fieldImage, fieldState}
	for _, k := range all.linked {
		elsewhere = append(elsewhere, k.field)
	}
	all.events.fields = fieldsOf(declared.Kind, declared.Fields, elsewhere)
	return all
}

func linkedKind(k *linked.UseCases, position bool) *kind {
	return &kind{
		Collection: Collection(k.Type.Collection), field: k.Name, title: k.Name, one: k.Type.LinksOne, position: position, posts: k.Posts,
		added: !item.Recorded(k.Kind), fields: fieldsOf(k.Kind, k.Fields, []string{fieldImage}), declared: k.Fields,
	}
}

// termFields returns the fields that the Record of a term has values of. The term above it is its Parent: an id means
// nothing elsewhere.
func termFields(declared item.Fields) item.Fields {
	return slices.DeleteFunc(slices.Clone(declared), func(f *item.Field) bool { return f.Param == nil || f.Name == fieldParent })
}

// ownFields returns the fields of a host's own.
func ownFields(k *item.Kind) []field {
	return fieldsOf(k, slices.DeleteFunc(slices.Clone(k.Fields), func(f *item.Field) bool { return !f.Own }), nil)
}

func fieldsOf(k *item.Kind, declared item.Fields, elsewhere []string) (list []field) {
	for _, f := range declared {
		// Writes of linked items take no slug, but imports store it with the origin of an item.
		if f.Param != nil && !slices.Contains(elsewhere, f.Name) || f.Name == fieldSlug {
			is := field{Field: f, form: f.Form(), added: !item.Recorded(k) || f.Param != nil && !item.RecordedField(k, f.Name)}
			is.words = is.form == item.FormFlag && item.FormOf(f.Param(false).Schema) == item.FormText
			list = append(list, is)
		}
	}
	return list
}

// of returns the kind of a collection, nil for none.
func (k *kinds) of(c Collection) *kind {
	if c == Events {
		return k.events
	}
	if i := slices.IndexFunc(k.linked, func(l *kind) bool { return l.Collection == c }); i >= 0 {
		return k.linked[i]
	}
	return nil
}

// collections are those of all kinds: of events, then of what they link.
func (k *kinds) collections() []Collection {
	list := []Collection{Events}
	for _, l := range k.linked {
		list = append(list, l.Collection)
	}
	return list
}

// order sorts the collections of linked items as the kinds are declared; unknown ones come last.
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

// posts are the linked kinds that are posts.
func (k *kinds) posts() (list []*kind) {
	for _, l := range k.linked {
		if l.posts != nil {
			list = append(list, l)
		}
	}
	return list
}

// know notes in a record, and what it links, which of its values is its name.
func (k *kinds) know(rec *Record) {
	if rec == nil {
		return
	}
	if is := k.of(rec.Kind); is != nil {
		rec.title = is.title
	}
	k.know(rec.Parent)
	for _, list := range rec.Linked {
		for _, one := range list {
			k.know(one)
		}
	}
}

// has returns the field of a name, and whether there is one.
func (k *kind) has(name string) (field, bool) {
	if i := slices.IndexFunc(k.fields, func(f field) bool { return f.Name == name }); i >= 0 {
		return k.fields[i], true
	}
	return field{}, false
}

// column returns the name of a field in a row.
func (k *kind) column(name string) string {
	if k.field == "" || name == k.title {
		return name
	}
	return k.field + "." + name
}

// metaKey returns where the kind's items have the rows of a meta key.
func (k *kind) metaKey(key string) store.MetaKey {
	if k.terms != nil {
		return store.MetaKey{Key: key, Taxonomy: k.terms.Taxonomy}
	}
	return store.MetaKey{Key: key, Type: k.posts.Type.PostType}
}
