package event

import (
	"context"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/cost"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// Limits of a cost in a request (D59), because every read of the event renders it.
const (
	maxCosts     = 50
	maxCostChars = 200 // of each cost
)

// costFields returns the fields for the cost of an event: the text, and its parts.
func costFields() []*item.Field {
	text := jsonschema.Text()
	one := []*jsonschema.Schema{text.Chars(0, maxCostChars), jsonschema.Number(), jsonschema.Bool()}
	return []*item.Field{
		{
			Name: string(fieldCost), Shape: text.Example("€10 – €20"), Masked: `""`, Keys: []string{schema.MetaCost},
			Value: func(w *phpjson.Writer, it *item.Item) { w.RawString(it.Cost(it.Meta, it.Tickets).Text) },
			Param: func(bool) *param.Param {
				part := jsonschema.OneOf(append(one, jsonschema.Null())...)
				takes := jsonschema.OneOf(append(one, jsonschema.List(part).UpTo(maxCosts), jsonschema.Map(part))...).As("CostInput")
				return fieldCost.Param(takes.Example("€ 10"), param.Checked(checkCost), param.Doc("param_events_field_cost"),
					param.Untyped())
			},
			Stored: func(it *item.Item) any {
				var rows []any
				for _, row := range it.Meta[schema.MetaCost] {
					rows = append(rows, row)
				}
				if rows == nil {
					return nil
				}
				return rows
			},
			Apply: applyCost,
		},
		{
			Name: "cost_details", Keys: []string{schema.MetaCurrencySymbol, schema.MetaCurrencyCode, schema.MetaCurrencyPosition},
			Masked: `{"currency_symbol":"","currency_position":"","currency_code":"","values":[]}`,
			Shape: jsonschema.Object("CostDetails", jsonschema.Has("currency_symbol", text.Example("€")),
				jsonschema.Has("currency_code", text.Example("EUR")),
				jsonschema.Has("currency_position", text.Example("prefix")),
				jsonschema.Has("values", jsonschema.List(text.Example("10"))).Doc("doc_field_cost_values")).Doc("doc_cost_details"),
			Value: writeCostDetails,
		},
	}
}

func writeCostDetails(w *phpjson.Writer, it *item.Item) {
	w.Object()
	c := it.Cost(it.Meta, it.Tickets)
	for _, part := range [...]struct{ name, value string }{
		{"currency_symbol", c.Symbol}, {"currency_code", c.Code}, {"currency_position", c.Position}, {"values", c.Values},
	} {
		w.Key(part.name)
		w.RawString(part.value)
	}
	w.End()
}

// checkCost reads a cost, which is one value or a list, and returns the rows to store: one per value, and none to
// remove the cost. An empty string becomes an empty row.
func checkCost(_ context.Context, v any) ([]string, error) {
	list, isList := param.Elements(v)
	if !isList {
		list = []any{v}
	}
	if len(list) > maxCosts {
		return nil, param.Invalid("fault_too_many", "Max", maxCosts)
	}
	rows, filled := make([]string, 0, len(list)), false
	for _, e := range list {
		s, ok := costText(e)
		if !ok {
			return nil, param.Invalid("fault_nested")
		}
		sent := utf8.RuneCountInString(s)
		s = fieldText(s)
		// The stored string may be longer than the given one, because a lone "<" is escaped.
		if max(sent, utf8.RuneCountInString(s)) > maxCostChars {
			return nil, param.Invalid("fault_too_long", "Max", maxCostChars)
		}
		rows, filled = append(rows, s), filled || s != ""
	}
	if !filled && v != "" {
		return []string{}, nil
	}
	return rows, nil
}

// costText returns a value as a string. Numbers are written without exponents.
func costText(v any) (string, bool) {
	switch x := v.(type) {
	case nil:
		return "", true
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64), true
	}
	return param.Scalar(v)
}

// fieldText returns the string of a field in its stored form: with entities decoded, on one line, and without markup.
func fieldText(s string) string { return wp.TextField(render.DecodeSpecial(s)) }

// applyCost stores a cost together with the currency that it contains. If it contains none, the stored currency is
// removed.
func applyCost(_ context.Context, in *item.Input, d *content.Edit) error {
	given := fieldCost.Given(in.Values)
	if given == nil {
		return nil
	}
	rows := *given
	if len(rows) == 1 && rows[0] == "" && !d.Has(schema.MetaCost) {
		rows = nil // there is no stored cost to empty
	}
	if !d.New() && slices.Equal(rows, d.Meta(schema.MetaCost)) {
		return nil
	}
	symbol, position := cost.DetectSymbol(rows)
	for _, row := range [...]struct{ key, value string }{
		{schema.MetaCurrencySymbol, symbol}, {schema.MetaCurrencyPosition, position},
	} {
		if row.value != "" || d.Has(row.key) {
			d.Set(row.key, row.value)
		}
	}
	d.Set(schema.MetaCost, rows...)
	return nil
}
