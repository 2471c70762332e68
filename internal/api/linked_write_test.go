package api_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/schema"
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

func TestD26IfMatch(t *testing.T) {
	c := open(t)
	tag := c.Must(200, "", "GET", "/venues/8", "").Header.Get("ETag")
	other := c.Must(200, "admin", "GET", "/venues/8?context=edit&_fields=id", "").Header.Get("ETag")
	if tag == "" || tag == other {
		t.Fatalf("tags %s %s", tag, other)
	}
	c.Must(412, "admin", "PATCH", "/venues/8", `{"phone":"1"}`, "If-Match", `"other.x"`)
	c.Must(412, "admin", "DELETE", "/venues/8", "", "If-Match", `W/`+tag)
	c.Must(200, "admin", "PATCH", "/venues/8", `{"phone":"1"}`, "If-Match", tag)
	c.Must(412, "admin", "PATCH", "/venues/8", `{"phone":"2"}`, "If-Match", tag)
	c.Must(412, "admin", "PATCH", "/venues/8", `{"phone":"2"}`, "If-Match", other)
	if got := c.Meta(8, schema.MetaVenuePhone); !slices.Equal(got, []string{"1"}) {
		t.Errorf("phone %q", got)
	}
	tag = c.Must(200, "", "GET", "/venues/by-slug/de-vooruit-co", "").Header.Get("ETag")
	c.Exec("UPDATE wp_posts SET post_content = 'by another program' WHERE ID = 8")
	c.Must(412, "admin", "PATCH", "/venues/8", `{}`, "If-Match", tag)
	c.Must(200, "admin", "PATCH", "/venues/8", `{}`, "If-Match", "*")
}

// A failure at any statement of a write leaves every row as it was.
func TestD20AllOrNothing(t *testing.T) {
	c := open(t)
	before := c.Dump()
	for _, w := range []struct{ method, path, body string }{
		{"POST", "/venues", `{"venue":"New","city":"Gent"}`}, {"PATCH", "/venues/8", `{"venue":"Other","phone":"5"}`},
		{"DELETE", "/organizers/17", ""}, {"DELETE", "/venues/9?force=true", ""},
	} {
		places := 0
		for n := 1; ; n++ {
			c.Counter.Reset()
			c.Counter.FailAt(n, errors.New("injected"))
			a := c.Do("admin", w.method, w.path, w.body)
			if a.Status < 400 {
				break
			}
			places++
			c.Counter.Reset()
			if a.Code() == "" {
				t.Fatalf("%s %s at %d: %s", w.method, w.path, n, a.Text)
			}
			if c.Dump() != before {
				t.Fatalf("%s %s: a failure at statement %d leaves something behind", w.method, w.path, n)
			}
		}
		c.Counter.Reset()
		if places < 8 {
			t.Errorf("%s %s failed at %d places only", w.method, w.path, places)
		}
		before = c.Dump()
	}
}
