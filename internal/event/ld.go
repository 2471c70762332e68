package event

import (
	"fmt"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// ldWriter writes events as JSON-LD.
type ldWriter struct{ events *UseCases }

// linkedData returns the field for an event as JSON-LD, with the first visible post of each linked resource.
func (lw ldWriter) linkedData() *item.Field {
	return &item.Field{
		Name: "json_ld", In: item.InSingle, Maybe: true, Masked: item.Omitted, Shape: lw.ldShape(),
		Keys:   []string{schema.MetaEventStatus},
		Absent: func(it *item.Item) bool { return it.Post.Password != "" },
		Value:  lw.writeLD,
	}
}

func (lw ldWriter) writeLD(w *phpjson.Writer, it *item.Item) {
	p, m := it.Post, it.Meta
	address := it.LinkerFor(it.Ctx, p).LD(it.Link())
	w.Object()
	w.KeyString("@context", "http://schema.org")
	w.KeyString("@type", "Event")
	it.WriteLDHead(w, p, m)
	w.KeyString("url", address)
	lw.writeOffers(w, it)
	w.KeyString("eventAttendanceMode", "https://schema.org/OfflineEventAttendanceMode")
	w.KeyString("eventStatus", "https://schema.org/"+ldStatus(m.Text(schema.MetaEventStatus)))
	w.KeyString("startDate", lw.ldDate(it, schema.MetaStartDate))
	w.KeyString("endDate", lw.ldDate(it, schema.MetaEndDate))
	for i, kind := range lw.events.Linked {
		writeFirstLD(w, kind, it.Linked[i])
	}
	if cost := it.Cost(m, nil); cost.Price != "" && len(it.Tickets) == 0 {
		w.KeyObject("offers")
		w.KeyString("@type", "Offer")
		w.Key("price")
		w.RawString(cost.Price)
		w.Key("priceCurrency")
		w.RawString(cost.PriceCurrency)
		w.KeyString("url", address)
		w.KeyString("category", "primary")
		w.KeyString("availability", "inStock")
		day, _, _ := strings.Cut(p.Date, " ")
		if day == "0000-00-00" {
			day = "1970-01-01"
		}
		w.KeyString("validFrom", day+"T00:00:00+00:00")
		w.End()
	}
	w.KeyString("performer", "Organization")
	w.End()
}

// writeFirstLD writes the first of the linked posts of a resource, or false if a password hides it.
func writeFirstLD(w *phpjson.Writer, kind *linked.UseCases, items []*item.Item) {
	if len(items) == 0 || kind.LD.Of == "" {
		return
	}
	w.Key(kind.LD.Of)
	if items[0].Masked {
		w.Bool(false)
		return
	}
	kind.LD.WriteItem(w, items[0])
}

func ldStatus(stored string) string {
	switch stored {
	case StatusCanceled:
		return "EventCancelled"
	case StatusPostponed:
		return "EventPostponed"
	}
	return "EventScheduled"
}

// dated reports whether ldDate shows both stored dates, rather than the current time.
func dated(m store.Meta) bool {
	_, start := strtotime.ParseWall(m.Text(schema.MetaStartDate), time.UTC)
	_, end := strtotime.ParseWall(m.Text(schema.MetaEndDate), time.UTC)
	return start && end
}

// ldDate returns a stored date with the offset of its zone, or that of UTC if the zone is unknown. If the site shows
// all events in the site's zone, the date is converted to it. Any string may be stored; one that is not a date is shown
// as the current time in UTC, as The Events Calendar does.
func (lw ldWriter) ldDate(it *item.Item, key string) string {
	zone, _ := Zone(it)
	text := it.Meta.Text(key)
	t, ok := strtotime.ParseWall(text, zone)
	if !ok {
		if n, digits := strtotime.Seconds(text); digits && n != 0 && text[0] != '+' {
			t = time.Unix(n, 0).UTC()
		} else if t, ok = lw.events.anyDate(it, text); !ok {
			t = lw.events.Service.Content.Clock.Moment(it.Ctx).UTC()
		}
		y, m, d := t.Date()
		t = time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), 0, zone)
	}
	if it.Settings.InSiteZone {
		t = t.In(it.Settings.Location)
	}
	if t.Year() < 0 { // a stored date that consists of zeros
		t = t.UTC()
		return fmt.Sprintf("%04d%s", t.Year(), t.Format("-01-02T15:04:05-07:00"))
	}
	return t.Format("2006-01-02T15:04:05-07:00")
}

// anyDate parses a stored string that does not have the usual form of a date, in UTC.
func (k *UseCases) anyDate(it *item.Item, text string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, false
	}
	m, ok := strtotime.ParseFunc(text, func() time.Time { return k.Service.Content.Clock.Moment(it.Ctx).UTC() }, time.UTC)
	return m.Time.UTC(), ok
}

// ldShape returns the schema of linkedData.
func (lw ldWriter) ldShape() *jsonschema.Schema {
	text := jsonschema.Text()
	offer := jsonschema.Object("", jsonschema.Has("@type", jsonschema.Only("Offer")), jsonschema.Has("price", text.Example("10")),
		jsonschema.Has("priceCurrency", text.Example("EUR")),
		jsonschema.Has("url", text), jsonschema.Has("category", text), jsonschema.Has("availability", text),
		jsonschema.Has("validFrom", text)).Undescribed()
	context, name := jsonschema.Has("@context", jsonschema.Only("http://schema.org")), jsonschema.Has("@type", jsonschema.Only("Event"))
	head := append([]jsonschema.Member{context, name}, item.LDHead()...)
	members := append(head, jsonschema.Has("url", text), jsonschema.Has("eventAttendanceMode", text), jsonschema.Has("eventStatus", text),
		jsonschema.Has("startDate", text), jsonschema.Has("endDate", text))
	for _, kind := range lw.events.Linked {
		if kind.LD.Of != "" {
			members = append(members, jsonschema.Optional(kind.LD.Of, jsonschema.OneOf(kind.LD.Shape(), jsonschema.Only(false))))
		}
	}
	members = append(members, jsonschema.Optional("offers", jsonschema.OneOf(offer, jsonschema.List(ticketOffer()))),
		jsonschema.Has("performer", text))
	return jsonschema.Object("EventLD", members...).Doc("doc_ld").Undescribed()
}
