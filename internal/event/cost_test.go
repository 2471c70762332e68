package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/wp/cost"
	"github.com/agendahq/agenda/schema"
)

// body parses a JSON object like the body of a request.
func body(t testing.TB, text string) *param.Map {
	t.Helper()
	m, _, err := param.ParseJSON([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

// costRows returns the rows that a cost stores for a new event, each as key=value.
func costRows(t testing.TB, text string) []string {
	t.Helper()
	d := &content.Edit{}
	if err := setCost(t, d, body(t, `{"cost":`+text+`}`)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return rowsOf(d)
}

// setCost applies the cost in a body to an edit.
func setCost(t testing.TB, d *content.Edit, body *param.Map) error {
	field := costFields()[0]
	v, err := param.Read(t.Context(), []*param.Param{field.Param(false)}, param.Sources{JSON: body})
	if err != nil {
		return err
	}
	return field.Apply(t.Context(), &item.Input{Values: v}, d)
}

func rowsOf(d *content.Edit) []string {
	list := []string{}
	for _, key := range []string{"_EventCurrencySymbol", "_EventCurrencyPosition", "_EventCost"} {
		for _, value := range d.Meta(key) {
			list = append(list, key+"="+value)
		}
	}
	return list
}

// decidedCosts contains the recorded costs that D47 stores differently.
var decidedCosts = map[string][]string{
	`"0"`:        {"_EventCost=0"},
	`0`:          {"_EventCost=0"},
	`"€ 10,50"`:  {"_EventCurrencySymbol=€", "_EventCurrencyPosition=prefix", "_EventCost=€ 10,50"},
	`"-5"`:       {"_EventCost=-5"},
	`"From 10"`:  {"_EventCost=From 10"},
	`"<b>5</b>"`: {"_EventCost=5"},
}

func TestRecordedCosts(t *testing.T) {
	all := load[[]struct {
		In  struct{ Cost json.RawMessage }
		Out struct{ Stored [][2]string }
	}](t, "cost-write.json")
	used := 0
	for _, v := range all {
		text := string(v.In.Cost)
		want := []string{}
		for _, row := range v.Out.Stored {
			want = append(want, row[0]+"="+row[1])
		}
		if d, ok := decidedCosts[text]; ok {
			if used++; slices.Equal(d, want) {
				t.Errorf("%s: D47 changes nothing", text)
			}
			want = d
		}
		if got := costRows(t, text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if len(all) != 41 || used != len(decidedCosts) {
		t.Errorf("%d costs, %d of %d decided ones", len(all), used, len(decidedCosts))
	}
}

func TestCostForms(t *testing.T) {
	for text, want := range map[string]string{
		`1234567.5`: "_EventCost=1234567.5", `100000000.0`: "_EventCost=100000000", `true`: "_EventCost=1", `false`: "", `[]`: "", `{}`: "",
		`""`: "", `[""]`: "", `[null]`: "", `[null,"5"]`: "_EventCost= _EventCost=5", `{"a":"5","b":6}`: "_EventCost=5 _EventCost=6",
		`"a\\b %41"`: `_EventCost=a\b %41`, `" 5 &lt;b&gt;x&amp;y "`: "_EventCost=5 x&y",
	} {
		if got := strings.Join(costRows(t, text), " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{`[[5]]`, `[{"a":5}]`, `{"a":[]}`} {
		v, _ := body(t, `{"cost":`+text+`}`).Get("cost")
		if rows, err := checkCost(t.Context(), v); err == nil {
			t.Errorf("%.40s: %q", text, rows)
		}
	}
}

// TestCostBounds checks D59: a cost has at most 50 values of 200 characters, and the error names the exceeded limit.
func TestCostBounds(t *testing.T) {
	many := func(n int) string { return `[` + strings.Repeat(`1,`, n-1) + `1]` }
	long := func(n int) string { return `"` + strings.Repeat("é", n) + `"` }
	for text, want := range map[string]string{
		many(50): "", many(51): "fault_too_many 50", many(2000): "fault_too_many 50",
		long(200): "", long(201): "fault_too_long 200", `["1",` + long(200) + `]`: "", `["1",` + long(201) + `]`: "fault_too_long 200",
		`{"a":` + long(201) + `}`: "fault_too_long 200", `1e300`: "fault_too_long 200", `"` + strings.Repeat("<b>", 100) +
			`"`: "fault_too_long 200", `"` + strings.Repeat("<", 100) + `"`: "fault_too_long 200",
	} {
		v, _ := body(t, `{"cost":`+text+`}`).Get("cost")
		_, err := checkCost(t.Context(), v)
		got := ""
		var fault *param.Fault
		if errors.As(err, &fault) {
			got = fmt.Sprint(fault.Message.ID, " ", fault.Message.Data["Max"])
		}
		if got != want || (err == nil) != (want == "") {
			t.Errorf("%.40s (%d bytes): %q, %v, want %q", text, len(text), got, err, want)
		}
	}
}

// FuzzStoredCost checks that any cost in a request is either rejected, or stored within the limits and shown.
func FuzzStoredCost(f *testing.F) {
	for _, s := range []string{`"€ 10 - 20"`, `[1,"2",null,true]`, `{"a":"1 000"}`, `"<b>&lt;5"`, `[[1]]`, `1e300`, `"\u0000"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, _, err := param.ParseJSON([]byte(`{"cost":` + text + `}`))
		if err != nil {
			return
		}
		v, _ := m.Get("cost")
		rows, err := checkCost(t.Context(), v)
		if err != nil {
			return
		}
		if len(rows) > maxCosts {
			t.Fatalf("%d rows", len(rows))
		}
		for _, row := range rows {
			if utf8.RuneCountInString(row) > maxCostChars {
				t.Fatalf("%q", row)
			}
		}
		d := &content.Edit{}
		if setCost(t, d, m) != nil { // the body contains a string that is not allowed anywhere
			return
		}
		costs := cost.Format{DefaultSymbol: "$"}.Read(d.Meta(schema.MetaCost))
		if text, price := costs.Text(cost.Currency{}), costs.Price(); (text == "") != (price == "") {
			t.Fatalf("%q: %q, %q", rows, text, price)
		}
		costs.Values()
	})
}

func TestWebsites(t *testing.T) {
	for text, want := range map[string]string{
		`""`: "", `"0"`: "", `0`: "", `false`: "", `[]`: "",
		`"https://example.org/?a=1&b=2"`: "https://example.org/?a=1&b=2", `"http://ex.org/?a=1&amp;b=2"`: "http://ex.org/?a=1&b=2",
		`"http://ex.org/a%20b?q=%C3%A9"`: "http://ex.org/a%20b?q=%C3%A9", `"http://ex.org/<b>"`: "http://ex.org/",
		`"mailto:a@b.c"`: "mailto:a@b.c",
	} {
		v, _ := body(t, `{"website":`+text+`}`).Get("website")
		if got, err := checkWebsite(t.Context(), v); err != nil || got != want {
			t.Errorf("%s: %v %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{`"ex.org"`, `"/rel"`, `"//ex.org"`, `"javascript:alert(1)"`, `5`, `true`, `["http://ex.org"]`,
		`{"a":"b"}`, `"http://ëx.org"`, `"http://a b"`} {
		v, _ := body(t, `{"website":`+text+`}`).Get("website")
		if got, err := checkWebsite(t.Context(), v); err == nil {
			t.Errorf("%s: %v", text, got)
		}
	}
}
