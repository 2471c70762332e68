package pagechecks_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// strangers returns the address of a page of another origin that embeds the calendar. Its Content-Security-Policy only
// allows the calendar's script, the requests of that script, and frames, and forbids creating HTML from strings.
func strangers(t *testing.T, body string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusNoContent) // browsers request an icon
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", strings.ReplaceAll("default-src 'none'; script-src PAGES; connect-src PAGES; "+
			"frame-src PAGES; style-src 'nonce-host'; base-uri 'none'; form-action 'none'; "+
			"require-trusted-types-for 'script'", "PAGES", pages))
		fmt.Fprint(w, `<!doctype html><html lang="nl"><head><meta charset="utf-8"><title>Buurthuis</title>`,
			`<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">`,
			`<style nonce="host">body { font: 18px/1.5 serif; margin: 1rem } `,
			`@media (prefers-color-scheme: dark) { body { background: #123 } }`,
			`</style></head><body><main><h1>Buurthuis</h1>`, strings.ReplaceAll(body, "PAGES", pages), `</main></body></html>`)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// Several lists and a month are shown on a page of another site, in its language, font and colours, and a visitor can
// move from month to month.
func TestEmbedded(t *testing.T) {
	site := strangers(t, `<script async src="PAGES/assets/embed-1.js"></script>
		<agenda-events id="list" limit="5"><a href="PAGES/">Agenda</a></agenda-events>
		<agenda-events id="month" src="PAGES/fr/" view="month"><a href="PAGES/">Agenda</a></agenda-events>
		<div lang="en"><agenda-events id="none" q="nothing-is-called-this"></agenda-events></div>`)
	for _, s := range []screen{{1200, 900, "light"}, {390, 844, "dark"}} {
		t.Run(s.String(), func(t *testing.T) {
			b := openTabAt(t, s, site)
			b.other = pages
			b.visit("/")
			shown := func(selector string) string {
				t.Helper()
				return evaluate[string](b, fmt.Sprintf(`new Promise((done) => {
					const look = () => {
						const found = document.querySelector(%q)?.shadowRoot?.querySelector('.shown');
						found ? done(found.innerText) : requestAnimationFrame(look);
					};
					look();
				})`, selector))
			}
			if list := shown("#list"); !strings.Contains(list, "De hele agenda") || strings.Count(list, "\n") < 10 {
				t.Errorf("the list is %q", list)
			}
			if none := shown("#none"); !strings.HasPrefix(none, "Nothing found.") {
				t.Errorf("an empty list is %q", none)
			}
			before := shown("#month")
			if !strings.Contains(before, "Agenda") && !strings.Contains(before, "agenda") {
				t.Errorf("the month is %q", before)
			}
			wide := evaluate[bool](b, `document.querySelector('#month').shadowRoot.querySelector('table').checkVisibility()`)
			if wide == s.phone() {
				t.Errorf("a table: %t", wide)
			}
			font := evaluate[string](b, `getComputedStyle(document.querySelector('#list').shadowRoot.querySelector('a')).fontFamily`)
			if font != "serif" {
				t.Errorf("the font is %s", font)
			}
			b.axe(s)
			b.picture("embed-" + s.scheme)
			b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('#month').shadowRoot.querySelector('[data-to=next]').click()`))
			if !evaluate[bool](b, fmt.Sprintf(`new Promise((done) => {
				const look = () => document.querySelector('#month').shadowRoot.querySelector('.shown').innerText !== %q &&
					document.querySelector('#month').shadowRoot.activeElement?.dataset.to === 'next'
						? done(true) : requestAnimationFrame(look);
				look();
			})`, before)) {
				t.Error("the month stays")
			}
			if list := evaluate[string](b, `new Promise((done) => {
				document.documentElement.lang = 'fr';
				const look = () => {
					const found = document.querySelector('#list').shadowRoot.querySelector('.shown');
					found?.lang === 'fr' ? done(found.innerText) : requestAnimationFrame(look);
				};
				look();
			})`); !strings.Contains(list, "agenda") || strings.Contains(list, "De hele agenda") {
				t.Errorf("the list in the new language of the page is %q", list)
			}
		})
	}
}

// Frames show a list and a month on a page of another site.
func TestFramed(t *testing.T) {
	for _, s := range []screen{{1200, 900, "light"}, {390, 844, "dark"}} {
		t.Run(s.String(), func(t *testing.T) {
			b := openTabAt(t, s, strangers(t,
				`<iframe src="PAGES/nl/embed/?view=list&amp;limit=3" title="Lijst" width="100%" height="500"></iframe>
				<iframe src="PAGES/fr/embed/" title="Mois" width="100%" height="700"></iframe>`))
			b.other = pages
			b.visit("/")
			if n := evaluate[int](b, `frames.length`); n != 2 {
				t.Fatalf("%d frames", n)
			}
			b.picture("framed-" + s.scheme)
		})
	}
	for _, path := range []string{"/nl/embed/?view=list&limit=3", "/embed/"} {
		b := openTab(t, screen{390, 844, "light"})
		b.visit(path)
		b.axe(screen{390, 844, "light"}, screen{900, 700, "dark"})
	}
}

// A visitor of the builder chooses a kind of events, sees them and copies the lines to embed them.
func TestBuilder(t *testing.T) {
	for _, way := range []string{"script", "frame"} {
		t.Run(way, func(t *testing.T) {
			b := openTab(t, screen{1200, 900, "light"})
			b.visit("/nl/embed/new/")
			b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('select[name=category]').selectedIndex = 1`),
				chromedp.Click(chromedp.CSS(`input[name=way][value=`+way+`]`)))
			b.follow(".builder button[type=submit]", false)
			category := b.address().Query().Get("category")
			snippet := evaluate[string](b, `document.querySelector('#snippet').value`)
			if category == "" || !strings.Contains(snippet, category) || !strings.Contains(snippet, pages+"/") {
				t.Errorf("%s: %s", b.address(), snippet)
			}
			if !evaluate[bool](b, `new Promise((done) => {
				const look = () => frames.length || document.querySelector('.preview agenda-events')?.shadowRoot?.querySelector('li a')
					? done(true) : requestAnimationFrame(look);
				look();
			})`) {
				t.Error("nothing is shown")
			}
			b.do(chromedp.Click(chromedp.CSS("button[data-copy]")))
			if said := b.said(); said != "Gekopieerd." {
				t.Errorf("it says %q", said)
			}
			b.picture("builder-" + way)
		})
	}
}

// picture writes a screenshot of the tab to the directory in AGENDA_SEEN, if that is set.
func (b *tab) picture(name string) {
	b.Helper()
	dir := os.Getenv("AGENDA_SEEN")
	if dir == "" {
		return
	}
	taken, err := chromedp.Call(b.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), taken.Data, 0o600)
	}
	if err != nil {
		b.Error(err)
	}
}
