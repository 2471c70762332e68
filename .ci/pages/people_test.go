package pagechecks_test

import (
	"fmt"
	"strings"
	"testing"
)

// becomes contains the words of the pages for a cancelled and a postponed event.
var becomes = map[string][]string{"en": {"Cancelled", "Postponed"}, "nl": {"Afgelast", "Uitgesteld"}, "fr": {"Annulé", "Reporté"}}

// listed opens the page of the list that contains an event with a word on it, and returns the path of the event.
func (b *tab) listed(prefix, word string) string {
	b.Helper()
	for page := 1; page < 6; page++ {
		address := prefix + "/?view=list"
		if page > 1 {
			address += fmt.Sprint("&page=", page)
		}
		b.visit(address)
		if path := evaluate[string](b, fmt.Sprintf(`[...document.querySelectorAll('.card')].filter((card) =>
			[...card.querySelectorAll('.state')].some((e) => e.checkVisibility() && e.innerText === %q))
			.map((card) => card.querySelector('h3 a').pathname)[0] ?? ''`, word)); path != "" {
			return path
		}
	}
	b.Fatalf("no card says %q", word)
	return ""
}

// A cancelled or postponed event is marked with a word in lists, in months and on its page, which also states the
// reason.
func TestCancelledIsSeen(t *testing.T) {
	for tag, prefix := range languages {
		for _, s := range []screen{{390, 844, "light"}, {1440, 900, "dark"}} {
			for _, word := range becomes[tag] {
				t.Run(word+" "+s.String(), func(t *testing.T) {
					b := openTab(t, s)
					b.visit(b.listed(prefix, word))
					if said := evaluate[string](b, `document.querySelector('.what').innerText`); !strings.HasPrefix(said, word+" ") ||
						len(said) < len(word)+10 {
						t.Errorf("the page of the event says %q", said)
					}
					if s.phone() {
						return // on a phone a month does not contain the names of events
					}
					title := evaluate[string](b, `document.querySelector('h1').innerText`)
					// The month is limited to the event's venue, because a day with many events only shows the first few.
					b.visit(prefix + "/?month=" + evaluate[string](b, `document.querySelector('.first time').dateTime.slice(0, 7)`) +
						"&venue=" + evaluate[string](b, `document.querySelector('.first a').pathname.split('/').at(-2)`))
					if !evaluate[bool](b, fmt.Sprintf(`[...document.querySelectorAll('.grid li a')].some((e) => e.innerText.includes(%q) &&
						e.querySelector('.state')?.innerText === %q && e.querySelector('.state').checkVisibility())`, title, word)) {
						t.Errorf("%q is not in the month", word)
					}
				})
			}
		}
	}
}

// Pages name the time zone of times that are not in the site's: in lists, months, days and on the page of the event.
func TestZonesAreNamed(t *testing.T) {
	b := openTab(t, screen{1440, 900, "light"})
	b.visit("/?q=night+trains")
	zoned := func(where, selector string) {
		t.Helper()
		said := strings.TrimSpace(evaluate[string](b, fmt.Sprintf(`document.querySelector(%q).innerText`, selector)))
		if !strings.Contains(said, "America/New_York") || !strings.HasSuffix(said, "our time)") {
			t.Errorf("%s says %q", where, said)
		}
	}
	zoned("the list", ".card .when")
	b.follow(".card h3 a", false)
	zoned("the event", ".first dd")
	day := evaluate[string](b, `document.querySelector('.first time').dateTime.slice(0, 10)`)
	b.visit("/?day=" + day)
	zoned("the day", ".card .when:has(.here)")
	b.visit("/?month=" + day[:7])
	if !evaluate[bool](b, `[...document.querySelectorAll('.grid .clock')].some((e) => /^18:00 E[SD]T$/.test(e.innerText))`) {
		t.Error("no clock of New York in the month")
	}
}

// A month without events states that and links to the next event, in its table and as a list, also on a site that
// starts with it.
func TestEmptyMonth(t *testing.T) {
	for _, s := range []screen{{320, 640, "dark"}, {1440, 900, "light"}} {
		for path, site := range map[string]string{
			"/?category=tanz": german.at(t), "/": german.at(t),
			"/?view=list&month=" + month.AddDate(0, -1, 0).Format("2006-01"): german.at(t),
		} {
			b := openTabAt(t, s, site)
			b.visit(path)
			said := evaluate[string](b, `document.querySelector('.nothing').innerText`)
			if !strings.HasPrefix(said, "Nothing in ") || !strings.Contains(said, "Next event: ") {
				t.Errorf("%s: %s says %q", s, path, said)
			}
			if !evaluate[bool](b, `document.querySelector('.nothing').getBoundingClientRect().bottom < innerHeight`) {
				t.Errorf("%s: %s says so below the fold", s, path)
			}
			b.follow(".nothing a", false)
			if path := b.address().Path; !strings.HasPrefix(path, "/event/") {
				t.Errorf("%s: an empty month leads to %s", s, path)
			}
		}
	}
}

// A card without an image leaves no empty space for one: its text fills it.
func TestCompactCards(t *testing.T) {
	for _, s := range []screen{{390, 844, "light"}, {1440, 900, "light"}} {
		b := openTab(t, s)
		b.visit("/?view=list")
		for _, wrong := range evaluate[[]string](b, `(() => {
			const cards = [...document.querySelectorAll('.card')], plain = cards.filter((e) => !e.querySelector('img'));
			if (!plain.length || plain.length === cards.length) return ['the list has only one kind of cards'];
			return plain.filter((e) => {
				const body = e.querySelector('.body');
				return body.offsetWidth < e.offsetWidth - 8 || body.offsetHeight < e.offsetHeight - 4;
			}).map((e) => e.innerText);
		})()`) {
			t.Errorf("%s: %s", s, wrong)
		}
	}
}
