package registry_test

import (
	"errors"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// sent contains valid and invalid values of every sort.
var sent = []any{
	int64(7), "7", "7,8", "music, jazz", "2031-05-01 10:00:00", "https://example.org/a.jpg", "publish", true, 1.5, "",
	[]any{int64(7), "music"}, object("id", int64(7), "zip", "9000", "author", int64(2), "image", int64(5)),
	[]any{object("venue", "Hall", "author", int64(2)), object("organizer", "Club", "image", int64(5))},
}

func object(pairs ...any) *param.Map {
	m := param.NewMap()
	for i := 0; i < len(pairs); i += 2 {
		m.Set(pairs[i].(string), pairs[i+1])
	}
	return m
}

// TestParsingAsksNoDatabase checks that parameters are parsed without a database, and that only the later look-up
// requires one.
func TestParsingAsksNoDatabase(t *testing.T) {
	names := schema.DefaultNames()
	service := item.New(item.Config{
		Content: content.New(content.Config{
			Store: &store.Store{}, Types: registry.Types(names, registry.More{}), Taxonomies: registry.Taxonomies(names),
			Now: func() time.Time { return time.Date(2031, 5, 1, 10, 0, 0, 0, time.UTC) },
		}),
		Language: param.Key[string]("language").Param(jsonschema.Text(), nil),
	})
	events := registry.Register(service, names, registry.More{})
	editor := caller.Principal{UserID: 1, Capabilities: map[string]bool{"edit_tribe_events": true}}
	ctx := site.With(caller.With(t.Context(), &caller.Request{Principal: editor}), &site.Settings{Location: time.UTC})
	lookedUp := map[string]bool{}
	try := func(id string, p *param.Param, v any) {
		parsed, err := param.Parse(ctx, []*param.Param{p}, param.Sources{JSON: object(p.Name, v)})
		var refused *param.Failure
		if err != nil && !errors.As(err, &refused) {
			t.Errorf("%s: %s of %v: %v", id, p.Name, v, err)
		}
		defer func() {
			if recover() != nil { // the look-up fails without a database
				lookedUp[p.Name] = true
			}
		}()
		if err == nil {
			_, _ = parsed.LookUp(ctx)
		}
	}
	a := api.New(events.Service)
	served := []rest.Operations{a.Events(events), a.Terms(events.Categories), a.Terms(events.Tags)}
	for _, k := range events.Linked {
		served = append(served, a.Places(k))
	}
	for _, o := range served {
		all := []*rest.Operation{o.List, o.Create, o.Item.Get, o.Item.Delete, o.Item.Update}
		if o.BySlug.Get != nil { // terms lack these operations
			all = append(all, o.BySlug.Get, o.BySlug.Delete, o.BySlug.Update)
		}
		for _, op := range all {
			for _, p := range op.Params {
				for _, v := range sent {
					try(op.ID, p, v)
				}
			}
		}
	}
	for _, name := range []string{"id", "slug", "venue", "organizer", "categories", "tags", "author", "image", "post_parent", "parent"} {
		if !lookedUp[name] {
			t.Errorf("%s is not looked up", name)
		}
	}
}
