package pages

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// readNews returns the JSON Feed at an address.
func readNews(t *testing.T, api *fakeAPI, target string) (feed jsonNews) {
	t.Helper()
	answer := visit(t, api, target)
	expect(t, answer, 200)
	if kind := answer.Header().Get("Content-Type"); kind != "application/feed+json; charset=utf-8" ||
		answer.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%s is %s", target, kind)
	}
	must.Succeed(t, json.Unmarshal(answer.Body.Bytes(), &feed))
	return feed
}

// TestIDsInFeeds checks that every entry of a feed has an id of its own, even two occurrences on the same day, and
// that it does not depend on the address of the page.
func TestIDsInFeeds(t *testing.T) {
	list := func(slug string) *fakeAPI {
		late := choir(10000002, "2031-05-06", "2031-05-06/")
		late = strings.NewReplacer("20:00", "15:00", "22:00", "16:00", "18:00", "13:00").Replace(late)
		events := []string{choir(10000001, "2031-05-06", "2031-05-06/"), late, partyEvent}
		for i, e := range events {
			events[i] = strings.ReplaceAll(e, `"slug":"koor"`, fmt.Sprintf(`"slug":%q`, slug))
		}
		return &fakeAPI{lists: map[string]string{"1": listOf(1, events...)}}
	}
	ids := map[string]bool{}
	feed := readNews(t, list("koor"), "/feed/json/")
	for _, i := range feed.Items {
		ids[i.ID] = true
		if !strings.HasPrefix(i.ID, "tag:demo.example,2026:/event/") {
			t.Errorf("id %s", i.ID)
		}
	}
	if len(ids) != 3 || feed.Items[0].Address != feed.Items[1].Address {
		t.Errorf("%d different ids: %v", len(ids), ids)
	}
	atom := visit(t, list("koor"), "/feed/").Body.String()
	for _, i := range readNews(t, list("choir"), "/feed/json/").Items {
		if !ids[i.ID] || !strings.Contains(atom, "<id>"+i.ID+"</id>") {
			t.Errorf("an event has another id: %s", i.ID)
		}
	}
}

// TestFeedsNameThemselves checks that the address of a feed contains everything that determines its content.
func TestFeedsNameThemselves(t *testing.T) {
	for asked, want := range map[string]string{
		"": "", "?utm_source=mail": "", "?view=list": "", "?when=weekend&limit=5": "?limit=5&when=weekend",
		"?when=week&view=list": "?when=week",
		"?month=2026-12":       "?month=2026-12", "?view=month&month=2026-12": "?month=2026-12", "?view=month": "?view=month",
		"?view=month&category=rock": "?category=rock&view=month", "?view=month&q=jazz": "?q=jazz", "?free=1": "?free=1",
	} {
		for _, query := range []string{asked, want} {
			if got := readNews(t, newFake(), "/feed/json/"+query).Address; got != "http://demo.example/feed/json/"+want {
				t.Errorf("%s: feed_url %s", query, got)
			}
		}
		address := "http://demo.example/feed/" + strings.ReplaceAll(want, "&", "&amp;")
		expect(t, visit(t, newFake(), "/feed/"+asked), 200, "<id>"+address+"</id>", `rel="self"`, `href="`+address+`"`)
	}
}

// TestSearchOnOtherSites checks that what other sites show of a search are all matching events, as on the pages: those
// to come, then past ones, in any view.
func TestSearchOnOtherSites(t *testing.T) {
	past := strings.Replace(strings.Replace(runningEvent, `"id":`, `"id":9`, 1), "2026", "2024", -1)
	for _, view := range []string{"", "view=list&", "view=month&", "month=2026-12&"} {
		api := &fakeAPI{lists: map[string]string{"1": firstList}, past: map[string]string{"1": listOf(1, past)}}
		feed := readNews(t, api, "/feed/json/?"+view+"q=jazz")
		n := len(feed.Items)
		if n != 5 || feed.Agenda.Month != nil || feed.Items[n-2].Agenda.Past || !feed.Items[n-1].Agenda.Past {
			t.Errorf("%s: %+v", view, feed)
		}
		if view == "view=month&" {
			continue // only for feeds, where it is not the default
		}
		page := visit(t, api, "/embed/?"+view+"q=jazz")
		expect(t, page, 200, `<h2 class="past">Past events</h2>`, "5 events")
		lacks(t, page, "<table")
	}
	if feed := readNews(t, newFake(), "/feed/json/?q=jazz&limit=2"); len(feed.Items) != 2 {
		t.Errorf("%d events of 2", len(feed.Items))
	}
	expect(t, visit(t, newLongFake(), "/embed/?q=jazz&limit=5&page=2"), 200, `href="/embed/?limit=5&amp;page=3&amp;q=jazz" target="_self"`)
}

// TestDirectionsInFeeds checks that feeds contain the directions of their language and of titles in other languages, as
// the page of another site may have another one.
func TestDirectionsInFeeds(t *testing.T) {
	api := newFake()
	api.lists["1"] = listOf(1, withLanguage(todayEvent, "ar", "{}"), withLanguage(partyEvent, "fr", "{}"))
	feed := readNews(t, api, "/feed/json/?lang=nl")
	if feed.Agenda.Dir != "ltr" || feed.Items[0].Agenda.Dir != "rtl" || feed.Items[1].Agenda.Dir != "ltr" {
		t.Errorf("%+v", feed)
	}
}
