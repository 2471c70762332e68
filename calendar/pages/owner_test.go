package pages

import "testing"

func TestPageOfAVenue(t *testing.T) {
	page := visit(t, newFake(), "/venue/molenpark/")
	expect(t, page, 200, `<h1>Molenpark – Parc</h1>`, `<p>Groen.</p>`, `Beekdreef 1<br>1075 Elzenburg<br>Belgium<br>`,
		`href="tel:&#43;32%202%20555%2001%2040"`, `href="https://park.example/?a=1&amp;b=2"`,
		`https://www.openstreetmap.org/?mlat=50.84&amp;mlon=4.37#map=17/50.84/4.37`,
		`<a href="/nl/locatie/molenpark/" lang="nl-BE"`, `<a href="/fr/lieu/molenpark/" lang="fr"`,
		`<a href="/?venue=molenpark" rel="nofollow">Show in the month</a>`, `href="webcal://demo.example/venue/molenpark/?ical=1"`,
		`<meta name="description" content="Groen.">`)
}

func TestPageOfAnOrganizer(t *testing.T) {
	page := visit(t, newFake(), "/nl/organisator/beekdal/")
	expect(t, page, 200, `<h1>Natuurgroep</h1>`, `href="mailto:gids@beekdal.example"`)
	lacks(t, page, "javascript:")
}

func TestPagesOfTerms(t *testing.T) {
	page := visit(t, newFake(), "/events/category/music/")
	expect(t, page, 200, `<h1>Music</h1>`, `All sounds`, `<a href="/events/category/music/rock/">Rock</a>`)
	expect(t, visit(t, newFake(), "/events/category/rock/"), 200, `rel="canonical" href="http://demo.example/events/category/music/rock/"`)
	expect(t, visit(t, newFake(), "/tag/food/"), 200, `<h1>Food &amp; drink</h1>`)
	expect(t, visit(t, newLongFake(), "/tag/food/?page=2"), 200, `rel="prev" href="/tag/food/"`, `rel="next" href="/tag/food/?page=3"`)
}

func TestPageAboutTheCalendar(t *testing.T) {
	expect(t, visit(t, newFake(), "/about/"), 200, `<h1>About Calendar</h1>`, `http://demo.example/wp-json/vendor/events/v1/</code>`,
		`href="webcal://demo.example/events/category/music/?ical=1"`)
	expect(t, visit(t, newFake(), "/nl/over/"), 200, `Over Agenda`, `<a href="/fr/a-propos/" lang="fr"`)
}
