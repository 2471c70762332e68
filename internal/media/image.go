package media

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"

	"golang.org/x/image/webp"
)

// maxSide limits width and height each: the memory for scaling grows with them, even
// if the other is 1. JPEG cannot hold more.
const maxSide = 1<<16 - 1

const (
	// maxScans is how many scans a JPEG may have: each is a pass over the whole picture, and takes a few bytes of the file. Encoders
	// make about ten.
	maxScans = 100
	// maxWork is how much memory decoding a picture may take in all. A progressive JPEG of 16 megapixels takes 120 MiB, or 240 MiB
	// where colours are as fine as light.
	maxWork = 256 << 20
)

// Image is an image file that was fetched or sent.
type Image struct {
	Source        string // the URL that was requested, "" for none
	Name          string // last segment of its path, decoded; may be empty
	Mime          string // image/jpeg, image/png, image/gif or image/webp
	Width, Height int    // as shown, after turning

	data        []byte
	orientation int   // 1 to 8 as in EXIF, 1 upright
	decoded     int64 // bytes of its pixels
}

// format is what is known about a kind of image file.
type format struct {
	ext    string
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var formats = map[string]format{
	"image/jpeg": {"jpg", jpeg.DecodeConfig, jpeg.Decode},
	"image/png":  {"png", png.DecodeConfig, png.Decode},
	"image/gif":  {"gif", gif.DecodeConfig, gif.Decode}, // decodes the first frame only
	"image/webp": {"webp", webp.DecodeConfig, webp.Decode},
}

// inspect recognizes an image by its content. It refuses one that would take too much
// memory before anything is decoded.
func inspect(data []byte, maxPixels, maxDecoded int64) (img *Image, err error) {
	mime := http.DetectContentType(data)
	format, known := formats[mime]
	if !known {
		return nil, refuse(reasonType)
	}
	defer recoverBroken(&err)
	config, err := format.config(bytes.NewReader(data))
	if err != nil {
		return nil, refuseFor(reasonBroken, err)
	}
	w, h := config.Width, config.Height
	if w < 1 || h < 1 {
		return nil, refuse(reasonBroken)
	}
	decoded := decodedBytes(mime, data, config)
	if w > maxSide || h > maxSide || int64(w)*int64(h) > maxPixels || decoded > maxDecoded {
		return nil, refuse(reasonPixels)
	}
	img = &Image{Mime: mime, Width: w, Height: h, data: data, orientation: 1, decoded: decoded}
	if mime == "image/jpeg" {
		img.orientation = orientation(data)
		if sideways(img.orientation) {
			img.Width, img.Height = h, w
		}
		if n := scansOf(data); n > maxScans {
			return nil, refuse(reasonScans).about("Scans", n, "Max", maxScans)
		}
	}
	if img.decoded+img.workBytes() > maxWork {
		return nil, img.refuseWork()
	}
	return img, nil
}

// refuseWork refuses a picture whose decoding would take too much memory, by its size and its form.
func (img *Image) refuseWork() *Error {
	reason := reasonWork
	if img.progressiveJPEG() {
		reason = reasonProgressive
	}
	return refuse(reason).about("Width", img.Width, "Height", img.Height)
}

// decode returns the picture upright. Its bounds may start anywhere.
func (img *Image) decode(ctx context.Context) (m image.Image, err error) {
	defer recoverBroken(&err)
	m, err = formats[img.Mime].decode(readUntil{ctx, bytes.NewReader(img.data)})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, refuseFor(reasonBroken, err)
	}
	if img.Mime == "image/gif" {
		m = onCanvas(m, img.Width, img.Height)
	}
	if m, err = upright(ctx, m, img.orientation); err != nil {
		return nil, err
	}
	if m.Bounds().Dx() != img.Width || m.Bounds().Dy() != img.Height {
		return nil, refuse(reasonBroken)
	}
	return m, nil
}

// recoverBroken turns a panic of a decoder into a refusal: crafted files have made
// decoders panic before.
func recoverBroken(err *error) {
	if r := recover(); r != nil {
		*err = refuse(reasonBroken)
	}
}

// onCanvas returns the first frame of a GIF on the whole canvas, which it need not
// fill.
func onCanvas(m image.Image, w, h int) image.Image {
	canvas := image.Rect(0, 0, w, h)
	if m.Bounds() == canvas {
		return m
	}
	out := image.NewNRGBA(canvas)
	draw.Draw(out, m.Bounds(), m, m.Bounds().Min, draw.Src)
	return out
}

// animatedWebP reports whether a WebP file has frames only, which the decoder does
// not read.
func (img *Image) animatedWebP() bool {
	const flags, animation = 20, 1 << 1
	return img.Mime == "image/webp" && len(img.data) > flags &&
		string(img.data[12:16]) == "VP8X" && img.data[flags]&animation != 0
}

// opaque reports whether a picture is known to have no transparency.
func opaque(m image.Image) bool {
	if o, ok := m.(interface{ Opaque() bool }); ok {
		return o.Opaque()
	}
	return m.ColorModel() == color.YCbCrModel
}
