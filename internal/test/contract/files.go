package contract

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// filesRefused tests that a file in a multipart body is refused by the name of its field, wherever it is sent, and that nothing is
// written then (D74).
func filesRefused(t *testing.T, e Engine) {
	const prefix = "files_"
	host := e.Copy(t, prefix)
	db, err := schema.Bind(ofOthers(t, host), prefix)
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, calendar.Options{
		DB: host, Site: calendar.Site{Prefix: prefix}, Authenticator: callersOf(t, db, prefix),
		Now: func() time.Time { return recordedDay },
	})
	state := func() string {
		return c.Get("admin", "/events?per_page=1").At("total") + c.Get("admin", "/venues?per_page=1").At("total") +
			c.Get("admin", "/events/25").Text + c.Get("admin", "/venues/7").Text
	}
	before := state()
	part := func(header, value string) string {
		return "--b\r\nContent-Disposition: form-data; " + header + "\r\n\r\n" + value + "\r\n"
	}
	fields := part(`name="title"`, "T") + part(`name="venue"`, "V") + part(`name="start_date"`, "2031-01-01") +
		part(`name="end_date"`, "2031-01-01")
	for _, path := range []string{"/events", "/events/25", "/events/by-slug/blues-rock-roll-zomer-1", "/venues", "/venues/7"} {
		for header, field := range map[string]string{
			`name="image"; filename="a.png"`: "image", `name="flyer"; filename="a.pdf"`: "flyer", `filename="a"`: "file",
			`name="` + strings.Repeat("x", 200) + `"; filename="a"`: "file",
		} {
			a := c.Do("admin", "POST", path, fields+part(header, "\x89PNG")+"--b--\r\n", "Content-Type", "multipart/form-data; boundary=b")
			if a.Verdict() != "400 rest_invalid_param" || a.Fault(field) == "" {
				t.Errorf("%s with %s: %s", path, header, a.Summary())
			}
		}
	}
	if state() != before {
		t.Error("a refused request wrote something")
	}
	c.Must(http.StatusCreated, "admin", "POST", "/venues", fields+"--b--\r\n", "Content-Type", "multipart/form-data; boundary=b")
}
