package pagechecks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// No page becomes wider than a small phone, whatever people write into names, texts and addresses.
func TestLongWords(t *testing.T) {
	all := kinds(t, "")
	for _, kind := range []string{"day", "list", "search", "event", "venue", "organizer", "category"} {
		t.Run(kind, func(t *testing.T) {
			b := openTab(t, screen{320, 640, "light"})
			b.visit(all[kind])
			b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(() => {
				const written = 'article h1, .about h1, h3, .prose, .summary, .facts, .first dd, aside dd, .about address, .contact, ' +
					'.chips, .active, .near b';
				const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT, (text) =>
					text.data.trim() && text.parentElement.closest(written) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP);
				while (texts.nextNode()) texts.currentNode.data = %q;
			})()`, strings.Repeat("carnaval", 16))))
			for _, wide := range evaluate[[]string](b, `[...document.querySelectorAll('main *')]
				.filter((e) => e.getBoundingClientRect().right > innerWidth && !e.closest('.kinds, .hidden')).map((e) => e.outerHTML)`) {
				t.Error("beyond the screen: ", wide)
			}
		})
	}
}
