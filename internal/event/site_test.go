package event_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/agendahq/agenda/internal/test/apitest"
)

// calendar is the recorded site.
type calendar struct{ *apitest.Site }

func open(t *testing.T) *calendar {
	t.Helper()
	return &calendar{apitest.Open(t)}
}

// eventPath is the path of the event in an answer.
func eventPath(a apitest.Answer) string { return fmt.Sprint("/events/", a.ID()) }

// create makes an event with a title, an evening and more fields.
func (c *calendar) create(as, title, more string) apitest.Answer {
	c.T.Helper()
	body := fmt.Sprintf(`{"title":%q,"start_date":"2033-04-05 19:30","end_date":"2033-04-05 22:00"%s}`, title, more)
	return c.Must(http.StatusCreated, as, "POST", "/events", body)
}
