package pages

import (
	"fmt"
	"strings"
	"testing"
)

// choir is an event with two dates, or one of them, in the form of the interface.
func choir(id int, day, path string) string {
	date := func(id int, day string) string {
		return strings.ReplaceAll(fmt.Sprintf(`"id":%d,"start_date":"DAY 20:00:00","end_date":"DAY 22:00:00",`+
			`"utc_start_date":"DAY 18:00:00","utc_end_date":"DAY 20:00:00"`, id), "DAY", day)
	}
	return fmt.Sprintf(`{%s,"slug":"koor","status":"publish","title":"Koor","url":"http://site.test/event/koor/%s",`+
		`"timezone":"Europe/Brussels","all_day":false,"dates":[{%s},{%s},{%s}],"dates_total":3,"recurrence":null}`,
		date(id, day), path, date(10000003, "2001-05-01"), date(10000001, "2031-05-06"), date(10000002, "2031-05-13"))
}

// D69: the page of an event with several dates lists those that have not ended, and each has a page of its own.
func TestD69DatesOfAnEvent(t *testing.T) {
	api := newFake()
	api.lists["1"] = listOf(1, choir(10000001, "2031-05-06", "2031-05-06/"), choir(10000002, "2031-05-13", "2031-05-13/"))
	api.items = map[string]string{}
	for prefix, words := range map[string]string{"": "Next dates", "/nl": "Volgende datums", "/fr": "Prochaines dates"} {
		root := prefix + "/wp-json/vendor/events/v1/events/"
		api.items[root+"by-slug/koor"] = choir(8, "2031-05-06", "")
		api.items[root+"10000002"] = choir(10000002, "2031-05-13", "2031-05-13/")
		first, second := `<a href="`+prefix+`/event/koor/2031-05-06/">`, `<a href="`+prefix+`/event/koor/2031-05-13/">`
		expect(t, visit(t, api, prefix+"/event/koor/"), 200, words, first, second)
		page := visit(t, api, prefix+"/event/koor/2031-05-13/")
		expect(t, page, 200, words, first, `<span aria-current="date">`, `href="`+prefix+`/event/koor/2031-05-06/"><span>`)
		lacks(t, page, second, "2001")
		expect(t, visit(t, api, prefix+"/?view=list"), 200, prefix+"/event/koor/2031-05-06/", prefix+"/event/koor/2031-05-13/")
		if a := visit(t, api, prefix+"/event/koor/2031-05-07/"); a.Code != 302 || a.Header().Get("Location") != prefix+"/event/koor/" {
			t.Errorf("a day without a date: %d, %s", a.Code, a.Header())
		}
	}
	if a := visit(t, api, "/?tribe_events=koor&eventDate=2031-05-13"); a.Header().Get("Location") != "/event/koor/2031-05-13/" {
		t.Errorf("the address of a site without permalinks: %d, %s", a.Code, a.Header())
	}
}
