package chart

import (
	"encoding/xml"
	"strconv"
)

// element is an element of a drawing. Everything in it is escaped when it is written.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []*element `xml:",any"`
}

// draw returns an element with pairs of attribute names and values.
func draw(name string, attrs ...any) *element {
	e := &element{XMLName: xml.Name{Local: name}}
	for i := 0; i+1 < len(attrs); i += 2 {
		var value string
		switch v := attrs[i+1].(type) {
		case string:
			value = v
		case int:
			value = strconv.Itoa(v)
		case float64:
			value = strconv.FormatFloat(v, 'f', 1, 64)
		}
		e.Attrs = append(e.Attrs, attr(attrs[i].(string), value))
	}
	return e
}

func attr(name, value string) xml.Attr { return xml.Attr{Name: xml.Name{Local: name}, Value: value} }

// addChildren adds children to an element; later ones cover earlier ones.
func (e *element) addChildren(children ...*element) *element {
	e.Children = append(e.Children, children...)
	return e
}

// setText sets the text of an element.
func (e *element) setText(text string) *element {
	e.Text = text
	return e
}

// pointMark returns the symbol of a point: circles, squares, diamonds and triangles in turn, so that lines can be
// distinguished without their colours.
func pointMark(shape int, x, y float64, color string) *element {
	const r = 4.0
	switch shape % 4 {
	case 1:
		return draw("rect", "x", x-r, "y", y-r, "width", 2*r, "height", 2*r, "fill", color, "stroke", "#ffffff")
	case 2:
		return draw("path", "d", path(true, x, y-r-1, x+r+1, y, x, y+r+1, x-r-1, y), "fill", color, "stroke", "#ffffff")
	case 3:
		return draw("path", "d", path(true, x, y-r-1, x+r+1, y+r, x-r-1, y+r), "fill", color, "stroke", "#ffffff")
	}
	return draw("circle", "cx", x, "cy", y, "r", r, "fill", color, "stroke", "#ffffff")
}

// path returns a path from point to point.
func path(closed bool, points ...float64) string {
	b := []byte{}
	for i := 0; i+1 < len(points); i += 2 {
		verb := byte('L')
		if i == 0 {
			verb = 'M'
		}
		b = append(b, verb)
		b = strconv.AppendFloat(b, points[i], 'f', 1, 64)
		b = append(b, ' ')
		b = strconv.AppendFloat(b, points[i+1], 'f', 1, 64)
	}
	if closed {
		b = append(b, 'Z')
	}
	return string(b)
}
