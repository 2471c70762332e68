package pages

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// emptyMonths is an API without events before a day.
type emptyMonths struct {
	*fakeAPI
	until string
}

func (f *emptyMonths) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if strings.HasSuffix(r.URL.Path, "/events") && q.Get("starts_before") != "" && q.Get("starts_before") < f.until {
		fmt.Fprint(w, emptyList)
		return
	}
	f.fakeAPI.ServeHTTP(w, r)
}

// TestEmptyMonth checks that a month without events says so, and contains a link to the next event.
func TestEmptyMonth(t *testing.T) {
	show := func(list, target string) *httptest.ResponseRecorder {
		api := &emptyMonths{&fakeAPI{lists: map[string]string{"1": list}}, "2026-12-31"}
		return send(t, api, httptest.NewRequest(http.MethodGet, target, nil))
	}
	hidden := strings.Replace(partyEvent, `"all_day"`, `"hide_from_listings":true,"all_day"`, 1)
	for target, texts := range map[string][]string{
		"/?month=2026-10": {`<p>Nothing in October 2026.</p>`,
			`Next event: <a href="/event/todays-talk/">Today’s talk</a>, Saturday 21 November 2026</p>`},
		"/nl/?month=2026-10":        {`Niets in oktober 2026.`, `Volgend evenement: <a href="/nl/event/todays-talk/"`},
		"/fr/?month=2026-10":        {`Rien en octobre 2026.`, `Prochain événement : <a href="/fr/event/todays-talk/"`},
		"/?month=2026-10&view=list": {`<p>Nothing in October 2026.</p>`, `href="/event/todays-talk/"`},
	} {
		page := show(listOf(1, todayEvent, partyEvent), target)
		expect(t, page, 200, texts...)
		lacks(t, page, "Nothing found")
	}
	for _, list := range []string{emptyList, listOf(1, hidden), listOf(1, runningEvent)} {
		expect(t, show(list, "/?month=2026-11"), 200, `Nothing in November 2026.`, `Nothing later has been announced yet.`)
	}
	lacks(t, visit(t, newFake(), "/"), `class="empty nothing"`)
}
