package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/example/bench/internal/measure"
	"github.com/agendahq/agenda/internal/test/must"
)

// grown returns a run in which every case takes longer than the previous one.
func grown(events int64, clients ...int) *measure.Report {
	r := &measure.Report{CPUs: 2, Site: measure.Site{Engine: "MariaDB <10> & \"more\"", Events: events}}
	for i, c := range measure.Cases() {
		for _, n := range clients {
			r.Results = append(r.Results, measure.Result{Case: c.Name, Clients: n,
				Service: &measure.Figures{P50: float64(i+1) * float64(n)}, Cached: &measure.Figures{P50: 0.01 * float64(i+1)}})
		}
	}
	return r
}

// drawn writes a chart and parses it.
func drawn(t *testing.T, reports []*measure.Report, clients int) (*element, string) {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, Write(&b, reports, clients))
	picture := &element{}
	if err := xml.Unmarshal(b.Bytes(), picture); err != nil {
		t.Fatalf("%v in %s", err, b.String())
	}
	return picture, b.String()
}

func (e *element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func linesIn(e *element) map[string]*element {
	found := map[string]*element{}
	for _, c := range e.Children {
		if name := c.attr("data-case"); name != "" {
			found[name] = c
		}
	}
	return found
}

func TestChartHasALineForEveryCase(t *testing.T) {
	picture, text := drawn(t, []*measure.Report{grown(1_000_000, 1, 8), grown(1000, 1, 8), grown(50_000, 1, 8)}, 0)
	if picture.XMLName.Local != "svg" || picture.XMLName.Space != "http://www.w3.org/2000/svg" {
		t.Errorf("%v", picture.XMLName)
	}
	lines := linesIn(picture)
	names := []string{"cached"}
	for _, c := range measure.Cases() {
		names = append(names, c.Name)
	}
	if len(lines) != len(names) {
		t.Errorf("%d lines, want %v", len(lines), names)
	}
	colors := map[string]bool{}
	for _, name := range names {
		l := lines[name]
		if l == nil || !strings.Contains(text, ">"+name+"</text>") {
			t.Errorf("%s: no line, or not in the legend", name)
			continue
		}
		path := l.Children[0]
		if d := path.attr("d"); strings.Count(d, "M") != 1 || strings.Count(d, "L") != 2 || strings.Contains(d, "NaN") ||
			strings.Contains(d, "Inf") {
			t.Errorf("%s: %s", name, d)
		}
		if marks := len(l.Children) - 1; marks != 3 {
			t.Errorf("%s: %d marks for 3 runs", name, marks)
		}
		if dashed := path.attr("stroke-dasharray") != ""; dashed != (name == "cached") {
			t.Errorf("%s: dashed %t", name, dashed)
		}
		colors[path.attr("stroke")] = true
	}
	if len(colors) != len(names) {
		t.Errorf("%d colours for %d lines", len(colors), len(names))
	}
	// The slowest of the cached cases.
	if want := fmt.Sprintf("cached: %s ms", measure.Decimals(0.01*float64(len(measure.Cases())))); !strings.Contains(text, want) {
		t.Errorf("no %q", want)
	}
	if !strings.Contains(text, "p50 with 8 clients") || !strings.Contains(text, "MariaDB &lt;10&gt; &amp; ") {
		t.Errorf("headline: %.600s", text)
	}
}

// Doubling the number of events is the same distance everywhere, and longer times are higher up.
func TestChartIsLogarithmic(t *testing.T) {
	c := newChart([]*line{{points: []point{{1000, 0.5}, {1_000_000, 200}}}})
	for _, s := range []scale{c.x, c.y} {
		if a, b := s.at(10)-s.at(5), s.at(4000)-s.at(2000); fmt.Sprintf("%.6f", a) != fmt.Sprintf("%.6f", b) {
			t.Errorf("%g and %g", a, b)
		}
	}
	if c.x.at(1000) < plotLeft || c.x.at(1_000_000) > plotRight || c.y.at(200) < plotTop || c.y.at(0.5) > plotBottom ||
		c.y.at(200) > c.y.at(0.5) {
		t.Errorf("%+v", c)
	}
}

func TestChartOfOneRun(t *testing.T) {
	one := grown(38, 3)
	one.Results = append(one.Results[:1:1], measure.Result{Case: "month", Clients: 3}) // a case that failed
	picture, text := drawn(t, []*measure.Report{one}, 0)
	if n := len(linesIn(picture)); n != 2 || strings.Contains(text, "NaN") || strings.Contains(text, "Inf") ||
		!strings.Contains(text, "p50 with 3 clients") {
		t.Errorf("%d lines: %s", n, text)
	}
}

// The legend shows the values of the lines with the most events.
func TestLegend(t *testing.T) {
	small, large := grown(1000, 8), grown(2000, 8)
	large.Results = large.Results[:2]
	_, text := drawn(t, []*measure.Report{small, large}, 8)
	if strings.Count(text, ">–</text>") != len(measure.Cases())-2 || !strings.Contains(text, "ms with 2,000 events") ||
		!strings.Contains(text, ">16.0</text>") {
		t.Errorf("%s", text)
	}
}

func TestChartRefuses(t *testing.T) {
	for name, reports := range map[string][]*measure.Report{"nothing": nil, "other clients": {grown(10, 1)}, "an empty run": {{}}} {
		var b bytes.Buffer
		if err := Write(&b, reports, 64); err == nil || b.Len() > 0 {
			t.Errorf("%s: %v, %d bytes", name, err, b.Len())
		}
	}
}
