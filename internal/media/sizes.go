package media

import (
	"image"
	"math"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Size is an image size that the site has configured. Width and Height are upper limits, 0 for none. If Crop is set,
// images are cropped to exactly this size.
type Size struct {
	Name          string
	Width, Height int
	Crop          bool
}

// sized are the sizes in a site's options, in the order in which WordPress creates them.
var sized = []string{"medium", "large", "thumbnail", "medium_large"}

// SizeOptions are the names of the options that SizesOf reads.
var SizeOptions = optionNames()

func optionNames() (names []string) {
	for _, s := range sized {
		names = append(names, s+"_size_w", s+"_size_h", s+"_crop")
	}
	return names
}

// SizesOf returns the sizes in a site's options and the two large ones that WordPress always has. A missing option
// counts as 0.
func SizesOf(options map[string]string) []Size {
	var out []Size
	for _, name := range sized {
		s := Size{
			Name:   name,
			Width:  pixels(options[name+"_size_w"]),
			Height: pixels(options[name+"_size_h"]),
			Crop:   options[name+"_crop"] != "" && options[name+"_crop"] != "0",
		}
		if s.Width > 0 || s.Height > 0 {
			out = append(out, s)
		}
	}
	return append(out,
		Size{Name: "1536x1536", Width: 1536, Height: 1536},
		Size{Name: "2048x2048", Width: 2048, Height: 2048})
}

func pixels(option string) int {
	return int(min(max(phpval.Int(option), 0), maxSide))
}

// fit returns the dimensions of a size of an image of w by h pixels, and the part of the image that it shows. ok is
// false if the result would not be smaller than the image. It computes the same as WordPress's image_resize_dimensions.
func fit(w, h int, s Size) (width, height int, part image.Rectangle, ok bool) {
	switch {
	case w < 1 || h < 1 || s.Width <= 0 && s.Height <= 0:
		return 0, 0, part, false
	case s.Height <= 0:
		ok = w >= s.Width
	case s.Width <= 0:
		ok = h >= s.Height
	default:
		ok = w >= s.Width || h >= s.Height
	}
	if !ok {
		return 0, 0, part, false
	}
	part = image.Rect(0, 0, w, h)
	if s.Crop {
		width, height, part = cropped(w, h, s.Width, s.Height)
	} else {
		width, height = constrained(w, h, s.Width, s.Height)
	}
	// A difference of one pixel counts as the same size.
	same := near(width, w) && near(height, h)
	return width, height, part, !same
}

func near(a, b int) bool { return a-b <= 1 && b-a <= 1 }

// constrained scales w by h to fit into a box. 0 for a side of the box means no limit.
func constrained(w, h, boxW, boxH int) (int, int) {
	ratioW, ratioH := 1.0, 1.0
	narrower, lower := boxW > 0 && w > boxW, boxH > 0 && h > boxH
	if narrower {
		ratioW = float64(boxW) / float64(w)
	}
	if lower {
		ratioH = float64(boxH) / float64(h)
	}
	ratio := max(ratioW, ratioH)
	if rounded(w, ratio) > boxW || rounded(h, ratio) > boxH {
		ratio = min(ratioW, ratioH)
	}
	width, height := max(rounded(w, ratio), 1), max(rounded(h, ratio), 1)
	// Rounding may miss the box by one pixel. Without this, constraining the result again would change it.
	if narrower && width == boxW-1 {
		width = boxW
	}
	if lower && height == boxH-1 {
		height = boxH
	}
	return width, height
}

// cropped returns the size of a cropped image, and the largest part from the middle that can be scaled to it. If a side
// of the image is smaller than the box, it keeps its length.
func cropped(w, h, boxW, boxH int) (width, height int, part image.Rectangle) {
	aspect := float64(w) / float64(h)
	width, height = min(max(boxW, 0), w), min(max(boxH, 0), h)
	if width == 0 {
		width = max(rounded(height, aspect), 1)
	}
	if height == 0 {
		height = max(int(math.Round(float64(width)/aspect)), 1)
	}
	ratio := max(float64(width)/float64(w), float64(height)/float64(h))
	partW := min(max(int(math.Round(float64(width)/ratio)), 1), w)
	partH := min(max(int(math.Round(float64(height)/ratio)), 1), h)
	return width, height, image.Rect(0, 0, partW, partH).Add(image.Pt((w-partW)/2, (h-partH)/2))
}

func rounded(n int, ratio float64) int { return int(math.Round(float64(n) * ratio)) }
