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

// body describes the fields of a body in each form that it may have. Forms with
// parts are read in POST alone.
func (d *document) body(route *rest.Route, o *rest.Operation, method string) {
	var fields []*param.Param
	for _, p := range o.Params {
		// What the path names is no field, unless a field has the same name.
		if inBody(o, p) && (p.InBody || !route.InPath(p.Name)) {
			fields = append(fields, p)
		}
	}
	name := strings.TrimSuffix(strings.ToUpper(o.ID[:1])+o.ID[1:], "BySlug") // which takes the same
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

// media describes a body in one form, with the fields that may be files in it.
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

// encoding says which fields may be files beside texts. A schema of its own for the form with
// parts would make clients that are generated longer by half a thousand lines.
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

// formOf is a body as a form carries it: lists are texts, separated by commas,
// objects stay out, and so does what can only be null.
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
