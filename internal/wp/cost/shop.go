package cost

import (
	"html"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// Shop is how a site shows costs whose events may have tickets. The zero value is that of a site without a shop.
type Shop struct {
	Active             bool   // prices of events with tickets have its form
	Sold               bool   // tickets are sold: all costs have its symbol
	Code, Symbol       string // Symbol is HTML
	Suffix             bool   // the symbol comes last
	Decimal, Thousands string
	Decimals           int
}

// ShopText is Text on a site with a shop: numbers have its symbol while it sells tickets, and where the event has tickets its
// form of prices.
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
		case t.mark.text != "" && !own.is(t.mark.text):
			return wp.EscapeHTML(t.mark.before) + t.text + wp.EscapeHTML(t.mark.after)
		case !t.number || !tickets:
			return shop.Symbol + t.text
		case shop.Suffix:
			return shop.number(t.amount) + shop.Symbol
		}
		return shop.Symbol + shop.number(t.amount)
	})
}

// number writes an amount as prices are written.
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

// Free is the word for what costs nothing.
func (f Format) Free() string { return wp.EscapeHTML(wp.LocaleOf(f.Locale).Free) }
