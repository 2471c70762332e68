package openapi

import (
	"net/http"
	"slices"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/rest"
)

// sample writes an example of a schema.
func (d *document) sample(s *jsonschema.Schema) {
	switch {
	case s.Sample != nil && s.Type != jsonschema.TypeObject:
		d.value(s.Sample)
	case s.DefaultValue != nil:
		d.value(s.DefaultValue)
	case s.Only != nil:
		d.value(s.Only[0])
	case s.Known != nil:
		d.value(s.Known[0])
	case s.OneOf != nil:
		d.sample(s.OneOf[0])
	case s.AnyOf != nil:
		d.sample(s.AnyOf[0])
	case s.Type == jsonschema.TypeObject:
		d.sampleObject(s)
	case s.Type == jsonschema.TypeList:
		d.Array()
		if !s.Empty {
			d.sample(s.Items)
		}
		d.End()
	case s.Type == jsonschema.TypeText && s.MinChars > 0:
		d.String("text")
	case s.Type == jsonschema.TypeText:
		d.String("")
	case s.Min != nil:
		d.Float(*s.Min)
	case s.Type == jsonschema.TypeInt || s.Type == jsonschema.TypeNumber:
		d.Int(1)
	case s.Type == jsonschema.TypeBoolean:
		d.Bool(true)
	default:
		d.Null()
	}
}

func (d *document) sampleObject(s *jsonschema.Schema) {
	d.Object()
	for _, m := range s.Members {
		d.Key(m.Name)
		d.sample(m.Shape)
	}
	if s.Others != nil {
		d.Key("name")
		d.sample(s.Others)
	}
	d.End()
}

// sampleBody writes an example of a body, with the required fields and those that have an example.
func (d *document) sampleBody(s *jsonschema.Schema) {
	d.Object()
	for _, m := range s.Members {
		if !m.Optional || m.Shape.Sample != nil {
			d.Key(m.Name)
			d.sample(m.Shape)
		}
	}
	d.End()
}

// exampleOf writes a reference to an example of a schema; for alternatives, of the first one.
func (d *document) exampleOf(s *jsonschema.Schema) {
	for s.OneOf != nil {
		s = s.OneOf[0]
	}
	d.KeyObject("examples")
	d.KeyObject("example")
	d.KeyString("$ref", "#/components/examples/"+s.Name)
	d.End()
	d.End()
	if !slices.ContainsFunc(d.samples, func(known *jsonschema.Schema) bool { return known.Name == s.Name }) {
		d.samples = append(d.samples, s)
	}
}

// errorExamples writes an example for each error code.
func (d *document) errorExamples(errors []*apierror.Error) {
	seen := map[string]bool{}
	d.KeyObject("examples")
	for _, e := range errors {
		if seen[e.Code] {
			continue
		}
		seen[e.Code] = true
		d.KeyObject(e.Code)
		d.Key("value")
		if e.Shape != nil {
			d.sampleError(e)
		} else {
			d.Object()
			d.KeyString("code", e.Code)
			d.KeyString("message", d.message(e.Message.ID))
			d.KeyObject("data")
			d.KeyInt("status", int64(e.Status))
			d.End()
			d.End()
		}
		d.End()
	}
	d.End()
}

// sampleError writes an example of an error with a body of its own.
func (d *document) sampleError(e *apierror.Error) {
	d.Object()
	for _, m := range e.Shape.Members {
		d.Key(m.Name)
		switch {
		case m.Name == "message":
			d.String(d.message(e.Message.ID))
		case m.Name == "data" && e == rest.ErrInvalidParam:
			d.Object()
			d.KeyInt("status", http.StatusBadRequest)
			d.KeyObject("params")
			d.KeyString("title", d.message("fault_text_empty"))
			d.End()
			d.KeyArray("details")
			d.End()
			d.End()
		default:
			d.sample(m.Shape)
		}
	}
	d.End()
}
