package pages

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLengthOfASearch checks how much text the pages search for.
func TestLengthOfASearch(t *testing.T) {
	api, longest := newLongFake(), strings.Repeat("%C3%A9", longestQuery)
	expect(t, visit(t, api, "/?q="+longest), 200)
	want := "end_date=2026-11-20&order=desc&page=1&per_page=20&search=" + longest + "&start_date=0001-01-02"
	if got := api.questions(t, 1)[0]; got != want {
		t.Errorf("requested %s, want %s", got, want)
	}
	for _, name := range []string{"q", "near"} {
		expect(t, visit(t, newLongFake(), "/?"+name+"="+strings.Repeat("a", 201)), 404)
	}
}

func TestWeekend(t *testing.T) {
	for day, want := range map[string]string{
		"2026-11-20": "2026-11-21 2026-11-22", "2026-11-21": "2026-11-21 2026-11-22", "2026-11-22": "2026-11-22 2026-11-22",
		"2026-11-23": "2026-11-28 2026-11-29",
	} {
		first, last := days("weekend", clock(day+" 00:00:00", time.UTC))
		if got := first.Format(time.DateOnly) + " " + last.Format(time.DateOnly); got != want {
			t.Errorf("on %s the weekend is %s, want %s", day, got, want)
		}
	}
}

// TestYearsOfLists checks that one event with a mistyped year does not take the place of all years with events.
func TestYearsOfLists(t *testing.T) {
	at := func(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }
	v := newVersion(Language{Tag: "en"}, Options{}.withDefaults())
	_, years := v.whenTabs(state{page: 1}, months{begin: at(2024), end: at(9026)}, at(2026))
	if last := years[len(years)-1]; last.Name != "2024" {
		t.Errorf("the last year is %s", last.Name)
	}
}

// TestPagesOfASearch checks the pages of a search, which treat upcoming and past events as one list.
func TestPagesOfASearch(t *testing.T) {
	numbered := func(first, n int) string {
		var events []string
		for id := first; id < first+n; id++ {
			other := strings.NewReplacer(`"id":30`, fmt.Sprintf(`"id":%d`, id), "todays-talk", fmt.Sprintf("talk-%d-", id))
			events = append(events, other.Replace(todayEvent))
		}
		return strings.Join(events, ",")
	}
	api := &fakeAPI{
		lists: map[string]string{
			"1": fmt.Sprintf(`{"events":[%s],"rest_url":"x","total":25,"total_pages":2}`, numbered(0, 20)),
			"2": fmt.Sprintf(`{"events":[%s],"rest_url":"x","total":25,"total_pages":2}`, numbered(20, 5)),
		},
		past: map[string]string{
			"1": fmt.Sprintf(`{"events":[%s],"rest_url":"x","total":41,"total_pages":3}`, numbered(25, 20)),
			"2": fmt.Sprintf(`{"events":[%s],"rest_url":"x","total":41,"total_pages":3}`, numbered(45, 20)),
			"3": fmt.Sprintf(`{"events":[%s],"rest_url":"x","total":41,"total_pages":3}`, numbered(65, 1)),
		},
	}
	next := 0
	for number := range 4 {
		target := "/?q=x"
		if number > 0 {
			target += fmt.Sprintf("&page=%d", number+1)
		}
		page := visit(t, api, target)
		expect(t, page, 200, "66 events: 25 to come, 41 past", fmt.Sprintf("Page %d of 4", number+1))
		for ; next < min(20*(number+1), 66); next++ {
			if !strings.Contains(page.Body.String(), fmt.Sprintf(`<h3><a href="/event/talk-%d-/">`, next)) {
				t.Errorf("%s lacks the event %d", target, next)
			}
		}
		if n := strings.Count(page.Body.String(), "<h3"); n != min(20, 66-20*number) {
			t.Errorf("%s has %d events", target, n)
		}
	}
	if page := visit(t, api, "/?q=x&page=5"); page.Code != 404 {
		t.Errorf("page 5 of 4: %d", page.Code)
	}
}

// TestFreeEvents checks the filter for free events. The API does not have such a filter, so all events are read.
func TestFreeEvents(t *testing.T) {
	free := strings.Replace(todayEvent, `"cost":""`, `"cost":"Free","cost_details":{"values":["0"]}`, 1)
	paid := strings.Replace(abroadEvent, `"cost":""`, `"cost":"Free – 5","cost_details":{"values":["0","5"]}`, 1)
	api := &fakeAPI{lists: map[string]string{"1": listOf(2, runningEvent, free), "2": listOf(2, paid, partyEvent)}}
	page := visit(t, api, "/nl/?free=1&view=list")
	expect(t, page, 200, `1 evenement<`, `href="/nl/event/todays-talk/"`, `Prijs: </span><bdi>Gratis</bdi></span>`, `value="1" checked`)
	lacks(t, page, "fete-au-parc", "kanaalblues", "webcal://demo.example/nl/?free")
	expect(t, visit(t, api, "/?free=1"), 200, `1 event<`, "Today’s talk")
	if page := visit(t, api, "/?free=1&view=list&page=2"); page.Code != 404 {
		t.Errorf("page 2 of one: %d", page.Code)
	}
	many := &fakeAPI{lists: map[string]string{}}
	for page := range 12 {
		many.lists[string(rune('0' + page/10))[:page/10]+string(rune('0'+page%10))] = listOf(12, strings.Repeat(free+",", 49)+free)
	}
	expect(t, visit(t, many, "/?free=1&view=list"), 200, "Only the first 500 events fit on this page", "Page 1 of 25")
}
