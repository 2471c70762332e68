package media

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// quarters returns a picture whose quarters are red, green, blue and white, from left to right and top to bottom.
func quarters(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.Set(x, y, corners[y*2/h*2+x*2/w])
		}
	}
	return m
}

var corners = []color.RGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}}

// quarterOf returns the nearest corner colour at a point, whose coordinates are in eighths.
func quarterOf(m image.Image, x8, y8 int) int {
	b := m.Bounds()
	r, g, bl, _ := m.At(b.Min.X+b.Dx()*x8/8, b.Min.Y+b.Dy()*y8/8).RGBA()
	high := [3]bool{r > 0x8000, g > 0x8000, bl > 0x8000}
	return slices.Index([][3]bool{{true, false, false}, {false, true, false}, {false, false, true}, {true, true, true}}, high)
}

func readingOrder(m image.Image) [4]int {
	return [4]int{quarterOf(m, 2, 2), quarterOf(m, 6, 2), quarterOf(m, 2, 6), quarterOf(m, 6, 6)}
}

func jpegFile(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, jpeg.Encode(&b, m, &jpeg.Options{Quality: 90}))
	return b.Bytes()
}

func pngFile(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, png.Encode(&b, m))
	return b.Bytes()
}

// gifFile returns a GIF with two frames: the first covers only a part of the canvas, the second all of it.
func gifFile(t testing.TB, w, h int, first image.Rectangle) []byte {
	t.Helper()
	palette := color.Palette{color.Transparent, color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}}
	one, two := image.NewPaletted(first, palette), image.NewPaletted(image.Rect(0, 0, w, h), palette)
	for i := range one.Pix {
		one.Pix[i] = 1
	}
	for i := range two.Pix {
		two.Pix[i] = 2
	}
	var b bytes.Buffer
	must.Succeed(t, gif.EncodeAll(&b, &gif.GIF{
		Image: []*image.Paletted{one, two}, Delay: []int{1, 1},
		Config: image.Config{Width: w, Height: h, ColorModel: palette},
	}))
	return b.Bytes()
}

// webpFile returns a lossless WebP of one colour. Every code has a single symbol, so the pixels need no bits.
func webpFile(w, h int, c color.NRGBA) []byte {
	var bits []byte
	n := 0
	put := func(value, count int) {
		for i := range count {
			if n%8 == 0 {
				bits = append(bits, 0)
			}
			bits[n/8] |= byte(value>>i&1) << (n % 8)
			n++
		}
	}
	put(0x2f, 8)
	put(w-1, 14)
	put(h-1, 14)
	put(1, 1) // alpha is used
	put(0, 3) // version
	put(0, 3) // no transform, no colour cache, one group of codes
	for _, symbol := range []uint8{c.G, c.R, c.B, c.A, 0} {
		put(0b101, 3) // simple code with one symbol of 8 bits
		put(int(symbol), 8)
	}
	return riffFile("VP8L", bits)
}

func animatedWebPFile(w, h int) []byte {
	flags := []byte{1 << 1, 0, 0, 0, byte(w - 1), byte((w - 1) >> 8), 0, byte(h - 1), byte((h - 1) >> 8), 0}
	return riffFile("VP8X", flags)
}

func riffFile(chunk string, data []byte) []byte {
	size := uint32(len(data))
	if len(data)%2 == 1 {
		data = append(data, 0)
	}
	out := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(data)+12))
	out = binary.LittleEndian.AppendUint32(append(out, "WEBP"+chunk...), size)
	return append(out, data...)
}

// declaredPNG returns a PNG that declares dimensions and contains no pixels.
func declaredPNG(w, h uint32) []byte {
	header := binary.BigEndian.AppendUint32([]byte("IHDR"), w)
	header = append(binary.BigEndian.AppendUint32(header, h), 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	out = append(out, header...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(header))
}

// withOrientation inserts an EXIF segment into a JPEG file.
func withOrientation(file []byte, order binary.AppendByteOrder, n uint16) []byte {
	return withSegment(file, append([]byte("Exif\x00\x00"), tiffBlock(order, n)...))
}

func tiffBlock(order binary.AppendByteOrder, n uint16) []byte {
	tiff := []byte("II*\x00")
	if order.String() == "BigEndian" {
		tiff = []byte("MM\x00*")
	}
	tiff = order.AppendUint32(tiff, 8)
	tiff = order.AppendUint16(tiff, 2)
	for _, e := range [][2]uint16{{0x010F, 7}, {0x0112, n}} {
		tiff = order.AppendUint16(tiff, e[0])
		tiff = order.AppendUint16(tiff, 3)
		tiff = order.AppendUint32(tiff, 1)
		tiff = order.AppendUint16(tiff, e[1])
		tiff = append(tiff, 0, 0)
	}
	return order.AppendUint32(tiff, 0)
}

func withSegment(file, data []byte) []byte {
	out := append(slices.Clone(file[:2]), 0xFF, 0xE1)
	out = binary.BigEndian.AppendUint16(out, uint16(len(data)+2))
	return append(append(out, data...), file[2:]...)
}

// imageOf returns what Fetch would return for a file.
func imageOf(t testing.TB, file []byte) *Image {
	t.Helper()
	return must.Get(inspect(file, defaultMaxPixels, defaultMaxDecoded))(t)
}

// reason returns the reason of an *Error, "" for nil, or the message of another error.
func reason(err error) string {
	if err == nil {
		return ""
	}
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused.Reason
	}
	return err.Error()
}

// contents returns the files in a directory with their sizes, and directories with a trailing slash.
func contents(t testing.TB, dir string) map[string]int64 {
	t.Helper()
	found := map[string]int64{}
	must.Succeed(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			found[filepath.ToSlash(rel)+"/"] = 0
			return nil
		}
		info, err := d.Info()
		if err == nil {
			found[filepath.ToSlash(rel)] = info.Size()
		}
		return err
	}))
	return found
}

func decodeFile(t testing.TB, name string) (image.Image, string) {
	t.Helper()
	f := must.Get(os.Open(name))(t)
	defer f.Close()
	m, format, err := image.Decode(f)
	must.Succeed(t, err)
	return m, format
}
