package demo

import "math"

// pictures are the posters of the season, in the order of their attachments.
var pictures = []picture{
	{"market", "Market on the square", market()},
	{"jazz", "A record in the attic", jazz()},
	{"canal", "Morning on the canal", canal()},
	{"theatre", "Curtain", curtain()},
	{"mill", "The water mill", waterMill()},
	{"cinema", "Light of the projector", projector()},
	{"lights", "Lanterns in the dark", lanterns()},
	{"garden", "Spring in the park", garden()},
	{"brass", "Brass in the nave", brass()},
	{"library", "Spines on a shelf", shelf()},
}

func market() painting {
	cream, red, teal := hex(0xfdf3e1), hex(0xd1495b), hex(0x00798c)
	return stack(hex(0x9fd3e6), hex(0xf6e7cb),
		disc(2.45, 0.45, 0.24, hex(0xfff2b8), 0.9),
		gable(0.05, 0.62, 0.62, 0.95, 1.9, hex(0xc98b5e)), gable(0.62, 1.12, 0.45, 0.85, 1.9, hex(0xb5714a)),
		gable(1.12, 1.75, 0.7, 0.98, 1.9, hex(0xd9a273)), gable(1.75, 2.2, 0.38, 0.8, 1.9, hex(0xa8623f)),
		gable(2.2, 2.95, 0.66, 0.97, 1.9, hex(0xc47f55)),
		box(0, 1.72, 3, 2, hex(0x8c7b6b), 1),
		box(0.2, 1.25, 1.3, 1.78, hex(0x6b4f3a), 1), box(1.7, 1.25, 2.8, 1.78, hex(0x5a4334), 1),
		dots(50, 7, area{0.26, 1.34, 1.24, 1.5}, 0.035, 0.06, 1, hex(0xe07a3f), hex(0x7fa650), hex(0xd1495b), hex(0xf2c14e)),
		dots(50, 9, area{1.76, 1.34, 2.74, 1.5}, 0.035, 0.06, 1, hex(0xe07a3f), hex(0x7fa650), hex(0xd1495b), hex(0xf2c14e)),
		box(0.2, 1.52, 1.3, 1.78, hex(0x7a5b43), 1), box(1.7, 1.52, 2.8, 1.78, hex(0x6d503c), 1),
		stripes(0.12, 1.38, 1.02, 1.18, 0.14, true, red, cream), stripes(1.62, 2.88, 1.02, 1.18, 0.14, true, teal, cream))
}

func jazz() painting {
	gold := hex(0xf0b44c)
	layers := []layer{glow(1.95, 0.9, 1.9, hex(0x6b2d5c), 0.9), disc(1.95, 1.0, 0.82, hex(0x120c18), 1)}
	for r := 0.36; r < 0.8; r += 0.055 {
		layers = append(layers, ring(1.95, 1.0, r, 0.008, hex(0x4a3a57), 0.8))
	}
	layers = append(layers,
		disc(1.95, 1.0, 0.29, gold, 1), ring(1.95, 1.0, 0.22, 0.012, hex(0xb3541e), 1), disc(1.95, 1.0, 0.035, hex(0x120c18), 1),
		bar(2.8, 0.18, 2.62, 1.15, 0.04, hex(0xd8d2dc), 1), bar(2.62, 1.15, 2.36, 1.4, 0.05, hex(0xd8d2dc), 1),
		disc(2.8, 0.18, 0.1, hex(0xa79bb0), 1))
	for i := range 5 {
		x := 0.25 + 0.16*float64(i)
		h := 0.3 + 0.22*math.Abs(math.Sin(float64(i)*1.9+0.6))
		layers = append(layers, bar(x, 1.0-h, x, 1.0+h, 0.075, mix(gold, hex(0xd1495b), float64(i)/4), 0.95))
	}
	return stack(hex(0x2b1736), hex(0x150d20), layers...)
}

func canal() painting {
	layers := []layer{
		glow(2.1, 0.85, 1.3, hex(0xffd9a0), 0.9), disc(2.1, 0.82, 0.2, hex(0xfff1d0), 1),
		hills(0.95, 0.05, 0.35, 0.4, hex(0x6d7f99), 0.7), box(0, 1.02, 3, 2, hex(0x496a8c), 1),
		box(0.25, 0.55, 0.75, 1.02, hex(0x37445c), 1), box(0.85, 0.7, 1.25, 1.02, hex(0x43526c), 1),
		box(0.62, 0.3, 0.7, 0.6, hex(0x37445c), 1),
	}
	for i := range 9 {
		y := 1.1 + 0.095*float64(i)
		half := 0.12 + 0.05*float64(i%4) + 0.02*float64(i)
		layers = append(layers, bar(2.1-half, y, 2.1+half, y, 0.022, hex(0xffdfae), 0.75-0.05*float64(i)))
	}
	layers = append(layers, hills(1.93, 0.05, 0.6, 2.2, hex(0x24364a), 1),
		box(0.55, 1.36, 1.7, 1.5, hex(0x1f2a3c), 1), box(0.72, 1.24, 1.05, 1.37, hex(0xd1495b), 1), disc(1.7, 1.43, 0.07, hex(0x1f2a3c), 1))
	return stack(hex(0x5f7fa8), hex(0xf3b27a), layers...)
}

