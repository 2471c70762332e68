package cost

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

type costMeta struct {
	Rows     []string `json:"_EventCost"`
	Symbol   string   `json:"_EventCurrencySymbol"`
	Position string   `json:"_EventCurrencyPosition"`
	Options  struct {
		Symbol  *string         `json:"defaultCurrencySymbol"`
		Reverse json.RawMessage `json:"reverseCurrencyPosition"`
	}
}

// format returns the format of a site with these options.
func (m costMeta) format(t *testing.T) Format {
	t.Helper()
	f := Format{DefaultSymbol: "$"}
	if m.Options.Symbol != nil {
		f.DefaultSymbol = *m.Options.Symbol
	}
	switch s := string(m.Options.Reverse); s {
	case `true`, `"1"`:
		f.Suffix = true
	case ``, `false`, `"0"`:
	default:
		t.Fatal(s)
	}
	return f
}

type costOut struct {
	Cost   string
	Values []any
}

func (f Format) both(rows []string, symbol, position string) costOut {
	return costOut{f.Read(rows).Text(Currency{Symbol: symbol, Position: position}), f.Read(rows).Values()}
}

// decided returns the results that D47 gives in place of recorded ones, by the JSON of their rows.
func decided(t *testing.T, name string) map[string]costOut {
	t.Helper()
	list := map[string]costOut{}
	golden.Each(t, name, func(rows, text string, values []any) { list[rows] = costOut{text, values} })
	return list
}

