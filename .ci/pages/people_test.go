package pagechecks_test

import (
	"fmt"
	"strings"
	"testing"
)

// What becomes of an event is said in words in lists, months and on its page, with the reason there.
func TestCancelledIsSeen(t *testing.T) {
	for tag, prefix := range languages {
		for _, s := range []screen{{390, 844, "light"}, {1440, 900, "dark"}} {
			t.Run(tag+" "+s.String(), func(t *testing.T) {
				b := open(t, s)
				b.visit(prefix + "/?view=list")
				word := value[string](b, `document.querySelector('.card .state').textContent`)
				b.follow(".card:has(.state) h3 a", false)
				said := value[string](b, `document.querySelector('.what').innerText`)
				if word == "" || !strings.HasPrefix(said, word+" ") {
					t.Errorf("%q in the list, %q on the page of the event", word, said)
				}
				if s.phone() {
					return // a month has no names of events
				}
				b.visit(prefix + "/?month=" + value[string](b, `document.querySelector('.first time').dateTime.slice(0, 7)`))
				if !value[bool](b, fmt.Sprintf(`[...document.querySelectorAll('.grid .state')].some((e) => e.innerText === %q)`, word)) {
					t.Errorf("%q is not in the month", word)
				}
			})
		}
	}
}

// A month names the zone of clocks that are not the site's, and no hour of another day on a bar that is continued.
func TestClocksOfTheMonth(t *testing.T) {
	b := open(t, screen{1440, 900, "light"})
	b.visit("/?view=list&q=night+trains")
	zone := value[string](b, `document.querySelector('.card .when').innerText`)
	if !strings.Contains(zone, "America/New_York") {
		t.Errorf("the list says %q", zone)
	}
	b.follow(".card h3 a", false)
	b.visit("/?month=" + value[string](b, `document.querySelector('.first time').dateTime.slice(0, 7)`))
	for _, wrong := range value[[]string](b, `[...document.querySelectorAll('.grid .before .clock')].map((e) => e.innerText)`) {
		t.Errorf("a bar that is continued says %q", wrong)
	}
	if !value[bool](b, `[...document.querySelectorAll('.grid .clock')].some((e) => /^18:00 E[SD]T$/.test(e.innerText))`) {
		t.Error("no clock of New York in the month")
	}
}

// An empty month leads to the next event; a card without a picture has no room for one.
func TestEmptyMonthAndCompactCards(t *testing.T) {
	for _, s := range []screen{{390, 844, "light"}, {1440, 900, "light"}} {
		b := open(t, s)
		b.visit("/?q=night+of+the+museums")
		b.follow(".nothing a", false)
		if path := b.address().Path; !strings.HasPrefix(path, "/event/") {
			t.Errorf("%s: an empty month leads to %s", s, path)
		}
		b.visit("/?view=list")
		wide := value[bool](b, `[...document.querySelectorAll('.card:not(:has(img))')].every((e) =>
			e.querySelector('.body').offsetWidth > e.offsetWidth - 8)`)
		low := value[bool](b, `document.querySelector('.card:not(:has(img))').offsetHeight <=
			Math.max(...[...document.querySelectorAll('.card:has(img)')].map((e) => e.offsetHeight))`)
		if !wide || !low {
			t.Errorf("%s: cards without pictures: as wide as they can be %t, low %t", s, wide, low)
		}
	}
}

// Twelve categories have twelve colours.
func TestTwelveColours(t *testing.T) {
	for _, scheme := range []string{"light", "dark"} {
		b := open(t, screen{1440, 900, scheme})
		b.visit("/")
		if n := value[int](b, `(() => {
			const clock = document.querySelector('.grid .clock'), link = clock.closest('a'), colours = new Set();
			for (let i = 1; i <= 12; i++) {
				link.className = 'c' + i;
				colours.add(getComputedStyle(clock).color);
			}
			return colours.size;
		})()`); n != 12 {
			t.Errorf("%s: %d colours", scheme, n)
		}
	}
}
