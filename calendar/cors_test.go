package calendar_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// TestNoCORS: a host whose own middleware decides about other origins gets nothing
// beside it, and no answer differs by origin.
func TestNoCORS(t *testing.T) {
	h := siteHandler(t, func(o *calendar.Options) { o.NoCORS = true })
	hosted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "https://app.example.org")
		h.ServeHTTP(w, r)
	})
	for _, c := range answers {
		for _, headers := range [][]header{nil, {{"Origin", "https://other.example"}, {"Access-Control-Request-Method", "PUT"}}} {
			w := send(hosted, c.method, c.path, "", append(headers, c.headers...)...)
			var sent []string
			for name := range w.Header() {
				if strings.HasPrefix(name, "Access-Control-") {
					sent = append(sent, name)
				}
			}
			vary := strings.Replace(varying(c.method, c.path), ", Origin", "", 1)
			if !slices.Equal(sent, []string{"Access-Control-Allow-Origin"}) || w.Header().Get("Vary") != vary ||
				w.Header().Get("Access-Control-Allow-Origin") != "https://app.example.org" || w.Code != c.status {
				t.Errorf("%s: %d, %q, Vary %q", c.name, w.Code, sent, w.Header().Get("Vary"))
			}
		}
	}
}
