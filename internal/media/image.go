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

// maxSide limits width and height: the memory for scaling grows with each of them, even if the other one is 1. It is
// also the limit of JPEG.
const maxSide = 1<<16 - 1

const (
	// maxScans is the greatest number of scans in a JPEG file. Each scan makes the decoder go over the whole picture
	// but needs only a few bytes, so many scans could keep the processor busy. Encoders write about ten.
	maxScans = 100
	// maxWork is the greatest number of bytes that decoding an image may need in total. A progressive JPEG of 16
	// megapixels needs 120 MiB, or 240 MiB without chroma subsampling.
	maxWork = 256 << 20
)

// Image is an image file that was downloaded or uploaded, not decoded yet.
type Image struct {
	Name          string // path.Base of the URL's path, unescaped; "" for an upload
	Mime          string // image/jpeg, image/png, image/gif or image/webp
	Width, Height int    // as displayed, after applying the orientation

	data        []byte
	orientation int   // EXIF orientation, 1 to 8
	decoded     int64 // size of the decoded pixels, in bytes
}

type format struct {
	ext    string
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var formats = map[string]format{
	"image/jpeg": {"jpg", jpeg.DecodeConfig, jpeg.Decode},
	"image/png":  {"png", png.DecodeConfig, png.Decode},
	"image/gif":  {"gif", gif.DecodeConfig, gif.Decode}, // decodes only the first frame
	"image/webp": {"webp", webp.DecodeConfig, webp.Decode},
}

// inspect detects the format from the content and reads the header. It rejects an image that would need too much memory
// before anything is decoded.
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

// refuseWork returns the error for an image that needs too much memory to decode.
func (img *Image) refuseWork() *Error {
	reason := reasonWork
	if _, _, inScans := frameOf(img.data); inScans && img.Mime == "image/jpeg" {
		reason = reasonProgressive
	}
	return refuse(reason).about("Width", img.Width, "Height", img.Height)
}

// decode decodes the picture and applies its orientation. The bounds of the result may start anywhere.
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

// recoverBroken turns a panic of a decoder into an *Error. Decoders have had bugs that crafted files trigger.
func recoverBroken(err *error) {
	if r := recover(); r != nil {
		*err = refuse(reasonBroken)
	}
}

// onCanvas returns the first frame of a GIF drawn on the whole canvas, which the frame may not fill.
func onCanvas(m image.Image, w, h int) image.Image {
	canvas := image.Rect(0, 0, w, h)
	if m.Bounds() == canvas {
		return m
	}
	out := image.NewNRGBA(canvas)
	draw.Draw(out, m.Bounds(), m, m.Bounds().Min, draw.Src)
	return out
}

// animatedWebP reports whether the image is an animated WebP, which Go's decoder cannot read.
func (img *Image) animatedWebP() bool {
	const flags, animation = 20, 1 << 1
	return img.Mime == "image/webp" && len(img.data) > flags &&
		string(img.data[12:16]) == "VP8X" && img.data[flags]&animation != 0
}

// opaque reports whether a picture certainly has no transparency.
func opaque(m image.Image) bool {
	if o, ok := m.(interface{ Opaque() bool }); ok {
		return o.Opaque()
	}
	return m.ColorModel() == color.YCbCrModel
}
