package pagechecks_test

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// largest is the maximum size of an image of the documentation in bytes.
const largest = 140_000

// The images of docs/pictures can be taken, and are small. They are written if AGENDA_PICTURES is set.
func TestPictures(t *testing.T) {
	all := kinds(t, "")
	b := openTab(t, screen{1440, 900, "light"})
	cancelled := b.listed("", becomes["en"][0])
	list := b.address().RequestURI()
	b.visit(cancelled)
	states := "/?month=" + evaluate[string](b, `document.querySelector('.first time').dateTime.slice(0, 7)`)
	b.visit("/?q=night+trains")
	b.follow(".card h3 a", false)
	abroad := "/?day=" + evaluate[string](b, `document.querySelector('.first time').dateTime.slice(0, 10)`)
	signIn(t, b.screen, true) // for all tabs
	german, arabic, town, library := german.at(t), arabic.at(t), town.at(t), month.Format("2006-01")
	week := "/?week=" + month.AddDate(0, 0, saturday-1).Format(time.DateOnly)
	for name, p := range map[string]struct {
		path string
		screen
		first, last string  // selectors of the first and last element on the image, "" for the beginning and the end of the screen
		sharp       float64 // pixels of the image per pixel of the screen
		site        string  // "" for the demo
	}{
		"month.png":           {all["month"], screen{1200, 900, "light"}, "", ".grid", 1, ""},
		"month-dark.png":      {all["month"], screen{1200, 900, "dark"}, "", ".grid", 1, ""},
		"month-phone.png":     {all["month"], screen{390, 844, "light"}, "", "", 1.5, ""},
		"event-phone.png":     {all["event"], screen{390, 844, "light"}, "", "", 1.5, ""},
		"month-states.png":    {states, screen{1200, 900, "light"}, "", ".grid", 1, ""},
		"list-states.png":     {list, screen{768, 1024, "light"}, ".day:has(.state)", ".day:has(.state)", 1, ""},
		"event-cancelled.png": {cancelled, screen{390, 844, "light"}, "", "", 1.5, ""},
		"day-zone.png":        {abroad, screen{1000, 600, "light"}, "", "", 1, ""},
		"empty-month.png":     {"/?category=tanz", screen{900, 560, "light"}, "", ".nothing", 1, german},
		"empty-phone.png":     {"/", screen{390, 844, "dark"}, "", "", 1.5, german},
		"colours.png":         {monthPath, screen{1200, 900, "light"}, "", ".grid", 1, german},
		"colours-dark.png":    {monthPath, screen{1200, 900, "dark"}, "", ".grid", 1, german},
		"list-german.png":     {"/?view=list", screen{390, 844, "light"}, "", "", 1.5, german},
		"list-arabic.png":     {"/?view=list&month=" + library, screen{390, 844, "light"}, "", "", 1.5, arabic},
		"event-arabic.png":    {arabicEvent(t), screen{1000, 640, "light"}, "", "article", 1, arabic},
		"week.png":            {week, screen{1200, 900, "light"}, "", ".week", 1, ""},
		"week-phone.png":      {week, screen{390, 844, "dark"}, "", "", 1.5, ""},
		"week-arabic.png":     {"/ar" + week, screen{1000, 640, "light"}, "", ".week", 1, arabic},
		"month-print.png":     {all["month"], screen{1123, 794, "print"}, "", "", 1, ""}, // a landscape page
		"search.png":          {"/?q=jazz&view=list", screen{1000, 800, "light"}, "", "", 1, ""},
		"near-phone.png":      {"/?view=list&near=Elzenburg", screen{390, 844, "dark"}, "", "", 1.5, ""},
		"share-phone.png":     {all["event"], screen{390, 844, "dark"}, ".add", ".add", 1.5, ""},
		"embed-list.png":      {"/embed/?view=list&limit=4", screen{600, 640, "light"}, "", "", 1, ""},
		"embed-month.png":     {"/embed/", screen{900, 640, "dark"}, "", ".grid", 1, ""},
		"embed-arabic.png":    {"/ar/embed/?view=list&month=" + library, screen{390, 640, "light"}, "", "", 1.5, arabic},
		"builder.png":         {"/embed/new/?category=music", screen{1000, 900, "light"}, "", "", 1, ""},
		"edit-list.png":       {"/edit/events/", screen{1000, 640, "light"}, "", "", 1, village.at(t)},
		"edit-form.png":       {"/edit/events/new/", screen{800, 1340, "light"}, "", "", 1, village.at(t)},
		"edit-phone.png":      {"/edit/events/new/", screen{390, 844, "dark"}, "", "", 1.5, village.at(t)},
		"host-month.png":      {monthPath, screen{1200, 900, "light"}, "", ".grid", 1, town},
		"host-event.png":      {"/event/choir-in-the-mill/", screen{1000, 900, "dark"}, "", "article", 1, town},
		"host-phone.png":      {monthPath, screen{390, 844, "light"}, "", "", 1.5, town},
	} {
		t.Run(name, func(t *testing.T) {
			b, top, height, beyond := openTabAt(t, p.screen, cmp.Or(p.site, pages)), 0.0, float64(p.height), true
			b.other = strings.TrimSuffix(b.site, "/agenda") // the rest of the host's site
			b.visit(p.path)
			if p.first != "" {
				top = evaluate[float64](b, `document.querySelector('`+p.first+`').getBoundingClientRect().top + scrollY - 16`)
				b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`scrollTo(0, %f)`, top))) // images load when they become visible
				b.do(chromedp.Evaluate[chromedp.Void](`Promise.all([...document.images]
					.filter((i) => i.getBoundingClientRect().top < innerHeight).map((i) => i.decode()))`, chromedp.EvalAwaitPromise))
			}
			if p.last != "" {
				height = evaluate[float64](b, `[...document.querySelectorAll('`+p.last+`')].at(-1).getBoundingClientRect().bottom`+
					` + scrollY + 16`) - top
				if p.first != "" { // the number of days between the two depends on the day
					height = min(height, float64(p.height))
				}
			}
			taken, err := chromedp.Call(b.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
				Clip:                  &page.Viewport{Y: top, Width: float64(p.width), Height: height, Scale: p.sharp},
				CaptureBeyondViewport: &beyond,
			})
			succeed(t, err)
			keepPicture(t, name, taken.Data)
		})
	}
}

// keepPicture checks an image of the documentation, and writes it if AGENDA_PICTURES is set.
func keepPicture(t *testing.T, name string, picture []byte) {
	t.Helper()
	if len(picture) > largest {
		picture = smaller(t, picture)
	}
	if n := len(picture); n < 1000 || n > largest {
		t.Errorf("%d bytes", n)
	}
	if os.Getenv("AGENDA_PICTURES") != "" {
		succeed(t, os.WriteFile(filepath.Join("../../docs/pictures", name), picture, 0o644))
	}
}

// keepView is keepPicture for a screenshot of the tab.
func (b *tab) keepView(name string) {
	b.Helper()
	taken, err := chromedp.Call(b.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	succeed(b, err)
	keepPicture(b.T, name, taken.Data)
}

// smaller returns an image reduced to its 256 most frequent colours; each other colour becomes the nearest of these.
func smaller(t *testing.T, picture []byte) []byte {
	t.Helper()
	whole, err := png.Decode(bytes.NewReader(picture))
	succeed(t, err)
	bounds, pixels := whole.Bounds(), map[color.Color]int{}
	var colours color.Palette // in the order of the image, so that the same image has the same bytes
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
	succeed(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few))
	return out.Bytes()
}
