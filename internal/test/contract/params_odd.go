package contract

import (
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// oddValues are values that look like others, for parameters of any type.
var oddValues = []string{
	"-0", "+5", "%2B5", "007", "0x10", "1e3", "1E400", "-1e400", "1.5", "2031.125", ".5", "5.", "12345678901234567890", "-12345678901234567890",
	"9223372036854775807", "9223372036854775808", "NaN", "Inf", "true", "false", "null", "%20", "%09%0A", "%C2%A0", "%EF%BC%95", "%D9%A5", "%25", "%25%25", "100%25", "%", "_", "*",
	"0", "00", "-1", "1,", ",1", "1,,1", "1;2", "1|2", "1%202", "'", "\\", "[]", "{}", "1/2", "%E2%88%921", "½",
}

// oddNumbers proves that what is no date, no id and no term is refused, whatever
// number it looks like, and that an unknown order is none (D58).
func oddNumbers(t *testing.T, e Engine) {
	s, items := exhibits(t, e)
	c := s.client(calendar.Options{})
	var rows []row
	refused := func(list, parameters string, values ...string) {
		for name := range strings.FieldsSeq(parameters) {
			for _, v := range values {
				rows = append(rows, row{list + "?" + name + v, "400 rest_invalid_param " + strings.TrimSuffix(name, "[]")})
			}
		}
	}
	refused("/events", "start_date end_date starts_before starts_after ends_before ends_after", "=2031.125", "=1e9", "=1.5", "=-1.5e3", "=.5", "=5.", "=12345678901234567890",
		"=9223372036854775808", "=0x10", "=%EF%BC%95", "=true", "=%25", "[]=2030-01-01", "[x]=2030")
	refused("/events", "venue organizer include", "=12345678901234567890", "=9223372036854775807", "=1e30", "=-0", "=-1", "=1.5", "=0x10", "=true", "=%25", "=%EF%BC%95", "[][]=1", "=1;2")
	refused("/events", "categories tags", "=%25", "=%2525", "=12345678901234567890", "=-1", "=-0", "=1e30", "=0x10", "=%EF%BC%95", "=_", "=*", "=true", "[][x]=1")
	refused("/events", "post_parent", "=12345678901234567890", "=-1", "=0x10", "=%EF%BC%95", "[]=1")
	refused("/events", "strict_dates geoloc_lat", "[]=1")
	for _, list := range []string{"/venues", "/organizers"} {
		refused(list, "has_events only_with_upcoming", "[]=1", "[x]=1", "[][]=0")
		refused(list, "event", "=12345678901234567890", "=-1", "=0x10", "=%25", "[]=1")
	}
	for _, list := range []string{"/categories", "/tags"} {
		refused(list, "include exclude", "=%25", "=12345678901234567890", "=-1", "=0x10", "=%EF%BC%95")
		refused(list, "post event", "=12345678901234567890", "=-1", "=%25")
		rows = append(rows, row{list + "?slug=%25", ""}, row{list + "?search=%25", ""}, row{list + "?search=_", ""})
	}
	for _, list := range []string{"/events", "/venues", "/organizers", "/categories", "/tags"} {
		refused(list, "page per_page", "=0", "=-1", "=-0", "=1.5", "=0x2", "=12345678901234567890", "=%EF%BC%95", "=%25", "=true", "[]=1")
	}
	c.check("", rows)
	s.oddOrders(c)
	oddEverywhere(t, s, c, operations(t, c, items))
	s.oddWrites(c)
}

// oddOrders asks for orders that there are not.
func (s *site) oddOrders(c *client) {
	s.t.Helper()
	for _, list := range []string{"/events", "/venues", "/organizers", "/categories?hide_empty=0", "/tags?hide_empty=0"} {
		query := "?"
		if strings.Contains(list, "?") {
			query = "&"
		}
		usual := c.get(list, "").summary()
		for _, odd := range []string{"order=0", "orderby=0", "orderby=12345678901234567890", "orderby=%25", "orderby=1.5&order=0", "orderby=post_password"} {
			c.check("", []row{{list + query + odd, usual}})
		}
	}
}

// oddEverywhere gives every parameter of every read odd values: none is a failure
// of the service.
func oddEverywhere(t *testing.T, s *site, c *client, all []operation) {
	t.Helper()
	for _, o := range all {
		for _, name := range o.params[:o.declared] {
			for i, v := range oddValues {
				queries := []string{name + "=" + v}
				if i%16 == 0 {
					queries = append(queries, name+"[]="+v, name+"[x][y]="+v)
				}
				for _, query := range queries {
					r := s.path(o.path) + "?" + strings.ReplaceAll(strings.ReplaceAll(query, "½", "%C2%BD"), "\\", "%5C")
					if a := c.get(r, ""); a.status >= 500 {
						t.Errorf("%s: %d %s", a.request, a.status, clipped(string(a.body)))
					}
				}
			}
		}
	}
}

// oddWrites sends dates that are none.
func (s *site) oddWrites(c *client) {
	s.t.Helper()
	for _, name := range []string{"start_date", "end_date", "date", "date_utc"} {
		for _, v := range []string{"1e9", "2031.125", "1.5", "12345678901234567890", "0x10"} {
			body := `{"title":"E","start_date":"2030-07-01","end_date":"2030-07-01","` + name + `":"` + v + `"}`
			if a := c.ask(http.MethodPost, "/events", "admin", body); a.summary() != "400 rest_invalid_param "+name {
				s.t.Errorf("%s: %s", a.request, a.summary())
			}
		}
	}
}
