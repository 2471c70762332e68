package pages

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// TestDirection checks that right-to-left text is marked as such, because of the item's language or of its letters, and
// that nothing else is.
func TestDirection(t *testing.T) {
	api := newFake()
	in := func(event, tag string) string { return strings.TrimSuffix(event, "}") + `,"language":"` + tag + `"}` }
	arabic := strings.Replace(abroadEvent, "Night trains", "قطارات الليل", 1) // on a site without languages of items
	api.lists["1"] = listOf(1, in(runningEvent, "ar"), in(partyEvent, "fa-IR"), in(todayEvent, "de"), arabic)
	list := visit(t, api, "/?view=list")
	expect(t, list, 200, `<html lang="en">`, ` compact" dir="rtl">`,
		`<h3 lang="ar" dir="rtl"><a`, `<p class="summary" lang="fa-IR" dir="rtl">`,
		`<h3 lang="de"><a`, `<h3 lang="und-Arab" dir="rtl"><a`)
	expect(t, visit(t, api, "/"), 200, `<span lang="ar" dir="rtl">Kanaalblues</span></a>`,
		`href="/event/fete-au-parc/" dir="rtl"><bdi class="clock">19:30</bdi> <span lang="fa-IR" dir="rtl">`)
	api.items = map[string]string{"/wp-json/vendor/events/v1/events/by-slug/fete-au-parc": in(partyEvent, "he")}
	expect(t, visit(t, api, "/event/fete-au-parc/"), 200, `<article class="event c1" dir="rtl">`, `<h1 lang="he" dir="rtl">`,
		`<div class="text" lang="he" dir="rtl">`, `<b lang="ar" dir="rtl">`)
	for tag, want := range map[string]string{
		"": "", `x" onload="`: "", "ur_PK": "", "en-GB": ` lang="en-GB"`, "ur-PK": ` lang="ur-PK" dir="rtl"`,
		"und-Hebr": ` lang="und-Hebr" dir="rtl"`, "az-Arab-IR": ` lang="az-Arab-IR" dir="rtl"`, "ar-Latn": ` lang="ar-Latn"`,
		"de-1996": ` lang="de-1996"`,
	} {
		if got := string(langAttributes(tag)); got != want {
			t.Errorf("%q: %s", tag, got)
		}
	}
	v := newVersion(Language{Tag: "nl"}, inBrussels(Options{}).withDefaults())
	for text, want := range map[string]string{
		"": "", "2031": "", "Lezing": "", "<p>«أمسية» 7</p>": "und-Arab", "3 × ערב": "und-Hebr", "Jazz في": "",
	} {
		if got := v.foreign(calendar.Localized{}, text); got != want {
			t.Errorf("%q is in %q", text, got)
		}
	}
}

// TestLanguagesOfNames checks that names in another language than the page's are marked with their language.
func TestLanguagesOfNames(t *testing.T) {
	show := func(target string) *httptest.ResponseRecorder {
		t.Helper()
		return open(t, target, Options{Content: "de-DE", Title: "Kalender"})
	}
	const german = ` lang="de-DE">`
	for target, texts := range map[string][]string{
		"/": {`<html lang="en">`, `<a class="brand" href="/"><span` + german + `Kalender</span></a>`,
			`rel="nofollow"><span` + german + `Music</span></a>`, `<option value="rock"` + german, `<option value="molenpark"` + german},
		"/?venue=molenpark&view=list": {`Remove the filter </span><span` + german + `Molenpark – Parc</span></a>`,
			`<a class="place" href="/venue/molenpark/"` + german},
		"/event/fete-au-parc/": {`<a href="/venue/molenpark/"` + german + `Molenpark – Parc</a>, <span` + german + `Beekdreef 1</span>, `,
			`<address><span` + german + `Beekdreef 1</span><br>`, `<a href="/organizer/beekdal/"` + german, `<h2>Next at <span` + german,
			`<a href="/tag/food/"` + german},
		"/venue/molenpark/":      {`<h1` + german, `<div class="prose"` + german},
		"/events/category/rock/": {`› <a href="/events/category/music/"` + german},
		"/about/":                {german + `Music</a></li>`},
	} {
		expect(t, show(target), 200, texts...)
	}
	lacks(t, show("/"), `class="languages"`) // there is only one language
}
