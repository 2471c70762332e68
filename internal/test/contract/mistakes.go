package contract

import (
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// twoMistakes proves that of two parameters that are wrong the same one is named
// every time: the first of the request, where a handler finds out, and all in the
// order of their declaration where it can be told before.
func twoMistakes(t *testing.T, e Engine) {
	s := office(t, e)
	c := s.client(calendar.Options{})
	for body, want := range map[string]string{
		`"date":"@999999999999","date_utc":"@999999999999"`:              "date",
		`"date_utc":"@999999999999","date":"@999999999999"`:              "date_utc",
		`"end_date":"@999999999999","start_date":"@999999999999"`:        "end_date",
		`"start_date":"@999999999999","end_date":"@999999999999"`:        "start_date",
		`"start_date":"never","end_date":"no","date":"","date_utc":"no"`: "date date_utc start_date end_date",
		`"categories":[999],"tags":[999]`:                                "categories tags",
	} {
		for range 20 {
			a := c.ask("PATCH", s.path("/events/{a-draft}"), "admin", "{"+body+"}")
			if got := strings.Join(a.refusedNames(), " "); a.status != 400 || got != want {
				t.Fatalf("%s: %s names %q, want %q: %s", body, a.verdict(), got, want, a.body)
			}
		}
	}
}

// refusedNames are the parameters that a refusal names, in its order.
func (a *answer) refusedNames() (names []string) {
	_, list, _ := strings.Cut(a.text("message"), ": ")
	names = strings.Split(list, ", ")
	data, _ := a.json["data"].(map[string]any)
	params, _ := data["params"].(map[string]any)
	return slices.DeleteFunc(names, func(n string) bool { return params[n] == nil })
}
