package linked

import (
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
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

// Shape is the shape of an item as JSON-LD.
func (d LD) Shape() *jsonschema.Schema {
	head := append([]jsonschema.Member{jsonschema.Has("@type", jsonschema.Only(d.Type))}, item.LDHead()...)
	return jsonschema.Object(d.Type+"LD", append(head, d.Members...)...).Doc("doc_ld").Undescribed()
}

// writePlaceLD writes the members of a venue. Parts of its address that are
// empty or "0" are left out.
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
		if given(part.value) {
			w.KeyString(part.name, part.value)
		}
	}
	w.End()
	w.KeyString("telephone", render.LDText(m.Text(schema.MetaVenuePhone)))
	w.KeyString("sameAs", render.LDPlaceURL(m.Text(schema.MetaVenueURL)))
}

// ldRegion returns the state or province of a venue. The field for both comes first
// and is not escaped, as clients expect; without it the country decides which of the
// two is shown.
func ldRegion(m store.Meta, locale string) string {
	if s := wp.TextField(m.Text(schema.MetaVenueStateProvince)); given(s) {
		return s
	}
	if wp.TextField(m.Text(schema.MetaVenueCountry)) == wp.LocaleOf(locale).UnitedStates {
		return render.LDText(m.Text(schema.MetaVenueState))
	}
	return render.LDText(m.Text(schema.MetaVenueProvince))
}

// given reports whether a text is a value: the stored "0" is none.
func given(s string) bool { return s != "" && s != "0" }

// writePersonLD writes the members of an organizer. The e-mail address is written in
// entities against simple harvesters.
func writePersonLD(w *phpjson.Writer, it *item.Item) {
	website := render.LDLink(it.Meta.Text(schema.MetaOrganizerWebsite))
	w.KeyString("url", website)
	w.KeyString("telephone", render.LDText(it.Meta.Text(schema.MetaOrganizerPhone)))
	w.KeyString("email", render.LDEmail(render.LDText(it.Meta.Text(schema.MetaOrganizerEmail))))
	w.KeyString("sameAs", website)
}

// placeLD are the members that writePlaceLD writes.
func placeLD() []jsonschema.Member {
	text := jsonschema.Text()
	address := jsonschema.Object("", jsonschema.Has("@type", jsonschema.Only("PostalAddress")), jsonschema.Optional("streetAddress", text),
		jsonschema.Optional("addressLocality", text), jsonschema.Optional("addressRegion", text), jsonschema.Optional("postalCode", text),
		jsonschema.Optional("addressCountry", text)).Undescribed()
	return []jsonschema.Member{
		jsonschema.Has("url", text), jsonschema.Has("address", address), jsonschema.Has("telephone", text), jsonschema.Has("sameAs", text),
	}
}

// personLD are the members that writePersonLD writes.
func personLD() []jsonschema.Member {
	text := jsonschema.Text()
	return []jsonschema.Member{
		jsonschema.Has("url", text), jsonschema.Has("telephone", text), jsonschema.Has("email", text), jsonschema.Has("sameAs", text),
	}
}
