package contract

import (
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// listedAlone reads every item of a list by itself, as the same caller.
func listedAlone(t *testing.T, e Engine) {
	c := built(t, e, "staff").client(calendar.Options{})
	for as := range apitest.Users {
		for _, path := range []string{"/events", "/venues", "/organizers"} {
			for _, query := range []string{"?per_page=50", "?per_page=50&status=draft,pending,private,future", "?per_page=50&status="} {
				for _, id := range c.Get(as, path+query).Members("id") {
					if a := c.Get(as, path+"/"+id); a.Status != 200 && a.At("code") != `"event-password-protected"` {
						t.Errorf("%s lists what it does not show alone: %s %s", query, a.Request, a.Summary())
					}
				}
			}
		}
	}
}
