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
		Handle: func(_ context.Context, r *rest.Request) (*rest.Response, error) {
			write(r, routes())
			return nil, nil
		},
	}
}

func write(r *rest.Request, routes []*rest.Route) {
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
				writeOperation(w, r, route, o, m)
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

func writeOperation(w *wire.Writer, r *rest.Request, route *rest.Route, o *rest.Operation, method string) {
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
	body := method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch
	w.KeyArray("parameters")
	for _, p := range o.Params {
		if !body || inPath(route, p) {
			writeParam(w, r, route, p)
		}
	}
	w.End()
	success := "200"
	if body {
		writeBody(w, r, route, o)
		if method == http.MethodPost && !strings.Contains(route.Path, "{") {
			success = "201"
		}
	}
	w.KeyObject("responses")
	w.KeyObject(success)
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

func inPath(route *rest.Route, p *param.Param) bool {
	return strings.Contains(route.Path, "{"+p.Name+"}")
}

// writeBody describes the fields of a body, in each form that it may have.
func writeBody(w *wire.Writer, r *rest.Request, route *rest.Route, o *rest.Operation) {
	w.KeyObject("requestBody")
	w.KeyObject("content")
	for _, media := range []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data"} {
		w.KeyObject(media)
		w.KeyObject("schema")
		w.KeyString("type", "object")
		w.KeyObject("properties")
		var required []string
		for _, p := range o.Params {
			if inPath(route, p) && !p.InBody {
				continue
			}
			w.KeyObject(p.Name)
			if p.Doc != "" {
				w.KeyString("description", r.Text.Text(p.Doc, nil))
			}
			if p.Type != "" && !p.AnyType {
				w.KeyString("type", p.Type)
			}
			w.End()
			if p.Required {
				required = append(required, p.Name)
			}
		}
		w.End()
		if required != nil {
			w.KeyArray("required")
			for _, name := range required {
				w.String(name)
			}
			w.End()
		}
		w.End()
		w.End()
	}
	w.End()
	w.End()
}

func writeParam(w *wire.Writer, r *rest.Request, route *rest.Route, p *param.Param) {
	place := "query"
	if inPath(route, p) {
		place = "path"
	}
	w.Object()
	w.KeyString("in", place)
	w.KeyString("name", p.Name)
	if p.Doc != "" {
		w.KeyString("description", r.Text.Text(p.Doc, nil))
	}
	w.KeyBool("required", p.Required || place == "path")
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
