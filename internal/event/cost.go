package event

import (
	"context"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/place"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/cost"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// Bounds of a cost that is written (D59): every read of the event renders it.
const (
	maxCosts     = 50
	maxCostChars = 200 // of each
)

// checkCost reads a cost, one value or a list of them, as the texts that are
// stored: one row each, none for a cost that is taken away; an empty text is an
// empty row.
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
		// What is stored may be longer: a lone "<" is escaped.
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

// costText is a value as text. Numbers are written out: nobody charges 1e+06.
func costText(v any) (string, bool) {
	switch x := v.(type) {
	case nil:
		return "", true
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64), true
	}
	return param.Scalar(v)
}

// fieldText is a text of a field as it is stored: decoded, on one line, without
// markup.
func fieldText(s string) string { return wp.TextField(render.DecodeSpecial(s)) }

// applyCost stores a cost with the currency that is written in it. The currency
// of another cost does not stay behind.
func applyCost(d *content.Edit, rows []string) {
	if len(rows) == 1 && rows[0] == "" && !d.Has(schema.MetaCost) {
		rows = nil // there is nothing to empty
	}
	if !d.New() && slices.Equal(rows, d.Meta(schema.MetaCost)) {
		return
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
}

// checkWebsite accepts an absolute web address, or nothing, which takes the
// address away.
func checkWebsite(ctx context.Context, v any) (string, error) {
	if list, isList := param.Elements(v); isList && len(list) == 0 {
		return "", nil
	}
	if s, ok := param.Scalar(v); ok && (s == "" || s == "0") {
		return "", nil
	}
	s, err := place.CheckWebsite(ctx, v)
	return fieldText(s), err
}

// applyWebsite stores an address. Without a row the event's own page stands for
// it, so one that is taken away leaves an empty row.
func applyWebsite(d *content.Edit, address string) {
	if address != "" || d.Has(schema.MetaURL) {
		d.Set(schema.MetaURL, address)
	}
}
