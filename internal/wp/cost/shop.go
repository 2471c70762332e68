package cost

import (
	"html"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// Shop is how a site displays costs if it uses Event Tickets. The zero value is a site without tickets.
type Shop struct {
	Active             bool   // prices of events with tickets are displayed in this format
	Sold               bool   // tickets are sold, so all costs have this symbol
	Code, Symbol       string // Symbol is HTML
	Suffix             bool   // the symbol follows the amount
	Decimal, Thousands string
	Decimals           int
}

// ShopText is Text for a site with Event Tickets. While the site sells tickets, numbers have the shop's symbol. If the
// event has tickets, its numbers also have the shop's format.
func (c List) ShopText(stored Currency, tickets bool) string {
	shop := c.format.Shop
	if !shop.Sold && !tickets {
		return c.Text(stored)
	}
	own := Currency{Symbol: html.UnescapeString(shop.Symbol), Code: shop.Code}
	if !shop.Sold {
		own = c.own(stored)
		shop.Symbol, shop.Suffix = wp.EscapeHTML(own.Symbol), c.suffix(stored)
	}
	return c.between(func(t token) string {
		switch {
		case t.mark.text != "" && !own.matches(t.mark.text):
			return wp.EscapeHTML(t.mark.before) + t.text + wp.EscapeHTML(t.mark.after)
		case !t.number || !tickets:
			return shop.Symbol + t.text
		case shop.Suffix:
			return shop.number(t.amount) + shop.Symbol
		}
		return shop.Symbol + shop.number(t.amount)
	})
}

// number formats an amount as a price.
func (s Shop) number(amount float64) string {
	whole, part, _ := strings.Cut(strconv.FormatFloat(amount, 'f', s.Decimals, 64), ".")
	var groups []string
	for len(whole) > 3 {
		groups, whole = append([]string{whole[len(whole)-3:]}, groups...), whole[:len(whole)-3]
	}
	text := strings.Join(append([]string{whole}, groups...), s.Thousands)
	if part != "" {
		text += s.Decimal + part
	}
	return wp.EscapeHTML(text)
}

// Free returns the word for "free" in the site's language.
func (f Format) Free() string { return wp.EscapeHTML(wp.LocaleOf(f.Locale).Free) }
