package pages

import (
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
