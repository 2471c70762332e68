package cost

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestCostNumbers(t *testing.T) {
	golden.Each(t, "numbers.txt", func(in, text, values string) {
		got := (Format{}).both([]string{in}, "", "")
		if list, err := json.Marshal(got.Values); err != nil || got.Cost != text || string(list) != values {
			t.Errorf("%q: %q %s, want %q %s", in, got.Cost, list, text, values)
		}
	})
}

func TestCostRows(t *testing.T) {
	golden.Each(t, "rows.txt", func(rows []string, text, values string) {
		got := (Format{}).both(rows, "", "")
		if list, err := json.Marshal(got.Values); err != nil || got.Cost != text || string(list) != values {
			t.Errorf("%q: %q %s, want %q %s", rows, got.Cost, list, text, values)
		}
	})
}

// TestCostLanguage checks the meaning of a sign before three digits in each language.
func TestCostLanguage(t *testing.T) {
	for locale, want := range map[string][2]costOut{
		"":      {{"900 – 1,000", []any{"900", "1000"}}, {"1.000 – 900", []any{"1.000", "900"}}},
		"en_GB": {{"900 – 1,000", []any{"900", "1000"}}, {"1.000 – 900", []any{"1.000", "900"}}},
		"nl_NL": {{"1,000 – 900", []any{"1.000", "900"}}, {"900 – 1.000", []any{"900", "1000"}}},
		"fr_FR": {{"1,000 à 900", []any{"1.000", "900"}}, {"900 à 1.000", []any{"900", "1000"}}},
		"fr_BE": {{"1,000 – 900", []any{"1.000", "900"}}, {"900 – 1.000", []any{"900", "1000"}}},
	} {
		for i, row := range []string{"900 - 1,000", "900 - 1.000"} {
			if got := (Format{Locale: locale}).both([]string{row}, "", ""); !reflect.DeepEqual(got, want[i]) {
				t.Errorf("%s: %q, want %q", locale, got, want[i])
			}
		}
	}
	from := Currency{Symbol: "vanaf euro", Position: "prefix"}
	if got := (Format{}).Read([]string{"8 euro", "9 $"}).Text(from); got != "vanaf euro8 – 9 $" {
		t.Error(got)
	}
	if got := (Format{Locale: "nl_BE"}).Read([]string{"0,5", "0"}).Text(Currency{Symbol: "&", Position: "x"}); got != "Gratis – 0,5&amp;" {
		t.Error(got)
	}
}

func TestDetectSymbol(t *testing.T) {
	golden.Each(t, "symbols.txt", func(in, wantSymbol, wantPosition string) {
		symbol, position := DetectSymbol(strings.Split(in, "|"))
		if symbol != wantSymbol || position != wantPosition {
			t.Errorf("%q: %q %q, want %q %q", in, symbol, position, wantSymbol, wantPosition)
		}
	})
	if s, p := DetectSymbol(nil); s+p != "" {
		t.Error(s, p)
	}
}

// TestD75Currencies checks which text beside a number is a currency, on a site with euros (D75).
func TestD75Currencies(t *testing.T) {
	euro := Currency{Symbol: "€", Code: "EUR", Position: "postfix"}
	golden.Each(t, "currencies.txt", func(row, wantText, symbol, code, position, wantCode string) {
		read := (Format{DefaultSymbol: "$", DefaultCode: "USD"}).Read([]string{row})
		text, shown := read.Text(euro), read.Currency(euro)
		if text != wantText || shown != (Currency{symbol, code, position}) || read.Code(euro) != wantCode {
			t.Errorf("%q: %q %q %q, want %q", row, text, shown, read.Code(euro), wantText)
		}
		if price := read.Price(); strings.ContainsAny(price, "$€") || strings.Contains(price, "CHF") {
			t.Errorf("%q: price %q", row, price)
		}
	})
	// The event's own currency by its code, and any dollar.
	for _, c := range []struct {
		own       Currency
		row, text string
	}{
		{Currency{"kr", "SEK", ""}, "100 SEK", "kr100"}, {Currency{"kr", "SEK", ""}, "100 kr.", "kr100"},
		{Currency{"kr", "SEK", ""}, "100 DKK", "100 DKK"}, {Currency{"CA$", "", ""}, "$5", "CA$5"}, {Currency{"$", "", ""}, "5 USD", "$5"},
		{Currency{"$", "CAD", ""}, "5 USD", "5 USD"}, {Currency{"$", "CAD", ""}, "CA$5", "$5"}, {Currency{}, "USD 5", "$5"},
		{Currency{"&pound;", "", ""}, "5 GBP", "&pound;5"}, {Currency{"0", "", ""}, "5 €", "5 €"},
	} {
		if got := (Format{DefaultSymbol: "$", DefaultCode: "USD"}).Read([]string{c.row}).Text(c.own); got != c.text {
			t.Errorf("%q with %q: %s, want %s", c.row, c.own, got, c.text)
		}
	}
}

