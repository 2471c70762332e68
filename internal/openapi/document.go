// Package openapi writes the documentation of the API as an OpenAPI document, from the
// same declarations that serve it: routes, parameters, errors, and the shapes of
// answers. It declares nothing itself.
package openapi

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp"
)

// Version is the version of the OpenAPI specification that documents follow.
const Version = "3.1.0"

// Operation returns the operation that answers the documentation of the routes,
// which are read when it is called, and must not change later. language is the
// parameter that all operations have. webhooks return the messages that are sent besides. The
// document is written once for each of the engine's roots and languages.
func Operation(language *param.Param, webhooks ...func() []Webhook) *rest.Operation {
	var kept sync.Map // keptKey to *keptDocument
	return &rest.Operation{
		ID: "getDocumentation", Summary: "summary_doc", Tag: "doc", About: "doc_tag_doc",
		Params: []*param.Param{language},
		Answer: documentShape(),
		Handle: func(ctx context.Context, r *rest.Request) (*rest.Response, error) {
			key, address := keptKey{*r.Root, r.Language}, publisher(ctx)+" "+site.From(ctx).SiteURL
			k, _ := kept.Load(key)
			doc, ok := k.(*keptDocument)
			if !ok || doc.address != address {
				d := &document{Writer: &phpjson.Writer{}, request: r}
				var messages []Webhook
				for _, list := range webhooks {
					messages = append(messages, list()...)
				}
				d.write(ctx, r.Routes(), messages)
				doc = &keptDocument{address, d.Bytes()}
				kept.Store(key, doc)
			}
			r.Out.Raw(doc.body)
			return nil, nil
		},
	}
}

// keptKey is what a document depends on, besides the routes and the site's name and
// address, which its settings can change.
type keptKey struct {
	root     call.Root
	language string
}

type keptDocument struct {
	address string // with the name, as which the site's settings have them
	body    []byte
}

// publisher returns the name of the site, or else that of its host.
func publisher(ctx context.Context) string {
	s := site.From(ctx)
	return cmp.Or(wp.PlainText(s.Name), s.Host())
}

// documentShape is this document's own.
func documentShape() *jsonschema.Schema {
	object, list := jsonschema.Map(jsonschema.Any()), jsonschema.List(jsonschema.Any())
	return jsonschema.Object("Documentation",
		jsonschema.Has("openapi", jsonschema.Only(Version)), jsonschema.Has("info", object), jsonschema.Has("servers", list),
		jsonschema.Has("tags", list),
		jsonschema.Has("security", list), jsonschema.Has("paths", object), jsonschema.Has("components", object),
	).Doc("doc_documentation").Undescribed()
}

// document is a document in the making.
type document struct {
	*phpjson.Writer
	request *rest.Request
	shapes  []*jsonschema.Schema // that have names, in the order of their first use
	samples []*jsonschema.Schema // of which there are examples
}

// values are used in a message for the names of a certain item.
var values = map[string]any{"ID": "123", "Name": "Music", "Slug": "music", "Names": "title", "Count": 1}

func (d *document) text(id string) string { return d.request.Text.Text(id, values) }

// describe writes the text of a message id as the description.
func (d *document) describe(id string) {
	if id != "" {
		d.KeyString("description", d.text(id))
	}
}

func (d *document) write(ctx context.Context, routes []*rest.Route, webhooks []Webhook) {
	d.Object()
	d.KeyString("openapi", Version)
	d.KeyObject("info")
	d.KeyString("version", "1.0.0")
	d.KeyString("title", d.text("doc_title"))
	d.KeyString("description", d.text("doc_description")+"\n\n"+d.text("doc_notes"))
	d.KeyObject("contact") // whom to ask about a site's calendar
	d.KeyString("name", publisher(ctx))
	d.KeyString("url", site.From(ctx).SiteURL)
	d.End()
	d.KeyObject("license") // of the program, and so of this document
	d.KeyString("name", "MIT")
	d.KeyString("identifier", "MIT")
	d.End()
	d.End()
	d.KeyArray("servers")
	d.Object()
	d.KeyString("url", d.request.Root.URL)
	d.End()
	d.End()
	d.tags(routes)
	d.security(anybody)
	d.KeyObject("paths")
	for _, route := range routes {
		d.KeyObject(pathOf(route))
		for _, o := range route.Operations {
			for _, method := range o.Methods {
				d.Key(strings.ToLower(method))
				d.operation(route, o, method)
			}
		}
		d.End()
	}
	d.End()
	d.webhooks(webhooks)
	d.components(ctx, routes)
	d.End()
}

func pathOf(r *rest.Route) string {
	if r.Path == "" {
		return "/"
	}
	return r.Path
}

// tags writes the kinds of resources, each once.
func (d *document) tags(routes []*rest.Route) {
	seen := map[string]bool{}
	d.KeyArray("tags")
	for _, r := range routes {
		for _, o := range r.Operations {
			if seen[o.Tag] {
				continue
			}
			seen[o.Tag] = true
			d.Object()
			d.KeyString("name", o.Tag)
			d.describe(o.About)
			d.End()
		}
	}
	d.End()
}

// components writes what the operations refer to. Shapes can refer to more
// shapes, so they come last.
func (d *document) components(ctx context.Context, routes []*rest.Route) {
	d.KeyObject("components")
	d.securitySchemes(ctx)
	d.headers()
	d.answers(routes)
	d.KeyObject("examples")
	for _, s := range d.samples {
		d.KeyObject(s.Name)
		d.Key("value")
		d.sample(s)
		d.End()
	}
	d.End()
	d.KeyObject("schemas")
	for i := 0; i < len(d.shapes); i++ {
		d.Key(d.shapes[i].Name)
		d.inline(d.shapes[i], d.shapes[i].About)
	}
	d.End()
	d.End()
}
