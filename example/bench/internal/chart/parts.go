package chart

import (
	"fmt"
	"math"
	"strconv"

	"github.com/agendahq/agenda/example/bench/internal/measure"
	"github.com/agendahq/agenda/example/internal/progress"
)

// axes draws the lines of both scales with their numbers.
func (c chart) axes() (list []*element) {
	eachTick(c.y, func(v float64, whole bool) {
		y, color := c.y.at(v), grid
		if whole {
			color = gridUp
		}
		list = append(list, draw("line", "x1", plotLeft, "x2", plotRight, "y1", y, "y2", y, "stroke", color))
		list = append(list, draw("text", "x", plotLeft-10, "y", y+4.5, "text-anchor", "end", "fill", faint).setText(shortNumber(v)))
	})
	eachTick(c.x, func(v float64, whole bool) {
		x, color := c.x.at(v), grid
		if whole {
			color = gridUp
			list = append(list, draw("text", "x", x, "y", plotBottom+22, "text-anchor", "middle", "fill", faint).setText(shortNumber(v)))
		}
		list = append(list, draw("line", "x1", x, "x2", x, "y1", plotTop, "y2", plotBottom, "stroke", color))
	})
	middle := strconv.FormatFloat((plotTop+plotBottom)/2, 'f', 1, 64)
	return append(list,
		draw("path", "d", path(false, plotLeft, plotTop, plotLeft, plotBottom, plotRight, plotBottom), "fill", "none", "stroke", faint),
		draw("text", "x", (plotLeft+plotRight)/2, "y", plotBottom+46, "text-anchor", "middle", "fill", ink).setText("events"),
		draw("text", "x", 22, "y", middle, "text-anchor", "middle", "fill", ink, "transform",
			"rotate(-90 22 "+middle+")").setText("milliseconds"))
}

// eachTick calls do for 1, 2 and 5 of every decade on a scale.
func eachTick(s scale, do func(v float64, whole bool)) {
	for decade := math.Floor(s.low); decade <= s.high; decade++ {
		for _, n := range []float64{1, 2, 5} {
			v := n * math.Pow(10, decade)
			if l := math.Log10(v); l >= s.low && l <= s.high {
				do(v, n == 1)
			}
		}
	}
}

// shortNumber returns a number in the form that an axis shows.
func shortNumber(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%g M", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%g k", v/1e3)
	}
	return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
}

// line draws a case.
func (c chart) line(l *line) *element {
	color := colors[l.number%len(colors)]
	group := draw("g", "data-case", l.name)
	var points []float64
	for _, p := range l.points {
		points = append(points, c.x.at(p.events), c.y.at(p.ms))
	}
	stroke := l.stroke(draw("path", "d", path(false, points...), "fill", "none", "stroke", color, "stroke-width", "2",
		"stroke-linejoin", "round", "stroke-linecap", "round"))
	group.addChildren(stroke)
	for i, p := range l.points {
		m := pointMark(l.number, points[2*i], points[2*i+1], color)
		m.addChildren(draw("title").setText(fmt.Sprintf("%s: %s ms with %s events", l.name, measure.Decimals(p.ms),
			progress.Grouped(int64(p.events)))))
		group.addChildren(m)
	}
	return group
}

// stroke makes an element dashed if the line is dashed.
func (l *line) stroke(e *element) *element {
	if l.dashed {
		e.Attrs = append(e.Attrs, attr("stroke-dasharray", "6 5"))
	}
	return e
}

// legend names the lines in the order of their ends, with their last values.
func (c chart) legend(lines []*line) *element {
	const left, width, row = plotRight + 28, 180.0, 27.0
	group, most := draw("g"), mostEvents(lines)
	group.addChildren(draw("text", "x", left+width, "y", plotTop+4, "text-anchor", "end", "fill", faint, "font-size", "12").
		setText("ms with " + progress.Grouped(int64(most)) + " events"))
	for i, l := range lines {
		y, color, value := plotTop+30+float64(i)*row, colors[l.number%len(colors)], "–"
		if end := l.points[len(l.points)-1]; end.events == most {
			value = measure.Decimals(end.ms)
		}
		group.addChildren(
			l.stroke(draw("line", "x1", left, "x2", left+26, "y1", y, "y2", y, "stroke", color, "stroke-width", "2")),
			pointMark(l.number, left+13, y, color),
			draw("text", "x", left+36, "y", y+4.5, "fill", ink).setText(l.name),
			draw("text", "x", left+width, "y", y+4.5, "text-anchor", "end", "fill", faint).setText(value))
	}
	return group
}

func mostEvents(lines []*line) (most float64) {
	for _, l := range lines {
		most = max(most, l.points[len(l.points)-1].events)
	}
	return most
}
