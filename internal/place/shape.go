package place

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/shape"
)

// Shapes are the forms in which answers show an item.
type Shapes struct {
	Item    *shape.Shape // in lists and after writes
	Details *shape.Shape // read alone
	Editing *shape.Shape // read alone by its editor
	Masked  *shape.Shape // hidden by its password
}

// documented are the message ids that describe the forms of a kind, by its name.
var documented = map[string]struct{ item, details, editing, data, list string }{
	"venue":     {"doc_venue", "doc_venue_details", "doc_venue_editing", "doc_venue_data", "doc_venues"},
	"organizer": {"doc_organizer", "doc_organizer_details", "doc_organizer_editing", "doc_organizer_data", "doc_organizers"},
}

// Shapes returns the forms of the kind's items. One without anything but texts
// is masked by emptying them, so its masked form is no other than the usual one.
func (k *Kind) Shapes() Shapes {
	name := strings.ToUpper(k.Name[:1]) + k.Name[1:]
	s := Shapes{Item: k.itemShape(name)}
	if k.Located {
		s.Masked = maskedShape(s.Item).As("Masked" + name).Doc("doc_masked")
	} else {
		s.Masked = s.Item
	}
	ld := shape.Has("json_ld", k.ldShape())
	s.Details = s.Item.As(name+"Details").Doc(documented[k.Name].details).With("", ld)
	s.Editing = resource.ForEditing(s.Details, k.Name).As(name + "ForEditing").Doc(documented[k.Name].editing)
	return s
}

// itemShape follows Write.
func (k *Kind) itemShape(name string) *shape.Shape {
	filled := shape.Text().Chars(1, 0)
	text, image := filled, resource.ImageShape()
	if !k.Located {
		text, image = shape.Text(), shape.OneOf(image, shape.Only(false)).Doc("doc_field_image")
	}
	members := slices.Concat(
		[]shape.Member{shape.Has("id", shape.Int().Example(123)), shape.Optional("author", filled.Example("2")), shape.Has("status", filled.Example("publish"))},
		resource.Dates(),
		[]shape.Member{
			shape.Has("url", filled.Example("https://example.org/"+k.Name+"/town-hall/")), shape.Optional(k.Name, filled.Example("Town hall")),
			shape.Optional("description", text), shape.Optional("excerpt", text), shape.Optional("slug", filled.Example("town-hall")), shape.Optional("image", image),
		})
	for _, f := range k.Fields {
		m := shape.Optional(f.Name, text)
		if f.Name == "website" {
			m.Shape = text.Example("https://example.org/")
		}
		members = append(members, m)
	}
	if k.Located {
		members = append(members, shape.Optional("geo_lat", shape.Number().Example(51.05)), shape.Optional("geo_lng", shape.Number().Example(3.72)),
			shape.Has("show_map", shape.Bool()), shape.Has("show_map_link", shape.Bool()))
	}
	return shape.Object(name, slices.Concat(members, resource.GlobalIDs(), resource.LanguageMembers())...).Doc(documented[k.Name].item)
}

// maskedShape empties what a password hides.
func maskedShape(s *shape.Shape) *shape.Shape {
	hidden := map[string]*shape.Shape{"image": shape.Only(false), "geo_lat": shape.Only(0), "geo_lng": shape.Only(0)}
	for _, name := range []string{"show_map", "show_map_link"} {
		hidden[name] = shape.Null()
	}
	for _, name := range []string{"description", "excerpt", "address", "city", "country", "province", "state", "zip", "phone", "website", "stateprovince"} {
		hidden[name] = shape.Only("")
	}
	return s.Set(hidden)
}

// ldShape is what WriteLD writes.
func (k *Kind) ldShape() *shape.Shape {
	head := append([]shape.Member{shape.Has("@type", shape.Only(k.LDType))}, resource.LDHead()...)
	text := shape.Text()
	name := k.LDType + "LD"
	if k.Located {
		address := shape.Object("", shape.Has("@type", shape.Only("PostalAddress")), shape.Optional("streetAddress", text), shape.Optional("addressLocality", text),
			shape.Optional("addressRegion", text), shape.Optional("postalCode", text), shape.Optional("addressCountry", text)).Undescribed()
		return shape.Object(name, append(head, shape.Has("url", text), shape.Has("address", address), shape.Has("telephone", text),
			shape.Has("sameAs", text))...).Doc("doc_ld").Undescribed()
	}
	return shape.Object(name, append(head, shape.Has("url", text), shape.Has("telephone", text), shape.Has("email", text),
		shape.Has("sameAs", text))...).Doc("doc_ld").Undescribed()
}

// LDShape is an item as JSON-LD.
func (k *Kind) LDShape() *shape.Shape { return k.ldShape() }

// DataShape is an item as an event takes it: of one that exists its id and what
// changes, of a new one its fields.
func (k *Kind) DataShape() *shape.Shape {
	name := strings.ToUpper(k.Name[:1]) + k.Name[1:] + "Data"
	o := param.Object(name, k.writeParams(false, true)).Doc(documented[k.Name].data)
	o.Members = append([]shape.Member{shape.Optional("id", shape.Int().From(0).Example(17))}, o.Members...)
	return o
}

// WriteErrors are those of writing an item by way of an event.
func (k *Kind) WriteErrors() []*rest.Error { return []*rest.Error{k.Errors.NotCreated} }
