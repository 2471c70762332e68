package post

import (
	"strings"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wire"
	"github.com/agendahq/agenda/schema"
)

// Cost renders the stored costs of an event.
func (v *View) Cost(m store.Meta) string {
	symbol, position := m.Text(schema.MetaCurrencySymbol), m.Text(schema.MetaCurrencyPosition)
	settings := v.key + "\x00" + symbol + "\x00" + position
	return v.env.Texts.Render(costText, settings, joined(m[schema.MetaCost]), func(string) string {
		return v.Settings.Cost.Render(m[schema.MetaCost], symbol, position)
	})
}

// Price is the cost of an event without a currency: "0" for a free one.
func (v *View) Price(m store.Meta) string {
	format := v.Settings.Cost
	format.DefaultSymbol = ""
	price := v.env.Texts.Render(priceText, v.key, joined(m[schema.MetaCost]), func(string) string {
		return format.Render(m[schema.MetaCost], "", "")
	})
	if price == format.Free() {
		return "0"
	}
	return price
}

// WriteCostValues writes the single costs of an event as a list.
func (v *View) WriteCostValues(w *wire.Writer, m store.Meta) {
	rows := m[schema.MetaCost]
	w.RawString(v.env.Texts.Render(costJSON, v.key, joined(rows), func(string) string {
		made := &wire.Writer{}
		made.Array()
		for _, value := range v.Settings.Cost.Values(rows) {
			WriteValue(made, value)
		}
		made.End()
		return string(made.Bytes())
	}))
}

// joined are meta rows as one text: no stored text has a NUL.
func joined(rows []string) string { return strings.Join(rows, "\x00") }

// DefaultCurrency is the code of costs where neither event nor site names one.
const DefaultCurrency = "USD"

// CurrencyCode is the code of the currency of an event's costs.
func (v *View) CurrencyCode(m store.Meta) string {
	for _, code := range [...]string{m.Text(schema.MetaCurrencyCode), v.Settings.Currency} {
		if code != "" {
			return code
		}
	}
	return DefaultCurrency
}
