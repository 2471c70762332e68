// Package openapi writes the documentation of the API as an OpenAPI document. It is generated from the declarations by
// which the API is served: routes, parameters, errors, and the schemas of responses. The package declares none of these
// itself.
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

// Operation returns the operation that serves the documentation of the routes. The routes are read when it is first
// called and must not change afterwards. language is the parameter that all operations have, and webhooks return the
// messages that webhooks send. The document is written once for each root and language of the engine.
func Operation(language *param.Param, webhooks ...func() []Webhook) *rest.Operation {
	var kept sync.Map // maps keptKey to *keptDocument
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
				d.writeDocument(ctx, r.Routes(), messages)
				doc = &keptDocument{address, d.Bytes()}
				kept.Store(key, doc)
			}
			r.Out.Raw(doc.body)
			return nil, nil
		},
	}
}

// keptKey is what a document depends on, apart from the routes, and from the site's name and URL, which may change with
// its settings.
type keptKey struct {
	root     call.Root
	language string
}

type keptDocument struct {
	address string // name and URL of the site in its settings
	body    []byte
}

// publisher returns the name of the site, or else its host name.
func publisher(ctx context.Context) string {
	s := site.From(ctx)
	return cmp.Or(wp.PlainText(s.Name), s.Host())
}

// documentShape returns the schema of this document itself.
func documentShape() *jsonschema.Schema {
	object, list := jsonschema.Map(jsonschema.Any()), jsonschema.List(jsonschema.Any())
	return jsonschema.Object("Documentation",
		jsonschema.Has("openapi", jsonschema.Only(Version)), jsonschema.Has("info", object), jsonschema.Has("servers", list),
		jsonschema.Has("tags", list),
		jsonschema.Has("security", list), jsonschema.Has("paths", object), jsonschema.Has("components", object),
	).Doc("doc_documentation").Undescribed()
}

// document is a document that is being written.
type document struct {
	*phpjson.Writer
	request *rest.Request
	shapes  []*jsonschema.Schema // the named schemas, in the order of their first use
	samples []*jsonschema.Schema // the schemas for which there are examples
}

// values are example values for the variables of messages.
var values = map[string]any{"ID": "123", "Name": "Music", "Slug": "music", "Names": "title", "Count": 1}

func (d *document) message(id string) string { return d.request.Text.Text(id, values) }

// describe writes a message as the description, unless id is "".
func (d *document) describe(id string) {
	if id != "" {
		d.KeyString("description", d.message(id))
	}
}

func (d *document) writeDocument(ctx context.Context, routes []*rest.Route, webhooks []Webhook) {
	d.Object()
	d.KeyString("openapi", Version)
	d.KeyObject("info")
	d.KeyString("version", "1.0.0")
	d.KeyString("title", d.message("doc_title"))
	d.KeyString("description", d.message("doc_description")+"\n\n"+d.message("doc_notes"))
	d.KeyObject("contact") // the contact for questions about the site's calendar
	d.KeyString("name", publisher(ctx))
	d.KeyString("url", site.From(ctx).SiteURL)
	d.End()
	d.KeyObject("license") // of the program, and therefore of this document
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
		d.KeyObject(cmp.Or(route.Path, "/"))
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

// tags writes the tags of all resources, each once.
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

// components writes the components that the operations refer to. Schemas can refer to further schemas, so they come
// last.
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
