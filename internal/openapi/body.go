package openapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
)

// body describes the fields of a body in each of its formats. Multipart forms are only accepted with POST.
func (d *document) body(route *rest.Route, o *rest.Operation, method string) {
	var fields []*param.Param
	for _, p := range o.Params {
		// A variable of the path is not a field, unless there is a field of the same name.
		if inBody(o, p) && (p.InBody || !route.InPath(p.Name)) {
			fields = append(fields, p)
		}
	}
	name := strings.TrimSuffix(strings.ToUpper(o.ID[:1])+o.ID[1:], "BySlug") // operations by slug have the same body
	body := param.Object(name+"Body", fields).Doc("doc_body")
	form := formOf(body).As(name + "Form").Doc("doc_form")
	d.KeyObject("requestBody")
	d.KeyBool("required", o.Creates || o.Batch)
	d.KeyObject("content")
	d.media("application/json", body)
	if !o.Batch {
		d.media("application/x-www-form-urlencoded", form)
	}
	if !o.Batch && method == http.MethodPost {
		d.media("multipart/form-data", form, fields...)
	}
	d.End()
	d.End()
}

// media describes a body in one format. fields are those that may be files in it.
func (d *document) media(name string, s *jsonschema.Schema, fields ...*param.Param) {
	d.KeyObject(name)
	d.Key("schema")
	d.schema(s, "")
	d.Key("example")
	d.sampleBody(s)
	if slices.ContainsFunc(fields, func(p *param.Param) bool { return p.File }) {
		d.encoding(fields)
	}
	d.End()
}

// encoding describes which fields may be files instead of strings. A separate schema for multipart forms would make
// generated clients half a thousand lines longer.
func (d *document) encoding(fields []*param.Param) {
	d.KeyObject("encoding")
	for _, p := range fields {
		if p.File {
			d.KeyObject(p.Name)
			d.KeyString("contentType", "image/jpeg, image/png, image/gif, image/webp, text/plain")
			d.End()
		}
	}
	d.End()
}

// formOf returns the schema of a body as a form: lists become strings separated by commas, and objects and members that
// can only be null are left out.
func formOf(body *jsonschema.Schema) *jsonschema.Schema {
	shapes, form := map[string]*jsonschema.Schema{}, *body
	form.Members = slices.DeleteFunc(slices.Clone(body.Members),
		func(m jsonschema.Member) bool { return m.Shape.Type == jsonschema.TypeNull })
	for _, m := range form.Members {
		if s := m.Shape; s.OneOf != nil || s.AnyOf != nil || s.Type == jsonschema.TypeList {
			text := jsonschema.Text()
			switch sample := s.Sample.(type) {
			case nil:
			case []any:
				text = text.Example(strings.ReplaceAll(strings.Trim(fmt.Sprint(sample), "[]"), " ", ","))
			default:
				text = text.Example(fmt.Sprint(sample))
			}
			shapes[m.Name] = text
		}
	}
	return form.Set(shapes)
}
