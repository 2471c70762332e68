package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// calendar is the recorded site.
type calendar struct{ *apitest.Site }

func open(t *testing.T) *calendar {
	t.Helper()
	return &calendar{apitest.Open(t)}
}

// must sends a request, which has to succeed.
func (c *calendar) must(as, method, path, body string) apitest.Answer {
	c.T.Helper()
	a := c.Do(as, method, path, body)
	if a.Status >= 300 {
		c.T.Fatalf("%s %s %s %.200s: %v", as, method, path, body, a)
	}
	return a
}

// evening contains the dates of an event.
const evening = `"start_date":"2033-04-05 19:30","end_date":"2033-04-05 22:00"`

// create creates an event with a title and more fields, and returns its id.
func (c *calendar) create(as, title, more string) int64 {
	c.T.Helper()
	return c.must(as, "POST", "/events", fmt.Sprintf(`{"title":%q,%s%s}`, title, evening, more)).ID()
}

// change updates an event.
func (c *calendar) change(as string, id int64, body string) apitest.Answer {
	c.T.Helper()
	return c.must(as, "PATCH", fmt.Sprint("/events/", id), body)
}

// trash moves an event to the trash.
func (c *calendar) trash(id int64) {
	c.T.Helper()
	c.must("admin", "DELETE", fmt.Sprint("/events/", id), "")
}

// row returns the stored row of a post.
func (c *calendar) row(id int64) schema.Post {
	c.T.Helper()
	var p schema.Post
	if err := c.DB.NewSelect().Model(&p).Where("ID = ?", id).Scan(c.T.Context()); err != nil {
		c.T.Fatalf("post %d: %v", id, err)
	}
	return p
}

// meta returns a post's values of a meta key, in order, separated by commas.
func (c *calendar) meta(id int64, key string) string {
	c.T.Helper()
	return strings.Join(c.Meta(id, key), ",")
}

// option returns the value of an option, or "" if there is none.
func (c *calendar) option(name string) string {
	c.T.Helper()
	return strings.Join(c.Scan("SELECT option_value FROM wp_options WHERE option_name = ?", name), "")
}

// differing returns the tables in which two dumps differ.
func differing(before, after string) (tables []string) {
	old := strings.Split(before, "\n")
	for line := range strings.SplitSeq(after, "\n") {
		if table, _, _ := strings.Cut(line, " "); !slices.Contains(old, line) {
			tables = append(tables, table)
		}
	}
	return tables
}
