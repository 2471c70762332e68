package pagechecks_test

import (
	_ "embed"
	"slices"
	"strings"
	"testing"
)

// germanTexts lists parts of the texts that the editors of the German site wrote: each text of a page that contains one
// of them is in German.
var germanTexts = []string{"Kulturkalender", "Orangerie", "Schlosspark", "Lüneburg", "Deutschland", "Bürgerstiftung", "Barrierefrei",
	"Fotografien", "Bilder von", "Der lange Sommer", "Im Anschluss", "Nachtwächterin", "Laterne", "Kasper", "Für alle", "Sommerkonzert",
	"Werke von", "Gedichte", "Suppe", "Töpfermarkt", "Werkstätten", "Lauf um", "Kilometer", "Walzer", "Unterricht", "Minna", "Lustspiel",
	"Wie das Salz", "Archiv", "Film", "Sport", "Fahrräder", "Werkzeug", "Nacht der Chöre", "Donaudampf", "Hutmacher", "Ausstellungen",
	"Führungen", "Kinder", "Konzerte", "Lesungen", "Märkte", "Tanz", "Theater", "Vorträge", "Werkstatt"}

// germanPages returns a page of each kind of the German site.
func germanPages(t *testing.T) map[string]string {
	t.Helper()
	b := openTabAt(t, screen{1440, 900, "light"}, german.at(t))
	b.visit("/?view=list")
	all := map[string]string{"empty month": "/", "month": monthPath, "list": "/?view=list", "event": b.link(".card:not(:has(.state)) h3 a"),
		"postponed event": b.link(".card:has(.state) h3 a"), "about": b.link("footer a:not([href^=webcal])")}
	venue := b.link(".card .place")
	all["venue"], all["filtered"] = venue, "/?view=list&venue="+strings.Split(venue, "/")[2]
	b.visit(all["event"])
	all["organizer"], all["category"] = b.link("aside a[href*='/organi']"), b.link(".chips a[href*='/categor']")
	all["tag"], all["day"] = b.link(".chips a[href*='/tag/']"), b.link(".back a")
	return all
}

// If the pages have no texts in the language of a site, they are in English. The site's own content, and nothing else,
// is then marked as being in the site's language.
func TestEnglishAroundGerman(t *testing.T) {
	for kind, path := range germanPages(t) {
		t.Run(kind, func(t *testing.T) {
			b := openTabAt(t, screen{320, 640, "dark"}, german.at(t))
			b.visit(path)
			if lang := evaluate[string](b, `document.documentElement.lang`); lang != "en" {
				t.Errorf("the page is in %q", lang)
			}
			if evaluate[bool](b, `document.querySelector('.languages') !== null`) {
				t.Error("one language to choose from")
			}
			own := 0
			for _, text := range evaluate[[][2]string](b, `(() => {
				const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), all = [];
				while (texts.nextNode()) {
					const text = texts.currentNode;
					if (text.data.trim()) all.push([text.data.trim(), text.parentElement.closest('[lang]').lang]);
				}
				return all;
			})()`) {
				want := "en"
				if slices.ContainsFunc(germanTexts, func(word string) bool { return strings.Contains(text[0], word) }) {
					want = "de-DE"
					own++
				}
				if text[1] != want && strings.ContainsFunc(text[0], isLetter) {
					t.Errorf("%q is marked as %s", text[0], text[1])
				}
			}
			if own < 3 {
				t.Errorf("%d texts in German", own)
			}
		})
	}
}

func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }

// contrasts contains functions of a page that return the contrast between an element's text, or a colour, and what is
// painted below it.
//
//go:embed contrasts.js
var contrasts string

// Twelve categories have twelve colours: in the menu, in months (as dots on a phone), and in lists. Texts in them and
// on their tints have the contrast that WCAG requires, and dots that of graphics, in light and dark.
func TestTwelveColours(t *testing.T) {
	const text, dot = 4.5, 3
	for _, scheme := range []string{"light", "dark"} {
		for _, c := range []struct {
			name, path string
			width      int64
			elements   string // each belongs to a category and has a class with its colour
			colour     string // of an element e
			least      float64
		}{
			{"menu", monthPath, 1440, ".kinds a", `getComputedStyle(e, '::before').backgroundColor`, dot},
			{"clocks in the month", monthPath, 1440, ".grid li a:not(.more, .bar, .c0) .clock", `getComputedStyle(e).color`, text},
			{"dots in the month", monthPath, 320, ".grid .dots i:not(.c0)", `getComputedStyle(e).backgroundColor`, dot},
			{"list", "/?view=list", 390, ".card:not(.c0) .when", `getComputedStyle(e).color`, text},
		} {
			t.Run(c.name+" "+scheme, func(t *testing.T) {
				b := openTabAt(t, screen{c.width, 900, scheme}, german.at(t))
				b.visit(c.path)
				seen := evaluate[map[string]float64](b, `(() => {`+contrasts+`
					const seen = {}, outside = (e) => e.matches('.dots i') ? e.parentElement : e;
					for (const e of document.querySelectorAll("`+c.elements+`")) {
						const colour = `+c.colour+`;
						seen[colour] = Math.min(seen[colour] ?? 21, contrast(outside(e), colour));
					}
					return seen;
				})()`)
				if len(seen) != 12 {
					t.Errorf("%d colours", len(seen))
				}
				for colour, contrast := range seen {
					if contrast < c.least {
						t.Errorf("%s has a contrast of %.2f", colour, contrast)
					}
				}
			})
		}
		b := openTabAt(t, screen{1440, 900, scheme}, german.at(t))
		b.visit(monthPath)
		if least := evaluate[float64](b, `(() => {`+contrasts+`
			return Math.min(...[...document.querySelectorAll('.grid li a')].map((e) => contrast(e)));
		})()`); least < text {
			t.Errorf("%s: the titles of the month have a contrast of %.2f", scheme, least)
		}
	}
}
