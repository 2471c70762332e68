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

// withPages serves the calendar's pages at paths outside of its API.
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

// onPage returns a view of a page for people. The word before the number must occur at least once, always with the same
// number.
func onPage(path, word string) exactView { return exactView{Site + path, []string{word}} }

// page reports whether the view is a page for people.
func (v exactView) page() bool {
	return strings.HasPrefix(v.path, Site) && !strings.Contains(v.path, "/wp-json")
}

// get requests a view.
func (x *Exact) get(v exactView) apitest.Answer {
	if !v.page() {
		c := apitest.Client{T: x.T, Handler: x.handlers[0]}
		return c.Get("", v.path)
	}
	w := apitest.Send(x.T.Context(), x.handlers[0], http.MethodGet, v.path, "")
	return apitest.Answer{Request: v.path, Status: w.Code, Text: w.Body.String()}
}

// shown finds the number in a response.
func (v exactView) shown(a apitest.Answer) []string {
	if v.page() {
		return regexp.MustCompile(v.at[0] + `(\d+)`).FindStringSubmatch(a.Text)
	}
	return lastNumber.FindStringSubmatch(a.At(v.at...))
}
