// Package chart draws, as an SVG, how response times grow with a calendar. The figures are those of package measure.
package chart

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/agendahq/agenda/example/bench/internal/measure"
)

// These are the sizes of the drawing. Its plot lies between the title, the names of the axes and the legend.
const (
	chartWidth, chartHeight  = 980.0, 620.0
	plotLeft, plotRight      = 78.0, 760.0
	plotTop, plotBottom      = 84.0, 556.0
	ink, faint, grid, gridUp = "#1f2933", "#66737f", "#eef1f4", "#d5dbe1"
)

// colors are the colours of the lines, in the order of the cases.
var colors = []string{
	"#1f6fb4", "#e4750c", "#2a9147", "#c62f32", "#7c56b0", "#82503f", "#d65fae",
	"#5f6a72", "#a5a00c", "#12a3b5", "#0b3c6f", "#8f1d4f", "#4d7c0f", "#b07a00",
	"#000000", // cached answers
}

// line is a case with its points, sorted by events.
type line struct {
	name   string
	number int // index among the cases
	dashed bool
	points []point
}

// addPoint adds a point, or replaces that of an earlier run with the same number of events.
func (l *line) addPoint(p point) {
	if n := len(l.points); n > 0 && l.points[n-1].events == p.events {
		l.points[n-1] = p
		return
	}
	l.points = append(l.points, p)
}

type point struct{ events, ms float64 }

// Write draws how the median response time grows with the number of events, from runs on databases of different sizes.
// If clients is 0, it draws the figures for 8 clients, or for the first number that all runs have.
func Write(w io.Writer, reports []*measure.Report, clients int) error {
	if len(reports) == 0 {
		return errors.New("there is no run to draw")
	}
	if clients == 0 {
		clients = shared(reports)
	}
	lines := linesOf(reports, clients)
	if len(lines) == 0 {
		return fmt.Errorf("the runs measured nothing with %d clients", clients)
	}
	c := newChart(lines)
	picture := draw("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", fmt.Sprintf("0 0 %g %g", chartWidth, chartHeight),
		"width", chartWidth, "height", chartHeight, "role", "img",
		"font-family", "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif", "font-size", "13")
	picture.addChildren(draw("title").setText("Median time of an answer by number of events"),
		draw("rect", "width", chartWidth, "height", chartHeight, "fill", "#ffffff"))
	picture.addChildren(headline(reports, clients)...)
	picture.addChildren(c.axes()...)
	for _, l := range lines {
		picture.addChildren(c.line(l))
	}
	picture.addChildren(c.legend(lines))
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(picture); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// shared returns the number of clients to draw.
func shared(reports []*measure.Report) int {
	const usual = 8
	var numbers []int
	for _, x := range reports[0].Results {
		numbers = append(numbers, x.Clients)
	}
	for _, n := range append([]int{usual}, numbers...) {
		if !slices.ContainsFunc(reports, func(r *measure.Report) bool {
			return !slices.ContainsFunc(r.Results, func(x measure.Result) bool { return x.Clients == n })
		}) {
			return n
		}
	}
	return usual
}

// linesOf returns the lines of the cases and that of cached answers, the slowest with the most events first: this is
// their order from top to bottom at the end of the plot.
func linesOf(reports []*measure.Report, clients int) (lines []*line) {
	reports = slices.Clone(reports)
	slices.SortStableFunc(reports, func(a, b *measure.Report) int { return cmp.Compare(a.Site.Events, b.Site.Events) })
	for i, c := range measure.Cases() {
		l := &line{name: c.Name, number: i}
		for _, r := range reports {
			for _, x := range r.Results {
				if x.Case != c.Name || x.Clients != clients || x.Service == nil || x.Service.P50 <= 0 || r.Site.Events <= 0 {
					continue
				}
				l.addPoint(point{float64(r.Site.Events), x.Service.P50})
			}
		}
		if len(l.points) > 0 {
			lines = append(lines, l)
		}
	}
	if l := cachedLine(reports, clients); len(l.points) > 0 {
		lines = append(lines, l)
	}
	slices.SortStableFunc(lines, func(a, b *line) int { return cmp.Compare(b.last(), a.last()) })
	return lines
}

// cachedLine returns one line for the cached answers of all cases, which take about the same time: of each run the
// slowest case.
func cachedLine(reports []*measure.Report, clients int) *line {
	l := &line{name: "cached", number: len(measure.Cases()), dashed: true}
	for _, r := range reports {
		slowest := 0.0
		for _, x := range r.Results {
			if x.Clients == clients && x.Cached != nil {
				slowest = max(slowest, x.Cached.P50)
			}
		}
		if slowest > 0 && r.Site.Events > 0 {
			l.addPoint(point{float64(r.Site.Events), slowest})
		}
	}
	return l
}

func (l *line) last() float64 { return l.points[len(l.points)-1].ms }

// scale maps logarithms to coordinates.
type scale struct{ low, high, from, to float64 }

func (s scale) at(v float64) float64 {
	return s.from + (math.Log10(v)-s.low)/(s.high-s.low)*(s.to-s.from)
}

type chart struct{ x, y scale }

func newChart(lines []*line) chart {
	lowX, highX, lowY, highY := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, l := range lines {
		for _, p := range l.points {
			lowX, highX = min(lowX, math.Log10(p.events)), max(highX, math.Log10(p.events))
			lowY, highY = min(lowY, math.Log10(p.ms)), max(highY, math.Log10(p.ms))
		}
	}
	const margin = 0.12 // of a decade
	if highX-lowX < 1 {
		lowX, highX = math.Floor(lowX), math.Floor(lowX)+math.Max(1, math.Ceil(highX-math.Floor(lowX)))
	}
	lowY, highY = lowY-margin, highY+margin
	if highY-lowY < 1 {
		lowY, highY = (lowY+highY-1)/2, (lowY+highY+1)/2
	}
	return chart{scale{lowX - margin, highX + margin, plotLeft, plotRight}, scale{lowY, highY, plotBottom, plotTop}}
}

func headline(reports []*measure.Report, clients int) []*element {
	r := reports[len(reports)-1]
	who := "clients"
	if clients == 1 {
		who = "client"
	}
	var engines []string
	for _, r := range reports {
		if !slices.Contains(engines, r.Site.Engine) {
			engines = append(engines, r.Site.Engine)
		}
	}
	below := fmt.Sprintf("p50 with %d %s, on %s; clients, servers and database on %d processors", clients, who,
		strings.Join(engines, " and "), r.CPUs)
	return []*element{
		draw("text", "x", plotLeft, "y", 34, "font-size", "20", "font-weight", "600", "fill",
			ink).setText("Time of an answer as the calendar grows"),
		draw("text", "x", plotLeft, "y", 56, "fill", faint).setText(below),
	}
}
