package media

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// decodedOf returns the decoded size that inspect computes for a file.
func decodedOf(t testing.TB, file []byte) int64 {
	t.Helper()
	low, high := int64(0), int64(defaultMaxDecoded)
	for low < high { // find the smallest limit that allows the file
		middle := (low + high) / 2
		if _, err := inspect(file, defaultMaxPixels, middle); err == nil {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// TestB7DecodedBytes checks that images are limited by the memory for their pixels, which depends on the format, and
// not by the number of pixels.
func TestB7DecodedBytes(t *testing.T) {
	area := image.Rect(0, 0, 40, 30)
	const pixels = 40 * 30
	encoded := func(encode func(b *bytes.Buffer) error) []byte {
		var b bytes.Buffer
		must.Succeed(t, encode(&b))
		return b.Bytes()
	}
	asPNG := func(m image.Image) []byte { return encoded(func(b *bytes.Buffer) error { return png.Encode(b, m) }) }
	asJPEG := func(m image.Image) []byte {
		return encoded(func(b *bytes.Buffer) error { return jpeg.Encode(b, m, nil) })
	}
	palette := color.Palette{color.White, color.Black}
	frames := func(n int, r image.Rectangle) []byte {
		g := &gif.GIF{Config: image.Config{Width: 40, Height: 30, ColorModel: palette}}
		for range n {
			g.Image, g.Delay = append(g.Image, image.NewPaletted(r, palette)), append(g.Delay, 1)
		}
		return encoded(func(b *bytes.Buffer) error { return gif.EncodeAll(b, g) })
	}
	translucent := image.NewNRGBA(area)
	translucent.Pix[3] = 7
	full := bytes.Clone(asJPEG(image.NewRGBA(area)))
	full = bytes.Replace(full, []byte{3, 1, 0x22, 0}, []byte{3, 1, 0x11, 0}, 1) // without chroma subsampling
	long := frames(100, area)
	for name, c := range map[string]struct {
		file []byte
		want int64
	}{
		"grey PNG": {asPNG(image.NewGray(area)), pixels}, "grey PNG of 16 bits": {asPNG(image.NewGray16(area)), 2 * pixels},
		"PNG": {asPNG(image.NewRGBA(area)), 4 * pixels}, "PNG with transparency": {asPNG(translucent), 4 * pixels},
		"PNG of 16 bits":     {asPNG(image.NewRGBA64(area)), 8 * pixels},
		"PNG with a palette": {asPNG(image.NewPaletted(area, palette)), pixels},
		"JPEG":               {asJPEG(image.NewRGBA(area)), pixels * 3 / 2}, "grey JPEG": {asJPEG(image.NewGray(area)), pixels},
		"JPEG with all colours": {full, 3 * pixels},
		"GIF":                   {frames(1, area), pixels}, "animation": {long, 100 * pixels},
		"animation of parts": {frames(10, image.Rect(5, 5, 15, 15)), 4*pixels + 10*100},
		"animation cut off":  {long[:len(long)-1], 100 * pixels},
	} {
		if got := decodedOf(t, c.file); got != c.want {
			t.Errorf("%s: %d bytes, want %d", name, got, c.want)
		}
	}
}

// FuzzDecodedBytes checks that decoding never yields more than was computed before.
func FuzzDecodedBytes(f *testing.F) {
	var b bytes.Buffer
	must.Succeed(f, gif.Encode(&b, image.NewPaletted(image.Rect(0, 0, 9, 7), color.Palette{color.White, color.Black}), nil))
	f.Add(b.Bytes())
	f.Add(jpegFile(f, quarters(30, 20)))
	f.Add(declaredPNG(3, 4))
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 1 << 20
		img, err := inspect(data, most, most)
		if err != nil {
			return
		}
		m, err := img.decode(t.Context())
		if err != nil {
			return
		}
		size := int64(0)
		switch m := m.(type) {
		case *image.Paletted:
			size = int64(len(m.Pix))
		case *image.NRGBA:
			size = int64(m.Bounds().Dx()) * int64(m.Bounds().Dy())
		case *image.RGBA:
			size = int64(m.Bounds().Dx()) * int64(m.Bounds().Dy())
		}
		if size > most {
			t.Errorf("%d bytes were decoded", size)
		}
	})
}
