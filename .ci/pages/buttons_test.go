package pagechecks_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// allow grants the pages of the tab a permission for which browsers ask their users.
func (b *tab) allow(permission string) {
	b.Helper()
	_, err := chromedp.Call(b.ctx, browser.SetPermission, browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: permission}, Setting: browser.PermissionSettingGranted, Origin: b.site,
	})
	succeed(b, err)
}

// said waits until the status next to a button contains a text.
func (b *tab) said() string {
	b.Helper()
	return evaluate[string](b, `new Promise((done) => {
		const look = () => {
			const said = [...document.querySelectorAll('[role=status]')].map((e) => e.innerText).join('');
			said ? done(said) : requestAnimationFrame(look);
		};
		look();
	})`)
}

// With scripts, the page of an event can copy its address.
func TestCopyLink(t *testing.T) {
	b := openTab(t, screen{390, 844, "light"})
	b.visit(kinds(t, "/nl")["event"])
	b.allow("clipboard-write")
	b.mark("button[data-copy]")
	b.do(chromedp.Click(chromedp.CSS("[data-found]")))
	if said := b.said(); said != "Gekopieerd." {
		t.Errorf("it says %q", said)
	}
	if copied := evaluate[string](b, `document.querySelector('[data-copy]').dataset.copy`); !strings.HasSuffix(copied, b.address().Path) {
		t.Errorf("%s is copied", copied)
	}
}

// A visitor who shares their position with the page sees what is near. Without scripts, a place is chosen from the
// list.
func TestNearMe(t *testing.T) {
	b := openTab(t, screen{1200, 900, "light"})
	b.allow("geolocation")
	lat, lng, exact := 50.8466, 4.3528, 10.0
	if _, err := chromedp.Call(b.ctx, emulation.SetGeolocationOverride, emulation.SetGeolocationOverrideParams{
		Latitude: &lat, Longitude: &lng, Accuracy: &exact,
	}); err != nil {
		t.Fatal(err)
	}
	b.visit("/?view=list")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.filters').open = true`))
	b.follow("button[data-near]", false)
	if q := b.address().Query(); q.Get("near") != "50.85,4.35" || q.Get("view") != "list" {
		t.Errorf("%s", b.address())
	}
	if said := evaluate[string](b, `document.querySelector('.active').innerText`); !strings.Contains(said, "Near you") {
		t.Errorf("it says %q", said)
	}

	_, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	succeed(t, err)
	b.visit("/?view=list")
	if evaluate[bool](b, `document.querySelector('button[data-near]').checkVisibility()`) {
		t.Error("without a script there is a button for one")
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.filters').open = true;
		document.querySelector('select[name=near]').selectedIndex = 1`))
	b.follow(".fields button[type=submit]", false)
	chosen := evaluate[string](b, `document.querySelector('.active').innerText`)
	if place := b.address().Query().Get("near"); place == "" || !strings.Contains(chosen, place) {
		t.Errorf("%s", b.address())
	}
}

// A week has no faults on any screen, and links to its days.
func TestWeek(t *testing.T) {
	b := openTab(t, screen{1440, 900, "light"})
	b.visit("/fr/")
	b.follow(".views a:nth-child(2)", true)
	if n := evaluate[int](b, `document.querySelectorAll('.week > li').length`); n != 7 {
		t.Errorf("%d days", n)
	}
	b.axe(screens()...)
	for _, s := range []screen{{320, 640, "dark"}, {1440, 900, "light"}} {
		b.on(s)
		if wide := evaluate[int64](b, `document.documentElement.scrollWidth`); wide > s.width {
			t.Errorf("%s: %d pixels", s, wide)
		}
	}
	b.picture("week")
	b.follow(".week h2 a", false)
	if b.address().Query().Get("day") == "" {
		t.Errorf("%s", b.address())
	}
}

// The occurrences of a recurring event are next to its text if they fit there, and below it on a phone.
func TestTextBeforeDates(t *testing.T) {
	path := kinds(t, "")["plain event"]
	for _, s := range []screen{{390, 844, "light"}, {1440, 900, "light"}} {
		b := openTab(t, s)
		b.visit(path)
		tops := evaluate[[]float64](b, `['.text', '.dates'].map((e) => document.querySelector(e).getBoundingClientRect().top)`)
		if s.phone() != (tops[0] < tops[1]) || !s.phone() && tops[0] != tops[1] {
			t.Errorf("%s: the text begins at %f, the dates at %f", s, tops[0], tops[1])
		}
		t.Logf("%s, %s: the text begins at %.0f px", path, s, tops[0])
	}
}

var pdfPage = regexp.MustCompile(`/Type\s*/Page\b`)

// A month is printed on one landscape page, an event on portrait pages.
func TestPrinted(t *testing.T) {
	all := kinds(t, "")
	for kind, sides := range map[string]bool{"month": true, "event": false} {
		t.Run(kind, func(t *testing.T) {
			b, own := openTab(t, screen{1200, 900, "light"}), true
			b.visit(all[kind])
			printed, err := chromedp.Call(b.ctx, page.PrintToPDF, page.PrintToPDFParams{
				PreferCSSPageSize: &own, PaperWidth: 8.27, PaperHeight: 11.69,
			})
			succeed(t, err)
			if dir := os.Getenv("AGENDA_SEEN"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, "print-"+kind+".pdf"), printed.Data, 0o600); err != nil {
					t.Error(err)
				}
			}
			if n := len(pdfPage.FindAll(printed.Data, -1)); n == 0 || sides && n != 1 {
				t.Errorf("%d pages", n)
			}
			var width, height float64
			if box := regexp.MustCompile(`/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]`).FindSubmatch(printed.Data); box != nil {
				width, _ = strconv.ParseFloat(string(box[1]), 64)
				height, _ = strconv.ParseFloat(string(box[2]), 64)
			}
			if (width > height) != sides || width == 0 {
				t.Errorf("%f × %f", width, height)
			}
		})
	}
}
