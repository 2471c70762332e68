package event

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// readTickets reads the tickets of a response's events, on a site with Event Tickets.
func (k *UseCases) readTickets(ctx context.Context, b *batch) error {
	settings := site.From(ctx).Tickets
	if len(settings.Kinds) == 0 {
		return nil
	}
	var keys []string
	if !b.Listed() {
		keys = store.OfferKeys
	}
	found, digest, err := k.Service.Content.Store.Tickets.ForEvents(ctx, slices.Sorted(maps.Keys(b.own.Posts)), settings.Kinds, keys...)
	b.tickets = found
	b.Show(digest)
	for _, t := range slices.Concat(slices.Collect(maps.Values(found))...) {
		if reduced(t) { // the price is reduced on some days, so the response depends on the current day
			b.Show(k.today(ctx))
			break
		}
	}
	return err
}

// today returns the current date in the site's zone.
func (k *UseCases) today(ctx context.Context) string {
	return k.Service.Content.Clock.Moment(ctx).In(site.From(ctx).Location).Format(time.DateOnly)
}

// withTickets returns the events that the filter ticketed selects: on a site with Event Tickets, those whose member
// ticketed is not false; on other sites, those for which any kind of tickets is stored (D31).
func (k *UseCases) withTickets(ctx context.Context) ([]int64, error) {
	if settings := site.From(ctx).Tickets; settings.Active {
		return k.Service.Content.Store.Tickets.Events(ctx, settings.Kinds)
	}
	return k.Service.Content.Store.Events.Ticketed(ctx)
}

// ticketed returns the field for the kinds of an event's tickets, which is false if there are none. Sites without Event
// Tickets lack it.
func ticketed() *item.Field {
	kinds := jsonschema.List(jsonschema.Words(schema.PaidTickets.Provider, schema.RSVPTickets.Provider).As("TicketKind"))
	return &item.Field{
		Name: "ticketed", Shape: jsonschema.OneOf(jsonschema.Only(false), kinds).As("Ticketed"), Maybe: true, Local: true,
		Absent: func(it *item.Item) bool { return !it.Settings.Tickets.Active },
		Stored: item.NotStored, Masked: "null",
		Value: func(w *phpjson.Writer, it *item.Item) {
			if len(it.Tickets) == 0 {
				w.Bool(false)
				return
			}
			w.Array()
			last := ""
			for _, t := range it.Tickets { // sorted by kind
				if t.Kind.Provider != last {
					last = t.Kind.Provider
					w.String(last)
				}
			}
			w.End()
		},
	}
}

// writeOffers writes the tickets of an event, if there are any.
func (lw ldWriter) writeOffers(w *phpjson.Writer, it *item.Item) {
	if len(it.Tickets) == 0 {
		return
	}
	currency := it.Settings.Tickets.Shop.Code
	w.KeyArray("offers")
	for _, t := range it.Tickets {
		w.Object()
		w.KeyString("@type", "Offer")
		w.KeyString("url", it.Link())
		w.KeyString("price", lw.price(it, t))
		w.KeyString("category", "primary")
		w.KeyString("availability", availability(t.Meta))
		w.KeyString("priceCurrency", currency)
		for _, bound := range []struct{ name, day, clock string }{
			{"validFrom", schema.MetaTicketStart, schema.MetaTicketStartClock}, {"validThrough", schema.MetaTicketEnd,
				schema.MetaTicketEndClock},
		} {
			if at, ok := saleMoment(t.Meta.Text(bound.day), t.Meta.Text(bound.clock), it.Settings.Location); ok {
				w.KeyString(bound.name, at.Format("2006-01-02T15:04:05-07:00"))
			}
		}
		w.End()
	}
	w.End()
}

// saleMoment returns the time that a stored start or end of a sale means, in the site's zone (D54). Its time of day may
// be stored separately.
func saleMoment(date, clock string, loc *time.Location) (time.Time, bool) {
	if len(date) == len(time.DateOnly) {
		date += " " + cmp.Or(clock, "00:00:00")
	}
	return strtotime.ParseWall(date, loc)
}

// few is the maximum stock at which a ticket has limited availability.
const few = 5

func availability(m store.Meta) string {
	stock, stored := m.First(schema.MetaTicketStock)
	switch n := phpval.Int(stock); {
	case !stored || stock == "" || n < 0 || m.Text(schema.MetaTicketLimited) == "no": // the stock is not limited
		return "InStock"
	case n == 0:
		return "SoldOut"
	case n <= few:
		return "LimitedAvailability"
	}
	return "InStock"
}

// reduced reports whether the price of a ticket is reduced on some days.
func reduced(t *store.Ticket) bool { return phpval.Truthy(t.Meta.Text(schema.MetaTicketReduced)) }

// price returns the current price of a ticket: the reduced price on days in the period of the sale.
func (lw ldWriter) price(it *item.Item, t *store.Ticket) string {
	if t.Kind == schema.RSVPTickets {
		return "0"
	}
	if reduced(t) {
		today := lw.events.today(it.Ctx)
		from, to := t.Meta.Text(schema.MetaTicketSaleStart), t.Meta.Text(schema.MetaTicketSaleEnd)
		if price := salePrice(t.Meta.Text(schema.MetaTicketSalePrice)); price != "" && (from == "" || from <= today) &&
			(to == "" || today <= to[:min(len(to), len(today))]) {
			return price
		}
	}
	price := strings.TrimSpace(t.Meta.Text(schema.MetaTicketPrice))
	if price == "" {
		return "0"
	}
	if _, _, numeric := wp.Numeric(price); numeric && strings.Contains(price, ".") {
		price = strings.TrimRight(strings.TrimRight(price, "0"), ".")
	}
	return price
}

// salePrice reads a stored reduced price: a serialized object or a plain string.
func salePrice(stored string) string {
	if text, ok := phpval.ObjectText(stored, "string"); ok {
		return text
	}
	return stored
}

// ticketOffer returns the schema of a ticket in json_ld.
func ticketOffer() *jsonschema.Schema {
	text := jsonschema.Text()
	return jsonschema.Object("TicketOffer", jsonschema.Has("@type", jsonschema.Only("Offer")), jsonschema.Has("url", text),
		jsonschema.Has("price", text.Example("12.5")), jsonschema.Has("category", text), jsonschema.Has("availability", text),
		jsonschema.Has("priceCurrency", text.Example("EUR")), jsonschema.Optional("validFrom", text),
		jsonschema.Optional("validThrough", text)).Undescribed()
}

// moveTickets moves the end of the sale of an event's tickets together with the start of the event. Tickets without a
// start of their sale get one. Event Tickets does both when an event is saved.
func (k *UseCases) moveTickets(ctx context.Context, d *content.Edit) error {
	settings := site.From(ctx).Tickets
	if len(settings.Kinds) == 0 || d.Stored == nil {
		return nil
	}
	was := d.StoredMeta()
	sale := store.Sale{}
	if start := d.Text(schema.MetaStartDate); start != was.Text(schema.MetaStartDate) {
		sale.End = start
	}
	if at, ok := strtotime.ParseWall(d.Row.Date, time.UTC); ok {
		sale.Start = strtotime.Wall(at.Truncate(30 * time.Minute))
	}
	return k.Service.Content.Store.Tickets.Move(ctx, d.Row.ID, settings.Kinds, sale)
}
