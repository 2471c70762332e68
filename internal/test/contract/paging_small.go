package contract

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

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
