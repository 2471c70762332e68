// Package openapi writes the documentation of the API as an OpenAPI document,
// from the same declarations that serve it.
package openapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/wire"
)

// Version is the version of the OpenAPI specification that documents follow.
const Version = "3.1.0"

// Operation returns the operation that answers the documentation of the
// routes, which are asked for when it is called.
func Operation(routes func() []*rest.Route, language *param.Param) *rest.Operation {
	return &rest.Operation{
		ID: "getDocumentation", Methods: []string{http.MethodGet}, Summary: "summary_doc", Tag: "doc",
		Params: []*param.Param{language},
		Handle: func(ctx context.Context, r *rest.Request) (*rest.Response, error) {
			write(ctx, r, routes())
			return nil, nil
		},
	}
}

func write(ctx context.Context, r *rest.Request, routes []*rest.Route) {
	w := r.Out
	w.Object()
	w.KeyString("openapi", Version)
	w.KeyObject("info")
	w.KeyString("version", "1.0.0")
	w.KeyString("title", r.Text.Text("doc_title", nil))
	w.KeyString("description", r.Text.Text("doc_description", nil))
	w.End()
	writeComponents(w, r)
	w.KeyArray("servers")
	w.Object()
	w.KeyString("url", r.Root.URL)
	w.End()
	w.End()
	w.KeyObject("paths")
	for _, route := range routes {
		path := route.Path
		if path == "" {
			path = "/"
		}
		w.KeyObject(path)
		for _, o := range route.Operations {
			for _, m := range o.Methods {
				w.Key(strings.ToLower(m))
				writeOperation(ctx, w, r, route, o, m)
			}
		}
		w.End()
	}
	w.End()
	w.End()
}

func writeComponents(w *wire.Writer, r *rest.Request) {
	w.KeyObject("components")
	w.KeyObject("schemas")
	w.KeyObject("Error")
	w.KeyString("type", "object")
	w.KeyString("description", r.Text.Text("doc_error", nil))
	w.KeyArray("required")
	w.String("code")
	w.String("message")
	w.String("data")
	w.End()
	w.KeyObject("properties")
	for _, p := range [...][2]string{{"code", "string"}, {"message", "string"}, {"data", "object"}} {
		w.KeyObject(p[0])
		w.KeyString("type", p[1])
		w.End()
	}
	w.End()
	w.End()
	w.End()
	w.End()
}

func writeOperation(ctx context.Context, w *wire.Writer, r *rest.Request, route *rest.Route, o *rest.Operation, method string) {
	w.Object()
	id := o.ID
	if method != o.Methods[0] {
		id += strings.ToUpper(method[:1]) + strings.ToLower(method[1:])
	}
	w.KeyString("operationId", id)
	w.KeyString("summary", r.Text.Text(o.Summary, nil))
	w.KeyArray("tags")
	w.String(o.Tag)
	w.End()
	w.KeyArray("parameters")
	for _, p := range o.Params {
		writeParam(ctx, w, r, route, p)
	}
	w.End()
	w.KeyObject("responses")
	w.KeyObject("200")
	w.KeyString("description", r.Text.Text("doc_success", nil))
	writeContent(w, "")
	w.End()
	w.KeyObject("default")
	w.KeyString("description", r.Text.Text("doc_error", nil))
	writeContent(w, "#/components/schemas/Error")
	w.End()
	w.End()
	w.End()
}

func writeContent(w *wire.Writer, ref string) {
	w.KeyObject("content")
	w.KeyObject("application/json")
	w.KeyObject("schema")
	if ref == "" {
		w.KeyString("type", "object")
	} else {
		w.KeyString("$ref", ref)
	}
	w.End()
	w.End()
	w.End()
}

func writeParam(ctx context.Context, w *wire.Writer, r *rest.Request, route *rest.Route, p *param.Param) {
	place := "query"
	if strings.Contains(route.Path, "{"+p.Name+"}") {
		place = "path"
	}
	w.Object()
	w.KeyString("in", place)
	w.KeyString("name", p.Name)
	if p.Doc != "" {
		w.KeyString("description", r.Text.Text(p.Doc, nil))
	}
	w.KeyBool("required", p.Required)
	w.KeyObject("schema")
	switch {
	case p.Items != "":
		w.KeyString("type", "array")
		w.KeyObject("items")
		w.KeyString("type", "string")
		w.End()
	case p.Type != "":
		w.KeyString("type", p.Type)
	default:
		w.KeyString("type", param.String)
	}
	w.End()
	if p.Items != "" {
		w.KeyString("style", "form")
		w.KeyBool("explode", false)
	}
	w.End()
}
