package event_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// clerk may write everybody's events, and nothing else.
var clerk = caller.Principal{UserID: 2, Capabilities: map[string]bool{
	"read": true, "edit_tribe_events": true, "edit_others_tribe_events": true, "edit_published_tribe_events": true,
	"publish_tribe_events": true,
}}

// calendar is the recorded site, with a clerk.
type calendar struct{ *apitest.Site }

func open(t *testing.T) *calendar {
	t.Helper()
	c := &calendar{apitest.Open(t)}
	c.Callers["clerk"] = clerk
	return c
}

// eventPath is the path of the event in an answer.
func eventPath(a apitest.Answer) string { return fmt.Sprint("/events/", a.ID()) }

// linked are the ids of what an event's answer holds in a list or object.
func linked(a apitest.Answer, name string) string {
	list, isList := a.Body[name].([]any)
	if !isList {
		list = []any{a.Body[name]}
	}
	var ids []string
	for _, x := range list {
		m, _ := x.(map[string]any)
		ids = append(ids, fmt.Sprint(m["id"]))
	}
	return strings.Join(ids, " ")
}

// create makes an event with a title, an evening and more fields.
func (c *calendar) create(as, title, more string) apitest.Answer {
	c.T.Helper()
	body := fmt.Sprintf(`{"title":%q,"start_date":"2033-04-05 19:30","end_date":"2033-04-05 22:00"%s}`, title, more)
	return c.Must(http.StatusCreated, as, "POST", "/events", body)
}

// meta are a post's meta rows with a key, in order.
func (c *calendar) meta(id int64, key string) string {
	c.T.Helper()
	return fmt.Sprintf("%q", c.Meta(id, key))
}

// keys are the keys of a post's meta rows, in order, but that of bookkeeping.
func (c *calendar) keys(id int64) string {
	c.T.Helper()
	return strings.Join(c.Scan("SELECT meta_key FROM wp_postmeta WHERE post_id = ? AND meta_key <> ? ORDER BY meta_id", id,
		schema.MetaModifiedFields), " ")
}

// column is the values of one column, each on its line.
func (c *calendar) column(query string, args ...any) string {
	c.T.Helper()
	return strings.Join(c.Scan(query, args...), "\n")
}
