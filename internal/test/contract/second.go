package contract

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// secondSite checks that a site with another prefix and another zone, without the table of occurrences and without
// pretty permalinks, lists the same items as the recorded one in the same process.
func secondSite(t *testing.T, e Engine) {
	const prefix = "blog7_"
	host := e.Copy(t, prefix)
	db := must.Get(schema.Bind(ofOthers(t, host), prefix))(t)
	s := &site{Tables: apitest.Tables{T: t, DB: db}, host: host}
	s.option(schema.OptionTimezone, "America/New_York")
	s.option(schema.OptionPermalinks, "")
	drop(t, host, prefix)
	now := func() time.Time { return recordedDay }
	recorded := callersOf(t, e.Recorded.WithNamedArg("prefix", bun.Safe(e.prefix())), e.prefix())
	first := newClient(t, e.recorded(calendar.Options{Now: now, Authenticator: recorded}))
	opts := calendar.Options{DB: host, Site: calendar.Site{Prefix: prefix}, Now: now, Authenticator: callersOf(t, db, prefix)}
	second := newClient(t, atPublic(opts))
	odd := rowless(t, e)
	compared, items := 0, 0
	for i, path := range recordedReads(t) {
		if e.skips(i) || onSiteClock(path) {
			continue
		}
		want := first.Get("", path)
		if !isList(want) {
			continue
		}
		got := second.Get("", path)
		if slices.ContainsFunc(got.Members("id"), func(id string) bool { return slices.Contains(odd, id) }) {
			continue // an event without an occurrence row is shown by its meta rows
		}
		compared++
		if !slices.Equal(want.Members("id"), got.Members("id")) || want.At("total") != got.At("total") {
			t.Errorf("%s\n first  %v of %s\n second %v of %s", path, want.Members("id"), want.At("total"), got.Members("id"),
				got.At("total"))
		}
		items += second.addresses(path, got)
	}
	if compared < e.least(200) || items < e.least(500) {
		t.Errorf("only %d lists and %d items compared", compared, items)
	}
	for as := range apitest.Users {
		for _, path := range []string{
			"/venues?per_page=50", "/organizers?per_page=50", "/tags?per_page=50", "/categories?per_page=50",
			"/venues?only_with_upcoming=1",
		} {
			if want, got := first.Get(as, path), second.Get(as, path); want.Summary() != got.Summary() {
				t.Errorf("%s: first %s, second %s", got.Request, want.Summary(), got.Summary())
			}
		}
	}
}

// onSiteClock reports whether a request has another meaning in another zone: exact times, and a range with a default
// bound.
func onSiteClock(path string) bool {
	if !strings.HasPrefix(path, "/events") {
		return false
	}
	_, query, _ := strings.Cut(path, "?")
	q, err := url.ParseQuery(query)
	if err != nil || strings.Contains(path, "strict") {
		return true
	}
	relative := q.Has("starts_before") || q.Has("starts_after") || q.Has("ends_before") || q.Has("ends_after")
	return !relative && !strings.Contains(path, "include") && !q.Has("start_date")
}

// plainForms contains the beginnings of items' URLs on a site without pretty permalinks.
var plainForms = map[string]string{
	"events": "/?tribe_events=", "venues": "/?tribe_venue=", "organizers": "/?tribe_organizer=",
	"categories": "/?tribe_events_cat=", "tags": "/?tag=",
}

// addresses checks the URLs in a response of the second site, and counts its items.
func (c *client) addresses(path string, a apitest.Answer) (items int) {
	c.T.Helper()
	for _, member := range []string{"rest_url", "next_rest_url", "previous_rest_url"} {
		if link := a.Word(member); link != "" && !strings.HasPrefix(link, public+"/tribe/events/v1/") {
			c.T.Errorf("%s: %s %s", path, member, link)
		}
	}
	for kind, form := range plainForms {
		list, _ := a.Body[kind].([]any)
		for _, item := range list {
			m, _ := item.(map[string]any)
			link, shown := m["url"].(string)
			if shown && !strings.HasPrefix(link, Site+form) {
				c.T.Errorf("%s: url %s", path, link)
			}
			if shown {
				items++
			}
			if rest, ok := m["rest_url"].(string); ok && !strings.HasPrefix(rest, public+"/tribe/events/v1/events/") {
				c.T.Errorf("%s: rest_url of an item %s", path, rest)
			}
		}
	}
	return items
}
