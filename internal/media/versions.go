package media

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"slices"
)

// version is a smaller size of an image that has to be created.
type version struct {
	SavedSize
	part image.Rectangle // the part of the image that it shows
}

// plan returns the smaller sizes of an image. Their File is only the suffix that is appended to the stem.
func plan(img *Image, m image.Image, sizes []Size) []version {
	if m == nil {
		return nil
	}
	mime := "image/png"
	if img.Mime == "image/jpeg" || img.Mime == "image/webp" && opaque(m) {
		mime = "image/jpeg"
	}
	var out []version
	for _, size := range sizes {
		w, h, part, ok := fit(img.Width, img.Height, size)
		if ok {
			file := fmt.Sprintf("-%dx%d.%s", w, h, formats[mime].ext)
			out = append(out, version{SavedSize{Name: size.Name, File: file, Width: w, Height: h, Mime: mime}, part})
		}
	}
	return out
}

// writeVersions creates the smaller sizes and returns them in their given order.
func writeVersions(ctx context.Context, b *batch, m image.Image, stem string, versions []version) ([]SavedSize, error) {
	out := make([]SavedSize, len(versions))
	pictures := []image.Image{m}
	written := map[string]int64{}
	for _, i := range largestFirst(versions) {
		v := versions[i]
		v.File = stem + v.File
		if _, ok := written[v.File]; !ok {
			source, part := sourceOf(v, pictures)
			small, err := resize(ctx, source, part, v.Width, v.Height)
			if err != nil {
				return nil, err
			}
			written[v.File], err = b.writeFile(v.File, func(w io.Writer) error { return encode(writeUntil{ctx, w}, small, v.Mime) })
			if err != nil {
				return nil, err
			}
			if v.part.Size() == m.Bounds().Size() {
				pictures = append(pictures, small)
			}
		}
		v.Size = written[v.File]
		out[i] = v.SavedSize
	}
	return out, nil
}

func largestFirst(versions []version) []int {
	order := make([]int, len(versions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(versions[j].Width*versions[j].Height, versions[i].Width*versions[i].Height)
	})
	return order
}

// sourceOf returns the picture from which to scale a version: the smallest picture of the whole image that has at least
// twice as many pixels in both directions. The result looks the same and takes a fraction of the time. pictures[0] is
// the image; the others are sorted from large to small.
func sourceOf(v version, pictures []image.Image) (image.Image, image.Rectangle) {
	whole := pictures[0].Bounds().Size()
	for _, p := range slices.Backward(pictures[1:]) {
		size := p.Bounds().Size()
		at := func(q image.Point) image.Point {
			return image.Pt((q.X*size.X+whole.X/2)/whole.X, (q.Y*size.Y+whole.Y/2)/whole.Y)
		}
		part := image.Rectangle{Min: at(v.part.Min), Max: at(v.part.Max)}
		if part.Dx() >= 2*v.Width && part.Dy() >= 2*v.Height {
			return p, part
		}
	}
	return pictures[0], v.part
}
