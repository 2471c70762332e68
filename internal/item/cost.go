package item

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/cost"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Cost contains the members of an event's cost in a response, each encoded as JSON.
type Cost struct {
	Text                   string // the cost with its currency, for display
	Symbol, Code, Position string // of the currency
	Values                 string // a list of the amounts
	Price                  string // the price for JSON-LD, without a currency; "" if the event has no cost
	PriceCurrency          string // an ISO code
}

// Cost renders the stored cost of an event with the given tickets. The result is cached by what is stored (D59).
func (v *View) Cost(m store.Meta, tickets []*store.Ticket) Cost {
	reply := slices.ContainsFunc(tickets, func(t *store.Ticket) bool { return t.Kind == schema.RSVPTickets })
	rows := costRows(m[schema.MetaCost])
	stored := storedCurrency(m)
	settings := append(append(make([]byte, 0, 512), v.settingsKey()...), 0)
	for _, text := range []string{stored.Symbol, stored.Code, stored.Position} {
		settings = strconv.AppendQuote(settings, text)
	}
	// The cache key contains the length of each row: rows may contain any character, so none can separate them.
	for _, row := range rows {
		settings = append(strconv.AppendInt(settings, int64(len(row)), 10), ' ')
	}
	settings = strconv.AppendBool(strconv.AppendBool(settings, len(tickets) > 0), reply)
	made := v.env.Texts.Render(costJSON, string(settings), strings.Join(rows, ""), func(string) string {
		costs, values := v.Settings.Cost.Read(rows), &phpjson.Writer{}
		values.Array()
		for _, value := range costs.Values() {
			WriteValue(values, value)
		}
		values.End()
		currency, text := costs.Currency(stored), costs.Text(stored)
		switch {
		case len(rows) == 0 && reply:
			text = v.Settings.Cost.Free()
		case v.Settings.Cost.Shop.Active:
			text = costs.ShopText(stored, len(tickets) > 0)
		}
		return strings.Join([]string{
			textJSON(text), textJSON(currency.Symbol), textJSON(currency.Code), textJSON(currency.Position),
			string(values.Bytes()), textJSON(costs.Price()), textJSON(cmp.Or(costs.Code(stored), defaultCurrency)),
		}, partEnd)
	})
	parts := strings.Split(made, partEnd)
	c := Cost{parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6]}
	if c.Price == `""` {
		c.Price = ""
	}
	return c
}

// costRows returns the rows of a cost. Several costs may also be stored as a list within one row.
func costRows(stored []string) (rows []string) {
	for _, row := range stored {
		switch value := phpval.Stored(row).(type) {
		case *phpval.Array:
			for _, e := range value.All() {
				rows = append(rows, phpval.Text(e))
			}
		default:
			rows = append(rows, row)
		}
	}
	return rows
}

func storedCurrency(m store.Meta) cost.Currency {
	return cost.Currency{
		Symbol: m.Text(schema.MetaCurrencySymbol), Code: m.Text(schema.MetaCurrencyCode), Position: m.Text(schema.MetaCurrencyPosition),
	}
}

// partEnd separates the parts of a rendered cost. JSON never contains it.
const partEnd = "\x00"

func textJSON(s string) string {
	w := &phpjson.Writer{}
	w.String(s)
	return string(w.Bytes())
}

// defaultCurrency is the currency code of costs that are stored without a currency.
const defaultCurrency = "USD"
