package pages

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// choir returns a recurring event, or an occurrence of it, in the form of the API.
func choir(id int, day, path string) string {
	date := func(id int, day string) string { return fmt.Sprintf(`"id":%d,%s`, id, timesOn(day)) }
	return fmt.Sprintf(`{%s,"slug":"koor","status":"publish","title":"Koor","url":"http://site.test/event/koor/%s",`+
		`"timezone":"Europe/Brussels","all_day":false,"dates":[{%s},{%s},{%s}],"dates_total":3,"recurrence":null}`,
		date(id, day), path, date(10000003, "2001-05-01"), date(10000001, "2031-05-06"), date(10000002, "2031-05-13"))
}

// timesOn returns the members with the times of an occurrence.
func timesOn(day string) string {
	return strings.ReplaceAll(`"start_date":"DAY 20:00:00","end_date":"DAY 22:00:00","utc_start_date":"DAY 18:00:00",`+
		`"utc_end_date":"DAY 20:00:00"`, "DAY", day)
}

// TestD69DatesOfAnEvent checks that the page of a recurring event lists the occurrences that have not ended, and that
// each has a page of its own.
func TestD69DatesOfAnEvent(t *testing.T) {
	api := newFake()
	api.lists["1"] = listOf(1, choir(10000001, "2031-05-06", "2031-05-06/"), choir(10000002, "2031-05-13", "2031-05-13/"))
	api.items = map[string]string{}
	several := map[string]string{
		"": "Several dates, the next one on Tuesday 6 May 2031", "/nl": "Meerdere datums, de volgende op dinsdag 6 mei 2031",
		"/fr": "Plusieurs dates, la prochaine le mardi 6 mai 2031",
	}
	for prefix, words := range map[string]string{"": "Next dates", "/nl": "Volgende datums", "/fr": "Prochaines dates"} {
		events := prefix + root + "/events/"
		api.items[events+"by-slug/koor"] = choir(8, "2031-05-06", "")
		api.items[events+"10000002"] = choir(10000002, "2031-05-13", "2031-05-13/")
		first, second := `<a href="`+prefix+`/event/koor/2031-05-06/">`, `<a href="`+prefix+`/event/koor/2031-05-13/">`
		said := `<dd class="rule">` + several[prefix] + "</dd>"
		expect(t, visit(t, api, prefix+"/event/koor/"), 200, words, first, second, said, `<p>`+several[prefix]+"</p>")
		page := visit(t, api, prefix+"/event/koor/2031-05-13/")
		linked := `<dd class="rule"><a href="` + prefix + `/event/koor/">` + several[prefix] + "</a></dd>"
		expect(t, page, 200, words, first, linked, `<span aria-current="date">`, `href="`+prefix+`/event/koor/2031-05-06/"><span>`)
		lacks(t, page, second, "2001", `<p>`+several[prefix]+"</p>") // a page that adds one occurrence to a visitor's calendar
		for _, view := range []string{"?view=list", "?view=list&month=2031-05", "?month=2031-05"} {
			expect(t, visit(t, api, prefix+"/"+view), 200, prefix+"/event/koor/2031-05-06/", prefix+"/event/koor/2031-05-13/")
		}
		if a := visit(t, api, prefix+"/event/koor/2031-05-07/"); a.Code != 302 || a.Header().Get("Location") != prefix+"/event/koor/" {
			t.Errorf("a day without a date: %d, %s", a.Code, a.Header())
		}
	}
	for _, prefix := range []string{"", "/nl", "/fr"} {
		api.items[prefix+root+"/organizers"] = `{"organizers":[],"total":0,"total_pages":0}`
	}
	expect(t, visit(t, api, "/sitemap.xml"), 200, "/event/koor/2031-05-06/</loc>", "/fr/event/koor/2031-05-13/</loc>")
	if a := visit(t, api, "/?tribe_events=koor&eventDate=2031-05-13"); a.Header().Get("Location") != "/event/koor/2031-05-13/" {
		t.Errorf("the address of a site without permalinks: %d, %s", a.Code, a.Header())
	}
}

