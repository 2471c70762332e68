package link

import (
	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/wire"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// WriteLD writes an item as JSON-LD.
func (k *Kind) WriteLD(w *wire.Writer, v *post.View, it *Item) {
	w.Object()
	w.KeyString("@type", k.LDType)
	v.WriteLDHead(w, it.Post, it.Meta)
	k.LD(w, it)
	w.End()
}

// WritePlaceLD writes the members of a venue.
func WritePlaceLD(w *wire.Writer, it *Item) {
	m := it.Meta
	region := m.Text(schema.MetaVenueStateProvince)
	if region == "" && m.Text(schema.MetaVenueCountry) == "United States" {
		region = m.Text(schema.MetaVenueState)
	}
	if region == "" {
		region = m.Text(schema.MetaVenueProvince)
	}
	w.KeyString("url", "")
	w.KeyObject("address")
	w.KeyString("@type", "PostalAddress")
	for _, part := range [...]struct{ name, value string }{
		{"streetAddress", m.Text(schema.MetaVenueAddress)}, {"addressLocality", m.Text(schema.MetaVenueCity)},
		{"addressRegion", region}, {"postalCode", m.Text(schema.MetaVenueZip)}, {"addressCountry", m.Text(schema.MetaVenueCountry)},
	} {
		if part.value != "" {
			w.KeyString(part.name, part.value)
		}
	}
	w.End()
	w.KeyString("telephone", m.Text(schema.MetaVenuePhone))
	w.KeyString("sameAs", post.LDWebsite(m.Text(schema.MetaVenueURL)))
}

// WritePersonLD writes the members of an organizer. The e-mail address is
// written in entities, which keeps simple harvesters out.
func WritePersonLD(w *wire.Writer, it *Item) {
	website := post.LDWebsite(it.Meta.Text(schema.MetaOrganizerWebsite))
	w.KeyString("url", website)
	w.KeyString("telephone", it.Meta.Text(schema.MetaOrganizerPhone))
	w.KeyString("email", wp.LDEmail(it.Meta.Text(schema.MetaOrganizerEmail)))
	w.KeyString("sameAs", website)
}
