package place

import (
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// WriteLD writes an item as JSON-LD.
func (k *Kind) WriteLD(w *phpjson.Writer, v *resource.View, it *Item) {
	w.Object()
	w.KeyString("@type", k.LDType)
	v.WriteLDHead(w, it.Post, it.Meta)
	k.LD(w, v, it)
	w.End()
}

// WritePlaceLD writes the members of a venue. Parts of its address that are
// empty or "0" are left out.
func WritePlaceLD(w *phpjson.Writer, v *resource.View, it *Item) {
	m := it.Meta
	w.KeyString("url", "")
	w.KeyObject("address")
	w.KeyString("@type", "PostalAddress")
	for _, part := range [...]struct{ name, value string }{
		{"streetAddress", render.LDText(m.Text(schema.MetaVenueAddress))}, {"addressLocality", render.LDText(m.Text(schema.MetaVenueCity))},
		{"addressRegion", ldRegion(m, v.Settings.Links.Locale)},
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

// ldRegion is the state or province of a venue. The field for both comes first and
// is shown without escaping, as clients know it; without it the country decides
// which one is meant, and the other one is not taken for it.
func ldRegion(m store.Meta, locale string) string {
	if s := wp.TextField(m.Text(schema.MetaVenueStateProvince)); given(s) {
		return s
	}
	if wp.UnitedStates(wp.TextField(m.Text(schema.MetaVenueCountry)), locale) {
		return render.LDText(m.Text(schema.MetaVenueState))
	}
	return render.LDText(m.Text(schema.MetaVenueProvince))
}

// given reports whether a text counts as one: the stored "0" does not.
func given(s string) bool { return s != "" && s != "0" }

// WritePersonLD writes the members of an organizer. The e-mail address is
// written in entities, which keeps simple harvesters out.
func WritePersonLD(w *phpjson.Writer, _ *resource.View, it *Item) {
	website := render.LDLink(it.Meta.Text(schema.MetaOrganizerWebsite))
	w.KeyString("url", website)
	w.KeyString("telephone", render.LDText(it.Meta.Text(schema.MetaOrganizerPhone)))
	w.KeyString("email", render.LDEmail(render.LDText(it.Meta.Text(schema.MetaOrganizerEmail))))
	w.KeyString("sameAs", website)
}
