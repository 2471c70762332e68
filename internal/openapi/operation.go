package openapi

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
)

// operation writes an operation for one of its methods.
func (d *document) operation(route *rest.Route, o *rest.Operation, method string) {
	d.Object()
	d.KeyString("operationId", idOf(o, method))
	d.KeyString("summary", d.message(o.Summary))
	d.describe(aboutOperation(o))
	d.KeyStrings("tags", o.Tag)
	if o.Restricted() {
		d.security(users)
	}
	d.KeyArray("parameters")
	for _, p := range o.Documented() {
		switch {
		case route.InPath(p.Name) && p.InBody: // the body has a different parameter of the same name
			d.param("path", p.Name, "param_slug", true, p.Schema)
		case route.InPath(p.Name):
			d.param("path", p.Name, p.Doc, true, p.Schema)
		case !inBody(o, p):
			d.param("query", p.Name, p.Doc, p.Required, p.Schema)
		}
	}
	d.commonParams(route, o)
	d.End()
	if hasBody(o) {
		d.body(route, o, method)
	}
	d.responses(route, o)
	d.End()
}

// idOf returns the id of an operation for one of its methods: updateEvent is POST; putEvent and patchEvent do the same.
func idOf(o *rest.Operation, method string) string {
	if method == o.Methods[0] {
		return o.ID
	}
	return strings.ToLower(method) + strings.TrimPrefix(o.ID, "update")
}

// aboutOperation returns the message id of an operation's description.
func aboutOperation(o *rest.Operation) string {
	switch {
	case o.Host:
		return ""
	case o.Only != nil:
		return o.Only.About
	case o.Tag == "index":
		return "doc_about_index"
	case o.Tag == "doc":
		return "doc_about_doc"
	case o.Batch:
		return "doc_about_batch"
	case o.Sync:
		return "doc_about_sync"
	case o.List:
		return "doc_about_list"
	case o.Reads():
		return "doc_about_read"
	case o.Creates:
		return "doc_about_create"
	case hasBody(o):
		return "doc_about_update"
	}
	if slices.ContainsFunc(o.Params, func(p *param.Param) bool { return p.Name == "force" }) {
		return "doc_about_trash"
	}
	return "doc_about_delete"
}

// commonParams writes the parameters that every operation accepts.
func (d *document) commonParams(route *rest.Route, o *rest.Operation) {
	if o.Only == nil {
		names := jsonschema.List(jsonschema.Text()).UpTo(rest.MaxFieldNames).Example([]any{"id", "title"})
		d.param("query", "_fields", "doc_param_fields", false, names)
	}
	switch tag := jsonschema.Text().Example(`"Yk8-2Q.x1"`); {
	case o.Sync: // has no ETag
	case o.Reads():
		d.param("header", "If-None-Match", "doc_param_if_none_match", false, tag)
	case !o.Host && strings.Contains(route.Path, "{"):
		d.param("header", "If-Match", "doc_param_if_match", false, tag)
	}
	if o.TakesKey() {
		d.param("header", "Idempotency-Key", "doc_param_idempotency_key", false,
			jsonschema.Text().Chars(1, 255).Example("8e03978e-40d5-43dd-bc93-6894a57f9324"))
	}
}

func (d *document) param(place, name, about string, required bool, s *jsonschema.Schema) {
	d.Object()
	d.KeyString("in", place)
	d.KeyString("name", name)
	d.describe(cmp.Or(s.About, about))
	d.KeyBool("required", required)
	d.Key("schema")
	d.schema(s.Doc(""), "")
	if s.Type == jsonschema.TypeList {
		d.KeyString("style", "form")
		d.KeyBool("explode", false)
	}
	d.End()
}

// hasBody reports whether an operation accepts a body with the fields of an item.
func hasBody(o *rest.Operation) bool {
	return o.Methods[0] == http.MethodPost || o.Host && (o.Methods[0] == http.MethodPut || o.Methods[0] == http.MethodPatch)
}

// inBody reports whether a parameter is a field of the body.
func inBody(o *rest.Operation, p *param.Param) bool { return hasBody(o) && !p.InQuery }
