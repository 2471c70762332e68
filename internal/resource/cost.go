package resource

import (
	"fmt"
	"strings"

	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// Cost is what answers show of the costs of an event, each part as JSON.
type Cost struct {
	Text   string // with the currency
	Values string // a list
	Price  string // without a currency, "" for an event without costs
}

// Cost renders the stored costs of an event, once for what is stored (D59).
func (v *View) Cost(m store.Meta) Cost {
	rows := m[schema.MetaCost]
	symbol, position := m.Text(schema.MetaCurrencySymbol), m.Text(schema.MetaCurrencyPosition)
	// The ends of rows count too, and no character is free to mark them.
	lengths := make([]int, len(rows))
	for i, row := range rows {
		lengths[i] = len(row)
	}
	settings := fmt.Sprintf("%s\x00%q\x00%q\x00%d", v.key, symbol, position, lengths)
	made := v.env.Texts.Render(costJSON, settings, strings.Join(rows, ""), func(string) string {
		costs, values := v.Settings.Cost.Read(rows), &phpjson.Writer{}
		values.Array()
		for _, value := range costs.Values() {
			writeValue(values, value)
		}
		values.End()
		return textJSON(costs.Text(symbol, position)) + partEnd + string(values.Bytes()) + partEnd + textJSON(costs.Price())
	})
	var c Cost
	c.Text, made, _ = strings.Cut(made, partEnd)
	c.Values, c.Price, _ = strings.Cut(made, partEnd)
	if c.Price == `""` {
		c.Price = ""
	}
	return c
}

// partEnd ends a part of a rendered cost: JSON never contains it.
const partEnd = "\x00"

func textJSON(s string) string {
	w := &phpjson.Writer{}
	w.String(s)
	return string(w.Bytes())
}

// defaultCurrency is the code of costs without a currency.
const defaultCurrency = "USD"

// CurrencyCode returns the code of the currency of an event's costs.
func (v *View) CurrencyCode(m store.Meta) string {
	for _, code := range [...]string{m.Text(schema.MetaCurrencyCode), v.Settings.Currency} {
		if code != "" {
			return code
		}
	}
	return defaultCurrency
}
