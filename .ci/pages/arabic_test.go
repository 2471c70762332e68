package pagechecks_test

import (
	_ "embed"
	"strings"
	"testing"
)

// places contains functions of a page that return the positions of parts of it.
//
//go:embed places.js
var places string

// Pages in Dutch are laid out from the left. Arabic content on them is laid out from the right, which follows from its
// language or from its letters, with dates and prices in it from the left.
func TestArabicAmongDutch(t *testing.T) {
	for _, s := range []screen{{320, 640, "dark"}, {390, 844, "light"}, {1440, 900, "light"}} {
		t.Run(s.String(), func(t *testing.T) {
			b := openTabAt(t, s, arabic.at(t))
			wrong := func(where, script string) {
				t.Helper()
				for _, what := range evaluate[[]string](b, `(() => {`+places+script+`; return wrong; })()`) {
					t.Errorf("%s: %s", where, what)
				}
			}
			b.visit("/?view=list&month=" + month.Format("2006-01"))
			wrong("list", `
				want('the page is from the left', direction(document.body) === 'ltr');
				const [dutch, arabic] = ['Voorlezen', 'أمسية'].map((title) =>
					[...document.querySelectorAll('.card')].find((e) => e.innerText.includes(title)));
				const border = (e, side) => getComputedStyle(e)['border' + side + 'Width'];
				want('the card in Dutch from the left', direction(dutch) === 'ltr' && border(dutch, 'Left') === '4px');
				want('the card in Arabic from the right', direction(arabic) === 'rtl' && border(arabic, 'Right') === '4px');
				const edge = box(arabic.querySelector('.body')).right;
				for (const text of ['19:00 – 21:00', 'أمسية', 'قراءات', 'مكتبة المدينة'])
					want(text + ' at the right', edge - part(arabic, text).right < 24);
				want('hours from the left', part(arabic, '19:00').right < part(arabic, '21:00').left);
				want('price from the left', part(arabic, '€5').right < part(arabic, '€8').left);
				want('the sign ends the title', part(arabic, '!').right <= part(arabic, 'في').left);
				want('the filter is of its script', one('.kinds a:last-child span').lang === 'und-Arab');`)
			event := b.link(".card[dir=rtl] h3 a")
			if s.width > 700 {
				b.visit(monthPath)
				wrong("month", `
					want('days from the left', part(one('thead'), 'maa').left < part(one('thead'), 'zon').left);
					const slot = one('.grid li a[dir=rtl]');
					want('clock before the title', part(slot, '19:00').left > part(slot, 'أمسية').left);
					want('its mark at the right', getComputedStyle(slot).borderRightWidth === '3px');`)
			}
			for path, lang := range map[string]string{event: "und-Arab", arabicEvent(t): "ar"} {
				b.visit(path)
				title := strings.Fields(evaluate[string](b, `document.querySelector('h1').innerText`))[0]
				wrong(lang, `
					want('the page is in Dutch', document.documentElement.lang === 'nl');
					want('the page is from the left', direction(document.body) === 'ltr');
					for (const e of document.querySelectorAll('h1, .text, .text li, .chips a, aside address span')) {
						want(e.outerHTML + ' from the right', direction(e) === 'rtl');
						want(e.outerHTML + ' in its language', e.closest('[lang]').lang === '`+lang+`');
					}
					const article = one('article'), edge = box(article).right;
					want('the title at the right', edge - part(one('h1'), '`+title+`').right < 2);
					want('names right of what they name', box(one('.first dt')).left >= box(one('.first dd')).right);
					const price = one('.first div:last-child'), telephone = one('aside .contact');
					want('the price from the left', part(price, '€5').right < part(price, '€8').left);
					want('the telephone from the left', part(telephone, '+32').right < part(telephone, '23').left);
					const list = one('.text ul'), item = one('.text li');
					want('room for marks at the right', box(list).right - box(item).right > 8 && box(item).left === box(list).left);
					if (innerWidth > 700) want('details at the left', box(one('aside')).right <= box(one('.text')).left);
					want('the head of the page from the left', box(one('.brand')).left < box(one('.languages')).right);`)
			}
			b.visit("/ar/?view=list&month=" + month.Format("2006-01"))
			wrong("English around Arabic", `
				want('the page is in English, from the left', document.documentElement.lang === 'en' && direction(document.body) === 'ltr');
				want('the event in Arabic, from the right', one('.card h3').lang === 'ar' && direction(one('.card')) === 'rtl');`)
		})
	}
}

// arabicPages returns pages of the Dutch site that contain Arabic.
func arabicPages(t *testing.T) map[string]string {
	t.Helper()
	list := "/?view=list&month=" + month.Format("2006-01")
	b := openTabAt(t, screen{1440, 900, "light"}, arabic.at(t))
	b.visit(list)
	return map[string]string{
		"list": list, "month": monthPath, "event": b.link(".card[dir=rtl] h3 a"), "venue": b.link(".card[dir=rtl] .place"),
		"event in Arabic": arabicEvent(t), "list in Arabic": "/ar" + list,
	}
}

// arabicEvent returns the path of the event that is stored in Arabic, on a page in Dutch.
func arabicEvent(t *testing.T) string {
	t.Helper()
	b := openTabAt(t, screen{1440, 900, "light"}, arabic.at(t))
	b.visit("/ar/?view=list&month=" + month.Format("2006-01"))
	return strings.TrimPrefix(b.link(".card h3 a"), "/ar")
}
