package schema

import (
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// ticketsPlugin is the file of the plugin Event Tickets.
const ticketsPlugin = "event-tickets/event-tickets.php"

// TicketKind is a kind of ticket: its post type, and the meta key that contains the id of its event.
type TicketKind struct{ Provider, PostType, EventKey string }

// The kinds of tickets of Event Tickets, in the order of answers.
var (
	PaidTickets = TicketKind{"tc", "tec_tc_ticket", MetaTicketForEvent}
	RSVPTickets = TicketKind{"rsvp", "tribe_rsvp_tickets", MetaRSVPForEvent}
)

// Meta keys of tickets. Dates are in the site's time zone. The start and end of sale may have their times in keys of
// their own.
const (
	MetaTicketPrice      = "_price"
	MetaTicketReduced    = "_sale_price_checked" // "1" if there is a sale price, for a range of days
	MetaTicketSalePrice  = "_sale_price"         // serialized
	MetaTicketSaleStart  = "_sale_price_start_date"
	MetaTicketSaleEnd    = "_sale_price_end_date"
	MetaTicketLimited    = "_manage_stock"
	MetaTicketStock      = "_stock"
	MetaTicketStart      = "_ticket_start_date"
	MetaTicketEnd        = "_ticket_end_date"
	MetaTicketStartClock = "_ticket_start_time"
	MetaTicketEndClock   = "_ticket_end_time"
	MetaTicketManual     = "_tribe_ticket_manual_updated" // one row for each key of the sale that was entered by hand
)

// TicketSettings are the settings of Event Tickets; the zero value if it is not active.
type TicketSettings struct {
	Active bool
	Kinds  []TicketKind // kinds that events of the site can have
	Shop   ShopCurrency
}

// ShopCurrency is how the shop displays prices.
type ShopCurrency struct {
	Active             bool   // prices of tickets are displayed in this format
	Sold               bool   // tickets are sold, so all costs have this symbol
	Code, Symbol       string // Symbol is HTML
	Suffix             bool   // the symbol follows the amount
	Decimal, Thousands string
	Decimals           int
}

// shopSymbols maps currency codes to symbols, exactly as Event Tickets writes them.
var shopSymbols = map[string]string{
	"AUD": "&#x41;&#x24;", "BRL": "&#82;&#x24;", "CAD": "&#x24;", "CHF": "&#x43;&#x48;&#x46;", "CZK": "&#x4b;&#x10d;",
	"DKK": "&#107;&#114;", "EUR": "&#8364;", "GBP": "&#163;", "HKD": "&#x24;", "HUF": "&#x46;&#x74;", "ILS": "&#x20aa;",
	"INR": "&#x20B9;", "JPY": "&#165;", "MYR": "&#82;&#77;", "MXN": "&#x24;", "NZD": "&#x24;", "PHP": "&#x20b1;",
	"PLN": "&#x7a;&#x142;", "RUB": "&#x20BD;", "SEK": "&#x6b;&#x72;", "SGD": "&#x53;&#x24;", "THB": "&#x0e3f;",
	"TWD": "&#x4e;&#x54;&#x24;", "USD": "&#x24;",
}

// TicketsOf returns the settings of Event Tickets, given the site's options. event is the post type of events.
func TicketsOf(options map[string]string, event string) (s TicketSettings) {
	if !PluginActive(options, ticketsPlugin) {
		return s
	}
	calendar := phpval.ArrayOf(options[OptionCalendar]) // if it is no list, all settings have their defaults
	s.Active, s.Shop = true, shopOf(calendar)
	if s.Shop.Sold = phpval.Truthy(calendar.At("tickets_commerce_enabled")); s.Shop.Sold {
		s.Kinds = []TicketKind{PaidTickets}
	}
	for _, t := range calendar.ArrayAt("ticket-enabled-post-types").All() {
		if phpval.Text(t) == event {
			s.Kinds = append(s.Kinds, RSVPTickets)
			return s
		}
	}
	s.Kinds = nil
	return s
}

func shopOf(calendar *phpval.Array) ShopCurrency {
	word := func(name, unless string) string {
		v, stored := calendar.Get("tickets-commerce-currency-" + name)
		if !stored {
			return unless
		}
		return phpval.Text(v)
	}
	c := ShopCurrency{
		Active: true, Code: word("code", "USD"), Suffix: word("position", "prefix") == "postfix",
		Decimal: word("decimal-separator", "."), Thousands: word("thousands-separator", ","),
		Decimals: int(min(max(phpval.Int(word("number-of-decimals", "2")), 0), 10)),
	}
	c.Symbol = shopSymbols[c.Code]
	return c
}
