package pages

import "testing"

// TestWeek checks that a week view has seven days from the site's first weekday on, with their events, and links to the
// previous and next week.
func TestWeek(t *testing.T) {
	api := newFake()
	page := visit(t, api, "/nl/?week=2026-11-18&category=rock")
	expect(t, page, 200, `<h1>16 – 22 november 2026</h1>`, `<time datetime="2026-11-16">maandag 16 november</time>`,
		`<li class="today">`, `<a href="/nl/?category=rock&amp;day=2026-11-21" rel="nofollow" aria-current="date">`,
		`href="/nl/event/todays-talk/"`,
		`href="/nl/?category=rock&amp;week=2026-11-09" rel="nofollow"`, `href="/nl/?category=rock&amp;week=2026-11-23" rel="nofollow"`,
		`<a href="/nl/?category=rock&amp;week=2026-11-16" rel="nofollow" aria-current="page">Week</a>`,
		`<link rel="canonical" href="http://demo.example/nl/?category=rock&amp;week=2026-11-16">`,
		`<input type="hidden" name="week" value="2026-11-16">`)
	if got, want := api.questions(t, 1)[0], "categories=3&ends_after=2026-11-15&page=1&per_page=50&starts_before=2026-11-22"; got != want {
		t.Errorf("requested %s, want %s", got, want)
	}
	expect(t, visit(t, newFake(), "/fr/?week=2027-01-01"), 200, "<h1>28 décembre 2026 – 3 janvier 2027</h1>", `<p class="none">`)
	for _, target := range []string{"/", "/?day=2026-11-21"} {
		expect(t, visit(t, newFake(), target), 200, `<a href="/?week=2026-11-16" rel="nofollow">Week</a>`)
	}
	for _, query := range []string{"week=x", "week=2026-11-18&day=2026-11-18", "week=2026-11-18&month=2026-11", "week=2026-11-18&view=list",
		"week=2026-11-18&page=2", "week=1990-01-01", "week=2026-11-18&week=2026-11-25"} {
		expect(t, visit(t, newFake(), "/?"+query), 404)
	}
	expect(t, visit(t, newFake(), "/embed/?week=2026-11-18"), 404)
}
