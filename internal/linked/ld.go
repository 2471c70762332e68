package linked

import (
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// WriteItem writes an item as JSON-LD.
func (d LD) WriteItem(w *phpjson.Writer, it *item.Item) {
	w.Object()
	w.KeyString("@type", d.Type)
	it.WriteLDHead(w, it.Post, it.Meta)
	d.Write(w, it)
	w.End()
}

// Shape returns the schema of an item as JSON-LD.
func (d LD) Shape() *jsonschema.Schema {
	head := append([]jsonschema.Member{jsonschema.Has("@type", jsonschema.Only(d.Type))}, item.LDHead()...)
	return jsonschema.Object(d.Type+"LD", append(head, d.Members...)...).Doc("doc_ld").Undescribed()
}

// writePlaceLD writes the members of a venue. Parts of the address that are empty or "0" are omitted, as The Events
// Calendar does.
func writePlaceLD(w *phpjson.Writer, it *item.Item) {
	m := it.Meta
	w.KeyString("url", "")
	w.KeyObject("address")
	w.KeyString("@type", "PostalAddress")
	for _, part := range [...]struct{ name, value string }{
		{"streetAddress", render.LDText(m.Text(schema.MetaVenueAddress))}, {"addressLocality", render.LDText(m.Text(schema.MetaVenueCity))},
		{"addressRegion", ldRegion(m, it.Settings.Links.Locale)},
		{"postalCode", render.LDText(m.Text(schema.MetaVenueZip))}, {"addressCountry", render.LDText(m.Text(schema.MetaVenueCountry))},
	} {
		if phpval.Truthy(part.value) {
			w.KeyString(part.name, part.value)
		}
	}
	w.End()
	w.KeyString("telephone", render.LDText(m.Text(schema.MetaVenuePhone)))
	w.KeyString("sameAs", render.LDPlaceURL(m.Text(schema.MetaVenueURL)))
}

// ldRegion returns the state or province of a venue. The meta key that combines both takes precedence and is not
// escaped, as in The Events Calendar. Without it, the state is used for the United States, else the province.
func ldRegion(m store.Meta, locale string) string {
	if s := wp.TextField(m.Text(schema.MetaVenueStateProvince)); phpval.Truthy(s) {
		return s
	}
	if wp.TextField(m.Text(schema.MetaVenueCountry)) == wp.LocaleOf(locale).UnitedStates {
		return render.LDText(m.Text(schema.MetaVenueState))
	}
	return render.LDText(m.Text(schema.MetaVenueProvince))
}

// writePersonLD writes the members of an organizer. The email address is written as HTML entities, to hide it from
// simple harvesters.
func writePersonLD(w *phpjson.Writer, it *item.Item) {
	website := render.LDLink(it.Meta.Text(schema.MetaOrganizerWebsite))
	w.KeyString("url", website)
	w.KeyString("telephone", render.LDText(it.Meta.Text(schema.MetaOrganizerPhone)))
	w.KeyString("email", render.LDEmail(render.LDText(it.Meta.Text(schema.MetaOrganizerEmail))))
	w.KeyString("sameAs", website)
}

// placeLD returns the schemas of the members that writePlaceLD writes.
func placeLD() []jsonschema.Member {
	text := jsonschema.Text()
	address := jsonschema.Object("", jsonschema.Has("@type", jsonschema.Only("PostalAddress")), jsonschema.Optional("streetAddress", text),
		jsonschema.Optional("addressLocality", text), jsonschema.Optional("addressRegion", text), jsonschema.Optional("postalCode", text),
		jsonschema.Optional("addressCountry", text)).Undescribed()
	return []jsonschema.Member{
		jsonschema.Has("url", text), jsonschema.Has("address", address), jsonschema.Has("telephone", text), jsonschema.Has("sameAs", text),
	}
}

// personLD returns the schemas of the members that writePersonLD writes.
func personLD() []jsonschema.Member {
	text := jsonschema.Text()
	return []jsonschema.Member{
		jsonschema.Has("url", text), jsonschema.Has("telephone", text), jsonschema.Has("email", text), jsonschema.Has("sameAs", text),
	}
}
