package pagechecks_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// axe finds no fault on any kind of page: in English on every screen, in the other languages and on the other sites on
// a phone.
func TestAxe(t *testing.T) {
	for tag, prefix := range languages {
		t.Run(tag, func(t *testing.T) {
			shown := screens()
			if tag != "en" {
				shown = []screen{{320, 640, "dark"}}
			}
			for kind, path := range kinds(t, prefix) {
				t.Run(kind, func(t *testing.T) {
					b := openTab(t, shown[0])
					if kind == "missing" {
						b.absent = pages + path
						b.load(404, chromedp.Navigate(b.absent))
					} else {
						b.visit(path)
					}
					b.axe(shown...)
				})
			}
		})
	}
	for site, pagesOf := range map[*ownSite]func(*testing.T) map[string]string{german: germanPages, arabic: arabicPages} {
		t.Run(site.locale, func(t *testing.T) {
			for kind, path := range pagesOf(t) {
				t.Run(kind, func(t *testing.T) {
					b := openTabAt(t, screen{320, 640, "dark"}, site.at(t))
					b.visit(path)
					b.axe(b.screen)
				})
			}
		})
	}
}

// axe checks the page on several screens.
func (b *tab) axe(shown ...screen) {
	b.Helper()
	program, err := os.ReadFile(filepath.Join(tools, "node_modules/axe-core/axe.min.js"))
	succeed(b, err)
	b.do(chromedp.Evaluate[chromedp.Void](string(program)))
	for _, s := range shown {
		b.on(s)
		for _, found := range evaluate[[]string](b, `axe.run({resultTypes: ['violations']}).then(({violations}) => violations
			.map(({id, help, nodes}) => id + ' (' + help + '): ' + nodes.map(({html}) => html).join(' ')))`) {
			b.Errorf("%s: %s", s, found)
		}
	}
}

// kinds returns the path of a page of each kind.
func kinds(t *testing.T, prefix string) map[string]string {
	t.Helper()
	b := openTab(t, screen{1440, 900, "light"})
	b.visit(prefix + "/")
	all := map[string]string{
		"month": prefix + "/", "day": b.link(".grid td:has(.dots) .date"), "list": prefix + "/?view=list", "filtered": b.link(".kinds a"),
		"search": prefix + "/?q=a", "empty": prefix + "/?q=nothing-is-called-this", "missing": prefix + "/nowhere/",
		"about": b.link("footer a:not([href^=webcal])"),
	}
	b.visit(all["list"])
	all["event"] = b.link(".card:has(img):has(.place) h3 a")
	all["plain event"] = b.link(".card:not(:has(img)) h3 a[href*='/20']") // an occurrence of a recurring event
	b.visit(all["event"])
	all["venue"], all["organizer"] = b.link(".first a"), b.link("aside a[href*='/organi']")
	all["category"], all["tag"] = b.link(".chips a[href*='/categor']"), b.link(".chips a[href*='/tag/']")
	return all
}

// link returns the path of the first link that matches a selector.
func (b *tab) link(selector string) string {
	b.Helper()
	b.mark(selector)
	return evaluate[string](b, `(({pathname, search}) => pathname + search)(document.querySelector('[data-found]'))`)
}
