package api_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// reason returns what an error says about a field, or its code.
func reason(err error) string {
	var failure *param.Failure
	if errors.As(err, &failure) {
		f := failure.Faults[0]
		return f.Param + ": " + reason(&param.Fault{Message: f.Message})
	}
	var f *param.Fault
	var e *apierror.Error
	switch {
	case errors.As(err, &f):
		return strings.TrimSpace(apitest.IDs{}.Text(f.Message.ID, f.Message.Data))
	case errors.Is(err, caller.ErrForbidden):
		return "rest_forbidden"
	case errors.As(err, &e):
		return fmt.Sprint(e.Status, " ", e.Code)
	}
	return fmt.Sprint(err)
}

// link checks the value of a field of an event that links posts, and resolves it in a transaction.
func (c *calendar) link(k *linked.UseCases, as, text string) (ids []int64, err error) {
	c.T.Helper()
	ctx := caller.With(site.With(c.T.Context(), c.Settings), &caller.Request{Principal: c.Caller(as)})
	var l linked.Links // the zero value for null, which is not checked and removes all links
	if v := jsonField(c.T, text); v != nil {
		if l, err = apitest.Apply(ctx, k.Linker().Rule(), v); err != nil {
			return nil, err
		}
	}
	if err := k.Linker().Authorize(ctx, l); err != nil {
		return nil, err
	}
	return content.Run(ctx, c.Env.Content, content.Work[[]int64]{
		Images: l.Fields(),
		Apply:  func(ctx context.Context) ([]int64, error) { return k.Linker().Resolve(ctx, l) },
	})
}

// TestD16Rights checks D16: writing data of a linked post requires the same right as the operations of its resource;
// linking it requires none.
func TestD16Rights(t *testing.T) {
	c := open(t)
	before := c.Dump()
	for _, w := range []struct{ as, text, want string }{
		{"subscriber", `{"venue":"a"}`, "rest_forbidden"}, {"", `{"venue":"a"}`, "rest_forbidden"}, {"", `{"venue":""}`, "rest_forbidden"},
		{"contributor", `{"id":8,"city":"x"}`, "rest_forbidden"}, {"author", `[7,{"id":8,"city":"x"}]`, "rest_forbidden"},
		{"author", `[{"venue":"a"},{"id":8,"city":"x"}]`, "rest_forbidden"}, {"author", `{"venue":"a","author":1}`, "rest_forbidden"},
		{"contributor", `{"id":8}`, "<nil>"}, {"subscriber", `8`, "<nil>"},
	} {
		if _, err := c.link(c.Events.Venues, w.as, w.text); reason(err) != w.want {
			t.Errorf("%v: %s", w, reason(err))
		}
	}
	if c.Dump() != before {
		t.Error("something was written")
	}
	// The rights are checked again in the transaction, because they may have changed since the first check.
	ctx := caller.With(site.With(t.Context(), c.Settings), &caller.Request{Principal: c.Caller("author")})
	c.Exec("UPDATE wp_posts SET post_author = 3 WHERE ID IN (7, 8, 9)")
	l, err := apitest.Apply(ctx, c.Events.Venues.Linker().Rule(), jsonField(t, `[{"id":8,"city":"x"}]`))
	if err != nil || c.Events.Venues.Linker().Authorize(ctx, l) != nil {
		t.Fatal(err)
	}
	resolve := func(l linked.Links) error {
		return c.Env.Content.Write(ctx, func(ctx context.Context) error {
			_, err := c.Events.Venues.Linker().Resolve(ctx, l)
			return err
		})
	}
	c.Exec("UPDATE wp_posts SET post_author = 1 WHERE ID = 8")
	if err := resolve(l); reason(err) != "rest_forbidden" {
		t.Errorf("given to another user since: %v", err)
	}
	if l, err = apitest.Apply(ctx, c.Events.Venues.Linker().Rule(), jsonField(t, `[7,9]`)); err != nil {
		t.Fatal(err)
	}
	c.Exec("DELETE FROM wp_posts WHERE ID = 9")
	if err := resolve(l); reason(err) != "venue: fault_venues" {
		t.Errorf("deleted since: %s", reason(err))
	}
}

