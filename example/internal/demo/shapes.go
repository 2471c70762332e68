package demo

import "math"

func around(x, y, r float64) area { return area{x - r, y - r, x + r, y + r} }

func disc(cx, cy, r float64, c rgb, alpha float64) layer {
	return layer{area: around(cx, cy, r), paint: func(x, y, soft float64) (rgb, float64) {
		return c, alpha * cover(distance(x-cx, y-cy)-r, soft)
	}}
}

func ring(cx, cy, r, width float64, c rgb, alpha float64) layer {
	return layer{area: around(cx, cy, r+width/2), paint: func(x, y, soft float64) (rgb, float64) {
		return c, alpha * cover(math.Abs(distance(x-cx, y-cy)-r)-width/2, soft)
	}}
}

// glow fades from the middle outwards.
func glow(cx, cy, r float64, c rgb, alpha float64) layer {
	return layer{area: around(cx, cy, r), paint: func(x, y, _ float64) (rgb, float64) {
		t := clamp(1 - distance(x-cx, y-cy)/r)
		return c, alpha * t * t
	}}
}

func box(x0, y0, x1, y1 float64, c rgb, alpha float64) layer {
	return layer{area: area{x0, y0, x1, y1}, paint: func(x, y, soft float64) (rgb, float64) {
		return c, alpha * cover(max(x0-x, x-x1, y0-y, y-y1), soft)
	}}
}

// hills cover all that lies below a wave.
func hills(level, height, length, phase float64, c rgb, alpha float64) layer {
	return layer{area: area{0, level - height, wide, high}, paint: func(x, y, soft float64) (rgb, float64) {
		if y > level+height {
			return c, alpha
		}
		edge := level - height*(0.7*math.Sin(x/length+phase)+0.3*math.Sin(2.3*x/length+1.7*phase))
		return c, alpha * cover(edge-y, soft)
	}}
}

// gable is a house front with a pointed roof.
func gable(x0, x1, roof, eaves, ground float64, c rgb) layer {
	mid, half := (x0+x1)/2, (x1-x0)/2
	return layer{area: area{x0, roof, x1, ground}, paint: func(x, y, soft float64) (rgb, float64) {
		slope := roof + (eaves-roof)*math.Abs(x-mid)/half
		return c, cover(max(math.Abs(x-mid)-half, slope-y, y-ground), soft)
	}}
}

// stripes repeat two colours inside a band; scallop rounds off its lower edge, as on an awning.
func stripes(x0, x1, y0, y1, width float64, scallop bool, a, b rgb) layer {
	return layer{area: area{x0, y0, x1, y1 + width/2}, paint: func(x, y, soft float64) (rgb, float64) {
		n := math.Floor((x - x0) / width)
		c := a
		if math.Mod(n, 2) != 0 {
			c = b
		}
		bottom := y1
		if scallop {
			t := (x-x0)/width - n - 0.5
			bottom += width / 2 * math.Sqrt(max(0, 1-4*t*t))
		}
		return c, cover(max(x0-x, x-x1, y0-y, y-bottom), soft)
	}}
}

// dots scatters n discs over a part of the picture; the same seed gives the same ones.
func dots(n int, seed uint32, where area, least, most, alpha float64, colours ...rgb) layer {
	var all layer
	for i := range n {
		x := where.x0 + (where.x1-where.x0)*chance(&seed)
		y := where.y0 + (where.y1-where.y0)*chance(&seed)
		all.parts = append(all.parts, disc(x, y, least+(most-least)*chance(&seed), colours[i%len(colours)], alpha))
	}
	return all
}

// chance is a small linear congruential generator: the pictures must not change with the toolchain.
func chance(seed *uint32) float64 {
	*seed = *seed*1664525 + 1013904223
	return float64(*seed>>8) / (1 << 24)
}

// beam is a cone of light that falls from a point.
func beam(cx, cy, tx, ty, spread float64, c rgb, alpha float64) layer {
	length := distance(tx-cx, ty-cy)
	ux, uy := (tx-cx)/length, (ty-cy)/length
	return layer{area: everywhere, paint: func(x, y, soft float64) (rgb, float64) {
		along := (x-cx)*ux + (y-cy)*uy
		if along < 0 {
			return c, 0
		}
		across := math.Abs((x-cx)*uy - (y-cy)*ux)
		return c, alpha * cover(across-along*spread, soft+along*0.03) * clamp(1.15-along/length)
	}}
}

// bar is a straight line with round ends.
func bar(x0, y0, x1, y1, width float64, c rgb, alpha float64) layer {
	dx, dy := x1-x0, y1-y0
	square, half := dx*dx+dy*dy, width/2
	bounds := area{min(x0, x1) - half, min(y0, y1) - half, max(x0, x1) + half, max(y0, y1) + half}
	return layer{area: bounds, paint: func(x, y, soft float64) (rgb, float64) {
		t := clamp(((x-x0)*dx + (y-y0)*dy) / square)
		return c, alpha * cover(distance(x-x0-t*dx, y-y0-t*dy)-half, soft)
	}}
}

// cone widens from one half width at x0 to another at x1, about the height y0.
func cone(x0, x1, y0, narrow, broad float64, c rgb) layer {
	return layer{area: area{x0, y0 - broad, x1, y0 + broad}, paint: func(x, y, soft float64) (rgb, float64) {
		t := clamp((x - x0) / (x1 - x0))
		d := math.Abs(y-y0) - (narrow + (broad-narrow)*t*t)
		return c, cover(max(d, x0-x, x-x1), soft)
	}}
}
