package media

import (
	"context"
	"image"

	"golang.org/x/image/draw"
)

// bandWidth is how many rows or columns are scaled at a time.
const bandWidth = 64

// resize scales a part of a picture, horizontally and then vertically, in bands. At once, the scaler would need 32
// bytes for each pixel of the intermediate picture, which is hundreds of megabytes for a large photo.
func resize(ctx context.Context, m image.Image, part image.Rectangle, width, height int) (*image.RGBA, error) {
	part = part.Add(m.Bounds().Min)
	narrow := image.NewRGBA(image.Rect(0, 0, width, part.Dy()))
	scaler := draw.CatmullRom.NewScaler(width, bandWidth, part.Dx(), bandWidth)
	err := bands(ctx, part.Dy(), func(from, to int) {
		rows := image.Rect(part.Min.X, part.Min.Y+from, part.Max.X, part.Min.Y+to)
		scaler.Scale(narrow, image.Rect(0, from, width, to), m, rows, draw.Src, nil)
	})
	if err != nil {
		return nil, err
	}
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	scaler = draw.CatmullRom.NewScaler(bandWidth, height, bandWidth, part.Dy())
	err = bands(ctx, width, func(from, to int) {
		columns := image.Rect(from, 0, to, part.Dy())
		scaler.Scale(out, image.Rect(from, 0, to, height), narrow, columns, draw.Src, nil)
	})
	return out, err
}

// bands calls scale for each band, until ctx ends.
func bands(ctx context.Context, total int, scale func(from, to int)) error {
	for from := 0; from < total; from += bandWidth {
		if err := ctx.Err(); err != nil {
			return err
		}
		scale(from, min(from+bandWidth, total))
	}
	return nil
}
