package contract

import (
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// withPages answers with the calendar's pages at addresses that are none of its API.
func withPages(c *calendar.Calendar, api http.Handler) http.Handler {
	shown := pages.New(c, pages.Options{Now: func() time.Time { return now }, Logger: slog.New(slog.DiscardHandler)})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/wp-json") {
			api.ServeHTTP(w, r)
			return
		}
		shown.ServeHTTP(w, r)
	})
}

// onPage returns the view of a page for people: the word before the number is on it once or more often, always with the same one.
func onPage(path, word string) exactView { return exactView{Site + path, []string{word}} }

// page reports whether the view is one for people.
func (v exactView) page() bool {
	return strings.HasPrefix(v.path, Site) && !strings.Contains(v.path, "/wp-json")
}

// get asks for a view.
func (x *Exact) get(v exactView) apitest.Answer {
	if !v.page() {
		c := apitest.Client{T: x.T, Handler: x.handlers[0]}
		return c.Get("", v.path)
	}
	w := apitest.Send(x.T.Context(), x.handlers[0], http.MethodGet, v.path, "")
	return apitest.Answer{Request: v.path, Status: w.Code, Text: w.Body.String()}
}

// shown finds the number in an answer.
func (v exactView) shown(a apitest.Answer) []string {
	if v.page() {
		return regexp.MustCompile(v.at[0] + `(\d+)`).FindStringSubmatch(a.Text)
	}
	return lastNumber.FindStringSubmatch(a.At(v.at...))
}
