package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/rest"
)

// published is what the index prints of an operation's parameters: names with the
// keys before "required", "!" for required ones.
func published(o *rest.Operation) string {
	short := map[string]string{"type": "t", "default": "0", "description": "d"}
	var list []string
	for _, p := range o.Params {
		if p.Unlisted || p.Name == "i18n_language" {
			continue
		}
		s := p.Name + ":"
		for _, key := range p.Published() {
			s += short[key]
		}
		if p.Type != jsonschema.TypeText {
			s += "/" + p.Type
		}
		if p.Required {
			s += "!"
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

func TestPublishedParameters(t *testing.T) {
	c := open(t)
	const (
		venue = "author:td/integer date:td date_utc:td venue:td%s description:t0d status:td show_map:t0d show_map_link:t0d " +
			"address:t0d city:t0d country:t0d province:t0d state:t0d zip:t0d phone:t0d stateprovince:t0d website:t0d image:t0d"
		organizer = "author:t0d/integer date:t0d date_utc:t0d organizer:t0d%s description:t0d status:t0d phone:t0d website:t0d " +
			"email:t0d image:t0d"
		id, slug = "id:td/integer!", "slug:td!"
	)
	a := api.New(c.Env)
	for _, k := range []struct {
		rest.Operations
		fields string
	}{{a.Places(c.Events.Venues), venue}, {a.Places(c.Events.Organizers), organizer}} {
		update := fmt.Sprintf(k.fields, "")
		for _, w := range []struct {
			operation *rest.Operation
			want      string
		}{
			{k.Create, fmt.Sprintf(k.fields, "!")},
			{k.Item.Get, id}, {k.Item.Delete, id}, {k.Item.Update, id + " " + update},
			{k.BySlug.Get, slug}, {k.BySlug.Delete, slug}, {k.BySlug.Update, slug + " " + update},
		} {
			if got := published(w.operation); got != w.want {
				t.Errorf("%s\n got %s\nwant %s", w.operation.ID, got, w.want)
			}
		}
	}
}