func curtain() painting {
	folds := layer{area: area{0, 0, wide, 1.72}, paint: func(x, y, _ float64) (rgb, float64) {
		gap := 0.34 + 0.42*clamp(y/1.75)*clamp(y/1.75)
		if math.Abs(x-1.5) < gap || y > 1.72 {
			return rgb{}, 0
		}
		shade := 0.5 + 0.5*math.Sin(math.Abs(x-1.5)*22+y*0.8)
		return mix(hex(0x5c0f1f), hex(0xc2263f), shade), 1
	}}
	return stack(hex(0x1a1226), hex(0x2e1d33),
		beam(1.5, -0.2, 1.5, 1.8, 0.26, hex(0xffe9b5), 0.55), box(0, 1.72, 3, 2, hex(0x7a4a2b), 1),
		glow(1.5, 1.82, 0.62, hex(0xffe3a1), 0.8), folds,
		bar(1.5, 1.3, 1.5, 1.78, 0.05, hex(0x2b1a14), 1), bar(1.3, 1.5, 1.7, 1.5, 0.05, hex(0x2b1a14), 1),
		bar(1.32, 1.5, 1.3, 1.8, 0.045, hex(0x2b1a14), 1), bar(1.68, 1.5, 1.7, 1.8, 0.045, hex(0x2b1a14), 1),
		stripes(0, 3, 0, 0.16, 0.2, true, hex(0xa81d34), hex(0x8c152a)), box(0, 0, 3, 0.045, hex(0xd9a441), 1))
}

func waterMill() painting {
	layers := []layer{
		disc(0.55, 0.5, 0.22, hex(0xfff6d6), 0.8), hills(1.15, 0.16, 0.5, 0.9, hex(0x8fb58b), 1), hills(1.35, 0.1, 0.4, 2.1, hex(0x5f9170), 1),
		gable(1.25, 2.3, 0.48, 0.92, 1.75, hex(0xe9dcc3)), gable(1.15, 2.4, 0.36, 0.98, 0.92, hex(0x9a4a35)),
		box(1.5, 1.05, 1.68, 1.28, hex(0x4a5a66), 1), box(1.88, 1.05, 2.06, 1.28, hex(0x4a5a66), 1), box(0, 1.68, 3, 2, hex(0x3f7c8f), 1),
	}
	const cx, cy, r = 2.42, 1.38, 0.46
	layers = append(layers, ring(cx, cy, r, 0.05, hex(0x4b3527), 1), ring(cx, cy, r*0.72, 0.03, hex(0x5d4333), 1))
	for i := range 6 {
		a := float64(i)*math.Pi/6 + 0.13
		layers = append(layers, bar(cx-r*1.12*math.Cos(a), cy-r*1.12*math.Sin(a), cx+r*1.12*math.Cos(a), cy+r*1.12*math.Sin(a), 0.032, hex(0x4b3527), 1))
	}
	layers = append(layers, disc(cx, cy, 0.07, hex(0x2f2018), 1))
	for i := range 7 {
		y, x := 1.74+0.035*float64(i), 0.2+0.37*float64(i*5%7)
		layers = append(layers, bar(x, y, x+0.32, y, 0.014, hex(0xd5ecef), 0.7))
	}
	return stack(hex(0xbfe0ea), hex(0xe8f1da), layers...)
}

func projector() painting {
	layers := []layer{beam(0.35, 0.55, 2.9, 1.1, 0.3, hex(0xfff0c2), 0.75), beam(0.35, 0.55, 2.9, 1.1, 0.12, hex(0xffffff), 0.3)}
	layers = append(layers, dots(40, 21, area{0.5, 0.3, wide, 1.6}, 0.006, 0.014, 0.5, hex(0xffffff)),
		disc(0.35, 0.55, 0.13, hex(0xfff8e0), 1), ring(0.35, 0.55, 0.15, 0.05, hex(0x39414f), 1))
	for i := range 9 {
		x := 0.1 + 0.35*float64(i)
		layers = append(layers, disc(x, 1.72, 0.1, hex(0x0b1018), 1), bar(x, 1.92, x, 2.2, 0.3, hex(0x0b1018), 1))
	}
	for i := range 8 {
		x := 0.28 + 0.35*float64(i)
		layers = append(layers, bar(x, 1.98, x, 2.3, 0.3, hex(0x7c1f2e), 1))
	}
	return stack(hex(0x17263d), hex(0x0d1522), layers...)
}

