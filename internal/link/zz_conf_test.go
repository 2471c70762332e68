package link_test

import (
	"context"
	"net/http"
	"slices"
	"testing"

	"github.com/agendahq/agenda/internal/conformance"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/term"
	"time"
)

func TestZZConf(t *testing.T) {
	c := open(t)
	c.env.Now = time.Now
	names := map[string]string{"admin": "admin", "editor1": "editor", "author1": "author", "contrib1": "contributor", "sub1": "subscriber", "": ""}
	c.engine.Authenticate = func(_ context.Context, r *http.Request, _ func(string) string) (rest.Principal, []rest.Header, error) {
		u, _, _ := r.BasicAuth()
		return c.caller(names[u]), nil, nil
	}
	cats := &term.Kind{Env: c.env, Collection: "categories", Singular: "Category", Taxonomy: c.env.Names.Category, Tree: true}
	tags := &term.Kind{Env: c.env, Collection: "tags", Singular: "Tag", Taxonomy: c.env.Names.Tag}
	ev := &event.Kind{Env: c.env, Venues: c.venues, Organizers: c.organizers, Categories: cats, Tags: tags}
	c.engine.Mount(slices.Concat(c.venues.Routes(), c.organizers.Routes(), ev.Routes()))
	res, err := conformance.Replay(t.Context(), conformance.Options{Handler: c, Root: root, Corpus: "writes_a", Groups: []string{"venues", "organizers"}, SQL: c.db.DB})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(res.Report(60))
}
