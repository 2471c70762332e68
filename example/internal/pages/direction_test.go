package pages

import (
	"strings"
	"testing"
)

// What is written from right to left says so, and nothing else does.
func TestDirection(t *testing.T) {
	api := newFake()
	in := func(event, tag string) string { return strings.TrimSuffix(event, "}") + `,"language":"` + tag + `"}` }
	api.lists["1"] = listOf(1, in(runningEvent, "ar"), in(partyEvent, "fa-IR"), in(todayEvent, "de"))
	list := visit(t, api, "/?view=list")
	expect(t, list, 200, `<html lang="en">`, `<h3 lang="ar" dir="rtl"><a`, `<p class="summary" lang="fa-IR" dir="rtl">`, `<h3 lang="de"><a`)
	expect(t, visit(t, api, "/"), 200, `<span lang="ar" dir="rtl">Kanaalblues</span></a>`)
	api.items = map[string]string{"/wp-json/vendor/events/v1/events/by-slug/fete-au-parc": in(partyEvent, "he")}
	expect(t, visit(t, api, "/event/fete-au-parc/"), 200, `<h1 lang="he" dir="rtl">`, `<div class="text" lang="he" dir="rtl">`,
		`<b lang="ar" dir="rtl">`)
	for tag, want := range map[string]string{
		"": "", `x" onload="`: "", "ur_PK": "", "en-GB": ` lang="en-GB"`, "ur-PK": ` lang="ur-PK" dir="rtl"`,
	} {
		if got := string(langAttributes(tag)); got != want {
			t.Errorf("%q: %s", tag, got)
		}
	}
}