// TestLinksStatements checks that looking up ids takes one statement, however many there are.
func TestLinksStatements(t *testing.T) {
	c := open(t)
	ctx := site.With(t.Context(), c.Settings)
	for text, want := range map[string]int{`7`: 1, `[7,8,9,10,11,12]`: 1, `[]`: 0, `{"venue":"a"}`: 0} {
		c.Counter.Reset()
		must.Get(apitest.Apply(ctx, c.Events.Venues.Linker().Rule(), jsonField(t, text)))(t)
		if n := len(c.Counter.Statements()); n != want {
			t.Errorf("%s: %d statements", text, n)
		}
	}
}

// FuzzLinks checks that any value is either accepted or rejected with a validation error.
func FuzzLinks(f *testing.F) {
	for _, s := range []string{`{"venue":"A","website":"http://ex.org","status":"draft"}`, `[{"venue":"A"},{"organizer":"B"}]`,
		`{"venue":{"venue":"A"}}`, `{"id":{},"venue":[]}`, `{"venue":"A","date":"x","image":[1]}`, `[null,{"venue":true}]`} {
		f.Add(s)
	}
	env := item.New(item.Config{
		Content:    content.New(content.Config{Types: content.Types{{PostType: "tribe_events", Collection: "events"}}}),
		UserExists: func(context.Context, int64) (bool, error) { return false, nil },
	})
	k := linked.Venues(schema.DefaultNames()).Serve(env)
	f.Fuzz(func(t *testing.T, s string) {
		m, _, err := param.ParseJSON([]byte(`{"x":` + s + `}`))
		if err != nil || strings.ContainsAny(s, "123456789") || strings.Contains(s, "date") { // ids require a database, and dates a clock
			return
		}
		v, _ := m.Get("x")
		if v == nil {
			return
		}
		l, err := apitest.Apply(t.Context(), k.Linker().Rule(), v)
		var fault *param.Fault
		if err != nil && !errors.As(err, &fault) {
			t.Fatalf("%s: %v", s, err)
		}
		if err == nil {
			for _, fields := range l.Fields() {
				if fields == nil {
					t.Errorf("%s: no fields", s)
				}
			}
		}
	})
}

// TestD71Trashed checks that a post which is moved to the trash after it was looked up is not linked, and that five
// organizers take as many statements as one.
func TestD71Trashed(t *testing.T) {
	c := open(t)
	made, err := c.link(c.Events.Venues, "admin", `{"venue":"Found"}`)
	must.Succeed(t, err)
	if again, err := c.link(c.Events.Venues, "contributor", `{"venue":"Found"}`); err != nil || !slices.Equal(again, made) {
		t.Fatalf("%v, want %v (%v)", again, made, err)
	}
	c.Counter.After(func(query string) {
		if strings.Contains(query, "'Found'") && strings.Contains(query, "post_status") {
			c.Counter.After(nil)
			c.Exec("UPDATE wp_posts SET post_status = 'trash' WHERE post_title = 'Found'")
		}
	})
	again, err := c.link(c.Events.Venues, "admin", `{"venue":"Found"}`)
	c.Counter.Reset()
	if err != nil || len(again) != 1 || again[0] == made[0] {
		t.Errorf("%v links what is in the trash (%v)", again, err)
	}

	statements := func(text string) int {
		c.Counter.Reset()
		must.Get(c.link(c.Events.Organizers, "admin", text))(t)
		return len(c.Counter.Statements())
	}
	const organizers = `[{"organizer":"A"},{"organizer":"B"},{"organizer":"C","email":"x"},{"organizer":"D"},{"organizer":"E"}]`
	statements(organizers)
	one := statements(`[{"organizer":"A"}]`)
	if five := statements(organizers); five != one {
		t.Errorf("%d statements for five organizers, %d for one", five, one)
	}
}

// linking returns the ids of the events that link a post.
func (c *calendar) linking(key string, id int64) []int64 {
	c.T.Helper()
	events := []int64{}
	must.Succeed(c.T, c.DB.NewSelect().Model((*schema.PostMeta)(nil)).Column("post_id").Where("meta_key = ? AND meta_value = ?", key,
		fmt.Sprint(id)).Order("post_id").Scan(c.T.Context(), &events))
	return events
}

// jsonField parses the value of a field of a JSON body.
func jsonField(t testing.TB, text string) any {
	t.Helper()
	m, _, err := param.ParseJSON([]byte(`{"x":` + text + `}`))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	v, _ := m.Get("x")
	return v
}