// TestCostVectors checks the recorded costs with "€" after the number, or "$" before it if there are several rows.
func TestCostVectors(t *testing.T) {
	costD47 := decided(t, "cost-decided.txt")
	type vector struct {
		Group string
		In    costMeta
		Out   struct {
			Cost    string
			Details struct{ Values []any } `json:"cost_details"`
		}
	}
	used := 0
	for i, v := range golden.Load[vector](t, "cost.json", 127) {
		raw := must.Get(json.Marshal(v.In.Rows))(t)
		got, recorded := v.In.format(t).both(v.In.Rows, v.In.Symbol, v.In.Position), costOut{v.Out.Cost, v.Out.Details.Values}
		want := recorded
		if decided, ok := costD47[string(raw)]; ok {
			used++
			want = decided
			if reflect.DeepEqual(want, recorded) {
				t.Errorf("%s: D47 changes nothing", raw)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d %s %s %q %q: %q, want %q", i, v.Group, raw, v.In.Symbol, v.In.Position, got, want)
		}
	}
	if used != len(costD47) {
		t.Errorf("%d of %d superseded rows found", used, len(costD47))
	}
}

// TestD75 checks the recorded notations. Where a decision differs from what was recorded, the decision counts.
func TestD75(t *testing.T) {
	type answer struct {
		Cost    string
		Details struct {
			Symbol   string `json:"currency_symbol"`
			Code     string `json:"currency_code"`
			Position string `json:"currency_position"`
			Values   []any
		} `json:"cost_details"`
	}
	type vector struct {
		Group string
		In    struct {
			Rows     []string `json:"_EventCost"`
			Symbol   string   `json:"_EventCurrencySymbol"`
			Position string   `json:"_EventCurrencyPosition"`
			Code     string   `json:"_EventCurrencyCode"`
		}
		Out        answer
		Decided    *answer
		Superseded string `json:"superseded_by"`
	}
	used, costD47more := map[string]bool{}, decided(t, "cost-2-decided.txt")
	for _, v := range golden.Load[vector](t, "cost-2.json", 414) {
		raw := must.Get(json.Marshal(v.In.Rows))(t)
		want := v.Out
		switch decided, ok := costD47more[string(raw)]; {
		case v.Decided != nil:
			want = *v.Decided
		case ok:
			used[string(raw)] = true
			want.Cost, want.Details.Values = decided.Cost, decided.Values
			if reflect.DeepEqual(want, v.Out) {
				t.Errorf("%s: D47 changes nothing", raw)
			}
		}
		read := Format{DefaultSymbol: "$"}.Read(v.In.Rows)
		stored := Currency{v.In.Symbol, v.In.Code, v.In.Position}
		shown, got := read.Currency(stored), answer{Cost: read.Text(stored)}
		got.Details.Symbol, got.Details.Code, got.Details.Position = shown.Symbol, shown.Code, shown.Position
		got.Details.Values = read.Values()
		for i, value := range want.Details.Values {
			if n, ok := value.(float64); ok {
				want.Details.Values[i] = int64(n)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s %q %s: %q, want %q", v.Group, raw, stored, v.Superseded, got, want)
		}
	}
	if len(used) != len(costD47more) {
		t.Errorf("%d of %d superseded rows found", len(used), len(costD47more))
	}
}

// TestD47 checks the examples in the decision.
func TestD47(t *testing.T) {
	type vector struct {
		In struct {
			Rows             []string
			Symbol, Position string
		}
		Out costOut
	}
	for _, v := range golden.Load[vector](t, "cost-d47.json", 16) {
		if got := (Format{DefaultSymbol: "$"}).both(v.In.Rows, v.In.Symbol, v.In.Position); !reflect.DeepEqual(got, v.Out) {
			t.Errorf("%q %q %q: %q, want %q", v.In.Rows, v.In.Symbol, v.In.Position, got, v.Out)
		}
	}
}

// TestCostLocales checks the recorded costs in each language of a site.
func TestCostLocales(t *testing.T) {
	for name, want := range golden.Read[golden.Locales](t, "../../testdata/locales.json").Locales {
		f := Format{DefaultSymbol: "$", Locale: name}
		amounts, text := f.Read([]string{"0.00", "10"}), f.Read([]string{"Free"})
		for _, c := range [][2]string{
			{amounts.Text(Currency{}), want.Cost}, {text.Text(Currency{}), want.TextFree},
			{amounts.Price(), want.Price}, {text.Price(), want.PriceFree},
		} {
			golden.Equal(t, name, c[0], c[1])
		}
	}
}

// writtenRows returns the rows of a cost in a request, before they are cleaned.
func writtenRows(t *testing.T, raw json.RawMessage) []string {
	t.Helper()
	var v any
	must.Succeed(t, json.Unmarshal(raw, &v))
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var rows []string
	for _, e := range list {
		text := must.Get(json.Marshal(e))(t)
		if s, ok := e.(string); ok {
			text = []byte(s)
		}
		rows = append(rows, string(text))
	}
	return rows
}

func TestDetectSymbolVectors(t *testing.T) {
	type vector struct {
		In  struct{ Cost json.RawMessage }
		Out struct {
			Stored  [][2]string
			Cost    string
			Details struct{ Values []any } `json:"cost_details"`
		}
	}
	type written struct {
		symbol, position string
		shown            costOut
	}
	writtenD47 := map[string]written{}
	golden.Each(t, "cost-write-decided.txt", func(cost, symbol, position, text string, values []any) {
		writtenD47[cost] = written{symbol, position, costOut{text, values}}
	})
	used := 0
	for _, v := range golden.Load[vector](t, "cost-write.json", 41) {
		var wantSymbol, wantPosition string
		var stored []string
		for _, row := range v.Out.Stored {
			switch row[0] {
			case "_EventCurrencySymbol":
				wantSymbol = row[1]
			case "_EventCurrencyPosition":
				wantPosition = row[1]
			case "_EventCost":
				stored = append(stored, row[1])
			}
		}
		want := costOut{v.Out.Cost, v.Out.Details.Values}
		if d, ok := writtenD47[string(v.In.Cost)]; ok {
			if used++; d.symbol == wantSymbol && reflect.DeepEqual(d.shown, want) {
				t.Errorf("%s: D47 changes nothing", v.In.Cost)
			}
			wantSymbol, wantPosition, want = d.symbol, d.position, d.shown
			if len(stored) == 0 {
				stored = writtenRows(t, v.In.Cost)
			}
		}
		symbol, position := DetectSymbol(writtenRows(t, v.In.Cost))
		if symbol != wantSymbol || position != wantPosition {
			t.Errorf("%s: %q %q, want %q %q", v.In.Cost, symbol, position, wantSymbol, wantPosition)
		}
		// The stored cost has the same symbol as the one that was sent.
		if s, p := DetectSymbol(stored); s != symbol || p != position {
			t.Errorf("%s: stored as %q, with %q %q", v.In.Cost, stored, s, p)
		}
		if got := (Format{DefaultSymbol: "$"}).both(stored, symbol, position); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", v.In.Cost, got, want)
		}
	}
	if used != len(writtenD47) {
		t.Errorf("%d of %d superseded rows found", used, len(writtenD47))
	}
}
