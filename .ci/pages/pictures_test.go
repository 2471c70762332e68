package pagechecks_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// largest is how many bytes a picture of the documentation may have.
const largest = 150_000

// The pictures of docs/pictures can be taken, and are small. They are written if AGENDA_PICTURES is set.
func TestPictures(t *testing.T) {
	all := kinds(t, "")
	b := open(t, screen{1440, 900, "light"})
	b.visit("/?view=list")
	cancelled := b.link(".card:has(.state) h3 a")
	b.visit(cancelled)
	states := "/?month=" + value[string](b, `document.querySelector('.first time').dateTime.slice(0, 7)`)
	b.visit("/?view=list&q=night+trains")
	b.follow(".card h3 a", false)
	abroad := "/?day=" + value[string](b, `document.querySelector('.first time').dateTime.slice(0, 10)`)
	for name, p := range map[string]struct {
		path string
		screen
		last  string  // what the picture ends with, "" for the end of the screen
		sharp float64 // pixels of the picture for each of the screen
	}{
		"month.png":           {all["month"], screen{1200, 900, "light"}, ".grid", 1},
		"month-dark.png":      {all["month"], screen{1200, 900, "dark"}, ".grid", 1},
		"month-phone.png":     {all["month"], screen{390, 844, "light"}, "", 1.5},
		"event-phone.png":     {all["event"], screen{390, 844, "light"}, "", 1.5},
		"month-states.png":    {states, screen{1200, 900, "light"}, ".grid", 1},
		"event-cancelled.png": {cancelled, screen{390, 844, "light"}, "", 1},
		"day-zone.png":        {abroad, screen{1000, 640, "light"}, "", 1},
		"empty-month.png":     {"/?q=night+of+the+museums", screen{900, 560, "light"}, ".nothing", 1},
	} {
		t.Run(name, func(t *testing.T) {
			b, height, beyond := open(t, p.screen), float64(p.height), true
			b.visit(p.path)
			if p.last != "" {
				height = value[float64](b, `document.querySelector('`+p.last+`').getBoundingClientRect().bottom + 16`)
			}
			taken, err := chromedp.Call(b.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
				Clip:                  &page.Viewport{Width: float64(p.width), Height: height, Scale: p.sharp},
				CaptureBeyondViewport: &beyond,
			})
			if err != nil {
				t.Fatal(err)
			}
			picture := taken.Data
			if len(picture) > largest {
				picture = smaller(t, picture)
			}
			if n := len(picture); n < 1000 || n > largest {
				t.Errorf("%d bytes", n)
			}
			if os.Getenv("AGENDA_PICTURES") != "" {
				if err := os.WriteFile(filepath.Join("../../docs/pictures", name), picture, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// smaller returns a picture with the 256 colours that it has most of; the others become the nearest of these.
func smaller(t *testing.T, picture []byte) []byte {
	t.Helper()
	whole, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	bounds, pixels := whole.Bounds(), map[color.Color]int{}
	var colours color.Palette // in the order of the picture, so that the same picture has the same bytes
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := whole.At(x, y)
			if pixels[c]++; pixels[c] == 1 {
				colours = append(colours, c)
			}
		}
	}
	slices.SortStableFunc(colours, func(a, b color.Color) int { return pixels[b] - pixels[a] })
	few := image.NewPaletted(bounds, colours[:min(len(colours), 256)])
	nearest := map[color.Color]uint8{}
	for c := range pixels {
		nearest[c] = uint8(few.Palette.Index(c))
	}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			few.SetColorIndex(x, y, nearest[whole.At(x, y)])
		}
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