func lanterns() painting {
	layers := []layer{dots(70, 3, area{0, 0, wide, 1.2}, 0.005, 0.013, 0.9, hex(0xffffff), hex(0xcfe0ff)), hills(1.7, 0.1, 0.5, 0.3, hex(0xe6edf7), 1), hills(1.82, 0.07, 0.3, 1.9, hex(0xc9d6ea), 1)}
	colours := []rgb{hex(0xffb347), hex(0xff6f59), hex(0xffd166), hex(0xf78fb3), hex(0x9be7c4)}
	for i := range 7 {
		x := 0.24 + 0.42*float64(i)
		y := 0.62 + 0.2*math.Sin(float64(i)*1.3)
		c := colours[i%len(colours)]
		layers = append(layers, bar(x, 0, x, y, 0.01, hex(0x8a93ad), 0.8), glow(x, y+0.12, 0.55, c, 0.7),
			disc(x, y+0.12, 0.13, c, 1), disc(x, y+0.12, 0.07, hex(0xfffbe8), 0.8))
	}
	layers = append(layers, gable(0.3, 0.75, 1.3, 1.52, 1.78, hex(0x3b2f4a)), gable(2.1, 2.7, 1.26, 1.5, 1.8, hex(0x44365a)),
		box(0.47, 1.58, 0.58, 1.7, hex(0xffd166), 1), box(2.3, 1.57, 2.42, 1.7, hex(0xffd166), 1))
	return stack(hex(0x131a3a), hex(0x3c3a72), layers...)
}

func garden() painting {
	layers := []layer{disc(2.4, 0.42, 0.26, hex(0xffe08a), 0.95), hills(1.1, 0.12, 0.55, 1.2, hex(0xa7cf8a), 1), hills(1.38, 0.12, 0.4, 0.2, hex(0x78b36b), 1)}
	layers = append(layers, bar(0.7, 0.9, 0.7, 1.5, 0.1, hex(0x7a5238), 1),
		disc(0.7, 0.72, 0.36, hex(0x5e9e54), 1), disc(0.48, 0.86, 0.24, hex(0x6cae60), 1), disc(0.94, 0.86, 0.25, hex(0x4f8d4a), 1),
		hills(1.62, 0.06, 0.3, 2.4, hex(0x4f9355), 1))
	layers = append(layers, dots(90, 11, area{0, 1.62, wide, 1.98}, 0.02, 0.045, 1, hex(0xf25f5c), hex(0xffe066), hex(0xf7f7ff), hex(0xb388eb), hex(0xff9f6b)))
	return stack(hex(0xaee1f5), hex(0xf2fbe8), layers...)
}

func brass() painting {
	gold, dark := hex(0xe8b33f), hex(0xa36a14)
	layers := []layer{glow(1.5, 0.2, 2.2, hex(0xfff3d6), 0.7)}
	for i := range 3 {
		x := 0.6 + 0.9*float64(i)
		layers = append(layers, disc(x, 0.62, 0.24, hex(0x6fa8c9), 0.9), box(x-0.24, 0.62, x+0.24, 1.25, hex(0x6fa8c9), 0.9),
			box(x-0.012, 0.4, x+0.012, 1.25, hex(0xc9a98a), 1), box(x-0.24, 0.85, x+0.24, 0.872, hex(0xc9a98a), 1))
	}
	layers = append(layers, ring(1.15, 1.4, 0.3, 0.1, dark, 1), ring(1.15, 1.4, 0.3, 0.06, gold, 1),
		bar(0.4, 1.12, 2.1, 1.12, 0.075, gold, 1), bar(0.36, 1.12, 0.44, 1.12, 0.12, dark, 1),
		cone(1.9, 2.6, 1.12, 0.037, 0.3, gold), bar(2.6, 0.82, 2.6, 1.42, 0.05, dark, 1))
	for i := range 3 {
		x := 1.05 + 0.14*float64(i)
		layers = append(layers, bar(x, 1.0, x, 1.45, 0.075, dark, 1), bar(x, 0.9, x, 1.0, 0.03, gold, 1), disc(x, 0.89, 0.045, hex(0xfff3d6), 1))
	}
	return stack(hex(0xe9d3b4), hex(0xb98d63), layers...)
}

func shelf() painting {
	colours := []rgb{hex(0x2a6f97), hex(0xd1495b), hex(0xedae49), hex(0x66a182), hex(0x5f4b8b), hex(0xe9c9a6), hex(0x30475e), hex(0xc8553d)}
	layers := []layer{}
	seed := uint32(42)
	for row := range 2 {
		ground := 0.92 + 0.96*float64(row)
		for x, i := 0.06, row*3; x < 2.86; i++ {
			w, h := 0.09+0.1*chance(&seed), 0.5+0.26*chance(&seed)
			c := colours[i%len(colours)]
			layers = append(layers, box(x, ground-h, x+w-0.01, ground, c, 1),
				box(x, ground-h*0.86, x+w-0.01, ground-h*0.82, mix(c, hex(0xffffff), 0.55), 1), box(x, ground-h*0.2, x+w-0.01, ground-h*0.17, mix(c, hex(0xffffff), 0.35), 1))
			x += w
		}
		layers = append(layers, box(0, ground, 3, ground+0.09, hex(0x6b442a), 1))
	}
	return stack(hex(0x3b2a20), hex(0x2a1d16), layers...)
}