func FuzzCost(f *testing.F) {
	for _, s := range []string{"10,50 - 20,75", "1 000,2 000", ",5,", "1.2.3.4", "5,-", "1,000.50", "€ 10 20 300,5", "&<\n"} {
		f.Add(s, "€", "nl_NL")
	}
	f.Fuzz(func(t *testing.T, s, symbol, locale string) {
		rows := strings.Split(s, "\n")
		last := 0
		for _, c := range scan(s, false) {
			if c.from < last || c.to <= c.from || c.text != s[c.from:c.to] {
				t.Fatalf("%q: %+v", s, c)
			}
			if digits := onlyDigits(c.text); digits != onlyDigits(c.value) || onlyDigits(s[last:c.from]) != "" {
				t.Fatalf("%q: digits are lost around %+v", s, c)
			}
			last = c.to
		}
		if onlyDigits(s[last:]) != "" {
			t.Fatalf("%q: digits are lost at the end", s)
		}
		format := Format{DefaultSymbol: symbol, Locale: locale}
		if got := format.Read(rows).Text(Currency{}); strings.ContainsAny(got, `<>"'`) || len(got) > 12*(len(s)+len(symbol))+32 {
			t.Fatalf("%q: %q", s, got)
		}
		if price := format.Read(rows).Price(); len(price) > 12*len(s)+32 || price == "" && strings.Trim(s, "\n") != "" {
			t.Fatalf("%q: %q", s, price)
		}
		for _, v := range format.Read(rows).Values() {
			switch v.(type) {
			case string, int64:
			default:
				t.Fatalf("%q: %T", s, v)
			}
		}
		if symbol, position := DetectSymbol(rows); symbol == "" && position != "" || symbol != "" && !isCurrency(symbol) {
			t.Fatalf("%q: %q %q", s, symbol, position)
		}
	})
}

func BenchmarkCost(b *testing.B) {
	for name, unit := range map[string]string{
		"real": "From € 10,50 to € 1.000,00; ", "digits": "1", "spaces": "1 ", "groups": "111 ", "commas": "1,", "points": "1.",
		"lists": "1,000,", "signs": ",.",
		"less": "<", "quotes": `"`, "amps": "&", "brackets": "[", "newlines": "\n",
	} {
		b.Run(name, func(b *testing.B) {
			golden.Bench(b, unit, func(s string) {
				rows := []string{s}
				Format{}.Read(rows).Text(Currency{Symbol: "€"})
				Format{}.Read(rows).Values()
				DetectSymbol(rows)
			})
		})
	}
}

// TestOf checks what names the currency of a site: a code, or the symbol of a single currency.
func TestOf(t *testing.T) {
	for text, want := range map[string]Currency{
		"EUR": {Symbol: "€", Code: "EUR"}, "eur": {Symbol: "€", Code: "EUR"}, "€": {Symbol: "€", Code: "EUR"},
		"$":   {Symbol: "$", Code: "USD"},
		"CAD": {Symbol: "$", Code: "CAD"}, "R$": {Symbol: "R$", Code: "BRL"},
		"chf": {Symbol: "CHF", Code: "CHF"}, "Kč": {Symbol: "Kč", Code: "CZK"},
		"": {}, "¥": {}, "kr": {}, "EURO1": {}, "ABC": {}, "€€": {}, "A B": {},
	} {
		if got, known := FromText(text); got != want || known != (want.Code != "") {
			t.Errorf("%q is %+v %v, want %+v", text, got, known, want)
		}
	}
	for code := range signs {
		if !isCode(code) {
			t.Errorf("%s is no code", code)
		}
	}
	for _, sign := range Signs() {
		if _, known := FromText(sign); !known {
			t.Errorf("%s is listed, and not known", sign)
		}
	}
}
