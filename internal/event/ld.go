package event

import (
	"context"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/place"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// writeLD writes an event as JSON-LD, with the first of the venues and
// organizers that the caller sees.
func (k *Kind) writeLD(ctx context.Context, w *phpjson.Writer, b *batch, p *store.Post, m store.Meta, address string, venues, organizers []*place.Item) {
	address = b.Of(ctx, p).LD(address)
	w.KeyObject("json_ld")
	w.KeyString("@context", "http://schema.org")
	w.KeyString("@type", "Event")
	b.WriteLDHead(w, p, m)
	w.KeyString("url", address)
	w.KeyString("eventAttendanceMode", "https://schema.org/OfflineEventAttendanceMode")
	w.KeyString("eventStatus", "https://schema.org/"+ldStatus(m.Text(schema.MetaEventStatus)))
	w.KeyString("startDate", k.ldDate(b, m, schema.MetaStartDate))
	w.KeyString("endDate", k.ldDate(b, m, schema.MetaEndDate))
	writeFirstLD(w, "location", b, k.Venues, venues)
	writeFirstLD(w, "organizer", b, k.Organizers, organizers)
	if cost := b.Cost(m); cost.Price != "" {
		w.KeyObject("offers")
		w.KeyString("@type", "Offer")
		w.Key("price")
		w.RawString(cost.Price)
		w.KeyString("priceCurrency", b.CurrencyCode(m))
		w.KeyString("url", address)
		w.KeyString("category", "primary")
		w.KeyString("availability", "inStock")
		day, _, _ := strings.Cut(p.Date, " ")
		w.KeyString("validFrom", day+"T00:00:00+00:00")
		w.End()
	}
	w.KeyString("performer", "Organization")
	w.End()
}

// writeFirstLD writes the first item, false if its password hides it.
func writeFirstLD(w *phpjson.Writer, name string, b *batch, kind *place.Kind, items []*place.Item) {
	if len(items) == 0 {
		return
	}
	w.Key(name)
	if items[0].Masked {
		w.Bool(false)
		return
	}
	kind.WriteLD(w, b.View, items[0])
}

func ldStatus(stored string) string {
	switch stored {
	case "canceled":
		return "EventCancelled"
	case "postponed":
		return "EventPostponed"
	}
	return "EventScheduled"
}

// dated tells that ldDate shows the stored dates and not this moment.
func dated(m store.Meta) bool {
	_, start := strtotime.ParseWall(m.Text(schema.MetaStartDate), time.UTC)
	_, end := strtotime.ParseWall(m.Text(schema.MetaEndDate), time.UTC)
	return start && end
}

// ldDate is a stored date with the offset of its zone: the event's, the site's
// for an event without one, none for one that is not known. A site that shows
// events in its own zone converts them.
func (k *Kind) ldDate(b *batch, m store.Meta, key string) string {
	zone := b.Settings.Location
	if name := m.Text(schema.MetaTimezone); name != "" {
		known := false
		if zone, known = strtotime.Zone(name); !known {
			zone = time.UTC
		}
	}
	t, ok := strtotime.ParseWall(m.Text(key), zone)
	if !ok {
		t = k.Now().In(zone)
	}
	if b.Settings.InSiteZone {
		t = t.In(b.Settings.Location)
	}
	return t.Format("2006-01-02T15:04:05-07:00")
}
