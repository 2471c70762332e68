package contract

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/test/replay"
	"github.com/agendahq/agenda/schema"
)

// public is the URL outside of a proxy that maps it.
const public = "https://agenda.example.org/public/wp-json"

// atPublic mounts a calendar at the recorded site's path with another base URL.
func atPublic(opts calendar.Options) calendar.Options {
	opts.Languages = []calendar.Language{
		{Tag: "en", BaseURL: public, Mount: "/wp-json"}, {Tag: "nl", BaseURL: public + "/nl", Mount: "/nl/wp-json"},
	}
	return opts
}

// plainLanguages are the URLs of the recorded site with plain permalinks, in two forms, and one without.
var plainLanguages = []calendar.Language{
	{Tag: "en", BaseURL: Site + "/index.php?rest_route="}, {Tag: "nl", BaseURL: Site + "/nl/?rest_route="},
	{Tag: "fr", BaseURL: Site + "/fr/wp-json"},
}

// leads returns the path of a URL in a response, which is below the public URL or has the form of plain permalinks.
func leads(link string) (path string, ok bool) {
	if strings.HasPrefix(link, Site+"/index.php?rest_route=%2Ftribe%2Fevents%2Fv1%2F") {
		return link, strings.Count(link, "?") == 1
	}
	path, ok = strings.CutPrefix(link, public+"/tribe/events/v1/")
	return "/" + path, ok
}

// follow requests a URL from a response.
func (c *client) follow(link, as string) apitest.Answer {
	c.T.Helper()
	path, ok := leads(link)
	if !ok {
		c.T.Fatalf("%s does not lie under the public address", link)
	}
	return c.Get(as, path)
}

// walk follows next_rest_url to the last page and previous_rest_url back, and returns the ids on the way there.
func (c *client) walk(path, as string) (ids []string, first apitest.Answer) {
	c.T.Helper()
	first = c.Get(as, path)
	if first.Status != 200 {
		return nil, first
	}
	const most = 300
	var sizes []int
	at := first
	for n := 0; ; n++ {
		ids, sizes = append(ids, at.Members("id")...), append(sizes, len(at.Members("id")))
		if at.At("total") != first.At("total") {
			c.T.Errorf("%s: page %d has total %s, the first %s", path, n+1, at.At("total"), first.At("total"))
		}
		if _, ok := leads(at.Word("rest_url")); !ok {
			c.T.Errorf("%s: rest_url %s", path, at.Word("rest_url"))
		}
		next := at.Word("next_rest_url")
		if next == "" || n > most {
			break
		}
		if at = c.follow(next, as); at.Status != 200 || len(at.Members("id")) == 0 {
			c.T.Fatalf("%s: following %s: %s", path, next, at.Summary())
		}
	}
	back, page := []string{}, at
	for range sizes {
		back = append(slices.Clone(page.Members("id")), back...)
		previous := page.Word("previous_rest_url")
		if previous == "" {
			break
		}
		page = c.follow(previous, as)
	}
	if !slices.Equal(back, ids) {
		c.T.Errorf("%s: on the way back %v, before %v", path, back, ids)
	}
	return ids, first
}

// checkWalk compares a walk with the whole list, which another client shows on one page.
func (c *client) checkWalk(whole *client, path, as string) (items int) {
	c.T.Helper()
	ids, first := c.walk(path, as)
	if first.Status != 200 {
		c.T.Errorf("%s", first.Summary())
		return 0
	}
	want := whole.Get(as, with(path, "per_page=100000"))
	if want.At("total_pages") != "1" && want.At("total") != "0" {
		c.T.Fatalf("%s: not on one page: %s", path, want.At("total_pages"))
	}
	if !slices.Equal(ids, want.Members("id")) {
		c.T.Errorf("%s\n walked %v\n whole  %v\n next   %s", path, ids, want.Members("id"), first.Word("next_rest_url"))
	}
	return len(ids)
}

// with appends to the query string of a path. The last of several equal names counts.
func with(path, query string) string {
	if strings.Contains(path, "?") {
		return path + "&" + query
	}
	return path + "?" + query
}

// recordedDay is a time on the day on which the site was recorded.
var recordedDay = time.Date(2026, 11, 21, 5, 57, 0, 0, time.UTC)

