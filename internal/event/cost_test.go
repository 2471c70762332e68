package event

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/wp"
)

// body reads a JSON object as requests are read.
func body(t testing.TB, text string) *param.Map {
	t.Helper()
	m, _, err := param.ParseJSON([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

// costRows are the rows that a cost leaves on a new event, each as key=value.
func costRows(t testing.TB, text string) []string {
	t.Helper()
	v, _ := body(t, `{"cost":`+text+`}`).Get("cost")
	rows, err := checkCost(t.Context(), v)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	d := &post.Draft{}
	applyCost(d, rows.([]string))
	return rowsOf(d)
}

func rowsOf(d *post.Draft) []string {
	list := []string{}
	for _, key := range []string{"_EventCurrencySymbol", "_EventCurrencyPosition", "_EventCost"} {
		for _, value := range d.Meta(key) {
			list = append(list, key+"="+value)
		}
	}
	return list
}

// decidedCosts are the recorded costs that D47 stores otherwise.
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

// TestShownCosts proves that what is stored of a cost is shown as D47 says.
func TestShownCosts(t *testing.T) {
	for _, v := range load[[]struct {
		In struct {
			Rows             []string
			Symbol, Position string
		}
		Out struct{ Cost string }
	}](t, "cost-d47.json") {
		sent, err := json.Marshal(v.In.Rows)
		if err != nil {
			t.Fatal(err)
		}
		var stored []string
		for _, row := range costRows(t, string(sent)) {
			if key, value, _ := strings.Cut(row, "="); key == "_EventCost" {
				stored = append(stored, value)
			}
		}
		if got := (wp.CostFormat{DefaultSymbol: "$"}).Render(stored, v.In.Symbol, v.In.Position); got != v.Out.Cost {
			t.Errorf("%q: %s, want %s", v.In.Rows, got, v.Out.Cost)
		}
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
	for _, text := range []string{`[[5]]`, `[{"a":5}]`, `{"a":[]}`, `[` + strings.Repeat(`1,`, param.MaxList) + `1]`} {
		v, _ := body(t, `{"cost":`+text+`}`).Get("cost")
		if rows, err := checkCost(t.Context(), v); err == nil {
			t.Errorf("%.40s: %q", text, rows)
		}
	}
}

func TestWebsites(t *testing.T) {
	for text, want := range map[string]string{
		`""`: "", `"0"`: "", `0`: "", `false`: "", `[]`: "",
		`"https://example.org/?a=1&b=2"`: "https://example.org/?a=1&b=2", `"http://ex.org/?a=1&amp;b=2"`: "http://ex.org/?a=1&b=2",
		`"http://ex.org/a%20b?q=%C3%A9"`: "http://ex.org/a%20b?q=%C3%A9", `"http://ex.org/<b>"`: "http://ex.org/", `"mailto:a@b.c"`: "mailto:a@b.c",
	} {
		v, _ := body(t, `{"website":`+text+`}`).Get("website")
		if got, err := checkWebsite(t.Context(), v); err != nil || got != want {
			t.Errorf("%s: %v %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{`"ex.org"`, `"/rel"`, `"//ex.org"`, `"javascript:alert(1)"`, `5`, `true`, `["http://ex.org"]`, `{"a":"b"}`, `"http://ëx.org"`, `"http://a b"`} {
		v, _ := body(t, `{"website":`+text+`}`).Get("website")
		if got, err := checkWebsite(t.Context(), v); err == nil {
			t.Errorf("%s: %v", text, got)
		}
	}
}
