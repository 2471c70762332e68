package contract

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// hostile contains values used in attacks.
var hostile = append(words("hostile values"),
	strings.Repeat("a", 100_000), strings.Repeat("9", 100_000), strings.Repeat("1,", 50_000), strings.Repeat("é", 50_000),
	strings.Repeat("%25", 30_000), strings.Repeat(`\`, 100_000), strings.Repeat("-", 100_000), strings.Repeat("+1 day ", 5_000),
	strings.Repeat("[", 10_000), strings.Repeat(`"`, 199),
)

// answersWell sends a request and reports whether the response is acceptable for an invalid value. The client checks
// the log.
func (c *client) answersWell(path, body string) bool {
	c.T.Helper()
	a := c.Do("", "GET", path, body)
	switch a.Status {
	case http.StatusOK, http.StatusBadRequest, http.StatusNotFound:
		return true
	}
	if hasNoJournal(a) {
		return true
	}
	c.T.Errorf("%s: %d %s", a.Request, a.Status, apitest.Clip(a.Text))
	return false
}

// hasNoJournal reports whether a response says that the site has no journal, which sync requires. The sites of these
// tests have none.
func hasNoJournal(a apitest.Answer) bool {
	return a.Status == http.StatusNotImplemented && a.Code() == "rest_no_journal"
}

// hostileValues sends every value in every declared parameter, half of them unchanged and the others in one of the
// other forms, and in paths.
func hostileValues(t *testing.T, e Engine) {
	s, items := oneOfEach(t, e)
	c := s.client(calendar.Options{})
	all, failures := operations(t, c, items), 0
	for i, value := range hostile {
		for k, o := range all {
			for j, p := range o.params {
				if !p.takes(i) || j >= o.declared && (i+j+k)%11 > 0 || e.skips(i/p.of+j+k, i+2*j) {
					continue
				}
				// Unchanged, or in one of the other forms.
				turn := (i/p.of + j + k) % (2 * (len(forms) - 1))
				chosen := forms[max(0, turn-len(forms)+2)].withValue(p.name, value)
				if !c.answersWell(o.path+"?"+chosen.query, chosen.body) {
					failures++
				}
				if failures > 20 {
					t.Fatal("and so on")
				}
			}
		}
	}
	for i, value := range hostile {
		for k, path := range []string{
			"/", "/events/", "/venues/", "/organizers/", "/categories/", "/tags/", "/events/by-slug/", "/venues/by-slug/",
			"/organizers/by-slug/",
		} {
			if e.skips(i + k) {
				continue
			}
			c.answersWell(path+url.PathEscape(value), "")
			c.answersWell(path+strings.ReplaceAll(url.PathEscape(value), "%", "%25"), "")
		}
		c.answersWell("/events?"+url.QueryEscape(value)+"=1", "")
		c.answersWell("/events", value)
		c.answersWell("/events", `{`+quoted(value)+`:1}`)
	}
	deep := strings.Repeat("[x]", 5000)
	for _, o := range all {
		for j, p := range o.params {
			if !p.takes(0) || e.skips(j) {
				continue
			}
			name := p.name
			c.answersWell(o.path+"?"+name+deep+"=1", "")
			c.answersWell(o.path+"?"+name+"[]"+deep+"=1&"+name+"[]=2", "")
			c.answersWell(o.path, `{"`+name+`":`+strings.Repeat("[", 500)+strings.Repeat("]", 500)+"}")
		}
	}
	for path, want := range map[string]string{
		"/events": "event", "/venues": "venue", "/organizers": "organizer", "/categories": "cat", "/tags": "tag",
	} {
		if a := c.Get("", path); a.Summary() != want {
			t.Errorf("%s: %s", a.Request, a.Summary())
		}
	}
}

// unclean contains strings that no field may contain.
var unclean = []string{"\x00", "a\x00b", "\xff", "a\xc3(", "\xed\xa0\x80", "\xc0\xaf", "\xf5\x80\x80\x80", "ok\xe2\x82"}

// uncleanText checks that a NUL or invalid UTF-8 is rejected in any place.
func uncleanText(t *testing.T, e Engine) {
	s, items := oneOfEach(t, e)
	c := s.client(calendar.Options{})
	refuse := func(path, body string) {
		t.Helper()
		a := c.Do("", "GET", path, body)
		if code := a.At("code"); a.Status != http.StatusBadRequest || code != `"rest_invalid_param"` && code != `"rest_invalid_json"` {
			t.Errorf("%s: %d %s", a.Request, a.Status, apitest.Clip(a.Text))
		}
	}
	for i, value := range unclean {
		for n, o := range operations(t, c, items) {
			for j, p := range o.params {
				if p.name == "_envelope" { // with it the status is always 200
					continue
				}
				for k, f := range forms {
					if p.takes(i+k) && (i < 3 || (i+j+k)%3 == 0) && !e.skips(j+n, i+j+k) {
						f = f.withValue(p.name, value)
						refuse(o.path+"?"+f.query, f.body)
					}
				}
			}
			refuse(o.path+"?x"+url.QueryEscape(value)+"=1", "")
			refuse(o.path, `{"ok":1,`+quoted("x"+value)+`:1}`)
		}
		for _, path := range []string{"/events/by-slug/", "/venues/by-slug/", "/organizers/by-slug/"} {
			refuse(path+"x"+url.PathEscape(value), "")
			refuse(path+url.PathEscape(value), "")
		}
	}
	refuse("/events?categories=a%2500", "") // lists are unescaped once more
	refuse("/events?tags=%25ff", "")
	refuse("/events?venue=1%252500", "")
	refuse("/events", `{"search":"\u0000"}`)
	refuse("/events", "{\"search\":\"\xff\"}")
}
