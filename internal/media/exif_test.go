package media

import (
	"encoding/binary"
	"image"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// shown maps orientations to where the quarters 0 to 3 of the stored picture are displayed.
var shown = map[uint16][4]int{
	1: {0, 1, 2, 3}, 2: {1, 0, 3, 2}, 3: {3, 2, 1, 0}, 4: {2, 3, 0, 1},
	5: {0, 2, 1, 3}, 6: {2, 0, 3, 1}, 7: {3, 1, 2, 0}, 8: {1, 3, 0, 2},
}

func TestOrientation(t *testing.T) {
	file := jpegFile(t, quarters(64, 32))
	for n, want := range shown {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			img := imageOf(t, withOrientation(file, order, n))
			if img.orientation != int(n) {
				t.Errorf("%d %v is read as %d", n, order, img.orientation)
				continue
			}
			m := must.Get(img.decode(t.Context()))(t)
			w, h := 64, 32
			if n >= 5 {
				w, h = h, w
			}
			if got := readingOrder(m); got != want || img.Width != w || img.Height != h || m.Bounds().Dx() != w || m.Bounds().Dy() != h {
				t.Errorf("%d: %v in %v, declared %d×%d; want %v", n, got, m.Bounds(), img.Width, img.Height, want)
			}
		}
	}
}

// TestUprightOffset checks a picture whose bounds do not begin at the origin.
func TestUprightOffset(t *testing.T) {
	whole := quarters(96, 96)
	part := whole.SubImage(image.Rect(32, 32, 64, 64))
	m := must.Get(upright(t.Context(), part, 3))(t)
	if got := readingOrder(m); got != shown[3] {
		t.Errorf("%v", got)
	}
}

func TestOrientationAbsent(t *testing.T) {
	file := jpegFile(t, quarters(8, 8))
	exif := func(tiff ...byte) []byte { return withSegment(file, append([]byte("Exif\x00\x00"), tiff...)) }
	good := tiffBlock(binary.LittleEndian, 6)
	changed := func(at int, to byte) []byte {
		b := append([]byte(nil), good...)
		b[at] = to
		return exif(b...)
	}
	for name, c := range map[string][]byte{
		"no segment":        file,
		"empty":             exif(),
		"no header":         exif([]byte("XX*\x00\x08\x00\x00\x00\x00\x00")...),
		"zero":              withOrientation(file, binary.LittleEndian, 0),
		"nine":              withOrientation(file, binary.LittleEndian, 9),
		"another type":      changed(8+2+12+2, 4),
		"two values":        changed(8+2+12+4, 2),
		"other tag":         changed(8+2+12, 0x13),
		"far away":          changed(7, 0x7F),
		"cut short":         exif(good[:30]...),
		"another APP1":      withSegment(file, []byte("http://ns.adobe.com/xap/1.0/\x00")),
		"after the picture": append(append([]byte(nil), file...), withOrientation(file, binary.LittleEndian, 6)[2:]...),
		"not a JPEG":        append([]byte("xx"), withOrientation(file, binary.LittleEndian, 6)[2:]...),
		"nothing":           nil,
		"offset at the end": changed(4, byte(len(good))),
		"offset before it":  changed(4, byte(len(good)-1)),
		"in the picture":    append([]byte{0xFF, 0xD8, 0xFF, 0xDA, 0, 2}, withOrientation(file, binary.LittleEndian, 6)[2:]...),
	} {
		golden.Equal(t, name, orientation(c), 1)
	}
	golden.Equal(t, "a count that is too large", orientation(changed(9, 0xFF)), 6)
	// Other segments may come first, with fill bytes in between.
	xmp := withSegment(withOrientation(file, binary.BigEndian, 8), []byte("http://ns.adobe.com/xap/1.0/\x00"))
	golden.Equal(t, "after another APP1", orientation(xmp), 8)
	padded := append([]byte{0xFF, 0xD8, 0xFF, 0xFF}, withOrientation(file, binary.BigEndian, 8)[2:]...)
	golden.Equal(t, "after padding", orientation(padded), 8)
}

func FuzzOrientation(f *testing.F) {
	file := jpegFile(f, quarters(8, 8))
	f.Add(file)
	f.Add(withOrientation(file, binary.LittleEndian, 6))
	f.Add(withOrientation(file, binary.BigEndian, 8))
	f.Add(withOrientation(file, binary.BigEndian, 8)[:40])
	f.Fuzz(func(t *testing.T, file []byte) {
		if n := orientation(file); n < 1 || n > 8 {
			t.Errorf("%d", n)
		}
		if n := orientation(withSegment([]byte{0xFF, 0xD8}, append([]byte("Exif\x00\x00"), file[:min(len(file), 60_000)]...))); n < 1 ||
			n > 8 {
			t.Errorf("as EXIF data: %d", n)
		}
	})
}
