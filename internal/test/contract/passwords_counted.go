package contract

import (
	"net/http"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// countedPasswords: wrong passwords of posts are counted for an address; past the limit the answer is 429 with Retry-After, for right ones too, until
// the window ends. What tries no password is answered as ever.
func countedPasswords(t *testing.T, e Engine) {
	s := built(t, e, "locked")
	const limit = 6
	at := now
	fresh := func() *client {
		return s.client(calendar.Options{
			Now:   func() time.Time { return at },
			Login: calendar.Login{MaxPerAddress: limit, Window: time.Minute, ClientAddress: func(r *http.Request) string { return r.Header.Get("X-Client") }},
		})
	}
	const past = "429 rest_too_many_attempts"
	right, wrong := "password=Open%20Sesame", "password=x"
	for _, path := range []string{"/events/{ball}?", "/events/by-slug/ball?", "/venues/{vault}?", "/venues/by-slug/vault?", "/organizers/{agent}?", "/events?include={ball},{plain}&"} {
		c := fresh()
		path = s.fill(path)
		for range 2 * limit { // right ones, none and those of editors do not count
			c.Get("", path+right)
			c.Get("", path)
			c.Get("editor", path+"context=edit&"+wrong)
		}
		for i := range limit {
			if a := c.Get("", path+wrong); a.Status == http.StatusTooManyRequests {
				t.Errorf("%s: refused at trial %d", a.Request, i+1)
			}
		}
		for _, query := range []string{wrong, right} {
			if a := c.Get("", path+query); a.Summary() != past || a.Header.Get("Retry-After") != "60" {
				t.Errorf("%s: %s, Retry-After %q", a.Request, a.Summary(), a.Header.Get("Retry-After"))
			}
		}
		for _, other := range []string{"/events?" + wrong, "/venues?" + wrong, "/events/{plain}?" + wrong, "/events/{plain}", "/events?include={plain}&" + wrong} {
			if a := c.Get("", s.fill(other)); a.Status != http.StatusOK {
				t.Errorf("%s: %s, though no password is tried", a.Request, a.Summary())
			}
		}
		at = at.Add(time.Minute)
		if a := c.Get("", path+right); a.Status != http.StatusOK {
			t.Errorf("%s after the window: %s", a.Request, a.Summary())
		}
	}
	// A list that names no events tries nothing, however often.
	c := fresh()
	for range 3 * limit {
		c.Get("", "/events?"+wrong)
		c.Get("", "/venues?"+wrong)
		c.Get("", "/organizers?"+wrong)
	}
	c.check("", s.rows([]row{{"/events/{ball}?" + right, "ball"}}))
}