// TestD69RuleInWords checks that a recurrence rule is described in words, in the language of the page.
func TestD69RuleInWords(t *testing.T) {
	api := newFake()
	api.items = map[string]string{}
	for prefix, words := range map[string]string{"": "Every Tuesday", "/nl": "Elke dinsdag", "/fr": "Chaque mardi"} {
		rule := fmt.Sprintf(`"recurrence":{"rrule":"FREQ=WEEKLY","exdates":[],"text":%q}`, strings.ToLower(words[:1])+words[1:])
		api.items[prefix+"/wp-json/vendor/events/v1/events/by-slug/koor"] = strings.Replace(choir(8, "2031-05-06", ""),
			`"recurrence":null`, rule, 1)
		expect(t, visit(t, api, prefix+"/event/koor/"), 200, `<dd class="rule">`+words+"</dd>", "<p>"+words+"</p>")
	}
}

// TestD69DateInOtherLanguages checks that the page of an occurrence links to the same day in the event's translations.
func TestD69DateInOtherLanguages(t *testing.T) {
	api := newFake()
	versions := `{"nl-BE":{"id":9,"url":"http://demo.example/nl/event/koor-nl/"}}`
	whole, date := withLanguage(choir(8, "2031-05-06", ""), "en", versions),
		withLanguage(choir(10000002, "2031-05-13", "2031-05-13/"), "en", versions)
	api.items = map[string]string{}
	for _, prefix := range []string{"", "/nl"} {
		api.items[prefix+root+"/events/by-slug/koor"], api.items[prefix+root+"/events/10000002"] = whole, date
	}
	expect(t, visit(t, api, "/event/koor/2031-05-13/"), 200, `hreflang="nl-BE" href="http://demo.example/nl/event/koor-nl/2031-05-13/"`)
	if a := visit(t, api, "/nl/event/koor/2031-05-13/"); a.Code != 302 || a.Header().Get("Location") != "/nl/event/koor-nl/2031-05-13/" {
		t.Errorf("%d, %s", a.Code, a.Header())
	}
}

// TestD69NextOfManyDates checks that the next occurrences are found although the event itself contains only the first
// hundred.
func TestD69NextOfManyDates(t *testing.T) {
	const total = 230
	begin := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) // the day of the visit in the site's time zone
	for _, over := range []int{0, 95, 99, 100, 149, 150, 199, 225, total} {
		var items, dates []string
		for i := range total {
			day := begin.AddDate(0, 0, i-over).Format(time.DateOnly)
			items = append(items, choir(10000001+i, day, day+"/"))
			dates = append(dates, fmt.Sprintf(`{"id":%d,%s}`, 10000001+i, timesOn(day)))
		}
		api := newFake()
		api.dates = map[string]string{}
		for from := 0; from < total; from += askedAtOnce {
			api.dates[strconv.Itoa(1+from/askedAtOnce)] = listOf(total/askedAtOnce+1, items[from:min(from+askedAtOnce, total)]...)
		}
		whole := fmt.Sprintf(`{"id":8,%s,"slug":"koor","status":"publish","title":"Koor","timezone":"Europe/Brussels",`+
			`"dates":[%s],"dates_total":%d,"recurrence":null}`, timesOn(begin.AddDate(0, 0, -over).Format(time.DateOnly)),
			strings.Join(dates[:100], ","), total)
		last := begin.AddDate(0, 0, total-1-over).Format(time.DateOnly)
		const root = "/wp-json/vendor/events/v1/events/"
		api.items = map[string]string{root + "by-slug/koor": whole, fmt.Sprint(root, 10000000+total): items[total-1]}
		page := visit(t, api, "/event/koor/").Body.String()
		for i := range 12 {
			day := begin.AddDate(0, 0, i)
			link := `<a href="/event/koor/` + day.Format(time.DateOnly) + `/"><bdi>`
			if listed := i < nextShown && over+i < total; strings.Contains(page, link) != listed {
				t.Errorf("%d dates are over: %v is listed: %v", over, day, !listed)
			}
		}
		expect(t, visit(t, api, "/event/koor/"+last+"/"), 200, "/event/koor/"+last+"/")
		if n := len(api.asked); n > 30 {
			t.Errorf("%d reads", n)
		}
	}
}