// recordedReads returns the recorded URLs, without those of other pages and formats of lists.
func recordedReads(t *testing.T) []string {
	t.Helper()
	paths := must.Get(replay.Paths("reads_a"))(t)
	paths = slices.DeleteFunc(paths, func(p string) bool {
		return strings.Contains(p, "&page=") || strings.Contains(p, "?page=") ||
			strings.Contains(p, "_fields") || strings.Contains(p, "_envelope") || strings.Contains(p, "per_page[")
	})
	if len(paths) < 300 {
		t.Fatalf("only %d addresses", len(paths))
	}
	return paths
}

// isList reports whether the response is a list rather than an error.
func isList(a apitest.Answer) bool {
	_, list := a.List()
	return a.Status == http.StatusOK && list
}

// pagesOnce walks through recorded lists, each in three pages.
func pagesOnce(t *testing.T, e Engine) {
	opts := e.recorded(calendar.Options{Now: func() time.Time { return recordedDay }})
	c := newClient(t, atPublic(opts))
	opts.Limits.MaxPageSize = 100000
	whole := newClient(t, atPublic(opts))
	items := 0
	for i, path := range recordedReads(t) {
		if i%10 > 0 && !strings.Contains(path, "strict") || e.skips(i/2) {
			continue
		}
		total, _ := strconv.Atoi(c.Get("", with(path, "per_page=1")).At("total")) // 0 for a response that is not a list
		if total < 2 {
			continue
		}
		size := min((total+2)/3, 50) // three pages
		items += c.checkWalk(whole, with(path, "per_page="+strconv.Itoa(size)), "")
	}
	if items < 200 {
		t.Errorf("only %d items on all pages", items)
	}
}

// pagesOfOptions walks through the lists of the site "fair" with every filter and with pairs of filters, where days
// begin at midnight, in the morning, and in the hour that is skipped when daylight saving time begins.
func pagesOfOptions(t *testing.T, e Engine) {
	s := built(t, e, "fair")
	fairFilters, linkedFilters, termFilters := texts("filters of events"), texts("filters of venues and organizers"),
		texts("filters of terms")
	for _, cutoff := range []string{"06:00", "02:30", ""} {
		s.option(schema.OptionCalendar, `a:1:{s:14:"multiDayCutoff";s:`+strconv.Itoa(len(cutoff))+`:"`+cutoff+`";}`)
		c := s.client(atPublic(calendar.Options{}))
		whole := s.client(atPublic(calendar.Options{Limits: calendar.Limits{MaxPageSize: 100000}}))
		for i, f := range fairFilters {
			if e.skips(i + len(cutoff)) {
				continue
			}
			c.checkWalk(whole, s.fill("/events?per_page=2&"+f), "")
			for _, g := range fairFilters[i+1 : min(i+4, len(fairFilters))] {
				path := s.fill("/events?" + f + "&" + g)
				if cutoff == "" && whole.Get("", path).Status == http.StatusOK {
					c.checkWalk(whole, with(path, "per_page=4"), "")
				}
			}
		}
	}
	c, whole := s.client(atPublic(calendar.Options{})), s.client(atPublic(calendar.Options{Limits: calendar.Limits{MaxPageSize: 100000}}))
	for list, filters := range map[string][]string{
		"/venues": linkedFilters, "/organizers": linkedFilters, "/categories": termFilters, "/tags": termFilters,
	} {
		for i, f := range filters {
			if e.skips(i) {
				continue
			}
			for _, g := range append([]string{""}, filters[i+1:min(i+4, len(filters))]...) {
				path := s.fill(list + "?per_page=1&" + f + "&" + g)
				if whole.Get("", path).Status == http.StatusOK {
					c.checkWalk(whole, path, "")
				}
			}
		}
	}
	for as := range apitest.Users {
		for _, path := range []string{
			"/events?per_page=2", "/events?per_page=2&status=", "/venues?per_page=1&status=", "/events?per_page=2&status=publish,draft",
			"/events?per_page=2&context=edit", "/categories?per_page=1",
		} {
			if whole.Get(as, path).Status == http.StatusOK {
				c.checkWalk(whole, path, as)
			}
		}
	}
}
