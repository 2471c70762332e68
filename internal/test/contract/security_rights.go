package contract

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// ownFieldsOnly checks that a request only sets declared fields.
func ownFieldsOnly(t *testing.T, e Engine) {
	s := built(t, e, "office")
	c := s.client(calendar.Options{})
	s.venue(thing{slug: "hall", author: 3})
	c.Do("author", http.MethodPut, s.fill("/venues/{hall}"), `{"city":"Gent"}`) // the first write adds more rows than later ones
	other, was := s.text("e-publish"), s.Rows()
	for i, value := range []string{`1`, `"1"`, quoted("page"), `{"a":"b"}`, other, `[` + other + `]`} {
		for k, name := range words("members that nobody may set") {
			if name == "password" && value[0] != '"' || name == "force" || e.skips(i+k) {
				continue
			}
			for _, target := range []string{"/events/{a-publish}", "/venues/{hall}", "/events/by-slug/a-publish"} {
				a := c.Do("author", http.MethodPut, s.fill(target), fmt.Sprintf(`{%q:%s}`, name, value))
				is := s.Rows()
				changed := was.Differences(is)
				was = is
				other := a.Status == http.StatusOK && a.Word("slug") != "a-publish" && a.Word("slug") != "hall"
				if a.Status >= 500 || len(changed) > 0 || other {
					t.Errorf("%d %s: %s, changed %q\n%s", i, a.Request, a.Verdict(), changed, apitest.Clip(a.Text))
				}
			}
		}
	}
}
