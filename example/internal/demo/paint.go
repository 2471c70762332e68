package demo

import (
	"image"
	"image/color"
	"math"
)

// A picture is a background and shapes over it, each a function from a point to a colour, so every size is drawn sharp instead of
// being scaled. Points run from (0,0) to (3,2), the form of the full picture.
const wide, high = 3.0, 2.0

// rgb is a colour with parts from 0 to 1.
type rgb struct{ r, g, b float64 }

// area bounds where a layer shows anything.
type area struct{ x0, y0, x1, y1 float64 }

var everywhere = area{0, 0, wide, high}

// layer lies over what is below: it says how much of its colour covers a point. The width of a pixel, over which edges are blended,
// is soft. A layer of parts paints those instead.
type layer struct {
	area  area
	paint func(x, y, soft float64) (rgb, float64)
	parts []layer
}

// painting is a background that runs from top to bottom, and what lies over it.
type painting struct {
	top, bottom rgb
	layers      []layer
}

func stack(top, bottom rgb, layers ...layer) painting {
	p := painting{top: top, bottom: bottom}
	for _, l := range layers {
		if l.paint == nil {
			p.layers = append(p.layers, l.parts...)
		} else {
			p.layers = append(p.layers, l)
		}
	}
	return p
}

// hex reads a colour as style sheets write it, without the sign.
func hex(c uint32) rgb {
	return rgb{float64(c>>16&255) / 255, float64(c>>8&255) / 255, float64(c&255) / 255}
}

func mix(a, b rgb, t float64) rgb {
	return rgb{a.r + (b.r-a.r)*t, a.g + (b.g-a.g)*t, a.b + (b.b-a.b)*t}
}

func clamp(t float64) float64 { return max(0, min(1, t)) }

// cover is 1 well inside an edge, 0 well outside, for a distance that is negative inside.
func cover(distance, soft float64) float64 { return clamp(0.5 - distance/soft) }

// distance is math.Hypot without its care for huge numbers, which takes most of the time of a drawing.
func distance(x, y float64) float64 { return math.Sqrt(x*x + y*y) }

// render draws the part of the picture that fills w by h, cut evenly at both sides when the forms differ. It goes row by row and
// asks each layer only where it shows.
func render(p painting, w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	scale := min(wide/float64(w), high/float64(h))
	left, top := (wide-scale*float64(w))/2, (high-scale*float64(h))/2
	soft := scale * 1.2
	row := make([]rgb, w)
	for j := range h {
		y := top + (float64(j)+0.5)*scale
		ground := mix(p.top, p.bottom, clamp(y/high))
		for i := range row {
			row[i] = ground
		}
		for _, l := range p.layers {
			if y < l.area.y0-soft || y > l.area.y1+soft {
				continue
			}
			first := max(0, int((l.area.x0-soft-left)/scale))
			last := min(w-1, int((l.area.x1+soft-left)/scale))
			for i := first; i <= last; i++ {
				if over, a := l.paint(left+(float64(i)+0.5)*scale, y, soft); a > 0 {
					row[i] = mix(row[i], over, a)
				}
			}
		}
		for i, c := range row {
			img.SetRGBA(i, j, color.RGBA{byte255(c.r), byte255(c.g), byte255(c.b), 255})
		}
	}
	return img
}

func byte255(v float64) uint8 { return uint8(clamp(v)*255 + 0.5) }
