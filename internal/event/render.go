package event

import (
	"context"
	"strconv"
	"time"

	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/place"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// write writes an event. One that its password hides keeps its name, dates and
// addresses and nothing else.
func (k *Kind) write(ctx context.Context, r *rest.Request, b *batch, p *store.Post) {
	w, m := r.Out, b.own.Meta[p.ID]
	masked := !b.written && b.Locked(p)
	address := b.Address(ctx, p)
	w.Object()
	w.KeyInt("id", p.ID)
	b.WriteGlobalID(w, p, m)
	w.KeyString("author", resource.AuthorText(p))
	w.KeyString("status", p.Status)
	w.KeyString("date", p.Date)
	w.KeyString("date_utc", p.DateUTC)
	w.KeyString("modified", p.Modified)
	w.KeyString("modified_utc", p.ModifiedUTC)
	w.KeyString("url", address)
	w.KeyString("rest_url", r.Root.URL+"/events/"+strconv.FormatInt(p.ID, 10))
	w.KeyString("title", b.Title(p))
	b.writeRaw(w, "title_raw", p.Title)
	if masked {
		writeMasked(w, p, m)
		b.Versions.WritePost(ctx, w, p)
		w.End()
		return
	}
	w.KeyString("description", b.Content(p))
	b.writeRaw(w, "description_raw", p.Content)
	w.KeyString("excerpt", b.Excerpt(p))
	b.writeRaw(w, "excerpt_raw", p.Excerpt)
	w.KeyString("slug", p.Name)
	w.Key("image")
	if image, ok := b.Images.Of(m); ok {
		image.Write(w)
	} else {
		w.Bool(false)
	}
	w.KeyBool("all_day", wp.Truthy(m.Text(schema.MetaAllDay)))
	writeDates(w, m)
	writeCost(w, b, m)
	website, stored := m.First(schema.MetaURL)
	if website = wp.EscapeHTML(website); !stored {
		website = address // as it is
	}
	w.KeyString("website", website)
	w.KeyBool("show_map", switchedOn(m, schema.MetaShowMap))
	w.KeyBool("show_map_link", switchedOn(m, schema.MetaShowMapLink))
	w.KeyBool("hide_from_listings", m.Text(schema.MetaHideFromUpcoming) == "yes")
	w.KeyBool("sticky", p.MenuOrder == stickyOrder)
	w.KeyBool("featured", isFeatured(m.Text(schema.MetaFeatured)))
	venues := k.linkedItems(ctx, r, b, k.Venues, m[schema.MetaVenueID])
	organizers := k.linkedItems(ctx, r, b, k.Organizers, m[schema.MetaOrganizerID])
	k.writeRelations(ctx, r, b, p, venues, organizers)
	writeCustomFields(w, b, m)
	if b.Single && p.Password == "" {
		k.writeLD(ctx, w, b, p, m, address, venues, organizers)
	}
	b.Versions.WritePost(ctx, w, p)
	w.End()
}

// stickyOrder is the place of an event that comes before others of its date.
const stickyOrder = -1

func isFeatured(value string) bool {
	n, _, _ := wp.Numeric(value)
	return n == 1
}

// writeRaw writes a text as it is stored.
func (b *batch) writeRaw(w *phpjson.Writer, name, text string) {
	if b.raw {
		w.KeyString(name, text)
	}
}

func writeCustomFields(w *phpjson.Writer, b *batch, m store.Meta) {
	w.KeyObject("custom_fields")
	for _, f := range b.Settings.CustomFields {
		if value := m.Text(f.Name); value != "" && value != "0" {
			w.KeyObject(f.Name)
			w.KeyString("label", f.Label)
			w.KeyString("value", value)
			w.End()
		}
	}
	w.End()
}

// switchedOn reads a switch that is on unless it is stored as empty or "0".
func switchedOn(m store.Meta, key string) bool {
	v, stored := m.First(key)
	return !stored || phpval.Truthy(v)
}

// writeDates writes the stored dates as they are, each with its parts, and the
// zone they are in.
func writeDates(w *phpjson.Writer, m store.Meta) {
	for _, d := range [...]struct{ name, key string }{
		{"start_date", schema.MetaStartDate}, {"end_date", schema.MetaEndDate},
		{"utc_start_date", schema.MetaStartDateUTC}, {"utc_end_date", schema.MetaEndDateUTC},
	} {
		value, stored := m.First(d.key)
		w.Key(d.name)
		if stored {
			w.String(value)
		} else {
			w.Null()
		}
		writeDetails(w, d.name+"_details", value)
	}
	w.KeyString("timezone", m.Text(schema.MetaTimezone))
	w.KeyString("timezone_abbr", m.Text(schema.MetaTimezoneAbbr))
}

// writeDetails writes the parts of a date; those of 1970 for a text that is none.
func writeDetails(w *phpjson.Writer, name, value string) {
	t, ok := strtotime.ParseWall(value, time.UTC)
	if !ok {
		if m, parsed := strtotime.Parse(value, time.Unix(0, 0).UTC(), time.UTC); parsed && value != "" {
			t = m.Time.UTC()
		} else {
			t = time.Unix(0, 0).UTC()
		}
	}
	wall := strtotime.Wall(t)
	n := len(wall)
	w.KeyObject(name)
	w.KeyString("year", wall[:n-15])
	w.KeyString("month", wall[n-14:n-12])
	w.KeyString("day", wall[n-11:n-9])
	w.KeyString("hour", wall[n-8:n-6])
	w.KeyString("minutes", wall[n-5:n-3])
	w.KeyString("seconds", wall[n-2:])
	w.End()
}

func writeCost(w *phpjson.Writer, b *batch, m store.Meta) {
	cost := b.Cost(m)
	w.Key("cost")
	w.RawString(cost.Text)
	w.KeyObject("cost_details")
	w.KeyString("currency_symbol", m.Text(schema.MetaCurrencySymbol))
	w.KeyString("currency_code", m.Text(schema.MetaCurrencyCode))
	w.KeyString("currency_position", m.Text(schema.MetaCurrencyPosition))
	w.Key("values")
	w.RawString(cost.Values)
	w.End()
}

// writeRelations writes terms, venues and organizers. A single venue is an
// object, several are a list.
func (k *Kind) writeRelations(ctx context.Context, r *rest.Request, b *batch, p *store.Post, venues, organizers []*place.Item) {
	w := r.Out
	for _, kind := range []*term.Kind{k.Categories, k.Tags} {
		w.KeyArray(kind.Collection)
		for _, t := range b.Versions.ShownTerms(b.own.Terms[p.ID]) {
			if t.Taxonomy == kind.Taxonomy {
				kind.WriteNested(w, r, b.Versions, t)
			}
		}
		w.End()
	}
	w.Key("venue")
	if len(venues) == 1 {
		k.Venues.Write(ctx, w, b.View, venues[0])
	} else {
		writeItems(ctx, w, b, k.Venues, venues)
	}
	w.Key("organizer")
	writeItems(ctx, w, b, k.Organizers, organizers)
}

func writeItems(ctx context.Context, w *phpjson.Writer, b *batch, kind *place.Kind, items []*place.Item) {
	w.Array()
	for _, it := range items {
		kind.Write(ctx, w, b.View, it)
	}
	w.End()
}

// writeMasked writes the rest of an event that is hidden by its password.
func writeMasked(w *phpjson.Writer, p *store.Post, m store.Meta) {
	w.KeyString("description", "")
	w.KeyString("excerpt", "")
	w.KeyString("slug", p.Name)
	w.KeyBool("image", false)
	w.KeyNull("all_day")
	writeDates(w, m)
	w.KeyString("cost", "")
	w.KeyObject("cost_details")
	w.KeyString("currency_symbol", "")
	w.KeyString("currency_position", "")
	w.KeyString("currency_code", "")
	w.KeyArray("values")
	w.End()
	w.End()
	w.KeyString("website", "")
	for _, name := range [...]string{"show_map", "show_map_link", "hide_from_listings", "sticky", "featured"} {
		w.KeyNull(name)
	}
	for _, name := range [...]string{"categories", "tags", "venue", "organizer", "custom_fields"} {
		w.KeyArray(name)
		w.End()
	}
}
